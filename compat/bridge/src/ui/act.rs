//! What a person does with a control: the element is looked up, the event goes through the chain, the callback runs.

use std::sync::Arc;

use modgate_catalog::elements::controls;
use modgate_engine::{Boxed, Fault, Thrown};
use modgate_value::Value;

use super::client::Client;
use super::render::handle;
use super::{Drawing, Drawings};
use crate::chain::{Core, Path, Raised};
use crate::mods::{Mods, Origin};
use crate::report::{Report, codes};

/// What the bootstrap calls the error of a callback whose time is spent.
const OVERRUN: &str = "Overrun";
/// What the engine calls the error of script that was ended from outside.
const GONE: &str = "Gone";

/// What is done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Deed {
    /// A Button, or a link of a Markdown (`{href}`).
    Press(Option<Value>),
    /// Text in an Input; the kind is `change` or `submit`.
    Input { kind: String, text: String },
    /// An option of a Select, by its value.
    Select(String),
}

impl Deed {
    fn event(&self) -> &'static str {
        match self {
            Deed::Press(_) => "ui.press",
            Deed::Input { .. } => "ui.input",
            Deed::Select(_) => "ui.select",
        }
    }

    fn element(&self) -> &'static str {
        match self {
            Deed::Press(None) => "Button",
            Deed::Press(Some(_)) => "Markdown",
            Deed::Input { .. } => "Input",
            Deed::Select(_) => "Select",
        }
    }

    /// The fields that only this event has.
    fn fields(&self) -> Vec<(&'static str, Value)> {
        match self {
            Deed::Press(None) => Vec::new(),
            Deed::Press(Some(link)) => vec![("link", link.clone())],
            Deed::Input { kind, text } => vec![("kind", Value::text(kind)), ("value", Value::text(text))],
            Deed::Select(value) => vec![("value", Value::text(value))],
        }
    }
}

/// One act of a person.
#[derive(Debug, Clone)]
pub(crate) struct Act {
    /// What is done.
    pub(crate) deed: Deed,
    /// To the control of that key,
    pub(crate) key: String,
    /// that this mod drew.
    pub(crate) plugin: String,
}

/// A control that fits.
struct Found {
    drawing: Arc<Drawing>,
    client: Option<Arc<Client>>,
    handle: u32,
    props: Value,
}

impl Act {
    /// Does it, in one of these drawings; all that it set off has come to rest afterwards. Undefined where the control
    /// does not offer what was chosen.
    ///
    /// # Errors
    /// No such control is drawn, or more than one; the callback threw.
    pub(crate) async fn run(
        self,
        mods: &Arc<Mods>,
        drawings: &Drawings,
        among: &[Arc<Drawing>],
    ) -> Result<Value, Fault> {
        drawings.settle(mods).await?;
        let found = self.only(among)?;
        if let Deed::Select(value) = &self.deed
            && !offers(&found.props, value)
        {
            return Ok(Value::Undefined);
        }
        let input = self.input(&found);
        let event = self.deed.event();
        let core = Arc::new(Callback { mods: mods.clone(), event, element: self.named(), plugin: self.plugin, found });
        let answer = mods.raise_over(event, input, Origin::engine(), Path::default(), core).await;
        drawings.settle(mods).await?;
        answer
    }

    /// The element as a person would look for it.
    fn named(&self) -> String {
        format!("<{} key={:?}>", self.deed.element(), self.key)
    }

    fn input(&self, found: &Found) -> Value {
        let target = &found.drawing.target;
        // What a surface module drew is told apart by its Client.
        let request_id = found.client.as_ref().map_or_else(
            || target.request_id.clone(),
            |client| format!("{}\0client\0{}", target.request_id, client.key),
        );
        let mut fields = vec![
            ("plugin", Value::text(&self.plugin)),
            ("element", Value::text(&self.key)),
            ("component", Value::text(&target.component)),
            ("requestId", Value::text(request_id)),
            ("surface", Value::text(&target.surface)),
        ];
        fields.extend(self.deed.fields());
        Value::object(fields)
    }

