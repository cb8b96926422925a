use super::*;
use crate::member::member;

#[test]
fn every_file_can_be_read_and_says_what_it_is() {
    assert_eq!(read::all().unwrap().len(), read::FILES.len());
    for (spec, text) in read::FILES {
        let profile: HostProfile = toml::from_str(text).unwrap_or_else(|error| panic!("{spec}: {error}"));
        assert_eq!(profile.spec(), spec);
    }
}

#[test]
fn specs() {
    assert_eq!(host("claude-code").unwrap().version, "2.1.332");
    assert_eq!(host("claude-code@2.1.287").unwrap().version, "2.1.287");
    assert_eq!(host("native").unwrap().name, "native");
    assert!(host("codex@1").unwrap_err().to_string().contains("0.171.0"));
    assert!(host("nobody").unwrap_err().to_string().contains("claude-code, codex, dsh, native"));
}

#[test]
fn names_in_lists_exist() {
    for profile in hosts() {
        let events = profile.events.raised.iter().chain(&profile.events.unknown).chain(&profile.recorded.is);
        for name in events.filter(|name| !name.ends_with('*')) {
            assert!(event::event(name).is_some(), "{}: {name}", profile.spec());
        }
        let calls = profile.members.served.iter().chain(&profile.members.refused);
        for call in calls {
            let known = crate::members().iter().any(|member| listed(std::slice::from_ref(call), member.call));
            assert!(known, "{}: {call}", profile.spec());
        }
    }
}

#[test]
fn the_rows_of_the_comparison() {
    let claude = host("claude-code@2.1.332").unwrap();
    assert_eq!((claude.rewrite.is, claude.rewrite.source), (Rewrite::Apply, Source::Measured));
    assert_eq!(claude.permission.is, Permission::AfterMods);
    assert_eq!(claude.repeat.is, Repeat::Again);
    assert_eq!(claude.late_refusal.is, LateRefusal::Refuse);
    assert_eq!(host("claude-code@2.1.287").unwrap().late_refusal.is, LateRefusal::Stand);
    assert_eq!((claude.check.is, claude.recorded.is.len()), (CheckPower::Decides, 2));
    assert_eq!(host("native").unwrap().check.is, CheckPower::Tightens);
    let dsh = host("dsh").unwrap();
    assert_eq!((dsh.rewrite.is, dsh.rewrite.source), (Rewrite::Refuse, Source::Documented));
    assert_eq!((dsh.permission.is, dsh.repeat.is), (Permission::BeforeMods, Repeat::FirstResult));
    assert_eq!((dsh.pending.is, dsh.next_to.is), (Pending::Awaited, false));
    assert_eq!(host("codex").unwrap().rewrite.is, Rewrite::Apply);
}

#[test]
fn what_is_newer_than_the_host_is_unknown_to_it() {
    let (old, new) = (host("claude-code@2.1.287").unwrap(), host("claude-code@2.1.332").unwrap());
    assert_eq!(old.event("tool.offer"), EventStatus::Unknown);
    assert_eq!(new.event("tool.offer"), EventStatus::Raised);
    assert_eq!(old.event("session.send"), EventStatus::Raised);
    let notify = member("ui", "notify").unwrap();
    assert!(!old.serves(notify) && new.serves(notify));
    assert_eq!(new.event("tool.nope"), EventStatus::Unknown);
}

#[test]
fn what_the_bridge_raises_and_serves() {
    let dsh = host("dsh").unwrap();
    assert_eq!(dsh.event("tool.call"), EventStatus::Raised);
    assert_eq!(dsh.event("turn.step"), EventStatus::Registered);
    assert_eq!(dsh.event("classic.Stop"), EventStatus::Unknown);
    assert_eq!(dsh.event("fs.read"), EventStatus::Raised);
    assert_eq!(dsh.event("model.complete"), EventStatus::Registered);
    assert!(dsh.serves(member("store", "set").unwrap()));
    assert!(!dsh.serves(member("fs", "ancestors").unwrap()));
    assert!(!dsh.serves(member("model", "fork").unwrap()));
    assert!(dsh.draws("AbovePrompt") && !dsh.draws("Pane"));
    assert!(dsh.has_element("Button") && !dsh.has_element("Input"));
}

#[test]
fn versions_compare_by_number() {
    assert!(compare_versions("2.1.99", "2.1.287").is_lt());
    assert!(compare_versions("2.1.332", "2.1.332").is_eq());
    assert!(compare_versions("0.2.1-alpha.1", "0.2.1").is_gt(), "what follows counts as more");
}
