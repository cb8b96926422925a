//! `modgate diff`: checks two versions and shows what the new one can do that the old one could not.

use std::io::Write;

use modgate_validate::{Diagnostic, Severity};

use super::validate::check;
use crate::cli::{DiffArgs, Format};
use crate::diff::{self, Change, Difference};
use crate::discover::mod_folder;
use crate::error::Failure;
use crate::exit::Exit;
use crate::output::{Paint, Style, Terminal};
use crate::render::safe::visible;
use crate::render::{Checked, Renderer, Totals, counted};
use crate::rulebook::CAN_DO_MORE;
use crate::wire::diff::Diff;

/// Runs the command.
pub(crate) fn run(args: &DiffArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let options = args.judge.options();
    let old = with_facts(check(mod_folder(&args.old)?, None, &options)?)?;
    let new = with_facts(check(mod_folder(&args.new)?, None, &options)?)?;
    let difference = diff::compare(&old.report, &new.report);
    let mut out = terminal.writer();
    match args.format.chosen() {
        Format::Text => out.write_all(text(&old, &new, &difference, terminal.style()).as_bytes())?,
        Format::Json => {
            let document = Diff::new(&old, &new, &difference);
            writeln!(out, "{}", serde_json::to_string_pretty(&document).map_err(std::io::Error::from)?)?;
        }
        format @ (Format::Sarif | Format::Github) => {
            let renderer = Renderer::new(format, terminal.style(), &args.judge);
            let findings = as_findings(new, &difference);
            renderer.head(&mut out)?;
            out.write_all(renderer.report(&findings).as_bytes())?;
            renderer.tail(&Totals::of(&findings), &mut out)?;
        }
    }
    out.flush()?;
    Ok(if difference.more.is_empty() { Exit::Fine } else { Exit::Findings })
}

/// Without facts there is nothing to compare; a mod without a module has none and does nothing in hooks.
fn with_facts(checked: Checked) -> Result<Checked, Failure> {
    let errors = || checked.report.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let is_known = checked.report.facts.is_some() || (checked.report.module.is_none() && errors().next().is_none());
    match errors().next() {
        Some(found) if !is_known => {
            let place = found.span.map(|span| format!(":{}:{}", span.line, span.column)).unwrap_or_default();
            let why = format!("{}{place}: {}", found.file, found.message);
            Err(Failure::FactsUnknown { folder: checked.folder.shown.clone().into(), why: visible(&why).into_owned() })
        }
        _ => Ok(checked),
    }
}

/// What is new, as findings in the new version, for the formats that know nothing else.
fn as_findings(mut new: Checked, difference: &Difference) -> Checked {
    let finding = |change: &Change| Diagnostic {
        code: CAN_DO_MORE.code,
        severity: CAN_DO_MORE.severity,
        message: format!("the new version {} {}; the old one did not", change.kind.verb(), change.name),
        help: None,
        file: change.at.file.clone(),
        span: Some(change.at.span),
        labels: Vec::new(),
        hosts: Vec::new(),
        is_install_only: false,
    };
    new.report.diagnostics = difference.more.iter().map(finding).collect();
    new
}

fn text(old: &Checked, new: &Checked, difference: &Difference, style: Style) -> String {
    let mut text = String::new();
    let mut list = |changes: &[Change], of: &Checked, sign: &str, paint: Paint| {
        for change in changes {
            let place =
                format!("{}:{}:{}", of.folder.shown_file(&change.at.file), change.at.span.line, change.at.span.column);
            let what = format!("{sign} {} {}", change.kind.verb(), visible(&change.name));
            text.push_str(&format!("{}  {}\n", style.paint(paint, &what), style.paint(Paint::Dim, &visible(&place))));
        }
    };
    list(&difference.more, new, "+", Paint::Warn);
    list(&difference.less, old, "-", Paint::Good);
    if !text.is_empty() {
        text.push('\n');
    }
    for (checked, which) in [(old, "old"), (new, "new")] {
        if !checked.report.is_accepted() {
            text.push_str(&format!(
                "the {which} version would not load; `modgate validate {}` says why\n",
                checked.folder.shown
            ));
        }
    }
    let versions = format!("{} -> {}", called(old), called(new));
    let verdict = match difference.more.len() {
        0 => style.paint(Paint::Good, "✔ ") + &style.paint(Paint::Bold, &versions) + ": nothing it could not do before",
        more => {
            style.paint(Paint::Bad, "✘ ")
                + &style.paint(Paint::Bold, &versions)
                + &format!(": {} it could not do before", counted(more, "thing"))
        }
    };
    text + &verdict + "\n"
}

fn called(checked: &Checked) -> String {
    let name = checked.report.name.as_deref().unwrap_or(&checked.folder.shown);
    let version = checked.report.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    visible(&format!("{name}{version}")).into_owned()
}
