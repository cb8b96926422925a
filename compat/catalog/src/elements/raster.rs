//! The cells of a Raster: little-endian triplets of code point, foreground and background, in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use modgate_value::{Map, Value};
use unicode_width::UnicodeWidthChar;

const CELL: usize = 12;
const DEFAULT_COLOR: u32 = 0x0100_0000;

/// Checks that there are as many cells as the size says, and each can be shown.
pub(super) fn check(props: &Map) -> Result<(), String> {
    let key = props.get("key").and_then(Value::as_str).unwrap_or_default();
    let size = |name: &str| props.get(name).and_then(Value::as_f64).unwrap_or_default();
    let wanted = size("columns") * size("rows");
    let cells = props.get("cells").and_then(Value::as_str).unwrap_or_default();
    let bytes = STANDARD.decode(cells).unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "a raster has at most 131072 cells")]
    if bytes.len() as f64 != wanted * CELL as f64 {
        return Err(format!("Raster {key:?} cells must be the base64 of {wanted} cells of {CELL} bytes"));
    }
    for (at, cell) in bytes.chunks_exact(CELL).enumerate() {
        cell_of(cell).map_err(|why| format!("Raster {key:?} cell {at} {why}"))?;
    }
    Ok(())
}

fn cell_of(cell: &[u8]) -> Result<(), String> {
    let part = |at: usize| u32::from_le_bytes([cell[at], cell[at + 1], cell[at + 2], cell[at + 3]]);
    let point = part(0);
    if point > 0xFFFF {
        return Err(format!("holds code point {point}, beyond the Basic Multilingual Plane"));
    }
    // A soft hyphen has a width of its own in some tables; terminals show none.
    if point == 0xAD || char::from_u32(point).and_then(UnicodeWidthChar::width) != Some(1) {
        return Err(format!("holds U+{point:04X}, which is not one printable character of width 1"));
    }
    if [part(4), part(8)].iter().any(|color| *color > DEFAULT_COLOR) {
        return Err("holds a color that is neither 0xRRGGBB nor 0x1000000 (the default)".into());
    }
    Ok(())
}
