use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::{RecordError, Row};

/// The `prev` of the first row.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Lower-case hexadecimal SHA-256 of these bytes.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The row as its line, without the line break. Row content is JSON, so it has no raw line break.
pub fn encode(row: &Row) -> Result<String, serde_json::Error> {
    serde_json::to_string(row)
}

/// The row of a line (without its line break), checked against its place and the hash of the line before.
pub fn decode(bytes: &[u8], line: usize, seq: u64, prev: &str) -> Result<Row, RecordError> {
    let row: Row =
        serde_json::from_slice(bytes).map_err(|error| RecordError::Malformed { line, reason: error.to_string() })?;
    if row.seq != seq {
        return Err(RecordError::Sequence { line, expected: seq, found: row.seq });
    }
    if row.prev != prev {
        return Err(RecordError::Chain { line, expected: prev.to_owned(), found: row.prev });
    }
    Ok(row)
}
