//! The page about hosts, made from their profiles.

use std::fmt::{Debug, Write};

use super::{Fact, HostProfile, Source, hosts};

const HEAD: &str = "\
# What hosts do

Made from the profiles in `compat/catalog/data/hosts`; a test fails when the two part
(`HOSTS_PAGE=write cargo test -p modgate-catalog` writes the page anew). `measured`: seen on the real program.
`documented`: stated in that host's own documents or source. `assumed`: neither. Which events are raised and which
members of `$` are served, name by name, is in compatibility.md.

";

/// Every fact of every profile, with how it is known, as Markdown.
pub fn hosts_markdown() -> String {
    let mut text = HEAD.to_owned();
    overview(&mut text);
    for host in hosts() {
        let _ = writeln!(text, "\n## {}\n\n| fact | is | known | how |\n|---|---|---|---|", host.title);
        for row in rows(host) {
            let _ = writeln!(text, "| {} | {} | {} | {} |", row.name, row.is, row.source, row.how.replace('|', "\\|"));
        }
    }
    text
}

struct Row {
    name: &'static str,
    is: String,
    source: Source,
    how: String,
}

/// One line a fact, one column a host.
fn overview(text: &mut String) {
    let columns: Vec<Vec<Row>> = hosts().iter().map(rows).collect();
    let specs: Vec<String> = hosts().iter().map(HostProfile::spec).collect();
    let _ = writeln!(text, "| fact | {} |\n|{}", specs.join(" | "), "---|".repeat(specs.len() + 1));
    let mut names: Vec<&str> = Vec::new();
    for row in columns.iter().flatten() {
        if !names.contains(&row.name) {
            names.push(row.name);
        }
    }
    for name in names {
        let cell = |rows: &Vec<Row>| rows.iter().find(|row| row.name == name).map_or("", |row| &row.is).to_owned();
        let cells: Vec<String> = columns.iter().map(cell).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
}

fn rows(host: &HostProfile) -> Vec<Row> {
    let mut rows =
        vec![row("changed arguments at `tool.call`", &host.rewrite), row("another tool at `tool.call`", &host.reroute)];
    rows.extend(host.corrections.as_ref().map(|fact| row("corrections by a grant", fact)));
    rows.extend([
        row("permission is decided", &host.permission),
        row("an answer to `tool.check`", &host.check),
        list("rewrites that the record holds", &host.recorded),
        row("a second `next`", &host.repeat),
        row("a failing hook", &host.failure),
        row("deny after the tool ran", &host.deny_after_next),
        row("a refusal that comes too late", &host.late_refusal),
        row("a run left pending", &host.pending),
        row("results are checked", &host.results),
    ]);
    rows.extend(host.error_flag.as_ref().map(|fact| row("`isError` of a mod's answer", fact)));
    rows.extend([
        row("an unknown event", &host.unknown_event),
        row("`next.to`", &host.next_to),
        list("tiers", &host.tiers),
    ]);
    let budgets = &host.budgets;
    let times = format!("{} ms a hook, {} ms a `.catch`", budgets.hook_ms, budgets.catch_ms);
    rows.push(Row { name: "own time", is: times, source: budgets.source, how: budgets.how.clone() });
    rows
}

fn row<T: Debug>(name: &'static str, fact: &Fact<T>) -> Row {
    Row { name, is: word(&format!("{:?}", fact.is)), source: fact.source, how: fact.how.clone() }
}

fn list(name: &'static str, fact: &Fact<Vec<String>>) -> Row {
    let is = if fact.is.is_empty() { "none".to_owned() } else { fact.is.join(", ") };
    Row { name, is, source: fact.source, how: fact.how.clone() }
}

/// `FirstResult` as the profile's file writes it.
fn word(name: &str) -> String {
    let mut word = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.extend(letter.to_lowercase());
    }
    match word.as_str() {
        "true" => "yes".into(),
        "false" => "no".into(),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `HOSTS_PAGE=write` writes it; without, the page has to say the same already.
    #[test]
    fn the_page_says_what_the_profiles_say() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hosts.md");
        let made = hosts_markdown();
        if std::env::var_os("HOSTS_PAGE").is_some_and(|value| value == "write") {
            std::fs::write(path, &made).unwrap();
        }
        let page = std::fs::read_to_string(path).unwrap();
        assert!(page == made, "HOSTS_PAGE=write cargo test -p modgate-catalog writes docs/hosts.md anew");
        assert!(
            page.contains("| changed arguments at `tool.call` | apply | apply | apply | refuse | refuse |"),
            "{page}"
        );
    }
}
