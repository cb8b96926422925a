//! Sessions of mods that are written out in a test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Once};
use std::time::Duration;

use modgate_compat::Tier;
use modgate_compat::load::Folder;
use modgate_compat::native::{ModSource, Native, NativeOptions, NotLoaded};
use modgate_engine::{Compiled, Fault, Limits, Modules, compile};
use modgate_harness::record::{Row, kind};
use modgate_harness::script::{RunOptions, RunOutcome, Scenario, resume, run};
use modgate_services::mcp::ServerConfig;
use modgate_services::{Places, Policy as Grants};
use modgate_value::Value;
use parking_lot::Mutex;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    static ONCE: Once = Once::new();
    ONCE.call_once(modgate_engine::initialize);
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

pub(crate) fn block<T>(future: impl Future<Output = T>) -> T {
    RUNTIME.block_on(future)
}

/// One mod of one text.
struct Text(String);

impl Modules for Text {
    fn resolve(&self, specifier: &str, _referrer: &str) -> Result<String, Fault> {
        Err(Fault::hooks(format!("{specifier} is not there")))
    }

    fn load(&self, path: &str) -> Result<Compiled, Fault> {
        compile(path, &self.0).map_err(|error| Fault::named("SyntaxError", error.to_string()))
    }

    fn root(&self) -> &str {
        "/mod"
    }
}

pub(crate) const HASH: &str = "modgate1:test";

/// A mod of that text, which is all there is of it.
pub(crate) fn text(name: &str, source: &str) -> ModSource {
    ModSource {
        name: name.into(),
        tier: Tier::User,
        root: None,
        hash: HASH.into(),
        options: Value::object::<&str>([]),
        uses: Value::Undefined,
        modules: Arc::new(Text(source.to_string())),
        entry: "register.ts".into(),
    }
}

/// The mods of this repository.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods-fixtures")
}

/// One of them.
pub(crate) fn fixture(name: &str) -> Result<ModSource, Vec<String>> {
    let folder = Folder::open(&fixtures().join(name)).unwrap();
    ModSource::folder(&folder, Tier::User, HASH.into(), &Value::object::<&str>([]))
}

/// A folder with room for a session: where tools work, and the record beside it.
pub(crate) struct Place {
    folder: PathBuf,
    _own: Option<tempfile::TempDir>,
    pub(crate) work: PathBuf,
    pub(crate) record: PathBuf,
}

impl Place {
    pub(crate) fn new() -> Place {
        let own = tempfile::tempdir().unwrap();
        let place = Place::at(own.path());
        Place { _own: Some(own), ..place }
    }

    /// In a folder of somebody else's.
    pub(crate) fn at(folder: &Path) -> Place {
        let folder = folder.canonicalize().unwrap();
        let work = folder.join("work");
        std::fs::create_dir_all(&work).unwrap();
        Place { record: folder.join("record.jsonl"), work, folder, _own: None }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn file(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.work.join(name)).ok()
    }
}

/// How a session is played.
pub(crate) struct Setting {
    pub(crate) grants: Grants,
    pub(crate) hook: Duration,
    pub(crate) host: &'static str,
    pub(crate) limits: Limits,
    pub(crate) mcp: BTreeMap<String, ServerConfig>,
}

impl Default for Setting {
    fn default() -> Setting {
        Setting {
            grants: Grants::deny_all(),
            hook: Duration::from_secs(10),
            host: "native",
            limits: Limits::default(),
            mcp: BTreeMap::new(),
        }
    }
}

/// What became of a session.
pub(crate) struct Played {
    pub(crate) rows: Vec<Row>,
    pub(crate) outcome: RunOutcome,
    pub(crate) refused: Vec<NotLoaded>,
    /// The rows as they were when each was written.
    pub(crate) observed: Vec<Row>,
}

impl Played {
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<&Row> {
        self.rows.iter().filter(|row| row.kind == kind).collect()
    }

