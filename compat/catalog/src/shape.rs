//! The shape language: how the data files write what a value has to look like.
//!
//! ```text
//! any            every value, undefined too     present      the field is there, whatever it holds
//! string         text                           text         text that is not empty
//! number         a number                       count        a number from 0
//! whole          a whole number from 0          said         text that is more than blanks
//! finite         a number, no NaN or infinity
//! boolean  null  list  object                   never        the field is not there (or undefined)
//! absent         the field is not there at all
//! 'literal'      exactly this text              true, 5      exactly this value
//! T[]            a list of T                    T[+]         a list of T that is not empty
//! A | B          one of them                    Name         a shape of data/types.json
//! { a: T, b?: T, c!: T, d!^: T, e?~: T }        an object; fields it does not name are taken
//! { ...Name, a: T }                             the fields of a named object, and more
//! ```
//!
//! Marks after a field's name: `?` may be missing, `~` stands for readers only and is not checked, `!` is pinned (what a
//! hook passes to `next` has to hold what the event held), `^` is put back when a hook leaves it out.

mod check;
mod parse;

use std::fmt;

pub use check::Fault;
pub(crate) use check::check_field;
pub use parse::ShapeError;
pub(crate) use parse::{Types, parse, parse_fields};

/// What a value has to look like.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Every value, undefined and missing too.
    Any,
    /// A field that is there, even when it holds undefined.
    Present,
    /// A field that is missing or undefined.
    Never,
    /// A field that is missing; one that holds undefined is there.
    Absent,
    /// Text.
    String,
    /// Text that is not empty.
    Text,
    /// Text that is more than blanks.
    Said,
    /// A number.
    Number,
    /// A number that is neither NaN nor infinite.
    Finite,
    /// A number from 0.
    Count,
    /// A whole number from 0.
    Whole,
    /// true or false.
    Boolean,
    /// null.
    Null,
    /// Any list.
    List,
    /// Any object.
    Object,
    /// Exactly this text.
    Literal(&'static str),
    /// Exactly this truth value.
    Exactly(bool),
    /// A list of one shape; `true` when it may not be empty.
    ListOf(Box<Shape>, bool),
    /// An object with at least these fields.
    Fields(Vec<Field>),
    /// One of several.
    Union(Vec<Shape>),
    /// A shape of its own name.
    Named(&'static str, Box<Shape>),
}

/// One field of an object shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name; the name in `[...]` stands for any further one.
    pub name: &'static str,
    /// It may be missing.
    pub optional: bool,
    /// Its kind is checked in what a hook passes to `next`, and in answers.
    pub checked: bool,
    /// A hook may not change it.
    pub pinned: bool,
    /// It is put back when a hook leaves it out.
    pub put_back: bool,
    /// What it holds.
    pub shape: Shape,
    /// The shape as the data file writes it, for readers.
    pub text: &'static str,
}

impl Field {
    /// Whether the name is a placeholder for any further field, such as a tool's own arguments.
    pub fn is_rest(&self) -> bool {
        self.name.starts_with('[')
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Any => f.write_str("any value"),
            Shape::Present => f.write_str("a value"),
            Shape::Never | Shape::Absent => f.write_str("nothing"),
            Shape::String => f.write_str("a string"),
            Shape::Text => f.write_str("a non-empty string"),
            Shape::Said => f.write_str("a string of more than blanks"),
            Shape::Number => f.write_str("a number"),
            Shape::Finite => f.write_str("a finite number"),
            Shape::Count => f.write_str("a number from 0"),
            Shape::Whole => f.write_str("a whole number from 0"),
            Shape::Boolean => f.write_str("a boolean"),
            Shape::Null => f.write_str("null"),
            Shape::List => f.write_str("a list"),
            Shape::Object => f.write_str("an object"),
            Shape::Literal(text) => write!(f, "'{text}'"),
            Shape::Exactly(value) => write!(f, "{value}"),
            Shape::ListOf(item, nonempty) => {
                write!(f, "a {}list of: {item}", if *nonempty { "non-empty " } else { "" })
            }
            Shape::Fields(fields) => {
                f.write_str("{ ")?;
                for (at, field) in fields.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(f, "{comma}{}{}", field.name, if field.optional { "?" } else { "" })?;
                }
                f.write_str(" }")
            }
            Shape::Union(shapes) => {
                for (at, shape) in shapes.iter().enumerate() {
                    write!(f, "{}{shape}", if at == 0 { "" } else { " or " })?;
                }
                Ok(())
            }
            Shape::Named(name, _) => f.write_str(name),
        }
    }
}
