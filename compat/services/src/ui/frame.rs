//! Frames of a `Raster` or `Image`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use modgate_value::Value;

use super::parts::Element;

/// Bytes of one cell of a `Raster`: code point, foreground, background.
const CELL: usize = 12;

/// The frame, where it fits the element; why not, otherwise.
pub(super) fn frame(element: &Element, input: &Value) -> Result<Value, String> {
    let (columns, rows) = element.size.unwrap_or_default();
    for (name, size) in [("columns", columns), ("rows", rows)] {
        let given = input.get(name).and_then(Value::as_f64);
        if given.is_some_and(|given| given != f64::from(size)) {
            return Err(format!("{} has {size} {name}", element.key));
        }
    }
    let (cells, source) = (input.get("cells"), input.get("source").filter(|source| source.as_object().is_some()));
    match (&*element.kind, cells.and_then(Value::as_str), source) {
        ("Raster", Some(cells), None) => {
            let length = STANDARD.decode(cells).map_err(|_| "cells must be padded base64".to_string())?.len();
            let wanted = columns as usize * rows as usize * CELL;
            if length == wanted {
                Ok(Value::from(cells))
            } else {
                Err(format!("cells must be {wanted} bytes for {columns} x {rows}, not {length}"))
            }
        }
        ("Image", None, Some(source)) => {
            let shows = ["bytes", "base64", "file", "path", "shm"].into_iter().any(|name| source.get(name).is_some());
            if shows { Ok(source.clone()) } else { Err("source must hold a picture".into()) }
        }
        ("Raster", ..) => Err("a Raster takes cells".into()),
        ("Image", ..) => Err("an Image takes a source".into()),
        (kind, ..) => Err(format!("{} is a {kind}, not a Raster or Image", element.key)),
    }
}
