//! Every code that can stand in a record has its line in the documents.

use modgate_compat::codes;

#[test]
fn every_code_is_documented() {
    let page = include_str!("../../../../docs/report-codes.md");
    let documented: Vec<&str> =
        page.lines().filter(|line| line.starts_with('|')).flat_map(|line| line.split('`').skip(1).step_by(2)).collect();
    for code in codes::ALL {
        assert!(documented.contains(code), "{code} has no line in docs/report-codes.md");
    }
}

#[test]
fn no_code_is_used_twice() {
    let mut sorted = codes::ALL.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), codes::ALL.len());
}
