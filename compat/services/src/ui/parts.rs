//! What is on a surface, and what happens there.

use modgate_value::Value;

/// Something that happened on the surface.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// A passing message of a mod.
    Toast {
        /// The mod.
        plugin: String,
        /// The text.
        text: String,
        /// How long it stays.
        timeout_ms: f64,
    },
    /// A mod's status line; none clears it.
    Status {
        /// The mod.
        plugin: String,
        /// The text.
        text: Option<String>,
    },
    /// A line for the transcript, or only for the debug log.
    Log {
        /// The mod.
        plugin: String,
        /// The text.
        text: String,
        /// Whether only the debug log gets it.
        is_debug: bool,
    },
    /// A line under the dialog of a tool call; none takes it away.
    Notice {
        /// The call.
        tool_use_id: String,
        /// The text.
        text: Option<String>,
    },
    /// A mod's answers to this event are to be asked for again.
    Invalidated {
        /// The mod.
        plugin: String,
        /// The event.
        event: String,
    },
    /// A pane was opened, again or for the first time.
    Opened(Pane),
    /// A pane was closed.
    Closed {
        /// The mod.
        plugin: String,
        /// The pane.
        id: String,
    },
    /// Text for the clipboard.
    Copied(String),
    /// New content of a `Raster` or `Image`.
    Blitted {
        /// The drawing.
        request_id: String,
        /// The element.
        key: String,
        /// `cells` or `source`, as given.
        content: Value,
    },
    /// The keyboard went to another element.
    Focused {
        /// The drawing.
        request_id: String,
        /// The element.
        key: String,
    },
    /// A drawing shows other rows.
    Scrolled {
        /// The drawing.
        request_id: String,
        /// Its first row shown.
        offset: u32,
    },
}

/// A pane of a mod.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pane {
    /// The mod.
    pub plugin: String,
    /// Its id, unique within the mod.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Whether Escape closes it.
    pub closes_on_escape: bool,
    /// Whether toasts wait while it is shown.
    pub holds_toasts: bool,
    /// Rows asked for.
    pub rows: Option<f64>,
    /// Columns asked for.
    pub columns: Option<f64>,
    /// Whether the surface has a place for it.
    pub is_placed: bool,
    /// Whether it is the one shown.
    pub is_shown: bool,
    /// Whether it has the keyboard.
    pub is_focused: bool,
}

/// An element of a drawing that calls can name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Its key.
    pub key: String,
    /// Its type, such as `Button` or `Raster`.
    pub kind: String,
    /// Columns and rows of a `Raster` or `Image`.
    pub size: Option<(u32, u32)>,
}

/// A drawing that is on the surface now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mounted {
    /// The instance.
    pub request_id: String,
    /// The mod that drew it.
    pub plugin: String,
    /// Rows that fit.
    pub body_rows: u32,
    /// Rows there are.
    pub content_rows: u32,
    /// First row shown.
    pub offset: u32,
    /// Whether this site has the keyboard.
    pub has_keyboard: bool,
    /// Its elements, in document order.
    pub elements: Vec<Element>,
}
