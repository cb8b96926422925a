//! A value is put into the text of a shell command.

use crate::scan::{CallSite, Scan, literal_text};
use crate::tree::plain;
use swc_common::Spanned;
use swc_ecma_ast::Expr;

rule! {
    /// # What
    ///
    /// `$.process.run` or `$.process.spawn` runs a shell with `-c` and a text that is built from values.
    ///
    /// # Why
    ///
    /// What the value holds becomes part of the command: a file called `x; rm -rf ~` is enough.
    ///
    /// # Example
    ///
    /// ```js
    /// await $.process.run(['sh', '-c', `git log -- ${path}`])
    /// ```
    ///
    /// # Instead
    ///
    /// Run the program itself, or hand the value over as an argument of the script:
    ///
    /// ```js
    /// await $.process.run(['git', 'log', '--', path])
    /// await $.process.run(['sh', '-c', 'git log -- "$1" | head', 'sh', path])
    /// ```
    ///
    /// # Source
    ///
    /// Reasoning: a shell reads its text anew. `claude plugin validate` 2.1.332 does not warn.
    RULE = "shell-text", Warning, "a value is put into the text of a shell command"
}

const SHELLS: [&str; 9] = ["sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "powershell", "pwsh"];
const FLAGS: [&str; 7] = ["-c", "-lc", "-ic", "-ec", "/c", "-Command", "-command"];

/// Does this call build a text for a shell?
pub(crate) fn check(scan: &mut Scan<'_, '_>, site: &CallSite<'_>) {
    if !matches!(site.name.as_str(), "process.run" | "process.spawn") {
        return;
    }
    let Some(Expr::Array(argv)) = site.call.and_then(|call| call.args.first()).map(|arg| plain(&arg.expr)) else {
        return;
    };
    let unit = scan.unit(site.unit);
    let [Some(program), Some(flag), Some(text), ..] = argv.elems.as_slice() else { return };
    let named = literal_text(unit, &program.expr).is_some_and(|name| {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default().trim_end_matches(".exe").to_owned();
        SHELLS.contains(&name.as_str())
    });
    let takes = literal_text(unit, &flag.expr).is_some_and(|flag| FLAGS.contains(&flag.as_str()));
    if named && takes && built(&text.expr) {
        let at = unit.parsed.offsets(text.span());
        scan.fault(&RULE, site.unit, at, "a value becomes part of this shell command")
            .help("run the program itself, or pass the value as $1");
    }
}

/// A template with values, or a concatenation with something that is no literal.
fn built(expr: &Expr) -> bool {
    match plain(expr) {
        Expr::Tpl(template) => !template.exprs.is_empty(),
        Expr::Bin(binary) => [&binary.left, &binary.right]
            .into_iter()
            .any(|side| built(side) || !matches!(plain(side), Expr::Lit(_) | Expr::Bin(_) | Expr::Tpl(_))),
        Expr::Call(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn values_in_texts() {
        check(
            "shell-text",
            r#"
    //- /hooks/register.js
    export function register(on) {
      on('tool.call', async ($, e, next) => {
        await $.process.run(['sh', '-c', `ls ${e.path}`])
    //                                   ^^^^^^^^^^^^^^ shell-text
        await $.process.run(['/bin/bash', '-lc', 'ls ' + e.path])
    //                                           ^^^^^^^^^^^^^^^ shell-text
        await $.process.run(['sh', '-c', 'ls "$1"', 'sh', e.path])
        await $.process.run(['ls', `${e.path}`])
        return next(e)
      })
    }
    "#,
        );
    }
}
