use std::collections::BTreeSet;

use super::*;

#[test]
fn every_source_can_be_read() {
    for (name, source) in SOURCES {
        assert!(!read(source).unwrap_or_else(|error| panic!("{name}: {error}")).is_empty(), "{name}");
    }
    assert!(!read_types().unwrap().is_empty());
}

#[test]
fn every_shape_can_be_read() {
    for event in events() {
        shape::parse_fields(event.input_text, types()).unwrap_or_else(|error| panic!("{}: {error}", event.name));
        shape::parse(event.answer_text, types()).unwrap_or_else(|error| panic!("{}: {error}", event.name));
    }
    for (name, text) in types() {
        shape::parse(text, types()).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn names_are_sorted_and_unique() {
    let names: Vec<_> = events().iter().map(|event| event.name).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    assert!(names.is_sorted());
}

#[test]
fn every_file_is_sorted() {
    for (file, source) in SOURCES {
        let names: Vec<_> = read(source).unwrap().iter().map(|event| event.name).collect();
        assert!(names.is_sorted(), "{file}");
    }
}

#[test]
fn primary_keys_are_fields() {
    for event in events() {
        if let Some(key) = event.primary_key {
            assert!(event.field(key).is_some(), "{} has no {key}", event.name);
        }
    }
}

#[test]
fn classes_and_kinds() {
    assert_eq!(event("fs.read").unwrap().class, EventClass::Op);
    assert_eq!(event("classic.Stop").unwrap().class, EventClass::Classic);
    assert_eq!(event("telemetry.log").unwrap().class, EventClass::Noun);
    assert_eq!(event("session.send").unwrap().class, EventClass::Engine);
    let generators: Vec<_> =
        events().iter().filter(|event| event.kind == EventKind::Generator).map(|event| event.name).collect();
    assert_eq!(generators, ["process.spawn", "turn.step"]);
    assert!(event("tool.nope").is_none());
}

#[test]
fn tool_call_takes_any_argument() {
    let call = event("tool.call").unwrap();
    assert!(call.has_field("command") && call.has_field("tool"));
    assert!(call.field("tool_use_id").unwrap().pinned);
    let submit = event("prompt.submit").unwrap();
    assert!(submit.has_field("text") && !submit.has_field("texts"));
    assert_eq!(submit.field("context").unwrap().text, "text[]");
}

#[test]
fn a_near_name_is_offered() {
    assert_eq!(nearest_event("tool.cal"), Some("tool.call"));
    assert_eq!(nearest_event("prompt.sumbit"), Some("prompt.submit"));
    assert_eq!(nearest_event("Tool.call"), Some("tool.call"));
    assert_eq!(nearest_event("something.else.entirely"), None);
}

#[test]
fn one_event_stands_for_the_nouns_of_mods() {
    let noun = noun_event();
    assert!(noun.is_call() && noun.has_field("anything") && noun.fields().iter().all(Field::is_rest));
    assert!(event(noun.name).is_none());
}
