//! `$.ui.mount` of a test, and what it does with the drawings.

use std::sync::Arc;

use modgate_engine::Fault;
use modgate_value::Value;

use super::case::{Bout, Problem};
use crate::ui::{Act, Deed, Drawing, Failure, Target};

impl Bout {
    /// Draws a component; the answer is the drawing's number.
    pub(super) async fn mount(&self, target: Value) -> Result<Value, Fault> {
        self.ready().await?;
        let mounted = self.drawings.mount(&self.mods, Target::read(&target)).await;
        self.note_failures();
        mounted.map(|drawing| Value::from(drawing.id)).map_err(|fault| named("$.ui.mount", fault))
    }

    /// `$.ui.render`: drawn once, with what stands to be acted on.
    pub(super) async fn render(&self, input: Value) -> Result<Value, Fault> {
        let answer = self.drawings.put_up(&self.mods, Target::read(&input)).await;
        self.note_failures();
        answer
    }

    /// One act on the drawing of that number, or, without one, on whichever holds the element.
    pub(super) async fn act(&self, id: Value, verb: &str, fields: Value) -> Result<Value, Fault> {
        self.ready().await?;
        let done = match id.as_f64() {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number that mount gave")]
            Some(id) => match self.drawings.get(id as u32) {
                Ok(drawing) => self.act_on(&drawing, verb, &fields).await,
                Err(fault) => Err(fault),
            },
            None => self.act_anywhere(verb, &fields).await,
        };
        self.note_failures();
        // What was drawn says itself what is wrong with it.
        let is_named = |fault: &Fault| fault.name == "HooksError" && verb != "drawn";
        done.map_err(|fault| if is_named(&fault) { named(verb, fault) } else { fault })
    }

    async fn act_anywhere(&self, verb: &str, fields: &Value) -> Result<Value, Fault> {
        let is_meant = |drawing: &Arc<Drawing>| {
            let Target { request_id, surface, .. } = &drawing.target;
            fields.str_at("requestId").is_none_or(|wanted| wanted == request_id)
                && fields.str_at("surface").is_none_or(|wanted| wanted == surface)
        };
        let among: Vec<_> = self.drawings.all().into_iter().filter(is_meant).collect();
        deed(verb, fields, "")?.run(&self.mods, &self.drawings, &among).await
    }

    async fn act_on(&self, drawing: &Arc<Drawing>, verb: &str, fields: &Value) -> Result<Value, Fault> {
        let within = fields.str_at("in");
        let mods = &self.mods;
        match verb {
            "press" | "input" | "select" => {
                let act = deed(verb, fields, &drawing.target.plugin)?;
                return act.run(mods, &self.drawings, std::slice::from_ref(drawing)).await;
            }
            "redraw" => {
                self.drawings.redraw(mods, drawing, fields.get("props").cloned()).await?;
                return Ok(Value::Undefined);
            }
            _ => {}
        }
        self.drawings.settle(mods).await;
        match verb {
            "drawn" => {
                self.drawings.settle(mods).await;
                return match within {
                    Some(key) => drawing.client(Some(key))?.tree(),
                    None => drawing.tree(),
                };
            }
            "keepsBeneath" => return Ok(Value::Bool(drawing.tree().is_ok_and(|tree| holds_engine(&tree)))),
            "unmount" => self.drawings.unmount(mods, drawing).await,
            "key" | "pointer" => drawing.tell(mods, within, verb, fields.without("in")).await?,
            "resize" => drawing.tell(mods, within, "setFacts", fields.without("in")).await?,
            "post" => {
                let data = fields.get("data").cloned().unwrap_or_default();
                drawing.client(within)?.post(mods, drawing, data).await;
            }
            "advance" => drawing.tell_all(mods, "advance", fields.get("ms").cloned().unwrap_or_default()).await,
            "setBeneath" if !drawing.has_clients() => {
                return Err(Fault::hooks("the drawing holds no Client that could be told what is beneath it"));
            }
            "setBeneath" => drawing.tell_fact(mods, "beneath", fields.get("beneath")).await,
            "setWindowFocused" => drawing.tell_fact(mods, "isWindowFocused", fields.get("isFocused")).await,
            "setMotionReduced" => drawing.tell_fact(mods, "isMotionReduced", fields.get("isReduced")).await,
            other => return Err(Fault::hooks(format!("a drawing has no {other}"))),
        }
        self.drawings.settle(mods).await;
        Ok(Value::Undefined)
    }

    /// A hook that failed while drawing, with no catch of its own, fails the test.
    fn note_failures(&self) {
        for Failure { plugin, message, position, .. } in self.drawings.take_failures() {
            let message = format!("{plugin}: {message} (in {plugin}'s ui.render hook)");
            self.problem(Problem { position, ..Problem::new("drawing", message) });
        }
    }
}

/// Whether what the host itself draws stands in the tree.
fn holds_engine(tree: &Value) -> bool {
    let children = tree.get("children").and_then(Value::as_array).unwrap_or_default();
    tree.str_at("type") == Some("engine") || children.iter().any(holds_engine)
}

fn named(act: &str, fault: Fault) -> Fault {
    Fault { message: format!("{act}: {}", fault.message), ..fault }
}

fn deed(verb: &str, fields: &Value, plugin: &str) -> Result<Act, Fault> {
    let text = |field: &str| fields.str_at(field).unwrap_or_default().to_string();
    let deed = match verb {
        "press" => Deed::Press(fields.get("link").filter(|link| !link.is_undefined()).cloned()),
        "input" => Deed::Input { kind: text("kind"), text: text("text") },
        "select" => Deed::Select(text("value")),
        other => return Err(Fault::hooks(format!("{other} needs a drawing"))),
    };
    let plugin = fields.str_at("plugin").unwrap_or(plugin).to_string();
    Ok(Act { deed, key: text("key"), plugin })
}
