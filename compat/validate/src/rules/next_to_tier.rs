//! `next.to` names a tier this mod may not jump to.

use crate::Tier;
use crate::scan::Scan;

rule! {
    /// # What
    ///
    /// A mod that a person installs, or a built-in one, uses `next.to`; or one of the append tier names something
    /// else than core.
    ///
    /// # Why
    ///
    /// The real validator lists the tiers and lets it pass, because it does not know where the mod will stand. At
    /// load the mod is refused, and so it is here.
    ///
    /// # Example
    ///
    /// ```js
    /// on('tool.call', async ($, e, next) => next.to(e, 'core'))
    /// ```
    ///
    /// # Instead
    ///
    /// Call `next(e)`. Jumping over other mods is for those that managed settings put in front.
    ///
    /// # Source
    ///
    /// The suites `tiers`: seen in the test runner of Claude Code 2.1.332.
    RULE = "next-to-tier", Warning, "`next.to` names a tier this mod may not jump to"
}

/// May a mod of this tier name these?
pub(crate) fn check(scan: &mut Scan<'_, '_>) {
    let allowed: &[&str] = match scan.options.tier {
        Tier::Prepend => &["user", "append", "builtin", "core"],
        Tier::Append => &["core"],
        Tier::User | Tier::Builtin => &[],
    };
    let refused: Vec<_> =
        scan.next_to.values().filter(|named| !allowed.contains(&named.name.as_str())).cloned().collect();
    for named in refused {
        let message = format!("a mod of this tier may not continue at {}; the host refuses it at load", named.name);
        let mut adding = scan.found.of(&RULE, &named.at.file, message).help("call next(e)");
        adding.place(named.at.span);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    use crate::testing::check_with;
    use crate::{Options, Tier};

    const FIXTURE: &str = r#"
    //- /hooks/register.js
    export function register(on) {
      on('tool.call', async ($, e, next) => e.x ? next.to(e, 'core') : next.to(e, 'builtin'))
    //                                                       ^^^^^^ next-to-tier
    //                                                                            ^^^^^^^^^ next-to-tier
    }
    "#;

    #[test]
    fn installed_mods_may_not_jump() {
        check("next-to-tier", FIXTURE);
    }

    #[test]
    fn managed_mods_may() {
        let plain: Vec<_> = FIXTURE.lines().filter(|line| !line.contains("next-to-tier")).collect();
        check_with("next-to-tier", &plain.join("\n"), &Options { tier: Tier::Prepend, ..Options::default() });
        let core: Vec<_> = FIXTURE
            .lines()
            .filter(|line| !line.contains("^^^^^^ next-to-tier") || line.contains("^^^^^^^^^ next"))
            .collect();
        check_with("next-to-tier", &core.join("\n"), &Options { tier: Tier::Append, ..Options::default() });
    }
}
