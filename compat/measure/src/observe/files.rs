//! The working directory at the end.

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::MeasureError;

/// What is longer is compared by its hash.
const LONGEST: u64 = 64 * 1024;

/// Every file beneath a folder by its relative path; long ones and those that are no text as `sha256:...`. Folders
/// whose name begins with a dot belong to programs, and links lead elsewhere: both are left out.
pub fn files_at_the_end(folder: &Path) -> Result<BTreeMap<String, String>, MeasureError> {
    let mut files = BTreeMap::new();
    collect(folder, folder, &mut files)?;
    Ok(files)
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) -> Result<(), MeasureError> {
    let entries = std::fs::read_dir(folder).map_err(MeasureError::io(folder, "list"))?;
    for entry in entries {
        let entry = entry.map_err(MeasureError::io(folder, "list"))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(MeasureError::io(&path, "look at"))?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() && !hidden {
            collect(root, &path, files)?;
        } else if kind.is_file() {
            let bytes = std::fs::read(&path).map_err(MeasureError::io(&path, "read"))?;
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.insert(name, content(bytes));
        }
    }
    Ok(())
}

fn content(bytes: Vec<u8>) -> String {
    let long = bytes.len() as u64 > LONGEST;
    match String::from_utf8(bytes) {
        Ok(text) if !long => text,
        Ok(text) => hash(text.as_bytes()),
        Err(error) => hash(error.as_bytes()),
    }
}

fn hash(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_by_relative_path() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a/b")).unwrap();
        std::fs::create_dir_all(folder.path().join(".program")).unwrap();
        std::fs::write(folder.path().join("a/b/one.txt"), "1").unwrap();
        std::fs::write(folder.path().join(".program/state"), "x").unwrap();
        std::fs::write(folder.path().join("raw"), [0xff, 0xfe]).unwrap();
        let files = files_at_the_end(folder.path()).unwrap();
        assert_eq!(files.keys().collect::<Vec<_>>(), ["a/b/one.txt", "raw"]);
        assert_eq!(files["a/b/one.txt"], "1");
        assert!(files["raw"].starts_with("sha256:"));
    }
}
