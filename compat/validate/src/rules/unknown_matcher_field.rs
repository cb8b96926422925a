//! A matcher names a field the event does not have.

use crate::known;
use crate::scan::Scan;
use crate::tree::{key_text, plain};
use swc_common::Spanned;
use swc_ecma_ast::{Expr, Prop, PropOrSpread};

rule! {
    /// # What
    ///
    /// A key of a matcher is no field of the event's input. `tool.call` takes any tool argument.
    ///
    /// # Why
    ///
    /// The hook loads and never runs.
    ///
    /// # Example
    ///
    /// ```js
    /// on('turn.start', { tool: 'Bash' }, hook)
    /// ```
    ///
    /// # Instead
    ///
    /// Match on a field of this event, or hook the event that has the field.
    ///
    /// # Source
    ///
    /// The catalog of events. `claude plugin validate` 2.1.332 accepts it; in its test runner such a hook never
    /// runs.
    RULE = "unknown-matcher-field", Warning, "a matcher names a field the event does not have"
}

/// Are the keys of a hook's matcher fields of its event?
pub(crate) fn check(scan: &mut Scan<'_, '_>, index: usize) {
    let hook = &scan.hooks[index];
    let Some(Expr::Object(object)) = hook.matcher.map(plain) else { return };
    let unit = hook.unit;
    let events: Vec<_> = modgate_catalog::events().iter().filter(|event| hook.read.selects(event.name)).collect();
    if events.is_empty() {
        return;
    }
    let (pattern, parsed) = (hook.pattern.clone(), scan.unit(unit).parsed);
    for prop in &object.props {
        let PropOrSpread::Prop(prop) = prop else { continue };
        let (key, span) = match &**prop {
            Prop::KeyValue(pair) => (key_text(&pair.key), pair.key.span()),
            Prop::Shorthand(ident) => (Some(&*ident.sym), ident.span),
            _ => continue,
        };
        let Some(key) = key else { continue };
        if known::fills_in(key, &events) || events.iter().any(|event| event.has_field(key)) {
            continue;
        }
        let message = format!("{pattern} has no field {key}, so this hook never runs");
        let fields =
            || events.iter().flat_map(|event| event.fields()).filter(|field| !field.is_rest()).map(|field| field.name);
        let nearest = fields().map(|name| (strsim::damerau_levenshtein(key, name), name)).min();
        let help = match nearest.filter(|(far, _)| *far <= 2) {
            Some((_, name)) => format!("did you mean {name}?"),
            None => "see the fields of the event".to_owned(),
        };
        scan.fault(&RULE, unit, parsed.offsets(span), message).help(help);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn fields_of_events() {
        check(
            "unknown-matcher-field",
            r#"
    //- /hooks/register.js
    const hook = async ($, e, next) => next(e)
    export function register(on) {
      on('prompt.submit', { txt: /x/ }, hook)
    //                      ^^^ unknown-matcher-field
      on('tool.call', { tool: 'Bash', command: /rm/ }, hook)
      on('ui.render', { component: 'Pane', plugin: 'mine' }, hook)
      on('nouns.of.others', { anything: 1 }, hook)
    }
    "#,
        );
    }
}
