use std::collections::BTreeSet;

use super::*;

#[test]
fn the_source_can_be_read() {
    assert!(!read().unwrap().is_empty());
    for member in members() {
        for text in &member.takes_text {
            takes::parse(text).unwrap_or_else(|error| panic!("{}: {error}", member.call));
        }
        assert_eq!(member.takes().len(), member.takes_text.len());
    }
}

#[test]
fn names_are_sorted_and_unique() {
    let names: Vec<_> = members().iter().map(|member| (member.namespace, member.method)).collect();
    assert!(names.is_sorted());
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}

#[test]
fn every_event_exists() {
    for member in members() {
        if let Some(name) = member.event {
            let event = event::event(name).unwrap_or_else(|| panic!("{} raises {name}", member.call));
            assert!(
                member.since >= event.since || event.since == event::OLDEST,
                "{} is older than {name}",
                member.call
            );
        }
    }
}

#[test]
fn every_call_event_has_a_member() {
    for event in event::events().iter().filter(|event| event.class == event::EventClass::Op) {
        let (namespace, method) = event.name.split_once('.').unwrap();
        assert!(member(namespace, method).is_some(), "{}", event.name);
    }
}

#[test]
fn takes_name_known_fields() {
    for member in members() {
        // These turn into another event's input, or into a form of their own.
        if ["agent.spawn", "ui.ask", "ui.scroll"].contains(&member.call) {
            continue;
        }
        let Some(event) = member.raises() else { continue };
        for field in member.takes().iter().filter_map(|take| take.field) {
            assert!(event.has_field(field), "{} has no {field}", event.name);
        }
    }
}

#[test]
fn kinds() {
    let kind = |namespace, method| member(namespace, method).unwrap().kind;
    assert_eq!(kind("plugin", "root"), MemberKind::Property);
    assert_eq!(kind("ui", "toast"), MemberKind::Sync);
    assert_eq!(kind("clock", "after"), MemberKind::Handle);
    assert_eq!(kind("process", "spawn"), MemberKind::Stream);
    assert_eq!(kind("fs", "read"), MemberKind::Async);
    assert!(member("store", "set").unwrap().void && !member("env", "set").unwrap().void);
    assert!(member("fs", "append").is_none());
}

#[test]
fn near_members_are_offered() {
    assert_eq!(nearest_member("fs", "reed"), Some("fs.read"));
    assert_eq!(nearest_member("fs", "readFile"), Some("fs.read"));
    assert_eq!(nearest_member("proces", "run"), Some("process.run"));
    assert_eq!(nearest_member("nothing", "alike"), None);
}

#[test]
fn namespaces_hold_both_sides() {
    for name in ["classic", "engine", "fs", "plugin", "skill", "ui"] {
        assert!(namespaces().contains(&name), "{name}");
    }
    assert!(member_namespaces().contains(&"fs") && !member_namespaces().contains(&"classic"));
    assert!(namespaces().is_sorted());
}
