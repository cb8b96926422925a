//! `modgate explain`: the page of a rule, or all rules.

use std::io::Write;

use modgate_validate::rules::Rule;

use crate::cli::ExplainArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::output::{Paint, Style, Terminal};
use crate::rulebook;
use crate::wire::rules::Rules;

/// Runs the command.
pub(crate) fn run(args: &ExplainArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut out = terminal.writer();
    let rules = match &args.code {
        Some(code) => vec![rulebook::rule(code).ok_or_else(|| unknown(code))?],
        None => rulebook::all(),
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&Rules::new(&rules)).map_err(std::io::Error::from)?)?;
    } else if let ([rule], Some(_)) = (rules.as_slice(), &args.code) {
        out.write_all(page(rule, terminal.style()).as_bytes())?;
    } else {
        out.write_all(list(&rules, terminal.style()).as_bytes())?;
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn list(rules: &[&Rule], style: Style) -> String {
    let width = rules.iter().map(|rule| rule.code.len()).max().unwrap_or_default();
    let line = |rule: &&Rule| {
        let severity = format!("{:<7}", rulebook::severity(rule.severity));
        let code = style.paint(Paint::Name, &format!("{:<width$}", rule.code));
        format!("{code}  {}  {}\n", style.paint(paint(rule), &severity), rule.name)
    };
    rules.iter().map(line).collect()
}

fn page(rule: &Rule, style: Style) -> String {
    let severity = style.paint(paint(rule), rulebook::severity(rule.severity));
    let mut text = format!("{} ({severity}): {}\n\n", style.paint(Paint::Name, rule.code), rule.name);
    let mut is_code = false;
    for line in rulebook::page(rule).lines() {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        let paint = match line {
            line if line.starts_with('#') && !is_code => Some(Paint::Bold),
            _ if is_fence => Some(Paint::Dim),
            _ if is_code => Some(Paint::Name),
            _ => None,
        };
        text.push_str(&paint.map_or_else(|| line.to_owned(), |paint| style.paint(paint, line)));
        text.push('\n');
    }
    text
}

fn paint(rule: &Rule) -> Paint {
    match rule.severity {
        modgate_validate::Severity::Error => Paint::Bad,
        modgate_validate::Severity::Warning => Paint::Warn,
        modgate_validate::Severity::Note => Paint::Dim,
    }
}

fn unknown(code: &str) -> Failure {
    let near = rulebook::all()
        .into_iter()
        .map(|rule| (strsim::jaro_winkler(rule.code, code), rule.code))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|one, other| one.0.total_cmp(&other.0));
    let help = match near {
        Some((_, near)) => format!("did you mean {near}? `modgate explain` lists every rule"),
        None => "`modgate explain` lists every rule".to_owned(),
    };
    Failure::NoSuchRule { code: code.to_owned(), help }
}
