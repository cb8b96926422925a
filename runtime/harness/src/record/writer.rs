use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use serde_json::Value;

use super::line::{GENESIS, digest, encode};
use super::reader::read_bytes;
use super::{By, RecordError, Recovered, Row};

/// What tells the time of rows. Tests give their own.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// A record open for writing. Holds an exclusive lock on the file until dropped.
pub struct Record {
    path: PathBuf,
    file: Locked,
    rows: Vec<Row>,
    head: String,
    recovered: Option<Recovered>,
    poisoned: bool,
    clock: Clock,
}

impl Record {
    /// Starts a record in a new file.
    pub fn create(path: &Path, clock: Clock) -> Result<Record, RecordError> {
        let opened = OpenOptions::new().read(true).append(true).create_new(true).open(path);
        let file = match opened {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(RecordError::Exists { path: path.to_owned() });
            }
            other => other.map_err(io(path, "create"))?,
        };
        let file = Locked::new(file, path)?;
        sync_folder(path)?;
        Ok(Record {
            path: path.to_owned(),
            file,
            rows: Vec::new(),
            head: GENESIS.to_owned(),
            recovered: None,
            poisoned: false,
            clock,
        })
    }

    /// Opens a record to continue it: locks, verifies, and cuts a torn last line off.
    pub fn open(path: &Path, clock: Clock) -> Result<Record, RecordError> {
        let file = OpenOptions::new().read(true).append(true).open(path).map_err(io(path, "open"))?;
        let mut file = Locked::new(file, path)?;
        let mut bytes = Vec::new();
        file.0.read_to_end(&mut bytes).map_err(io(path, "read"))?;
        let loaded = read_bytes(&bytes)?;
        if loaded.recovered.is_some() {
            file.0.set_len(loaded.length).map_err(io(path, "cut the torn line off"))?;
            file.0.sync_all().map_err(io(path, "sync"))?;
        }
        Ok(Record {
            path: path.to_owned(),
            file,
            rows: loaded.rows,
            head: loaded.head,
            recovered: loaded.recovered,
            poisoned: false,
            clock,
        })
    }

    /// Appends a row. When this returns, the row is on the disk.
    pub fn append(&mut self, kind: &str, by: By, data: Value) -> Result<&Row, RecordError> {
        if self.poisoned {
            return Err(RecordError::Poisoned { path: self.path.clone() });
        }
        let row = Row {
            seq: self.rows.len() as u64,
            time: humantime::format_rfc3339_millis((self.clock)()).to_string(),
            kind: kind.to_owned(),
            by,
            prev: self.head.clone(),
            data,
        };
        let mut line = encode(&row)
            .map_err(|error| RecordError::Malformed { line: self.rows.len() + 1, reason: error.to_string() })?;
        let head = digest(line.as_bytes());
        line.push('\n');
        // After a failed write nobody knows what the file holds, so nothing may follow.
        self.poisoned = true;
        self.file.0.write_all(line.as_bytes()).map_err(io(&self.path, "append"))?;
        self.file.0.sync_data().map_err(io(&self.path, "sync"))?;
        self.poisoned = false;
        self.head = head;
        self.rows.push(row);
        Ok(&self.rows[self.rows.len() - 1])
    }

    /// Every row so far.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What [`Record::open`] had to drop.
    pub fn recovered(&self) -> Option<Recovered> {
        self.recovered
    }

    /// The time now, as rows have it.
    pub fn now(&self) -> SystemTime {
        (self.clock)()
    }
}

fn io<'a>(path: &'a Path, action: &'static str) -> impl FnOnce(std::io::Error) -> RecordError + 'a {
    move |source| RecordError::Io { path: path.to_owned(), action, source }
}

/// A file that nobody else may write.
///
/// Closing it would not be enough to let go of the lock: a process that is just being started has a copy of every open
/// file until its program is loaded, and with it a part in the lock.
struct Locked(File);

impl Locked {
    fn new(file: File, path: &Path) -> Result<Locked, RecordError> {
        match file.try_lock() {
            Ok(()) => Ok(Locked(file)),
            Err(TryLockError::WouldBlock) => Err(RecordError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => Err(io(path, "lock")(source)),
        }
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // Where it fails, closing the file lets go of it a little later.
        let _ = self.0.unlock();
    }
}

/// Makes the new file's entry in its folder last over a crash.
fn sync_folder(path: &Path) -> Result<(), RecordError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io(path, "sync the folder of"))
}
