//! Following `on`, `$` and `next` through a module, as the host does before it runs it.
//!
//! Nothing here guesses: a name counts for what its declaration holds, and where a value would get out of sight the
//! rules refuse the module. Each function is followed once for each thing it is handed.

mod dollar;
mod hooks;
mod literal;
mod matcher;
mod names;
mod next;
mod nouns;
mod reach;
mod register;
mod state;
mod surface;
mod surprises;

use crate::Options;
use crate::found::{Adding, Found};
use crate::graph::{File, Target};
use crate::report::{Call, Facts, HookFact, Named, Nouns, Reach, StateKey, Uses};
use crate::rules::Rule;
use crate::syntax::Parsed;
use crate::text::Text;
use crate::tree::{BindId, FnId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) use hooks::As;
pub(crate) use literal::{known_text, literal_text, property};
pub(crate) use names::{Callee, function_named};
pub(crate) use surface::{STREAMS, components};

/// A file of the module, ready to be asked.
pub(crate) struct Unit<'a> {
    pub(crate) text: &'a Text,
    pub(crate) parsed: &'a Parsed,
    pub(crate) tree: Tree<'a>,
    pub(crate) targets: &'a FxHashMap<String, Target>,
}

/// A function of some file.
pub(crate) type FnRef = (usize, FnId);

/// All files of the module; those that did not parse have no unit.
pub(crate) struct Program<'a> {
    pub(crate) units: Vec<Option<Unit<'a>>>,
}

impl<'a> Program<'a> {
    pub(crate) fn new(files: &'a [File]) -> Program<'a> {
        let unit = |file: &'a File| {
            let parsed = file.parsed.as_ref()?;
            Some(Unit { text: &file.text, parsed, tree: crate::tree::build(parsed), targets: &file.targets })
        };
        Program { units: files.iter().map(unit).collect() }
    }
}

/// A registered hook, with what the later checks need.
pub(crate) struct Hook<'a> {
    /// Where it is registered.
    pub(crate) unit: usize,
    pub(crate) func: FnRef,
    pub(crate) catch: Option<FnRef>,
    pub(crate) pattern: String,
    pub(crate) pattern_at: (u32, u32),
    pub(crate) matcher_at: Option<(u32, u32)>,
    pub(crate) matcher: Option<&'a swc_ecma_ast::Expr>,
    pub(crate) read: modgate_catalog::pattern::Pattern,
    pub(crate) fact: HookFact,
}

/// One `$` call in the source.
#[derive(Clone)]
pub(crate) struct CallSite<'a> {
    pub(crate) unit: usize,
    pub(crate) func: FnId,
    pub(crate) name: String,
    /// `noun.method` in the source.
    pub(crate) at: (u32, u32),
    pub(crate) call: Option<&'a swc_ecma_ast::CallExpr>,
}

#[derive(Default)]
struct Calls {
    direct: bool,
    via: BTreeSet<String>,
    at: Option<(usize, (u32, u32))>,
}

/// The work in progress.
pub(crate) struct Scan<'s, 'a> {
    pub(crate) program: &'s Program<'a>,
    pub(crate) found: &'s mut Found,
    /// Name of the mod; state it owns carries it.
    pub(crate) owner: Option<&'s str>,
    /// State values the types contract declares.
    pub(crate) declared: &'s [(String, String)],
    pub(crate) options: &'s Options,
    pub(crate) hooks: Vec<Hook<'a>>,
    pub(crate) sites: Vec<CallSite<'a>>,
    registrars: FxHashSet<(usize, FnId, usize)>,
    handed: FxHashSet<(usize, BindId, bool)>,
    continued: FxHashSet<(usize, BindId, bool)>,
    calls: BTreeMap<String, Calls>,
    env_reads: Names,
    env_writes: Names,
    state_reads: States,
    state_writes: States,
    hosts: Sorted,
    commands: Sorted,
    paths: Sorted,
    pub(crate) next_to: Names,
    clients: Names,
    telemetry: Names,
    nouns: Option<Nouns>,
    pub(crate) breakers: Names,
    refused: bool,
}

pub(crate) type Names = BTreeMap<String, Named>;
type States = BTreeMap<(String, String), StateKey>;

/// Names and the calls that name none.
#[derive(Default)]
struct Sorted {
    named: Names,
    unread: Names,
}

