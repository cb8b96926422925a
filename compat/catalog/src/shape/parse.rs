//! Reading the shape language.

use std::collections::BTreeMap;

use super::{Field, Shape};

/// A text of the data files that is no shape.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a shape, at character {at} of `{text}`: {expected} expected")]
pub struct ShapeError {
    /// The whole text.
    pub text: &'static str,
    /// Where reading stopped, in bytes.
    pub at: usize,
    /// What should have stood there.
    pub expected: &'static str,
}

/// The named shapes, as texts.
pub(crate) type Types = BTreeMap<&'static str, &'static str>;

/// Reads one shape; names are looked up in `types`.
pub(crate) fn parse(text: &'static str, types: &Types) -> Result<Shape, ShapeError> {
    let mut reader = Reader { text, at: 0, types };
    let shape = reader.union()?;
    reader.end()?;
    Ok(shape)
}

/// Reads an object shape down to its fields.
pub(crate) fn parse_fields(text: &'static str, types: &Types) -> Result<Vec<Field>, ShapeError> {
    match parse(text, types)? {
        Shape::Fields(fields) => Ok(fields),
        _ => Err(ShapeError { text, at: 0, expected: "an object" }),
    }
}

struct Reader<'types> {
    text: &'static str,
    at: usize,
    types: &'types Types,
}

impl Reader<'_> {
    fn fail<T>(&self, expected: &'static str) -> Result<T, ShapeError> {
        Err(ShapeError { text: self.text, at: self.at, expected })
    }

    fn rest(&self) -> &'static str {
        &self.text[self.at..]
    }

    fn blank(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blank();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn end(&mut self) -> Result<(), ShapeError> {
        self.blank();
        if self.rest().is_empty() { Ok(()) } else { self.fail("the end") }
    }

    fn word(&mut self) -> &'static str {
        self.blank();
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || "_$-".contains(c))).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn union(&mut self) -> Result<Shape, ShapeError> {
        let mut shapes = vec![self.item()?];
        while self.take("|") {
            shapes.push(self.item()?);
        }
        Ok(if shapes.len() == 1 { shapes.remove(0) } else { Shape::Union(shapes) })
    }

    fn item(&mut self) -> Result<Shape, ShapeError> {
        let mut shape = self.single()?;
        loop {
            if self.take("[+]") {
                shape = Shape::ListOf(Box::new(shape), true);
            } else if self.take("[]") {
                shape = Shape::ListOf(Box::new(shape), false);
            } else {
                return Ok(shape);
            }
        }
    }

    fn single(&mut self) -> Result<Shape, ShapeError> {
        if self.take("{") {
            return self.fields();
        }
        if self.take("(") {
            let shape = self.union()?;
            return if self.take(")") { Ok(shape) } else { self.fail("`)`") };
        }
        if self.take("'") {
            let Some(length) = self.rest().find('\'') else { return self.fail("a closing quote") };
            let literal = &self.rest()[..length];
            self.at += length + 1;
            return Ok(Shape::Literal(literal));
        }
        self.named()
    }

    fn named(&mut self) -> Result<Shape, ShapeError> {
        let word = self.word();
        Ok(match word {
            "any" => Shape::Any,
            "present" => Shape::Present,
            "never" => Shape::Never,
            "absent" => Shape::Absent,
            "string" => Shape::String,
            "text" => Shape::Text,
            "said" => Shape::Said,
            "number" => Shape::Number,
            "finite" => Shape::Finite,
            "count" => Shape::Count,
            "whole" => Shape::Whole,
            "boolean" => Shape::Boolean,
            "null" => Shape::Null,
            "list" => Shape::List,
            "object" => Shape::Object,
            "true" => Shape::Exactly(true),
            "false" => Shape::Exactly(false),
            name => match self.types.get(name) {
                Some(text) => Shape::Named(name, Box::new(parse(text, self.types)?)),
                None => return self.fail("a known name before this place"),
            },
        })
    }

    fn fields(&mut self) -> Result<Shape, ShapeError> {
        let mut fields = Vec::new();
        while !self.take("}") {
            if self.take("...") {
                fields.extend(self.spread()?);
            } else {
                fields.push(self.field()?);
            }
            if !self.take(",") {
                return if self.take("}") { Ok(Shape::Fields(fields)) } else { self.fail("`,` or `}`") };
            }
        }
        Ok(Shape::Fields(fields))
    }

    fn spread(&mut self) -> Result<Vec<Field>, ShapeError> {
        match self.named()? {
            Shape::Named(_, shape) => match *shape {
                Shape::Fields(fields) => Ok(fields),
                _ => self.fail("the name of an object before this place"),
            },
            _ => self.fail("the name of an object before this place"),
        }
    }

    fn field(&mut self) -> Result<Field, ShapeError> {
        self.blank();
        let name = if self.rest().starts_with('[') {
            let Some(length) = self.rest().find(']') else { return self.fail("`]`") };
            let name = &self.rest()[..=length];
            self.at += length + 1;
            name
        } else {
            self.word()
        };
        if name.is_empty() {
            return self.fail("a field name");
        }
        let mut field =
            Field { name, optional: false, checked: true, pinned: false, put_back: false, shape: Shape::Any, text: "" };
        loop {
            match self.rest().as_bytes().first() {
                Some(b'?') => field.optional = true,
                Some(b'~') => field.checked = false,
                Some(b'!') => field.pinned = true,
                Some(b'^') => field.put_back = true,
                _ => break,
            }
            self.at += 1;
        }
        if !self.take(":") {
            return self.fail("`:`");
        }
        self.blank();
        let start = self.at;
        field.shape = self.union()?;
        field.text = self.text[start..self.at].trim_end();
        Ok(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> Shape {
        parse(text, &Types::from([("Who", "{ name: text }")])).unwrap()
    }

    #[test]
    fn reads_every_form() {
        assert_eq!(read("string | null"), Shape::Union(vec![Shape::String, Shape::Null]));
        assert_eq!(read("text[+]"), Shape::ListOf(Box::new(Shape::Text), true));
        assert_eq!(read("( 'a' | true )[]"), {
            let items = Shape::Union(vec![Shape::Literal("a"), Shape::Exactly(true)]);
            Shape::ListOf(Box::new(items), false)
        });
        assert!(matches!(read("Who[]"), Shape::ListOf(who, false) if matches!(*who, Shape::Named("Who", _))));
    }

    #[test]
    fn reads_the_marks_of_a_field() {
        let Shape::Fields(fields) = read("{ a: string, b?~: any, c!^: Who, [argument]?: any }") else { panic!() };
        let marks: Vec<_> = fields.iter().map(|f| (f.name, f.optional, f.checked, f.pinned, f.put_back)).collect();
        assert_eq!(
            marks,
            [
                ("a", false, true, false, false),
                ("b", true, false, false, false),
                ("c", false, true, true, true),
                ("[argument]", true, true, false, false)
            ]
        );
        assert_eq!(fields[2].text, "Who");
        assert!(fields[3].is_rest());
    }

    #[test]
    fn spreads_a_named_object() {
        let Shape::Fields(fields) = read("{ ...Who, age: number }") else { panic!() };
        assert_eq!(fields.iter().map(|field| field.name).collect::<Vec<_>>(), ["name", "age"]);
    }

    #[test]
    fn says_where_it_stopped() {
        let wrong = |text| parse(text, &Types::new()).unwrap_err();
        assert_eq!(wrong("Nobody").expected, "a known name before this place");
        assert_eq!(wrong("{ a string }").expected, "`:`");
        assert_eq!(wrong("'open").expected, "a closing quote");
        assert_eq!(wrong("string x").at, 7);
    }
}
