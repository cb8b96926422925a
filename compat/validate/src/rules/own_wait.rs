//! A hook waits longer than it may.

use crate::scan::{FnRef, Scan};
use crate::tree::plain;
use swc_ecma_ast::{Callee, Expr, Lit};

rule! {
    /// # What
    ///
    /// A hook awaits a promise of its own making, sleeps for 10 seconds or more, or polls in a loop with
    /// `$.clock.sleep`.
    ///
    /// # Why
    ///
    /// A hook has 10 seconds of its own time. The clock stops while `next` or a `$` call is pending, so waiting for
    /// `$.ui.ask` is fine; it does not stop for promises of the mod and for `$.clock`. A guard that runs out of
    /// time is skipped.
    ///
    /// # Example
    ///
    /// ```js
    /// await new Promise((resolve) => { waiting.push(resolve) })
    /// ```
    ///
    /// # Instead
    ///
    /// Ask with `$.ui.ask`, answer at once and act later from another hook, or make sure the wait ends in time.
    ///
    /// # Source
    ///
    /// Reported by users: a guard that needs more than its 10 s is skipped, its refusal lost. `claude plugin
    /// validate` 2.1.332 does not warn.
    RULE = "own-wait", Warning, "a hook waits longer than it may"
}

/// The waits of a hook's functions.
pub(crate) fn check(scan: &mut Scan<'_, '_>, func: FnRef) {
    let unit = scan.unit(func.0);
    let own = unit.tree.func(func.1);
    let inside = |at: (u32, u32)| own.at.0 <= at.0 && at.1 <= own.at.1;
    let first = unit.tree.awaits.partition_point(|wait| wait.at.0 < own.at.0);
    let mut found = Vec::new();
    for wait in unit.tree.awaits[first..].iter().take_while(|wait| wait.at.0 < own.at.1) {
        match plain(wait.of) {
            Expr::New(made) if matches!(plain(&made.callee), Expr::Ident(name) if &*name.sym == "Promise") => {
                let at = unit.parsed.offsets(made.span);
                found.push(((at.0, at.0 + 11), "the hook waits for a promise of its own, on its own time"));
            }
            Expr::Call(call) => {
                let sleeps = matches!(&call.callee, Callee::Expr(callee) if is_sleep(callee));
                let long = matches!(call.args.first().map(|arg| plain(&arg.expr)), Some(Expr::Lit(Lit::Num(ms))) if ms.value >= 10_000.0);
                let at = unit.parsed.offsets(call.span);
                if sleeps && long {
                    found.push((at, "the hook sleeps longer than the 10 seconds it has"));
                } else if sleeps
                    && let Some(round) = unit
                        .tree
                        .loops
                        .iter()
                        .find(|round| inside(round.at) && round.at.0 <= at.0 && at.1 <= round.at.1)
                {
                    found.push((round.keyword, "the hook polls on its own time"));
                }
            }
            _ => {}
        }
    }
    for (at, message) in found {
        scan.fault(&RULE, func.0, at, message)
            .help("it has 10 seconds; the clock stops only for next and $ calls other than $.clock");
    }
}

fn is_sleep(callee: &Expr) -> bool {
    let Expr::Member(member) = plain(callee) else { return false };
    let Expr::Member(noun) = plain(&member.obj) else { return false };
    member.prop.is_ident_with("sleep") && noun.prop.is_ident_with("clock")
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn promises_sleeps_and_polls() {
        check(
            "own-wait",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('tool.call', async ($, e, next) => {
        await new Promise((resolve) => {})
    //        ^^^^^^^^^^^ own-wait
        await $.clock.sleep(15000)
    //        ^^^^^^^^^^^^^^^^^^^^ own-wait
        while (!e.x) await $.clock.sleep(100)
    //  ^^^^^ own-wait
        await $.clock.sleep(100)
        await $.ui.ask('sure?')
        return next(e)
      })
    }
    async function elsewhere() { await new Promise(() => {}) }
    "#,
        );
    }
}
