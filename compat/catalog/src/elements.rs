//! What a mod may draw: surfaces, components, elements, and the check of a whole tree.

mod drawn;
mod image;
mod kind;
mod raster;
mod tree;

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;

use crate::event::types;
use crate::shape::{self, Field};
use crate::{leak, nearest};

pub use drawn::{Control, controls};
pub(crate) use kind::Kind;
pub use tree::{TreeRefusal, check_tree};

/// What may stand inside an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Children {
    /// Elements and text.
    Any,
    /// Text and inline elements.
    Inline,
    /// One text, which becomes the label.
    Label,
    /// Nothing.
    None,
}

/// Limits of one tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Elements and texts together.
    pub nodes: usize,
    /// Elements within elements.
    pub depth: usize,
    /// Characters of text in all, what goes beyond is cut.
    pub text: usize,
    /// Characters of a link's target.
    pub href: usize,
    /// Characters of an Svg.
    pub svg: usize,
    /// Links of one Markdown that may be pressed.
    pub links: usize,
    /// Options of one Select.
    pub options: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ElementRow {
    name: String,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    inline: bool,
    #[serde(default)]
    unique: bool,
    children: Children,
    raises: Option<String>,
    since: Option<String>,
    props: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ComponentRow {
    name: String,
    since: Option<String>,
    surfaces: Vec<String>,
    #[serde(default)]
    draws: Vec<String>,
    props: String,
}

/// A rule that older versions had otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The first version known to have the rule of today.
    pub since: String,
    /// The element.
    pub element: String,
    /// The prop, where it is about one.
    pub prop: Option<String>,
    /// What was before.
    pub what: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    limits: Limits,
    surfaces: BTreeMap<String, Vec<String>>,
    backdrops: BTreeMap<String, Vec<String>>,
    actions: BTreeMap<String, Vec<String>>,
    element: Vec<ElementRow>,
    component: Vec<ComponentRow>,
    changed: Vec<Change>,
}

/// One prop of an element.
#[derive(Debug, Clone, PartialEq)]
pub struct Prop {
    /// Its name.
    pub name: &'static str,
    /// Whether it has to be there.
    pub required: bool,
    /// What it may be, as the data file says it.
    pub text: &'static str,
    pub(crate) kind: Kind,
}

impl Prop {
    /// Whether it is a function of the mod.
    pub fn is_handler(&self) -> bool {
        self.kind == Kind::Handler
    }
}

/// One element.
#[derive(Debug)]
pub struct Element {
    /// `Button`.
    pub name: &'static str,
    /// Whether an unknown prop refuses the tree; it is dropped elsewhere.
    pub strict: bool,
    /// Whether it may stand inside text.
    pub inline: bool,
    /// Whether its key may be used once only among its kind.
    pub unique: bool,
    /// What may stand inside.
    pub children: Children,
    /// The event a person raises with it.
    pub raises: Option<&'static str>,
    /// The first version of Claude Code known to have it.
    pub since: &'static str,
    /// Its props, in order of their names.
    pub props: Vec<Prop>,
}

impl Element {
    /// The prop of that name.
    pub fn prop(&self, name: &str) -> Option<&Prop> {
        self.props.iter().find(|prop| prop.name == name)
    }
}

/// One place where a mod may draw.
#[derive(Debug)]
pub struct Component {
    /// `AbovePrompt`.
    pub name: &'static str,
    /// The first version of Claude Code known to have it.
    pub since: &'static str,
    /// The surfaces that have it.
    pub surfaces: Vec<&'static str>,
    /// The elements that it draws, where it draws a few only.
    pub draws: Vec<&'static str>,
    /// Its props, in the shape language; pinned ones may not be changed on the way down.
    pub props_text: &'static str,
    props: OnceLock<Vec<Field>>,
}

impl Component {
    /// Its props.
    pub fn props(&self) -> &[Field] {
        self.props.get_or_init(|| shape::parse_fields(self.props_text, types()).unwrap_or_default())
    }
}

/// All of it, read once.
#[derive(Debug)]
struct Tables {
    limits: Limits,
    surfaces: Vec<(&'static str, Vec<&'static str>)>,
    offered: Vec<(&'static str, Vec<&'static str>)>,
    elements: Vec<Element>,
    components: Vec<Component>,
    changes: Vec<Change>,
    actions: BTreeMap<String, Vec<String>>,
}

