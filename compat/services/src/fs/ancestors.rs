//! `$.fs.ancestors`: instruction files on the way from the root to the working directory.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use modgate_value::Value;

use super::Fs;
use crate::context::Context;
use crate::input::Args;
use crate::{Access, Answer, ServiceError, resolve};

/// Files that name files that name files: this deep and no deeper.
const DEEPEST: usize = 5;

/// `[{dir, name, content, parts: [{path, content}]}]`, the topmost folder first. `content` is the file's own text
/// followed by what it includes (`@path`, depth first), `parts` the same apart. Folders outside the grant are left out.
pub(super) async fn collect(fs: &dyn Fs, context: &Context, args: &Args<'_>) -> Answer {
    let names = args.texts("names")?;
    for name in &names {
        let path = Path::new(name);
        let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !plain || path.extension().is_none_or(|extension| extension != "md") {
            return Err(args.bad("names must be relative .md files without .."));
        }
    }
    // Refuses a mod that may read nothing here at all, instead of showing it an empty list.
    context.reach_read(".")?;
    let mut found = Vec::new();
    for folder in folders(context, args)? {
        for name in &names {
            let mut parts = Vec::new();
            gather(fs, context, &folder.join(name), &mut parts).await?;
            if !parts.is_empty() {
                found.push(entry(&folder, name, &parts));
            }
        }
    }
    Ok(Value::list(found))
}

/// The folders to look in, topmost first.
fn folders(context: &Context, args: &Args<'_>) -> Result<Vec<PathBuf>, ServiceError> {
    let mut last = context.resolve(".")?.asked;
    if let Some(of) = args.maybe_text("of")? {
        let file = context.resolve(of)?.asked;
        let folder = file.parent().unwrap_or(Path::new("/"));
        if folder.starts_with(&last) {
            last = folder.to_path_buf();
        }
    }
    let below = args.maybe_text("below")?.map(|below| context.resolve(below)).transpose()?.map(|below| below.asked);
    let mut folders: Vec<PathBuf> = last.ancestors().map(Path::to_path_buf).collect();
    folders.reverse();
    folders.retain(|folder| below.as_ref().is_none_or(|below| folder != below && folder.starts_with(below)));
    Ok(folders)
}

/// The file and what it includes, each once.
async fn gather(
    fs: &dyn Fs,
    context: &Context,
    file: &Path,
    parts: &mut Vec<(PathBuf, String)>,
) -> Result<(), ServiceError> {
    let mut seen = HashSet::new();
    let mut waiting = vec![(file.to_path_buf(), 0)];
    while let Some((path, depth)) = waiting.pop() {
        let Ok(reached) = resolve(&path) else { continue };
        if !seen.insert(reached.real.clone()) {
            continue;
        }
        if !context.covers(Access::FsRead(&reached.real)) {
            if reached.real.exists() {
                context.note(format!("left out, not granted: {}", path.display()));
            }
            continue;
        }
        let Some(text) = fs.text(&reached.real).await? else { continue };
        context.reach(Access::FsRead(&reached.real))?;
        if depth < DEEPEST {
            let folder = path.parent().unwrap_or(Path::new("/"));
            // Taken from the end: the first one named comes out first.
            waiting.extend(includes(&text).into_iter().rev().map(|name| (folder.join(name), depth + 1)));
        }
        parts.push((path, text));
    }
    Ok(())
}

/// What a Markdown text includes: `@path` at the beginning of a line or after a space, outside of code.
fn includes(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let start = line.trim_start();
        let marker = ["```", "~~~"].into_iter().find(|marker| start.starts_with(marker));
        match (fence, marker) {
            (None, Some(marker)) => fence = Some(marker),
            (Some(open), Some(marker)) if open == marker => fence = None,
            (None, None) => found.extend(in_line(line)),
            _ => {}
        }
    }
    found
}

fn in_line(line: &str) -> impl Iterator<Item = &str> {
    // Every second piece between backticks is code.
    let prose = line.split('`').step_by(2);
    let words = prose.flat_map(str::split_whitespace);
    let named = words.filter_map(|word| word.strip_prefix('@'));
    named.filter(|path| path.contains(['/', '.']) && !path.starts_with('@'))
}

fn entry(folder: &Path, name: &str, parts: &[(PathBuf, String)]) -> Value {
    let content = parts.iter().map(|(_, text)| text.trim_end_matches('\n')).collect::<Vec<_>>().join("\n\n");
    let content = if parts.len() == 1 { parts[0].1.clone() } else { content };
    let text = |path: &Path| Value::from(path.to_string_lossy().as_ref());
    Value::object([
        ("dir", text(folder)),
        ("name", Value::from(name)),
        ("content", Value::from(content)),
        (
            "parts",
            Value::list(parts.iter().map(|(path, content)| {
                Value::object([("path", text(path)), ("content", Value::from(content.as_str()))])
            })),
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::includes;

    #[test]
    fn includes_are_prose_words() {
        let text =
            "see @docs/a.md and `@not/this.md`\n```\n@nor/this.md\n```\n@./b.md\nme@example.com @team\n  @~/c.md";
        assert_eq!(includes(text), ["docs/a.md", "./b.md", "~/c.md"]);
    }
}
