use std::path::{Path, PathBuf};

use async_trait::async_trait;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use ignore::overrides::OverrideBuilder;
use ignore::types::TypesBuilder;
use serde_json::{Value, json};

use super::glob::walk;
use super::{Effect, Shape, Tool, ToolContext, ToolOutput, ToolSpec, absolute};

/// Searches files by content.
pub struct Grep {
    spec: ToolSpec,
    shape: Shape,
}

impl Grep {
    /// The tool.
    pub fn new() -> Grep {
        let lines = json!({ "type": "integer", "minimum": 0 });
        let spec = ToolSpec {
            name: "Grep".into(),
            description: "Searches the content of files by a regular expression.".into(),
            input_schema: json!({ "type": "object", "additionalProperties": false, "required": ["pattern"],
                "properties": {
                    "pattern": { "type": "string" }, "path": { "type": "string" }, "glob": { "type": "string" },
                    "type": { "type": "string" },
                    "output_mode": { "enum": ["content", "files_with_matches", "count"] },
                    "-A": lines, "-B": lines, "-C": lines, "context": lines,
                    "-n": { "type": "boolean" }, "-i": { "type": "boolean" }, "-o": { "type": "boolean" },
                    "head_limit": lines, "offset": lines, "multiline": { "type": "boolean" },
                },
            }),
            output_schema: Some(json!({ "type": "object", "required": ["numFiles", "filenames"],
                "properties": {
                    "mode": { "enum": ["content", "files_with_matches", "count"] },
                    "numFiles": { "type": "integer" },
                    "filenames": { "type": "array", "items": { "type": "string" } },
                    "content": { "type": "string" }, "numLines": { "type": "integer" },
                    "numMatches": { "type": "integer" }, "appliedLimit": { "type": "integer" },
                    "appliedOffset": { "type": "integer" },
                },
            })),
            effect: Effect::Reads,
        };
        let shape = Shape::new(&spec);
        Grep { spec, shape }
    }
}

impl Default for Grep {
    fn default() -> Grep {
        Grep::new()
    }
}

#[async_trait]
impl Tool for Grep {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    async fn run(&self, input: &Value, context: &ToolContext) -> ToolOutput {
        let search = Search::of(input, context);
        let done = tokio::task::spawn_blocking(move || search.run()).await;
        match done.unwrap_or_else(|_| Err("The search stopped.".into())) {
            Ok(result) => ToolOutput { text: self.render(&result), result, is_error: false },
            Err(reason) => ToolOutput::error(reason),
        }
    }

    fn render(&self, result: &Value) -> String {
        let names = || result["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let found = match result["mode"].as_str() {
            Some("content" | "count") => result["content"].as_str().unwrap_or_default().to_owned(),
            _ => names().collect::<Vec<_>>().join("\n"),
        };
        let more = result["appliedLimit"].as_u64().map(|limit| format!("\n(Cut after {limit}; there is more.)"));
        if found.is_empty() { "No matches found.".into() } else { format!("{found}{}", more.unwrap_or_default()) }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Content,
    Files,
    Count,
}

struct Search {
    root: PathBuf,
    base: PathBuf,
    pattern: String,
    glob: Option<String>,
    kind: Option<String>,
    mode: Mode,
    before: usize,
    after: usize,
    numbers: bool,
    ignore_case: bool,
    only: bool,
    multiline: bool,
    limit: usize,
    offset: usize,
}

impl Search {
    fn of(input: &Value, context: &ToolContext) -> Search {
        let number = |key: &str| input[key].as_u64().and_then(|n| usize::try_from(n).ok());
        let flag = |key: &str| input[key].as_bool();
        let text = |key: &str| input[key].as_str().map(str::to_owned);
        let around = number("-C").or_else(|| number("context")).unwrap_or_default();
        Search {
            root: context.root.clone(),
            base: absolute(&context.root, input["path"].as_str().unwrap_or(".")),
            pattern: text("pattern").unwrap_or_default(),
            glob: text("glob"),
            kind: text("type"),
            mode: match input["output_mode"].as_str() {
                Some("content") => Mode::Content,
                Some("count") => Mode::Count,
                _ => Mode::Files,
            },
            before: number("-B").unwrap_or(around),
            after: number("-A").unwrap_or(around),
            numbers: flag("-n").unwrap_or(true),
            ignore_case: flag("-i").unwrap_or_default(),
            only: flag("-o").unwrap_or_default(),
            multiline: flag("multiline").unwrap_or_default(),
            // 0 asks for everything.
            limit: match number("head_limit") {
                Some(0) => usize::MAX,
                Some(limit) => limit,
                None => context.limits.grep_lines,
            },
            offset: number("offset").unwrap_or_default(),
        }
    }

    fn run(self) -> Result<Value, String> {
        let matcher = self.matcher()?;
        let mut files: Vec<Hits> = Vec::new();
        let mut searcher = self.searcher();
        for path in self.files()? {
            let mut hits = Hits::new(self.shown(&path), &self, &matcher);
            // A file that cannot be read is no hit; the walk may have raced with its removal.
            if searcher.search_path(&matcher, &path, &mut hits).is_ok() && hits.matches > 0 {
                files.push(hits);
            }
        }
        Ok(self.result(files))
    }

