//! Where an Image comes from.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use modgate_value::{Map, Value};

const INLINE_PIXELS: f64 = 2048.0;
const FILE_PIXELS: f64 = 4096.0;
const INLINE_BYTES: usize = 2 * 1024 * 1024;
const PATH_BYTES: usize = 3072;

/// Checks the source: `{ png }`, `{ rgba, width, height }`, `{ file, format }` or `{ shm, format, width, height }`.
pub(super) fn check(props: &Map) -> Result<(), String> {
    let Some(source) = props.get("source").and_then(Value::as_object) else { return Ok(()) };
    let forms: [(&str, &[&str]); 4] = [
        ("png", &[]),
        ("rgba", &["width", "height"]),
        ("file", &["format", "width", "height", "generation"]),
        ("shm", &["format", "width", "height", "generation"]),
    ];
    let Some((form, beside)) = forms.iter().find(|(form, _)| source.contains_key(*form)) else {
        return Err(
            "Image source must be { png }, { rgba, width, height }, { file, format } or { shm, format, width, height }"
                .into(),
        );
    };
    if let Some(field) = source.keys().find(|field| *form != &***field && !beside.contains(&&***field)) {
        return Err(format!("Image source field {field:?} is not allowed beside {form:?}"));
    }
    if source.get("generation").is_some_and(|generation| !is_count(generation)) {
        return Err("Image source.generation must be a whole number that is not negative".into());
    }
    let text = source[*form].as_str().ok_or_else(|| format!("Image source.{form} must be a string"))?;
    match *form {
        "png" => png(text),
        "rgba" => {
            let pixels = size(source, INLINE_PIXELS)?;
            pixels_of(text, pixels)
        }
        "file" => file(text, source),
        _ => shm(text, source),
    }
}

fn is_count(value: &Value) -> bool {
    const MOST: f64 = 9_007_199_254_740_991.0;
    value.as_f64().is_some_and(|number| number.fract() == 0.0 && (0.0..=MOST).contains(&number))
}

fn size(source: &Map, most: f64) -> Result<f64, String> {
    let side = |name: &str| {
        source.get(name).and_then(Value::as_f64).filter(|side| side.fract() == 0.0 && (1.0..=most).contains(side))
    };
    match (side("width"), side("height")) {
        (Some(width), Some(height)) => Ok(width * height),
        _ => Err(format!("Image source width and height must be whole numbers from 1 to {most}")),
    }
}

fn decode(name: &str, text: &str) -> Result<Vec<u8>, String> {
    let bytes = STANDARD.decode(text).map_err(|_| format!("Image source.{name} is not base64"))?;
    if bytes.len() > INLINE_BYTES { Err(format!("Image source.{name} is larger than 2 MiB")) } else { Ok(bytes) }
}

fn png(text: &str) -> Result<(), String> {
    let bytes = decode("png", text)?;
    if bytes.len() < 24 || !bytes.starts_with(b"\x89PNG\r\n\x1a\n") || &bytes[12..16] != b"IHDR" {
        return Err("Image source.png has no PNG header".into());
    }
    let side = |at: usize| f64::from(u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]));
    if [side(16), side(20)].iter().all(|side| (1.0..=INLINE_PIXELS).contains(side)) {
        Ok(())
    } else {
        Err(format!("Image source.png is larger than {INLINE_PIXELS} pixels a side"))
    }
}

fn pixels_of(text: &str, pixels: f64) -> Result<(), String> {
    let bytes = decode("rgba", text)?;
    #[expect(clippy::cast_precision_loss, reason = "at most 2 MiB")]
    if bytes.len() as f64 == pixels * 4.0 {
        Ok(())
    } else {
        Err(format!("Image source.rgba decodes to {} bytes, not width * height * 4", bytes.len()))
    }
}

fn format<'source>(source: &'source Map, known: &[&str]) -> Result<&'source str, String> {
    source
        .get("format")
        .and_then(Value::as_str)
        .filter(|format| known.contains(format))
        .ok_or_else(|| format!("Image source.format must be one of {}", known.join(", ")))
}

fn file(path: &str, source: &Map) -> Result<(), String> {
    if !path.starts_with('/') || path.len() > PATH_BYTES {
        return Err("Image source.file must be an absolute path".into());
    }
    if format(source, &["png", "rgba", "rgb"])? == "png" { Ok(()) } else { size(source, FILE_PIXELS).map(drop) }
}

fn shm(name: &str, source: &Map) -> Result<(), String> {
    let rest = name.strip_prefix('/').unwrap_or_default();
    let plain = rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if !plain || !(1..=254).contains(&rest.len()) || rest == "." || rest == ".." {
        return Err("Image source.shm must be \"/\" and 1 to 254 letters, digits, dots, _ or -".into());
    }
    format(source, &["rgba", "rgb"])?;
    size(source, FILE_PIXELS).map(drop)
}
