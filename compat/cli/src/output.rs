//! Where output goes, and whether it is coloured.

use std::env;
use std::io::{self, BufWriter, IsTerminal, Write};

use miette::{GraphicalReportHandler, GraphicalTheme};

use crate::cli::ColorWhen;
use crate::error::Failure;

/// Lines are drawn this wide where the terminal does not say, and never wider.
const WIDTH: usize = 100;

/// What is known about standard output and standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    out: Style,
    err: Style,
    shows_progress: bool,
}

/// How to draw on one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Use colours?
    pub(crate) color: bool,
    /// Columns to fill at most.
    pub(crate) width: usize,
}

impl Terminal {
    /// Asks the system once.
    pub(crate) fn new(when: ColorWhen) -> Terminal {
        let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || env::var_os("TERM").is_some_and(|value| value == "dumb");
        let style = |is_terminal: bool| Style {
            color: match when {
                ColorWhen::Auto => is_terminal && !refused,
                ColorWhen::Always => true,
                ColorWhen::Never => false,
            },
            width: match terminal_size::terminal_size() {
                Some((width, _)) if is_terminal => usize::from(width.0).clamp(40, WIDTH),
                _ => WIDTH,
            },
        };
        let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        Terminal { out: style(out), err: style(err), shows_progress: err }
    }

    /// How to draw on standard output.
    pub(crate) fn style(&self) -> Style {
        self.out
    }

    /// Is somebody looking at standard error?
    pub(crate) fn shows_progress(&self) -> bool {
        self.shows_progress
    }

    /// Standard output. Write errors of a reader that went away end the program quietly.
    pub(crate) fn writer(&self) -> impl Write + use<> {
        BufWriter::with_capacity(32 * 1024, io::stdout().lock())
    }

    /// Shows a failure on standard error.
    pub(crate) fn complain(&self, failure: &Failure) {
        let mut text = String::new();
        // Writing into a String cannot fail; when standard error is gone, there is nobody to tell.
        let _ = self.err.handler().render_report(&mut text, failure);
        let _ = io::stderr().write_all(text.trim_start_matches('\n').as_bytes());
    }
}

impl Style {
    /// Draws diagnostics this way.
    pub(crate) fn handler(self) -> GraphicalReportHandler {
        let theme = if self.color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        GraphicalReportHandler::new_themed(theme).with_width(self.width).with_links(false)
    }

    /// The text in one of the colours, where colours are used.
    pub(crate) fn paint(self, paint: Paint, text: &str) -> String {
        if !self.color {
            return text.to_owned();
        }
        let code = match paint {
            Paint::Plain => return text.to_owned(),
            Paint::Bold => "1",
            Paint::Dim => "2",
            Paint::Good => "32;1",
            Paint::Bad => "31;1",
            Paint::Warn => "33;1",
            Paint::Name => "36",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// What a piece of text is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Nothing special.
    Plain,
    /// A heading.
    Bold,
    /// Less important.
    Dim,
    /// It went well.
    Good,
    /// It did not.
    Bad,
    /// Take care.
    Warn,
    /// A name out of a mod.
    Name,
}
