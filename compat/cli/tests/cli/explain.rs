//! `modgate explain`.

use crate::fixture::Room;
use crate::wire::Rules;

#[test]
fn lists_every_rule_one_a_line() {
    let room = Room::new();
    let Rules { schema, rules } = room.run(&["explain", "--json"]).ended(0).json();
    assert_eq!(schema, 1);
    let list = room.run(&["explain"]).ended(0).out.clone();
    assert_eq!(list.lines().count(), rules.len());
    for (line, rule) in list.lines().zip(&rules) {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..2], [&rule.code, &rule.severity], "{line}");
        assert!(line.ends_with(&rule.name), "{line}");
    }
    let mut codes: Vec<&str> = rules.iter().map(|rule| rule.code.as_str()).collect();
    assert!(codes.is_sorted());
    codes.dedup();
    assert_eq!(codes.len(), rules.len(), "a code is there twice");
    for own in ["can-do-more", "marketplace-json"] {
        assert!(codes.contains(&own), "{own}");
    }
}

#[test]
fn every_rule_has_a_page_with_all_headings() {
    let room = Room::new();
    let Rules { rules, .. } = room.run(&["explain", "--json"]).json();
    for rule in rules {
        let headings: Vec<&str> = rule.page.lines().filter_map(|line| line.strip_prefix("# ")).collect();
        assert_eq!(headings, ["What", "Why", "Example", "Instead", "Source"], "{}", rule.code);
        let only: Rules = room.run(&["explain", &rule.code, "--json"]).ended(0).json();
        assert_eq!(only.rules, [rule]);
    }
}

#[test]
fn shows_a_page() {
    insta::assert_snapshot!(Room::new().run(&["explain", "marketplace-source"]).ended(0));
}
