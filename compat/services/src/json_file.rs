//! A JSON object in a file that several processes change.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::{ServiceError, codes};

/// One object in one file. Changes are made under a lock beside the file and put in place whole, so that readers need
/// no lock and see the object before or after a change, never between. Blocks; errors name the call they are given.
#[derive(Debug, Clone)]
pub(crate) struct JsonFile {
    path: PathBuf,
}

impl JsonFile {
    pub(crate) fn new(path: impl Into<PathBuf>) -> JsonFile {
        JsonFile { path: path.into() }
    }

    /// The object; empty where there is no file. A file that holds no object is an error, and is left as it is.
    pub(crate) fn read(&self, call: &str) -> Result<Map<String, Value>, ServiceError> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Map::new()),
            Err(error) => return Err(ServiceError::os(call, &self.path, &error)),
        };
        serde_json::from_slice(&bytes).map_err(|error| {
            let why = format!("{} is not a JSON object ({error}); it is left as it is", self.path.display());
            ServiceError::failed(call, codes::STORE_DAMAGED, why)
        })
    }

    /// Changes the object. Nothing is written when `change` refuses.
    pub(crate) fn change<T>(
        &self,
        call: &str,
        change: impl FnOnce(&mut Map<String, Value>) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        let io = |error: io::Error| ServiceError::os(call, &self.path, &error);
        let _lock = self.lock().map_err(io)?;
        let mut object = self.read(call)?;
        let result = change(&mut object)?;
        self.replace(&object).map_err(io)?;
        Ok(result)
    }

    /// Held until dropped. A file of its own: the object's file is replaced, and a lock on it would go with the old one.
    fn lock(&self) -> io::Result<File> {
        fs::create_dir_all(self.folder())?;
        let mut name = self.path.file_name().unwrap_or_default().to_os_string();
        name.push(".lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(self.path.with_file_name(name))?;
        lock.lock()?;
        Ok(lock)
    }

    fn replace(&self, object: &Map<String, Value>) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".modgate-").tempfile_in(self.folder())?;
        serde_json::to_writer(&mut file, object)?;
        file.flush()?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map(drop).map_err(|error| error.error)
    }

    fn folder(&self) -> &Path {
        self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }
}
