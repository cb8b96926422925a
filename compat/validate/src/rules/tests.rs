//! The registry as data.

use super::{rule, rules};

const HEADINGS: [&str; 5] = ["# What", "# Why", "# Example", "# Instead", "# Source"];

#[test]
fn sorted_and_unique() {
    assert!(rules().windows(2).all(|pair| pair[0].code < pair[1].code));
}

#[test]
fn codes_are_words_with_hyphens() {
    for rule in rules() {
        let word = |word: &str| !word.is_empty() && word.bytes().all(|c| c.is_ascii_lowercase());
        assert!(rule.code.split('-').all(word), "{}", rule.code);
    }
}

#[test]
fn every_page_has_its_headings_in_order() {
    for rule in rules() {
        let headings: Vec<_> = rule.page.lines().map(str::trim).filter(|line| line.starts_with("# ")).collect();
        assert_eq!(headings, HEADINGS, "{}", rule.code);
        let empty = rule.page.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>();
        assert!(
            empty.windows(2).all(|pair| !(pair[0].starts_with("# ") && pair[1].starts_with("# "))),
            "{}",
            rule.code
        );
    }
}

#[test]
fn found_by_code() {
    for known in rules() {
        assert_eq!(rule(known.code).map(|rule| rule.code), Some(known.code));
    }
    assert!(rule("no-such-rule").is_none());
}

#[test]
fn usable_from_every_thread() {
    fn shared<T: Sync + Send>(_: &T) {}
    shared(&rules());
}
