//! `modgate validate --json`: one report.

use modgate_validate::report::{ClassicHook, Label, Location, OptionFact, Span};
use modgate_validate::{Diagnostic, Verdict};
use serde::Serialize;

use super::facts::Module;
use crate::render::{Checked, Totals};
use crate::rulebook;

/// A mod or a marketplace.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report<'a> {
    target: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    name: Option<&'a str>,
    version: Option<&'a str>,
    success: bool,
    diagnostics: Vec<Finding<'a>>,
    modules: Vec<Module<'a>>,
    provides: Provides<'a>,
}

/// A finding.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Finding<'a> {
    code: &'a str,
    severity: &'static str,
    message: &'a str,
    help: Option<&'a str>,
    file: &'a str,
    span: Option<Place>,
    labels: Vec<WireLabel<'a>>,
    hosts: Vec<String>,
}

/// A part of a file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Place {
    start: u32,
    end: u32,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

/// A place that explains a finding.
#[derive(Serialize)]
struct WireLabel<'a> {
    file: &'a str,
    span: Place,
    message: &'a str,
}

/// What the folder brings along besides the module.
#[derive(Serialize)]
struct Provides<'a> {
    options: Vec<Setting<'a>>,
    hooks: Vec<SettingsHook<'a>>,
}

#[derive(Serialize)]
struct Setting<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    required: bool,
    sensitive: bool,
    at: At<'a>,
}

#[derive(Serialize)]
struct SettingsHook<'a> {
    event: &'a str,
    matcher: Option<&'a str>,
    #[serde(rename = "type")]
    kind: &'a str,
    does: &'a str,
    at: At<'a>,
}

/// A place, short.
#[derive(Serialize)]
pub(crate) struct At<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

/// The last keys of the document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary {
    mods: usize,
    marketplaces: usize,
    refused: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
}

impl<'a> From<&'a Checked> for Report<'a> {
    fn from(checked: &'a Checked) -> Report<'a> {
        let report = &checked.report;
        Report {
            target: &checked.folder.shown,
            kind: if checked.is_marketplace { "marketplace" } else { "plugin" },
            name: report.name.as_deref(),
            version: report.version.as_deref(),
            success: report.verdict == Verdict::Accept,
            diagnostics: report.diagnostics.iter().map(Finding::from).collect(),
            modules: report
                .module
                .as_deref()
                .map(|path| Module::new(path, report.facts.as_ref()))
                .into_iter()
                .collect(),
            provides: Provides {
                options: report.setup.options.iter().map(Setting::from).collect(),
                hooks: report.setup.classic_hooks.iter().map(SettingsHook::from).collect(),
            },
        }
    }
}

impl<'a> From<&'a Diagnostic> for Finding<'a> {
    fn from(found: &'a Diagnostic) -> Finding<'a> {
        Finding {
            code: found.code,
            severity: rulebook::severity(found.severity),
            message: &found.message,
            help: found.help.as_deref(),
            file: &found.file,
            span: found.span.map(Place::from),
            labels: found.labels.iter().map(WireLabel::from).collect(),
            hosts: found.hosts.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<Span> for Place {
    fn from(span: Span) -> Place {
        let Span { start, end, line, column, end_line, end_column } = span;
        Place { start, end, line, column, end_line, end_column }
    }
}

impl<'a> From<&'a Label> for WireLabel<'a> {
    fn from(label: &'a Label) -> WireLabel<'a> {
        WireLabel { file: &label.at.file, span: label.at.span.into(), message: &label.message }
    }
}

impl<'a> From<&'a Location> for At<'a> {
    fn from(at: &'a Location) -> At<'a> {
        At { file: &at.file, line: at.span.line, column: at.span.column }
    }
}

impl<'a> From<&'a OptionFact> for Setting<'a> {
    fn from(option: &'a OptionFact) -> Setting<'a> {
        Setting {
            name: &option.name,
            kind: &option.kind,
            required: option.required,
            sensitive: option.sensitive,
            at: At::from(&option.at),
        }
    }
}

impl<'a> From<&'a ClassicHook> for SettingsHook<'a> {
    fn from(hook: &'a ClassicHook) -> SettingsHook<'a> {
        SettingsHook {
            event: &hook.event,
            matcher: hook.matcher.as_deref(),
            kind: &hook.kind,
            does: &hook.does,
            at: At::from(&hook.at),
        }
    }
}

impl From<&Totals> for Summary {
    fn from(totals: &Totals) -> Summary {
        let Totals { mods, marketplaces, refused, errors, warnings, notes } = *totals;
        Summary { mods, marketplaces, refused, errors, warnings, notes }
    }
}
