//! A hook changes the cached part of the prompt every time.

use crate::scan::Scan;
use crate::tree::{Called, Role};

rule! {
    /// # What
    ///
    /// A hook on `prompt.compose`, `prompt.section`, `tool.describe` or `skill.prompt` uses the time, a random
    /// value or a new id.
    ///
    /// # Why
    ///
    /// The start of a request is cached as long as it stays the same. One changing line makes every request pay for
    /// the whole prompt again.
    ///
    /// # Example
    ///
    /// ```js
    /// on('prompt.section', { id: 'env' }, async ($, e, next) => ({ text: `It is ${new Date()}` }))
    /// ```
    ///
    /// # Instead
    ///
    /// Put what changes into `context` of `prompt.submit`, which stands behind the cached part.
    ///
    /// # Source
    ///
    /// Reasoning from how prompts are cached. `claude plugin validate` 2.1.332 has the fact `breaksPromptCache`.
    RULE = "prompt-cache", Warning, "a hook changes the cached part of the prompt every time"
}

const EVENTS: [&str; 4] = ["prompt.compose", "prompt.section", "skill.prompt", "tool.describe"];

/// What changes from one request to the next in hook number `index`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, index: usize) {
    let hook = &scan.hooks[index];
    if !EVENTS.contains(&hook.pattern.as_str()) {
        return;
    }
    let (func, event) = (hook.func, hook.pattern.clone());
    let tree = &scan.unit(func.0).tree;
    let mut found = Vec::new();
    for (name, member) in
        [("Date", None), ("Math", Some("random")), ("crypto", Some("randomUUID")), ("performance", Some("now"))]
    {
        for id in tree.refs_named(name) {
            let used = &tree.refs[*id as usize];
            let inside = tree.is_within(used.func, func.1) && tree.resolve(name, used.scope).is_none();
            let changes = match (tree.link(used.link).role, member) {
                (Role::Callee(Called::New(new)), None) => new.args.as_ref().is_none_or(|args| args.is_empty()),
                (Role::Callee(_), None) => true,
                (Role::Object(object, _), None) => object.prop.is_ident_with("now"),
                (Role::Object(object, _), Some(member)) => object.prop.is_ident_with(member),
                _ => false,
            };
            if inside && changes {
                found.push((used.at, name.to_owned()));
            }
        }
    }
    let clocks = scan
        .sites
        .iter()
        .filter(|site| site.unit == func.0 && site.name == "clock.now" && tree.is_within(site.func, func.1));
    found.extend(clocks.map(|site| (site.at, site.name.clone())));
    for (at, name) in found {
        let named = scan.named(&name, func.0, at);
        scan.breakers.entry(format!("{}:{}", named.at.file, at.0)).or_insert(named);
        scan.fault(
            &RULE,
            func.0,
            at,
            format!("{event} differs with every request here, so the prompt is never cached"),
        )
        .help("put it into context of prompt.submit");
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn time_and_chance() {
        check(
            "prompt-cache",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('prompt.section', async ($, e, next) => ({ text: `${new Date()} ${Math.random()}` }))
    //                                                          ^^^^ prompt-cache
    //                                                                     ^^^^ prompt-cache
      on('tool.describe', async ($, e, next) => ({ description: String(await $.clock.now()) + new Date(0) }))
    //                                                                         ^^^^^^^^^ prompt-cache
      on('prompt.submit', async ($, e, next) => next({ ...e, text: e.text + Date.now() }))
    }
    "#,
        );
    }
}