    fn matcher(&self) -> Result<RegexMatcher, String> {
        let mut builder = RegexMatcherBuilder::new();
        builder.case_insensitive(self.ignore_case).multi_line(true).dot_matches_new_line(self.multiline);
        if !self.multiline {
            builder.line_terminator(Some(b'\n'));
        }
        builder.build(&self.pattern).map_err(|error| format!("The pattern cannot be used: {error}"))
    }

    fn searcher(&self) -> Searcher {
        let mut builder = SearcherBuilder::new();
        builder.binary_detection(BinaryDetection::quit(0)).multi_line(self.multiline);
        if self.mode == Mode::Content && !self.only {
            builder.before_context(self.before).after_context(self.after);
        }
        builder.build()
    }

    fn files(&self) -> Result<Vec<PathBuf>, String> {
        if !self.base.exists() {
            return Err(format!("{} does not exist.", self.base.display()));
        }
        let mut walk = walk(&self.base);
        if let Some(glob) = &self.glob {
            let mut overrides = OverrideBuilder::new(&self.base);
            let added = overrides.add(glob).and_then(|overrides| overrides.build());
            walk.overrides(added.map_err(|error| format!("The glob cannot be used: {error}"))?);
        }
        if let Some(kind) = &self.kind {
            let types = TypesBuilder::new().add_defaults().select(kind).build();
            walk.types(types.map_err(|error| format!("The type cannot be used: {error}"))?);
        }
        let entries = walk.build().flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
        Ok(entries.map(ignore::DirEntry::into_path).collect())
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned()
    }

    fn result(&self, files: Vec<Hits>) -> Value {
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        match self.mode {
            Mode::Files => {
                let (names, limit) = self.window(names);
                let mut result = json!({ "mode": "files_with_matches", "numFiles": names.len(), "filenames": names });
                self.note(&mut result, limit);
                result
            }
            Mode::Count => {
                let matches: u64 = files.iter().map(|file| file.matches).sum();
                let lines = files.iter().map(|file| format!("{}:{}", file.name, file.matches)).collect();
                let (lines, limit) = self.window(lines);
                let mut result = json!({ "mode": "count", "numFiles": files.len(), "filenames": [],
                    "content": lines.join("\n"), "numMatches": matches });
                self.note(&mut result, limit);
                result
            }
            Mode::Content => {
                let lines = files.iter().flat_map(|file| file.lines.iter().map(String::as_str)).collect();
                let (lines, limit) = self.window(lines);
                let mut result = json!({ "mode": "content", "numFiles": files.len(), "filenames": [],
                    "content": lines.join("\n"), "numLines": lines.len() });
                self.note(&mut result, limit);
                result
            }
        }
    }

    /// The part asked for, and the limit where it cut something off.
    fn window<T>(&self, mut all: Vec<T>) -> (Vec<T>, Option<usize>) {
        all.drain(..self.offset.min(all.len()));
        let cut = all.len() > self.limit;
        all.truncate(self.limit);
        (all, cut.then_some(self.limit))
    }

    fn note(&self, result: &mut Value, limit: Option<usize>) {
        if let Some(limit) = limit {
            result["appliedLimit"] = json!(limit);
        }
        if self.offset > 0 {
            result["appliedOffset"] = json!(self.offset);
        }
    }
}

/// What was found in one file.
struct Hits {
    name: String,
    matches: u64,
    lines: Vec<String>,
    content: bool,
    numbers: bool,
    only: Option<RegexMatcher>,
}

impl Hits {
    fn new(name: String, search: &Search, matcher: &RegexMatcher) -> Hits {
        Hits {
            name,
            matches: 0,
            lines: Vec::new(),
            content: search.mode == Mode::Content,
            numbers: search.numbers,
            only: search.only.then(|| matcher.clone()),
        }
    }

    fn push(&mut self, number: Option<u64>, sign: char, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        for (index, line) in text.lines().enumerate() {
            let number = number.filter(|_| self.numbers).map(|number| format!("{}{sign}", number + index as u64));
            self.lines.push(format!("{}{sign}{}{line}", self.name, number.unwrap_or_default()));
        }
    }
}

impl Sink for Hits {
    type Error = std::io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        self.matches += 1;
        if !self.content {
            return Ok(true);
        }
        let Some(matcher) = self.only.clone() else {
            self.push(found.line_number(), ':', found.bytes());
            return Ok(true);
        };
        let mut pieces = Vec::new();
        let each = grep_matcher::Matcher::find_iter(&matcher, found.bytes(), |piece| {
            pieces.push(found.bytes()[piece].to_vec());
            true
        });
        each.map_err(|error| std::io::Error::other(error.to_string()))?;
        for piece in pieces {
            self.push(found.line_number(), ':', &piece);
        }
        Ok(true)
    }

    fn context(&mut self, _searcher: &Searcher, line: &SinkContext<'_>) -> Result<bool, Self::Error> {
        self.push(line.line_number(), '-', line.bytes());
        Ok(true)
    }

    fn context_break(&mut self, _searcher: &Searcher) -> Result<bool, Self::Error> {
        self.lines.push("--".into());
        Ok(true)
    }
}
