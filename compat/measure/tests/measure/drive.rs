//! The drivers against stand-ins: small programs that talk as the real ones do.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use modgate_harness::script::Scenario;
use modgate_measure::driver::DriveOptions;
use modgate_measure::{Action, Case, MeasureError, claude_code, codex};

fn program(folder: &Path, body: &str) -> PathBuf {
    let path = folder.join("program");
    let version = "if [ \"$1\" = --version ]; then echo '1.2.3 (Stand-in)'; exit 0; fi\n";
    std::fs::write(&path, format!("#!/bin/bash\n{version}{ASK}{body}")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// `ask URL BODY`: posts to the server, with nothing but the shell.
const ASK: &str = r#"
ask() {
  local place=${1#http://}
  local host=${place%%/*} path=/${place#*/}
  exec 3<> "/dev/tcp/${host%:*}/${host#*:}"
  printf 'POST %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: %s\r\n\r\n%s' "$path" "$host" "${#2}" "$2" >&3
  cat <&3
}
"#;

fn case(text: &str) -> Case {
    Case::new(Scenario::parse(text, "test").unwrap(), Vec::new())
}

const ONE: &str = r#"
    [[permission]]
    call = "Bash(touch B)"
    answer = "allow"
    [[prompt]]
    text = "go"
    [[prompt.step]]
    [[prompt.step.call]]
    tool = "Bash"
    input = { command = "touch A" }
"#;

/// Asks the model, asks for permission for B, runs B through the shell it was given, and says so.
const CLAUDE: &str = r#"
read -r typed
env > env.txt
ask "$ANTHROPIC_BASE_URL/v1/messages" '{"messages":[{"role":"user","content":"go"}],"tools":[{"name":"Bash"}]}' > answer.json
echo '{"type":"system","subtype":"init"}'
echo '{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"call_1_1_1","input":{"command":"touch B"}}}'
read -r said
case "$said" in *'"allow"'*) "$CLAUDE_CODE_SHELL_PREFIX" "true && eval 'touch B' < /dev/null" ;; esac
mkdir -p "$HOME/.claude/projects/p"
echo '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"call_1_1_1","name":"Bash","input":{"command":"touch A"}}]}}' > "$HOME/.claude/projects/p/s.jsonl"
echo '{"type":"result","result":"done"}'
read -r more || exit 0
"#;

#[tokio::test]
async fn claude_code_is_told_the_script_and_asked_what_it_did() {
    let folder = tempfile::tempdir().unwrap();
    // The stand-in runs no command hooks.
    let options = DriveOptions { observe: false, ..DriveOptions::new(program(folder.path(), CLAUDE)) };
    let left = claude_code(&case(ONE), &options).await.unwrap();
    let call = left.observation.call("call_1_1_1").unwrap();
    assert_eq!(left.observation.host, "claude-code@1.2.3");
    assert_eq!(call.asked, Some(Action::bash("touch A")));
    assert_eq!(call.executed, Some(vec![Action::bash("touch B")]));
    assert_eq!(call.transcript, Some(Action::bash("touch A")));
    assert!(call.permissions[0].asked && call.permissions[0].allowed);
    assert!(left.observation.files.contains_key("B") && !left.observation.files.contains_key("A"));
    let env = &left.observation.files["env.txt"];
    assert!(env.contains("\nHTTPS_PROXY=http://127.0.0.1:"), "nothing leaves the machine: {env}");
    assert!(!env.contains("CARGO"), "nothing of the person's environment reaches it: {env}");
}

#[tokio::test]
async fn a_program_that_ends_early_is_told_with_its_last_words() {
    let folder = tempfile::tempdir().unwrap();
    let options = DriveOptions::new(program(folder.path(), "echo 'no such option' >&2\nexit 3\n"));
    let error = claude_code(&case(ONE), &options).await.unwrap_err();
    assert_eq!(error.code(), "measure-program");
    assert!(error.to_string().contains("no such option"), "{error}");
}

#[tokio::test]
async fn a_program_that_hangs_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = DriveOptions::new(program(folder.path(), "exec sleep 1000\n"));
    options.timeout = Duration::from_millis(300);
    let error = claude_code(&case(ONE), &options).await.unwrap_err();
    assert_eq!(error.code(), "measure-timeout");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_said() {
    let error = claude_code(&case(ONE), &DriveOptions::new("/no/such/program")).await.unwrap_err();
    assert!(matches!(error, MeasureError::Program { .. }), "{error}");
    assert!(error.to_string().contains("/no/such/program"));
}

const CODEX: &str = r#"
url=$(sed -n 's/^base_url = "\(.*\)"$/\1/p' "$CODEX_HOME/config.toml")
ask "$url/responses" '{"input":"go","tools":[{"name":"exec_command"}]}' > answer.json
mkdir -p "$CODEX_HOME/sessions"
echo '{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"call_1_1_1","command":["bash","-lc","touch A"]}}}' > "$CODEX_HOME/sessions/s.jsonl"
touch A
echo '{"type":"thread.started","thread_id":"t"}'
"#;

#[tokio::test]
async fn codex_is_run_once_for_each_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let options = DriveOptions::new(program(folder.path(), CODEX));
    let scenario = ONE.split_once("[[prompt]]").map(|(_, rest)| format!("[[prompt]]{rest}")).unwrap();
    let left = codex(&case(&scenario), &options).await.unwrap();
    assert_eq!(left.observation.call("call_1_1_1").unwrap().executed, Some(vec![Action::bash("touch A")]));
    assert!(left.observation.files.contains_key("A"));
    let error = codex(&case(ONE), &options).await.unwrap_err();
    assert_eq!(error.code(), "measure-cannot-run");
}

/// Says when a prompt is completed, and has a turn of its own before that.
const LIFECYCLE: &str = r#"
while read -r typed; do
  id=$(sed -n 's/.*"uuid":"\([^"]*\)".*/\1/p' <<< "$typed")
  echo "{\"type\":\"command_lifecycle\",\"command_uuid\":\"$id\",\"state\":\"started\"}"
  echo '{"type":"system","subtype":"init"}'
  echo '{"type":"result","result":"of a turn that a mod began"}'
  echo '{"type":"system","subtype":"informational","content":"a late line"}'
  echo "{\"type\":\"command_lifecycle\",\"command_uuid\":\"$id\",\"state\":\"completed\"}"
done
"#;

#[tokio::test]
async fn a_prompt_is_over_when_the_program_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let two = "[[prompt]]\ntext = \"one\"\n[[prompt]]\ntext = \"two\"\n";
    let left = claude_code(&case(two), &DriveOptions::new(program(folder.path(), LIFECYCLE))).await.unwrap();
    let kinds: Vec<&str> = left.events.iter().filter_map(|event| event["type"].as_str()).collect();
    let turn = ["typed", "command_lifecycle", "system", "result", "system", "command_lifecycle"];
    assert_eq!(kinds, [turn, turn].concat());
    for prompt in &left.observation.prompts {
        let shown: Vec<_> = prompt.shown.iter().filter_map(|one| one.text.as_deref()).collect();
        assert_eq!(shown, ["of a turn that a mod began", "a late line"]);
    }
}
