//! The context before the first message: its blocks, and the instruction files that one of them shows.

use modgate_value::Value;

use super::defined;
use super::own::completed;

/// The block that shows the instruction files.
const SHOWN: &str = "claudeMd";

const FILES: &str = "instructionFiles";

/// What a context always has a place for.
const WHOLE: [&str; 2] = [FILES, "originMarkedPaths"];

/// A context on its way down, as those beneath get it. Who writes the block anew has no say in the files.
pub(super) fn passed(original: &Value, input: &Value) -> Value {
    let input = completed(original, input, &WHOLE);
    if shown(original) == shown(&input) { together(original, input) } else { input.with(FILES, Value::Undefined) }
}

/// An answer with what it leaves out.
pub(super) fn whole(input: &Value, beneath: Option<&Value>, answer: &Value) -> Value {
    completed(beneath.unwrap_or(input), answer, &WHOLE)
}

/// Blocks and files say the same: where only the block has changed nothing is said of files, where only the files have,
/// the block is made anew.
pub(super) fn together(was: &Value, now: Value) -> Value {
    let Some(files) = defined(&now, FILES) else { return now };
    let (is_other_block, are_other_files) = (shown(was) != shown(&now), defined(was, FILES) != Some(files));
    match (is_other_block, are_other_files) {
        (true, false) => return now.with(FILES, Value::Undefined),
        (false, true) => {}
        _ => return now,
    }
    let texts = files.as_array().into_iter().flatten().map(|file| {
        let field = |name| file.str_at(name).unwrap_or_default();
        format!("{} ({}):\n\n{}", field("path"), field("kind"), field("content"))
    });
    let text = Value::from(texts.collect::<Vec<_>>().join("\n\n"));
    let mut blocks = now.get("blocks").and_then(Value::as_array).map(<[Value]>::to_vec).unwrap_or_default();
    match blocks.iter_mut().find(|block| block.str_at("name") == Some(SHOWN)) {
        Some(block) => *block = block.with("text", text),
        None => blocks.insert(0, Value::object([("name", Value::text(SHOWN)), ("text", text)])),
    }
    now.with("blocks", Value::list(blocks))
}

/// What the block says, where there is one.
fn shown(context: &Value) -> Option<&str> {
    let blocks = context.get("blocks").and_then(Value::as_array).unwrap_or_default();
    blocks.iter().find(|block| block.str_at("name") == Some(SHOWN)).and_then(|block| block.str_at("text"))
}
