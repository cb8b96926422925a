//! `modgate lsp`, driven through its protocol.

use std::io::BufReader;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};

use crate::fixture::Room;
use crate::wire::{Document, Finding};

const FINE: &str = "export function register(on) {\n  on('session.start', async ($, e, next) => next(e))\n}\n";
const BROKEN: &str = "export function register(on) {
  on('session.start', async ($, e, next) => {
    const all = $ // 😀
    return next(e)
  })
}
";

/// An editor.
struct Editor {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    requests: i32,
}

impl Editor {
    fn start(room: &Room, arguments: &[&str]) -> Editor {
        let arguments: Vec<&str> = ["lsp"].iter().chain(arguments).copied().collect();
        let mut child = room.command(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut editor = Editor { child, to, from, requests: 0 };
        let result = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(result["serverInfo"]["name"], "modgate");
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&mut self, method: &str, params: Value) {
        Message::Notification(Notification::new(method.into(), params)).write(self.to.as_mut().unwrap()).unwrap();
    }

    fn read(&mut self) -> Message {
        Message::read(&mut self.from).unwrap().expect("the server went away")
    }

    /// Sends a request and gives its result; notifications before it are passed over.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        Message::Request(Request::new(id.clone(), method.into(), params)).write(self.to.as_mut().unwrap()).unwrap();
        loop {
            if let Message::Response(response) = self.read() {
                assert_eq!(response.id, id);
                assert!(response.error.is_none(), "{response:?}");
                return response.result.unwrap_or_default();
            }
        }
    }

    fn open(&mut self, path: &Path, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "javascript", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, path: &Path, version: i32, text: &str) {
        let document = json!({ "uri": uri(path), "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [{ "text": text }] }));
    }

    /// What is shown for a file from the next message about it on.
    fn shown(&mut self, path: &Path) -> Value {
        loop {
            if let Message::Notification(note) = self.read()
                && note.method == "textDocument/publishDiagnostics"
                && note.params["uri"] == uri(path)
            {
                return note.params;
            }
        }
    }

    fn at(&mut self, method: &str, path: &Path, line: u32, character: u32) -> Value {
        let position = json!({ "line": line, "character": character });
        self.ask(method, json!({ "textDocument": { "uri": uri(path) }, "position": position }))
    }

    fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // A test that failed leaves no server behind.
        let _ = self.child.kill();
    }
}

fn uri(path: &Path) -> String {
    url::Url::from_file_path(path).unwrap().into()
}

/// A finding of `modgate validate` as the protocol has it.
fn expected(found: &Finding) -> Value {
    let place = |line: u32, column: u32| json!({ "line": line - 1, "character": column - 1 });
    let range = found
        .span
        .map(|span| json!({ "start": place(span.line, span.column), "end": place(span.end_line, span.end_column) }));
    let severity = match found.severity.as_str() {
        "error" => 1,
        "warning" => 2,
        _ => 3,
    };
    let help = found.help.as_deref().map(|help| format!("\n{help}")).unwrap_or_default();
    json!({
        "range": range.unwrap_or_else(|| json!({ "start": place(1, 1), "end": place(1, 1) })),
        "severity": severity, "code": found.code, "source": "modgate", "message": format!("{}{help}", found.message),
    })
}

/// What `modgate validate` finds in a file of the mod, with the text saved.
fn found(room: &Room, file: &str, arguments: &[&str]) -> Vec<Value> {
    let arguments: Vec<&str> = ["validate", "guard", "--json"].iter().chain(arguments).copied().collect();
    let document: Document = room.run(&arguments).json();
    document.reports[0].diagnostics.iter().filter(|found| found.file == file).map(expected).collect()
}

fn without_related(shown: &Value) -> Vec<Value> {
    let mut all = shown["diagnostics"].as_array().unwrap().clone();
    for one in &mut all {
        one.as_object_mut().unwrap().remove("relatedInformation");
    }
    all
}

#[test]
fn findings_equal_those_of_validate() {
    let room = Room::with_mod(FINE);
    let path = room.at("guard/hooks/register.js");
    let mut editor = Editor::start(&room, &[]);
    editor.open(&path, FINE);
    assert_eq!(without_related(&editor.shown(&path)), found(&room, "hooks/register.js", &[]));
    for (version, text) in
        [(2, BROKEN), (3, "export function register("), (4, FINE), (5, ""), (6, &BROKEN.replace('\n', "\r\n"))]
    {
        editor.change(&path, version, text);
        let shown = editor.shown(&path);
        assert_eq!(shown["version"], version);
        // The buffer is not saved; what `validate` is asked about is.
        room.file("guard/hooks/register.js", text);
        let expected = found(&room, "hooks/register.js", &[]);
        assert_eq!(expected.is_empty(), text == FINE, "{expected:?}");
        assert_eq!(without_related(&shown), expected);
        room.file("guard/hooks/register.js", FINE);
    }
    editor.end();
}

#[test]
fn options_judge_as_in_validate() {
    let room = Room::with_mod(BROKEN);
    let path = room.at("guard/hooks/register.js");
    let options = ["--host", "dsh", "--host", "claude-code@2.1.287", "--strict", "--tier", "append"];
    let mut editor = Editor::start(&room, &options);
    editor.open(&path, BROKEN);
    assert_eq!(without_related(&editor.shown(&path)), found(&room, "hooks/register.js", &options));
    editor.end();
}

#[test]
fn a_change_in_one_file_shows_in_another() {
    let room = Room::with_mod(&format!(
        "import {{ ask }} from './ask.js'\n{}",
        FINE.replace("next(e))", "{ await ask($); return next(e) })")
    ));
    room.file("guard/hooks/ask.js", "export async function ask($) { await $.ui.toast('x') }\n");
    let (module, ask) = (room.at("guard/hooks/register.js"), room.at("guard/hooks/ask.js"));
    let mut editor = Editor::start(&room, &[]);
    editor.open(&ask, "export async function ask($) { const all = $ }\n");
    let shown = editor.shown(&ask);
    let range = &shown["diagnostics"][0]["range"];
    assert_eq!(range["start"], json!({ "line": 0, "character": 43 }));
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri(&ask) } }));
    // The disk counts again, and nothing of the mod is open.
    assert_eq!(editor.shown(&ask)["diagnostics"], json!([]));
    // A file that is open and not saved yet is there for imports.
    let new = room.at("guard/hooks/new.js");
    editor.open(&new, "export const word = 'x'\n");
    editor.open(&module, &format!("import {{ word }} from './new.js'\n{FINE}"));
    let shown = editor.shown(&module);
    let errors = shown["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] == 1).count();
    assert_eq!(errors, 0, "{shown}");
    editor.end();
}

