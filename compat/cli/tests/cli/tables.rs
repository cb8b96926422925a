//! The generated page of the documentation.

use crate::fixture::Room;

#[test]
fn the_page_says_what_the_program_does() {
    let page = include_str!("../../../../docs/compatibility.md");
    let ran = Room::new().run(&["tables"]);
    assert!(ran.ended(0).out == page, "`modgate tables > docs/compatibility.md` writes the page anew");
}

/// `mods-fixtures/kit/kit-events` raises each of these in a test; the page has to call the same ones `by a test`.
#[test]
fn what_a_test_can_raise_is_what_the_page_says() {
    let quoted = |text: &'static str| -> Vec<&'static str> { text.split('\'').skip(1).step_by(2).collect() };
    let raised = quoted(include_str!("../../../../mods-fixtures/kit/kit-events/tests/events.ts"));
    let page = include_str!("../../../../docs/compatibility.md");
    let rows = page.lines().filter(|line| line.ends_with("| by a test |"));
    let mut said: Vec<_> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    said.sort_unstable();
    assert_eq!(said, raised);
}
