//! The generated page of the documentation.

use crate::fixture::Room;

#[test]
fn the_page_says_what_the_program_does() {
    let page = include_str!("../../../../docs/compatibility.md");
    let ran = Room::new().run(&["tables"]);
    assert!(ran.ended(0).out == page, "`modgate tables > docs/compatibility.md` writes the page anew");
}
