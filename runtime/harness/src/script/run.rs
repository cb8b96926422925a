use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::HarnessError;
use crate::prompt::{Origin, Prompt};
use crate::record::{RecordError, Row, read};
use crate::registry::Registry;
use crate::session::{Progress, Session, SessionBuilder, SessionPolicy};

use super::check::{Mismatch, check};
use super::error::RunError;
use super::model::ScriptedModel;
use super::person::ScriptedPerson;
use super::scenario::{FileContent, PromptScript, Scenario};

/// Changes a session's builder before it is used: observers, tools, clock.
type Configure = Box<dyn FnOnce(SessionBuilder) -> SessionBuilder + Send>;

/// How a scenario is played.
pub struct RunOptions {
    /// Who takes part.
    pub registry: Registry,
    /// Where the record goes, or lies.
    pub record: PathBuf,
    /// Working directory; has to exist.
    pub workdir: PathBuf,
    /// What this host allows.
    pub policy: SessionPolicy,
    /// Fires to stop (Ctrl-C).
    pub cancel: CancellationToken,
    /// Changes the session's builder before it is used.
    pub configure: Option<Configure>,
}

impl RunOptions {
    /// With no contributors and the native policy.
    pub fn new(record: impl Into<PathBuf>, workdir: impl Into<PathBuf>) -> RunOptions {
        RunOptions {
            registry: Registry::default(),
            record: record.into(),
            workdir: workdir.into(),
            policy: SessionPolicy::default(),
            cancel: CancellationToken::new(),
            configure: None,
        }
    }
}

/// What a played scenario left.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    /// The whole record.
    pub rows: Vec<Row>,
    /// What was expected and did not happen.
    pub mismatches: Vec<Mismatch>,
    /// Whether it was stopped before the end of the script.
    pub stopped: bool,
}

/// Plays a scenario from the beginning: writes its files, then a new record.
///
/// Where the working directory is missing or the record cannot be new, nothing is written.
pub async fn run(scenario: &Scenario, options: RunOptions) -> Result<RunOutcome, RunError> {
    check_places(&options)?;
    for (path, content) in &scenario.files {
        let path = options.workdir.join(path);
        write_file(&path, content).map_err(|source| RunError::File { path, source })?;
    }
    let person = Arc::new(ScriptedPerson::new(scenario, &options.workdir));
    let (record, workdir, cancel) = (options.record.clone(), options.workdir.clone(), options.cancel.clone());
    let session = builder(scenario, options, person)?.create(&record, &workdir).await?;
    play(scenario, session, 0, cancel, &workdir).await
}

/// Goes on with a scenario from its record. Nothing that was executed is executed again.
pub async fn resume(scenario: &Scenario, options: RunOptions) -> Result<RunOutcome, RunError> {
    let loaded = read(&options.record).map_err(HarnessError::from)?;
    let progress = Progress::of(&loaded.rows);
    // A session that was stopped has an end as well, but items of the script are left.
    if progress.ended && progress.open.is_none() && progress.next_script as usize >= scenario.prompts.len() {
        let mismatches = check(scenario, &loaded.rows, &options.workdir);
        return Ok(RunOutcome { rows: loaded.rows, mismatches, stopped: false });
    }
    let person = Arc::new(ScriptedPerson::new(scenario, &options.workdir));
    person.catch_up(&loaded.rows);
    let (record, workdir, cancel) = (options.record.clone(), options.workdir.clone(), options.cancel.clone());
    let session = builder(scenario, options, person)?.resume(&record).await?;
    play(scenario, session, progress.next_script, cancel, &workdir).await
}

fn builder(scenario: &Scenario, options: RunOptions, person: Arc<ScriptedPerson>) -> Result<SessionBuilder, RunError> {
    let permissions = scenario.permissions().map_err(|error| super::ScenarioError {
        file: scenario.name.clone(),
        line: 0,
        column: 0,
        message: error.to_string(),
        span: 0..0,
    })?;
    let builder = SessionBuilder::new(options.registry, Arc::new(ScriptedModel::new(scenario)))
        .person(person)
        .policy(options.policy)
        .permissions(permissions)
        .cancel(options.cancel);
    Ok(match options.configure {
        Some(configure) => configure(builder),
        None => builder,
    })
}

async fn play(
    scenario: &Scenario,
    mut session: Session,
    from: u32,
    cancel: CancellationToken,
    workdir: &Path,
) -> Result<RunOutcome, RunError> {
    session.finish_open().await?;
    for (index, item) in (0_u32..).zip(&scenario.prompts).skip(from as usize) {
        if cancel.is_cancelled() {
            break;
        }
        let origin = Origin::script(index);
        match item {
            PromptScript { command: Some(line), .. } => {
                session.command(line, origin).await?;
            }
            PromptScript { text, .. } => {
                let text = text.clone().unwrap_or_default();
                session.prompt(Prompt { text, context: Vec::new(), origin }).await?;
            }
        }
    }
    let stopped = cancel.is_cancelled();
    let rows = session.end(if stopped { "other" } else { "prompt_input_exit" }).await?;
    let mismatches = check(scenario, &rows, workdir);
    Ok(RunOutcome { rows, mismatches, stopped })
}

fn check_places(options: &RunOptions) -> Result<(), HarnessError> {
    std::fs::read_dir(&options.workdir)
        .map_err(|source| HarnessError::Workdir { path: options.workdir.clone(), source })?;
    let path = options.record.clone();
    if path.symlink_metadata().is_ok() {
        return Err(RecordError::Exists { path }.into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match std::fs::metadata(folder) {
        Ok(facts) if facts.is_dir() => Ok(()),
        Ok(_) => {
            let source = std::io::Error::from(std::io::ErrorKind::NotADirectory);
            Err(RecordError::Io { path, action: "create", source }.into())
        }
        Err(source) => Err(RecordError::Io { path, action: "create", source }.into()),
    }
}

fn write_file(path: &Path, content: &FileContent) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, content.text())?;
    if let FileContent::Full { executable: true, .. } = content {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}