#[test]
fn a_finding_in_a_file_that_is_not_open_is_shown_there() {
    let room = Room::with_mod(FINE);
    let (module, hooks) = (room.at("guard/hooks/register.js"), room.at("guard/hooks/hooks.json"));
    room.file("guard/hooks/hooks.json", "{ \"modules\": ");
    let mut editor = Editor::start(&room, &[]);
    editor.open(&module, FINE);
    assert_eq!(without_related(&editor.shown(&hooks)), found(&room, "hooks/hooks.json", &[]));
    room.file("guard/hooks/hooks.json", "{ \"modules\": [\"./register.js\"] }");
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri(&module) } }));
    assert_eq!(editor.shown(&hooks)["diagnostics"], json!([]));
    editor.end();
}

#[test]
fn a_marketplace_is_checked_by_itself() {
    let room = Room::new();
    let file = ".claude-plugin/marketplace.json";
    let text = r#"{ "name": "mk", "owner": {}, "plugins": [{ "name": "a", "source": "../a" }, { "name": "b", "source": "./b" }] }"#;
    room.file(file, "{}").add_mod("b", "register.js", FINE);
    let path = room.at(file);
    let mut editor = Editor::start(&room, &[]);
    editor.open(&path, "{}");
    editor.shown(&path);
    editor.change(&path, 2, text);
    let shown = editor.shown(&path);
    room.file(file, text);
    let document: Document = room.run(&["validate", file, "--json"]).json();
    let expected: Vec<Value> = document.reports[0].diagnostics.iter().map(expected).collect();
    assert_eq!(expected.len(), 1);
    assert_eq!(without_related(&shown), expected);
    let hover = editor.at("textDocument/hover", &path, 0, 72);
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with("**marketplace-source**"), "{hover}");
    editor.end();
}