fn read() -> Result<Tables, String> {
    let rows: Rows = toml::from_str(include_str!("../data/elements.toml")).map_err(|error| error.to_string())?;
    let names = |names: Vec<String>| names.into_iter().map(leak).collect::<Vec<_>>();
    let surfaces: Vec<_> = rows.surfaces.into_iter().map(|(name, elements)| (leak(name), names(elements))).collect();
    let mut offered = surfaces.clone();
    for (name, elements) in &mut offered {
        elements.extend(rows.backdrops.get(*name).into_iter().flatten().map(|element| leak(element.clone())));
    }
    Ok(Tables {
        limits: rows.limits,
        surfaces,
        offered,
        elements: rows.element.into_iter().map(element_of).collect::<Result<_, _>>()?,
        components: rows
            .component
            .into_iter()
            .map(|row| Component {
                name: leak(row.name),
                since: row.since.map_or(crate::OLDEST, leak),
                surfaces: names(row.surfaces),
                draws: names(row.draws),
                props_text: leak(row.props),
                props: OnceLock::new(),
            })
            .collect(),
        changes: rows.changed,
        actions: rows.actions,
    })
}

fn element_of(row: ElementRow) -> Result<Element, String> {
    let name = leak(row.name);
    let props = row.props.into_iter().map(|(prop, text)| {
        let text = leak(text);
        let kind = Kind::parse(text).ok_or_else(|| format!("{name}.{prop}: no kind {text:?}"))?;
        Ok(Prop { name: leak(prop), required: text.ends_with('!'), text, kind })
    });
    Ok(Element {
        name,
        strict: row.strict,
        inline: row.inline,
        unique: row.unique,
        children: row.children,
        raises: row.raises.map(leak),
        since: row.since.map_or(crate::OLDEST, leak),
        props: props.collect::<Result<_, String>>()?,
    })
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    read().unwrap_or_else(|_| Tables {
        limits: Limits { nodes: 0, depth: 0, text: 0, href: 0, svg: 0, links: 0, options: 0 },
        surfaces: Vec::new(),
        offered: Vec::new(),
        elements: Vec::new(),
        components: Vec::new(),
        changes: Vec::new(),
        actions: BTreeMap::new(),
    })
});

/// The limits of a tree.
pub fn limits() -> Limits {
    TABLES.limits
}

/// Whether a button may stand for that key binding.
pub fn is_action(name: &str) -> bool {
    let Some((place, action)) = name.split_once(':') else { return false };
    TABLES.actions.get(place).is_some_and(|actions| actions.iter().any(|known| known == action))
}

/// The names of all surfaces, sorted.
pub fn surfaces() -> impl Iterator<Item = &'static str> {
    TABLES.surfaces.iter().map(|(name, _)| *name)
}

/// The elements of a surface; `None` for a surface nobody knows.
pub fn surface(name: &str) -> Option<&'static [&'static str]> {
    TABLES.surfaces.iter().find(|(surface, _)| *surface == name).map(|(_, elements)| elements.as_slice())
}

/// The elements that a surface's table offers, in the order of the table: those it draws, and those for a backdrop.
pub fn table(name: &str) -> Option<&'static [&'static str]> {
    TABLES.offered.iter().find(|(surface, _)| *surface == name).map(|(_, elements)| elements.as_slice())
}

/// All elements.
pub fn elements() -> &'static [Element] {
    &TABLES.elements
}

/// The element of that name.
pub fn element(name: &str) -> Option<&'static Element> {
    TABLES.elements.iter().find(|element| element.name == name)
}

/// Rules about drawing that older versions had otherwise.
pub fn changes() -> &'static [Change] {
    &TABLES.changes
}

/// All components, sorted by name.
pub fn components() -> &'static [Component] {
    &TABLES.components
}

/// The component of that name.
pub fn component(name: &str) -> Option<&'static Component> {
    TABLES.components.iter().find(|component| component.name == name)
}

/// The component most like this one, where one is near enough to be meant.
pub fn nearest_component(name: &str) -> Option<&'static str> {
    nearest(name, TABLES.components.iter().map(|component| component.name))
}

#[cfg(test)]
mod tests;
