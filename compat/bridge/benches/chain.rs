//! What mods cost: start, dispatch, memory. `make bench` runs it in release and prints the table of
//! `docs/benchmarks.md`. Figures are of one run on one machine.
#![allow(clippy::print_stdout, reason = "a program that prints")]
#![allow(missing_docs, reason = "a program")]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use modgate_compat::load::{self, Folder};
use modgate_compat::{Core, Mods, Origin, Path, Plugin, PluginSpec, Policy, Raised, Tier};
use modgate_engine::{Boxed, Fault, Limits};
use modgate_value::Value;

/// Beneath every mod: answers at once.
struct Echo;

impl Core for Echo {
    fn answer(self: Arc<Self>, _raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async { Ok(Value::object([("result", Value::text("done"))])) })
    }
}

const NO_OP: &str = "export function register(on) { on('tool.call', async ($, e, next) => next(e)) }";

struct Bench {
    runtime: tokio::runtime::Runtime,
    folder: Arc<Folder>,
}

impl Bench {
    fn new() -> Bench {
        modgate_engine::initialize();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let root = std::env::temp_dir().join(format!("modgate-bench-{}", std::process::id()));
        std::fs::create_dir_all(root.join("hooks")).expect("a folder");
        std::fs::write(root.join("hooks/hooks.json"), r#"{"modules":["./register.js"]}"#).expect("a file");
        std::fs::write(root.join("hooks/register.js"), NO_OP).expect("a file");
        let folder = Folder::open(&root).expect("a mod");
        Bench { runtime, folder }
    }

    fn mods(&self) -> Arc<Mods> {
        let profile = modgate_catalog::hosts::host("native").expect("the profile exists");
        Mods::builder(Arc::new(Echo), Policy::from(profile), self.runtime.handle().clone()).build()
    }

    fn load(&self, mods: &Arc<Mods>, count: usize) {
        let plugins: Vec<Arc<Plugin>> = (0..count)
            .map(|index| {
                let spec = PluginSpec {
                    name: format!("mod-{index}"),
                    tier: Tier::User,
                    root: Some(self.folder.root.clone()),
                    hash: String::new(),
                    options: Value::object::<&str>([]),
                    uses: Value::Undefined,
                };
                let loading = load::load(mods, spec, self.folder.clone(), &self.folder.entry, Limits::default());
                self.runtime.block_on(loading).expect("the mod loads")
            })
            .collect();
        for plugin in plugins {
            mods.seat(plugin);
        }
    }

    /// Microseconds a dispatch, over that many in a row, driven from one task.
    fn dispatch(&self, mods: &Arc<Mods>, input: &Value, times: u32) -> f64 {
        let run = |times: u32| {
            let (mods, input) = (mods.clone(), input.clone());
            let (done, waited) = std::sync::mpsc::channel();
            modgate_engine::inline::spawn(self.runtime.handle(), async move {
                let begun = Instant::now();
                for _ in 0..times {
                    mods.raise_over("tool.call", input.clone(), Origin::engine(), Path::default(), Arc::new(Echo))
                        .await
                        .expect("an answer");
                }
                let _ = done.send(begun.elapsed());
            });
            waited.recv_timeout(Duration::from_secs(600)).expect("the dispatches end")
        };
        run(times / 10 + 1);
        run(times).as_secs_f64() * 1e6 / f64::from(times)
    }
}

fn call(bytes: usize) -> Value {
    Value::object([
        ("tool", Value::text("Bash")),
        ("command", Value::from("x".repeat(bytes))),
        ("tool_use_id", Value::text("toolu_1")),
    ])
}

fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

fn start() {
    let program = std::env::current_exe().expect("this program");
    let mut times: Vec<f64> = (0..20)
        .map(|_| {
            let begun = Instant::now();
            let mut child =
                Command::new(&program).arg("--first-hook").stdout(Stdio::piped()).spawn().expect("it starts");
            let mut line = String::new();
            BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
            let took = begun.elapsed().as_secs_f64() * 1e3;
            child.wait().expect("it ends");
            took
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("| process start to the first hook's answer, median of 20 | {:.1} ms | 25 ms |", times[times.len() / 2]);
}

fn first_hook() {
    let bench = Bench::new();
    let mods = bench.mods();
    bench.load(&mods, 1);
    bench.runtime.block_on(mods.raise("tool.call", call(10))).expect("an answer");
    println!("answered");
    std::fs::remove_dir_all(&bench.folder.root).ok();
    std::process::exit(0);
}

/// In a process of its own: what earlier mods have freed would be used again.
fn memory() {
    let bench = Bench::new();
    let mods = bench.mods();
    bench.load(&mods, 1);
    let (mut before, mut loaded) = (resident(), 1);
    for count in [50, 200] {
        bench.load(&mods, count - loaded);
        let now = resident();
        let each = (now - before) / (count - loaded) as f64;
        println!("| resident memory per further idle mod, up to {count} | {each:.2} MiB | 3 MiB |");
        (before, loaded) = (now, count);
    }
    std::fs::remove_dir_all(&bench.folder.root).ok();
}

/// `--dispatch MODS TIMES...`: rounds of that many dispatches through that many mods, for a profiler.
fn dispatches(numbers: Vec<u32>) {
    let bench = Bench::new();
    let mods = bench.mods();
    let (count, rounds) = numbers.split_first().expect("--dispatch MODS TIMES...");
    bench.load(&mods, *count as usize);
    for times in rounds {
        let micros = bench.dispatch(&mods, &call(10), *times);
        println!("{count} mods, {times} times: {micros:.1} µs, {:.1} µs a mod", micros / f64::from(*count));
    }
    std::fs::remove_dir_all(&bench.folder.root).ok();
}

fn main() {
    let is = |name: &str| std::env::args().any(|argument| argument == name);
    if is("--first-hook") {
        return first_hook();
    }
    if is("--memory") {
        return memory();
    }
    if let Some(at) = std::env::args().position(|argument| argument == "--dispatch") {
        return dispatches(std::env::args().skip(at + 1).filter_map(|number| number.parse().ok()).collect());
    }
    println!("| what | measured | goal |\n|---|---|---|");
    start();
    let program = std::env::current_exe().expect("this program");
    Command::new(program).arg("--memory").status().expect("it runs");
    let bench = Bench::new();
    let mut single = 0.0;
    for count in [1, 10, 50] {
        let mods = bench.mods();
        bench.load(&mods, count);
        let micros = bench.dispatch(&mods, &call(10), if count == 50 { 2_000 } else { 10_000 });
        if count == 1 {
            single = micros;
            println!("| one `tool.call` through one no-op hook | {micros:.1} µs | 20 µs |");
        }
        let each = micros / count as f64;
        println!("| through {count} mods | {micros:.1} µs, {each:.1} µs a mod | 25 µs a mod |");
    }
    println!("| growth from 1 to 50 mods against linear | {:.2} | 1 |", {
        let mods = bench.mods();
        bench.load(&mods, 50);
        bench.dispatch(&mods, &call(10), 2_000) / 50.0 / single
    });
    for kib in [1, 16, 128, 1024] {
        let mods = bench.mods();
        bench.load(&mods, 1);
        let micros = bench.dispatch(&mods, &call(kib * 1024), if kib > 100 { 300 } else { 3_000 });
        println!("| one hook, a command of {kib} KiB | {micros:.1} µs | |");
    }
    std::fs::remove_dir_all(&bench.folder.root).ok();
}