#[test]
fn hovering_shows_the_rule_the_event_or_the_member() {
    let room = Room::with_mod(BROKEN);
    let path = room.at("guard/hooks/register.js");
    let mut editor = Editor::start(&room, &[]);
    editor.open(&path, BROKEN);
    let shown = editor.shown(&path);
    let code = shown["diagnostics"][0]["code"].as_str().unwrap().to_owned();
    let hover = editor.at("textDocument/hover", &path, 2, 16);
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with(&format!("**{code}**")) && text.contains("\n# Instead\n"), "{text}");
    let event = editor.at("textDocument/hover", &path, 1, 10);
    assert!(event["contents"]["value"].as_str().unwrap().starts_with("**session.start**"), "{event}");
    editor.change(&path, 2, &FINE.replace("next(e))", "{ await $.fs.read('x'); return next(e) })"));
    let line = FINE.lines().nth(1).unwrap();
    let column = u32::try_from(line.find("next(e))").unwrap()).unwrap() + 14;
    let member = editor.at("textDocument/hover", &path, 1, column);
    assert!(member["contents"]["value"].as_str().unwrap().contains("$.fs.read("), "{member}");
    assert_eq!(editor.at("textDocument/hover", &path, 0, 0), Value::Null);
    editor.end();
}

#[test]
fn completes_events_namespaces_and_methods() {
    let room = Room::with_mod(FINE);
    let path = room.at("guard/hooks/register.js");
    let mut editor = Editor::start(&room, &[]);
    let labels = |editor: &mut Editor, version: i32, line: &str| -> Vec<String> {
        editor.change(&path, version, &format!("{line}\n"));
        let column = u32::try_from(line.encode_utf16().count()).unwrap();
        let items = editor.at("textDocument/completion", &path, 0, column);
        items.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    editor.open(&path, FINE);
    let events = labels(&mut editor, 2, "on('tool.");
    assert!(events.contains(&"tool.call".to_owned()) && events.contains(&"session.start".to_owned()), "{events:?}");
    let namespaces = labels(&mut editor, 3, "/* 😀 */ await $.");
    assert!(namespaces.contains(&"fs".to_owned()) && !namespaces.contains(&"tool.call".to_owned()), "{namespaces:?}");
    let methods = labels(&mut editor, 4, "await $.fs.re");
    assert!(methods.contains(&"read".to_owned()) && !methods.contains(&"fetch".to_owned()), "{methods:?}");
    assert_eq!(labels(&mut editor, 5, "const x = 'tool."), Vec::<String>::new());
    // What is written already is replaced.
    editor.change(&path, 6, "on('tool.");
    let items = editor.at("textDocument/completion", &path, 0, 9);
    let call = items.as_array().unwrap().iter().find(|item| item["label"] == "tool.call").unwrap();
    assert_eq!(
        call["textEdit"]["range"],
        json!({ "start": { "line": 0, "character": 4 }, "end": { "line": 0, "character": 9 } })
    );
    editor.end();
}

#[test]
fn unknown_requests_and_strange_documents_are_answered() {
    let room = Room::new();
    let mut editor = Editor::start(&room, &[]);
    editor.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": "untitled:x", "languageId": "x", "version": 1, "text": "" } }),
    );
    editor.tell("textDocument/didOpen", json!({ "wrong": true }));
    editor.open(&room.at("alone.js"), "export const x = $");
    assert_eq!(editor.at("textDocument/hover", &room.at("alone.js"), 0, 17), Value::Null);
    let request = Request::new(RequestId::from(99), "textDocument/rename".into(), json!({}));
    Message::Request(request).write(editor.to.as_mut().unwrap()).unwrap();
    let Message::Response(response) = editor.read() else { panic!("no answer") };
    assert_eq!(response.error.unwrap().code, -32601);
    editor.end();
}

#[test]
fn an_editor_that_goes_away_is_a_failure() {
    let room = Room::new();
    let mut editor = Editor::start(&room, &[]);
    drop(editor.to.take());
    assert_eq!(editor.child.wait().unwrap().code(), Some(2));
}
