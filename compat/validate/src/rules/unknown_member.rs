//! There is no such member of `$`.

use crate::scan::{CallSite, Scan};

rule! {
    /// # What
    ///
    /// A call names a noun or method that no known host has, and that this mod does not add itself.
    ///
    /// # Why
    ///
    /// The real validator lets it pass. At run time a missing method fails the hook, and a missing noun may unload
    /// the module.
    ///
    /// # Example
    ///
    /// ```js
    /// await $.ui.notify2('done')
    /// ```
    ///
    /// # Instead
    ///
    /// Use the member that is meant. A noun of another mod is fine where that mod is installed.
    ///
    /// # Source
    ///
    /// The catalog of members. Reported by users: renamed methods pass and fail at dispatch. `claude plugin
    /// validate` 2.1.332 does not warn.
    RULE = "unknown-member", Warning, "there is no such member of `$`"
}

/// Is every call one that somebody serves?
pub(crate) fn check(scan: &mut Scan<'_, '_>, site: &CallSite<'_>) {
    let Some((noun, method)) = site.name.split_once('.') else { return };
    if modgate_catalog::member(noun, method).is_some() || scan.adds_noun(noun) {
        return;
    }
    let known = modgate_catalog::member_namespaces().contains(&noun);
    let message = if known {
        format!("$.{noun} has no {method}")
    } else {
        format!("no host has $.{noun}; another mod would have to add it")
    };
    let nearest = modgate_catalog::nearest_member(noun, method);
    let adding = scan.fault(&RULE, site.unit, site.at, message);
    if let Some(nearest) = nearest {
        adding.help(format!("did you mean $.{nearest}?"));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn nouns_and_methods() {
        check(
            "unknown-member",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('engine.create', async ($, e, next) => ({ ...(await next(e)), mine: { go() {} } }))
      on('session.start', async ($, e, next) => {
        await $.ui.tost('x')
    //          ^^^^^^^ unknown-member
        await $.theirs.go({})
    //          ^^^^^^^^^ unknown-member
        const r = $.plugin.rot
    //              ^^^^^^^^^^ unknown-member
        await $.ui.toast('x'); await $.mine.go({})
        return next(e)
      })
    }
    "#,
        );
    }
}
