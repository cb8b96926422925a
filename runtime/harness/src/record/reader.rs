use std::path::Path;

use super::line::{GENESIS, decode, digest};
use super::{RecordError, Row};

/// A record that verified.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// Its rows.
    pub rows: Vec<Row>,
    /// Hash of the last whole line, which the next row continues.
    pub head: String,
    /// Bytes of the whole lines.
    pub length: u64,
    /// What a crash had left behind the last whole line.
    pub recovered: Option<Recovered>,
}

/// A torn last line that was dropped. Nobody acted on it: rows are synced, line break included, before that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// How many bytes it had.
    pub dropped_bytes: u64,
}

/// Reads and verifies a record; the file stays as it is.
pub fn read(path: &Path) -> Result<Loaded, RecordError> {
    let bytes =
        std::fs::read(path).map_err(|source| RecordError::Io { path: path.to_owned(), action: "read", source })?;
    read_bytes(&bytes)
}

/// Verifies a record given as bytes.
pub fn read_bytes(bytes: &[u8]) -> Result<Loaded, RecordError> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let mut rows = Vec::new();
    let mut head = GENESIS.to_owned();
    for (index, line) in bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate() {
        let line = &line[..line.len() - 1];
        rows.push(decode(line, index + 1, index as u64, &head)?);
        head = digest(line);
    }
    let torn = (bytes.len() - whole) as u64;
    let recovered = (torn > 0).then_some(Recovered { dropped_bytes: torn });
    Ok(Loaded { rows, head, length: whole as u64, recovered })
}