    /// Codes of the reports about that mod, in order.
    pub(crate) fn codes(&self, name: &str) -> Vec<String> {
        let by = format!("mod:{name}");
        let reports = self.of_kind(kind::MOD_REPORT).into_iter().filter(|row| row.by.to_string() == by);
        reports.filter_map(|row| row.text_at("code").map(str::to_string)).collect()
    }

    /// What a mod wrote into the transcript.
    pub(crate) fn logged(&self, name: &str) -> Vec<String> {
        let by = format!("mod:{name}");
        let lines = self.of_kind("ui/log").into_iter().filter(|row| row.by.to_string() == by);
        lines.filter_map(|row| row.text_at("text").map(str::to_string)).collect()
    }

    pub(crate) fn result(&self, call: &str) -> &serde_json::Value {
        let row = self.of_kind(kind::TOOL_RESULT).into_iter().find(|row| row.text_at("callId") == Some(call));
        &row.unwrap_or_else(|| panic!("{call} has no result")).data
    }
}

pub(crate) fn scenario(text: &str) -> Scenario {
    Scenario::parse(text, "test.toml").unwrap()
}

/// Grants for the mods of a test, as the `allow` table of each.
pub(crate) fn granted(place: &Place, names: &[&str], allow: &str) -> Grants {
    let grant = |name: &&str| format!("[[grant]]\nmod = \"{name}\"\nhash = \"{HASH}\"\n[grant.allow]\n{allow}\n");
    let text: String = names.iter().map(grant).collect();
    let places = Places { cwd: place.work.clone(), root: place.work.clone(), home: None };
    Grants::from_toml(&text, &places).unwrap()
}

/// Plays a session from the beginning, or on from its record.
pub(crate) fn play_in(place: &Place, mods: Vec<ModSource>, text: &str, setting: Setting, goes_on: bool) -> Played {
    block(async {
        let cancel = CancellationToken::new();
        let native = Native::new(NativeOptions {
            profile: modgate_catalog::hosts::host(setting.host).unwrap().clone(),
            grants: setting.grants,
            cwd: place.work.clone(),
            variables: BTreeMap::from([("PATH".to_string(), std::env::var("PATH").unwrap_or_default())]),
            store: place.record.with_extension("store.json"),
            mcp: setting.mcp,
            limits: Limits { hook: setting.hook, ..setting.limits },
            runtime: tokio::runtime::Handle::current(),
            cancel: cancel.clone(),
        });
        let mut refused = Vec::new();
        for source in mods {
            refused.extend(native.load(source).await.err());
        }
        native.ready().await.unwrap();
        let observed = Arc::new(Mutex::new(Vec::new()));
        let seen = observed.clone();
        let mut options = RunOptions::new(&place.record, &place.work);
        options.registry = native.registry();
        options.policy = native.session_policy();
        options.cancel = cancel;
        options.configure = Some(Box::new(move |builder| builder.observe(move |row| seen.lock().push(row.clone()))));
        let scenario = scenario(text);
        let outcome = if goes_on { resume(&scenario, options).await } else { run(&scenario, options).await };
        native.close();
        let outcome = outcome.unwrap();
        let observed = std::mem::take(&mut *observed.lock());
        Played { rows: outcome.rows.clone(), outcome, refused, observed }
    })
}

/// The same in a place of its own.
pub(crate) fn play(mods: Vec<ModSource>, text: &str, setting: Setting) -> (Place, Played) {
    let place = Place::new();
    let played = play_in(&place, mods, text, setting, false);
    (place, played)
}

/// A session in which the model asks for these commands, one step each, and everything is allowed.
pub(crate) fn commands(commands: &[&str]) -> String {
    let mut text = String::from("[permissions]\nmode = \"bypassPermissions\"\n[[prompt]]\ntext = \"go\"\n");
    for (index, command) in commands.iter().enumerate() {
        text += &format!(
            "[[prompt.step]]\n[[prompt.step.call]]\ntool = \"Bash\"\nid = \"c{index}\"\ninput = {{ command = '''{command}''' }}\n"
        );
    }
    text + "[[prompt.step]]\ntext = \"done\"\n"
}
