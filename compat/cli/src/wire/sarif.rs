//! SARIF 2.1.0, the parts that code scanning reads.

use serde::Serialize;

/// A rule, in the run's table.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportingDescriptor<'a> {
    /// The rule's code.
    pub(crate) id: &'a str,
    /// One line.
    pub(crate) short_description: Message<'a>,
    /// What to write instead, and why.
    pub(crate) help: Help,
    /// How much it matters, unless a result says otherwise.
    pub(crate) default_configuration: Configuration,
}

/// A text.
#[derive(Serialize)]
pub(crate) struct Message<'a> {
    /// The text.
    pub(crate) text: &'a str,
}

/// A text and the same in Markdown.
#[derive(Serialize)]
pub(crate) struct Help {
    /// Plain.
    pub(crate) text: String,
    /// With headings and code.
    pub(crate) markdown: String,
}

/// How much a rule matters.
#[derive(Serialize)]
pub(crate) struct Configuration {
    /// `error`, `warning` or `note`.
    pub(crate) level: &'static str,
}

/// A finding.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome<'a> {
    /// The rule's code.
    pub(crate) rule_id: &'a str,
    /// Its place in the run's table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rule_index: Option<usize>,
    /// `error`, `warning` or `note`.
    pub(crate) level: &'static str,
    /// What is wrong, and what to do.
    pub(crate) message: Message<'a>,
    /// Where; one.
    pub(crate) locations: Vec<Location<'a>>,
    /// Other places that explain it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) related_locations: Vec<Location<'a>>,
}

/// A place.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Location<'a> {
    /// In which file, and where there.
    pub(crate) physical_location: PhysicalLocation,
    /// What to see there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<Message<'a>>,
}

/// A file and a part of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PhysicalLocation {
    /// The file.
    pub(crate) artifact_location: ArtifactLocation,
    /// The part; none for findings about the file as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) region: Option<Region>,
}

/// A file.
#[derive(Serialize)]
pub(crate) struct ArtifactLocation {
    /// Relative to where the program ran, or absolute.
    pub(crate) uri: String,
}

/// A part of a file; columns in UTF-16 code units, the end not included.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Region {
    /// From 1.
    pub(crate) start_line: u32,
    /// From 1.
    pub(crate) start_column: u32,
    /// From 1.
    pub(crate) end_line: u32,
    /// From 1.
    pub(crate) end_column: u32,
}