    fn only(&self, among: &[Arc<Drawing>]) -> Result<Found, Fault> {
        let mut found = Vec::new();
        for drawing in among {
            let drawn = drawing.tree();
            if let ([_], Err(fault)) = (among, &drawn) {
                return Err(fault.clone());
            }
            if let Ok(tree) = drawn {
                self.search(&tree, drawing, None, &mut found);
            }
            for client in drawing.clients().into_iter().filter(|client| client.plugin() == self.plugin) {
                if let Ok(tree) = client.tree() {
                    self.search(&tree, drawing, Some(&client), &mut found);
                }
            }
        }
        let (element, key, plugin) = (self.deed.element(), &self.key, &self.plugin);
        let place = match among {
            [drawing] => format!("in this {} on the {} surface", drawing.target.component, drawing.target.surface),
            _ => "anywhere".to_string(),
        };
        match found.len() {
            1 => Ok(found.remove(0)),
            0 => Err(Fault::hooks(format!("no {element} of {plugin} keyed {key:?} is drawn {place}"))),
            many => Err(Fault::hooks(format!(
                "{many} elements of {plugin} are keyed {key:?}: which is meant has to be said"
            ))),
        }
    }

    fn search(&self, tree: &Value, drawing: &Arc<Drawing>, client: Option<&Arc<Client>>, found: &mut Vec<Found>) {
        let fitting = controls(tree).into_iter().filter(|control| {
            control.element == self.deed.element()
                && control.key == self.key
                && control.press.str_at("plugin") == Some(self.plugin.as_str())
        });
        found.extend(fitting.filter_map(|control| {
            let handle = control.press.get("handle").and_then(handle)?;
            Some(Found { drawing: drawing.clone(), client: client.cloned(), handle, props: control.props.clone() })
        }));
    }
}

fn offers(props: &Value, value: &str) -> bool {
    let options = props.get("options").and_then(Value::as_array).unwrap_or_default();
    options.iter().any(|option| option.str_at("value") == Some(value))
}

/// Beneath the event: the callback of the control that was meant, whatever the hooks made of the element's name.
struct Callback {
    mods: Arc<Mods>,
    event: &'static str,
    element: String,
    plugin: String,
    found: Found,
}

impl Callback {
    async fn run(&self, input: Value) -> Result<(), Fault> {
        let Found { drawing, client, handle, .. } = &self.found;
        if let Some(client) = client {
            client.act(&self.mods, drawing, *handle, input).await;
            return Ok(());
        }
        let gone = || Fault::hooks(format!("{} is not loaded any more", self.plugin));
        let plugin = self.mods.plugin(&self.plugin).ok_or_else(gone)?;
        let isolate = plugin.isolate().ok_or_else(gone)?;
        #[expect(clippy::cast_precision_loss, reason = "budgets are far below 2^53 ms")]
        let budget = self.mods.budget(modgate_catalog::event(self.event)).as_millis() as f64;
        let args =
            vec![Value::text("run"), Value::from(*handle), input.clone(), Value::text(self.event), Value::from(budget)];
        let ran = isolate.call_kept(super::ENTRY, args).await;
        ran.map(drop).map_err(|thrown| self.failed(&input, thrown))
    }

    /// Reports it, and gives what the event rejects with.
    fn failed(&self, input: &Value, thrown: Thrown) -> Fault {
        let drawing = &self.found.drawing.target;
        let element = format!("{} in {} on the {} surface", self.element, drawing.component, drawing.surface);
        let (code, what, fault) = match thrown.name.as_str() {
            OVERRUN => (codes::CALLBACK_TIMEOUT, "used up its time".to_string(), Fault::hooks(&thrown.message)),
            GONE => {
                let why = "it ran without a pause for longer than it may, or its mod was unloaded";
                (codes::CALLBACK_TIMEOUT, "was ended".to_string(), Fault::hooks(format!("{element}: {why}")))
            }
            name => {
                let name = if name.is_empty() { "Error" } else { name };
                let what = format!("threw {name}: {}", thrown.message);
                (codes::CALLBACK, what, Fault::named(name, &thrown.message))
            }
        };
        let message = format!("{}: the callback of {element} {what}", self.plugin);
        self.mods.report(Report::new(code, &self.plugin, message).on(self.event, input).at(thrown.position));
        fault
    }
}

impl Core for Callback {
    fn answer(self: Arc<Self>, raised: Raised) -> Boxed<'static, Result<Value, Fault>> {
        Box::pin(async move {
            self.run(raised.input.clone()).await?;
            let kept: &[_] = if self.event == "ui.press" { &["element"] } else { &["element", "value"] };
            let kept = kept.iter().copied();
            Ok(Value::object(kept.filter_map(|field| Some((field, raised.input.get(field)?.clone())))))
        })
    }
}
