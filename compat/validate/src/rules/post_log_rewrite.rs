//! A host that logs first refuses what this hook does.

use crate::HostSpec;
use crate::scan::Scan;
use modgate_catalog::hosts::{HostProfile, Repeat, Rewrite};

rule! {
    /// # What
    ///
    /// On a host that records a call before mods see it, a `tool.call` hook passes changed arguments to `next`, or
    /// calls `next` again.
    ///
    /// # Why
    ///
    /// There the record, the permission and the model know the call as it was, so a changed one is not executed:
    /// the hook is skipped with a report. A second `next` gives the first result.
    ///
    /// # Example
    ///
    /// ```js
    /// on('tool.call', { tool: 'Bash' }, async ($, e, next) => next({ ...e, command: 'nice ' + e.command }))
    /// ```
    ///
    /// # Instead
    ///
    /// Deny with a reason that tells the model what to call instead, or change the result on the way back.
    ///
    /// # Source
    ///
    /// Host profiles: measured, or in the host's own documents. Asked for with `--host`.
    RULE = "post-log-rewrite", Warning, "a host that logs first refuses what this hook does"
}

/// The `next` calls of hook number `index`, for a host with these rules.
pub(crate) fn check(
    scan: &mut Scan<'_, '_>,
    index: usize,
    host: &HostProfile,
    spec: &HostSpec,
    repeats: &[(u32, u32)],
) {
    let hook = &scan.hooks[index];
    if !hook.read.selects("tool.call") || hook.pattern.contains('*') || hook.pattern.starts_with('!') {
        return;
    }
    let func = hook.func;
    if host.rewrite.is == Rewrite::Refuse {
        for at in scan.changed_arguments(func) {
            scan.fault(&RULE, func.0, at, format!("{} refuses changed arguments: the call is logged", host.title))
                .host(spec.clone())
                .help("deny with a reason, or change the result");
        }
    }
    if host.repeat.is == Repeat::FirstResult {
        for at in repeats {
            scan.fault(&RULE, func.0, *at, format!("a second next gives the first result on {}", host.title))
                .host(spec.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    use crate::Options;
    use crate::testing::check_with;

    const FIXTURE: &str = r#"
    //- /hooks/register.js
    export function register(on) {
      on('tool.call', { tool: 'A' }, async ($, e, next) => next({ ...e, command: 'x' }))
    //                                                          ^^^^^^^^^^^^^^^^^^^^^^ post-log-rewrite
      on('tool.call', { tool: 'B' }, async ($, e, next) => { await next(e); return next({ ...e }) })
    //                                                                             ^^^^ post-log-rewrite
      on('prompt.submit', async ($, e, next) => next({ ...e, text: 'x' }))
    }
    "#;

    #[test]
    fn on_hosts_that_log_first() {
        let options = Options { hosts: vec!["dsh".parse().unwrap()], ..Options::default() };
        check_with("post-log-rewrite", FIXTURE, &options);
    }

    #[test]
    fn not_on_claude_code() {
        let marks = |line: &&str| !line.starts_with("//  ");
        check("post-log-rewrite", &FIXTURE.lines().filter(marks).collect::<Vec<_>>().join("\n"));
    }
}