impl<'s, 'a> Scan<'s, 'a> {
    pub(crate) fn new(
        program: &'s Program<'a>,
        found: &'s mut Found,
        owner: Option<&'s str>,
        declared: &'s [(String, String)],
        options: &'s Options,
    ) -> Scan<'s, 'a> {
        Scan {
            program,
            found,
            owner,
            declared,
            options,
            hooks: Vec::new(),
            sites: Vec::new(),
            registrars: FxHashSet::default(),
            handed: FxHashSet::default(),
            continued: FxHashSet::default(),
            calls: BTreeMap::new(),
            env_reads: Names::new(),
            env_writes: Names::new(),
            state_reads: States::new(),
            state_writes: States::new(),
            hosts: Sorted::default(),
            commands: Sorted::default(),
            paths: Sorted::default(),
            next_to: Names::new(),
            clients: Names::new(),
            telemetry: Names::new(),
            nouns: None,
            breakers: Names::new(),
            refused: false,
        }
    }

    pub(crate) fn unit(&self, unit: usize) -> &'s Unit<'a> {
        // Units are only ever named by those that exist.
        self.program.units[unit].as_ref().unwrap_or_else(|| unreachable!("a file that did not parse is not followed"))
    }

    /// A finding for which the host does not read the module any further: it has no facts then.
    pub(crate) fn refuse(
        &mut self,
        rule: &Rule,
        unit: usize,
        at: (u32, u32),
        message: impl Into<String>,
    ) -> Adding<'_> {
        self.refused = true;
        self.fault(rule, unit, at, message)
    }

    /// The same about a file as a whole.
    pub(crate) fn refuse_file(&mut self, rule: &Rule, unit: usize, message: impl Into<String>) -> Adding<'_> {
        self.refused = true;
        let path = &self.unit(unit).text.path;
        self.found.of(rule, path, message)
    }

    /// A finding that leaves the facts readable.
    pub(crate) fn fault(&mut self, rule: &Rule, unit: usize, at: (u32, u32), message: impl Into<String>) -> Adding<'_> {
        let text = self.unit(unit).text;
        self.found.at(rule, text, at, message)
    }

    pub(crate) fn named(&self, name: &str, unit: usize, at: (u32, u32)) -> Named {
        Named { name: name.to_owned(), at: self.unit(unit).text.location(at.0, at.1) }
    }

    /// Follows the module from its `register`; the facts, unless the scan was refused.
    pub(crate) fn run(&mut self, main: usize) -> Option<Facts> {
        self.surfaces_and_imports();
        self.library_atoms();
        if let Some(register) = self.register_function(main) {
            self.registrar(register, 0);
        }
        self.check_twice();
        self.create_hooks();
        self.telemetry_hooks();
        self.surprises();
        if self.refused { None } else { Some(self.facts()) }
    }

    fn facts(&mut self) -> Facts {
        let mut events: Vec<Named> = Vec::new();
        let mut seen = FxHashSet::default();
        for hook in &self.hooks {
            if seen.insert(hook.pattern.as_str()) {
                events.push(self.named(&hook.pattern, hook.unit, hook.pattern_at));
            }
        }
        let calls = self.calls.iter().filter_map(|(name, calls)| {
            let (unit, at) = calls.at?;
            let via = if calls.direct { Vec::new() } else { calls.via.iter().cloned().collect() };
            Some(Call { name: name.clone(), via, at: self.unit(unit).text.location(at.0, at.1) })
        });
        let uses = Uses {
            events,
            calls: calls.collect(),
            env: crate::report::Access { reads: values(&self.env_reads), writes: values(&self.env_writes) },
            state: crate::report::Access { reads: values(&self.state_reads), writes: values(&self.state_writes) },
            hosts: self.hosts.reach(),
            commands: self.commands.reach(),
            files: self.paths.reach(),
        };
        let mut next_to = values(&self.next_to);
        next_to.sort_by_key(|tier| next::TIERS.iter().position(|known| *known == tier.name));
        Facts {
            uses,
            hooks: self.hooks.iter().map(|hook| hook.fact.clone()).collect(),
            next_to,
            nouns: self.nouns.clone(),
            telemetry: values(&self.telemetry),
            clients: values(&self.clients),
            breaks_prompt_cache: values(&self.breakers),
        }
    }
}

impl Sorted {
    fn reach(&self) -> Reach {
        Reach { named: values(&self.named), unread: values(&self.unread) }
    }
}

fn values<K: Ord, V: Clone>(map: &BTreeMap<K, V>) -> Vec<V> {
    map.values().cloned().collect()
}
