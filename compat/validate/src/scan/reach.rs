//! What calls reach: hosts, commands, paths.

use super::literal::{Known, property, shorthand};
use super::{Scan, Sorted, known_text};
use crate::tree::{ScopeId, key_text, plain};
use swc_common::Spanned;
use swc_ecma_ast::{CallExpr, Expr, ExprOrSpread, Lit, Prop, PropOrSpread};

/// Methods of `$.fs` whose first argument is a path.
const PATHS: [&str; 5] = ["fs.read", "fs.write", "fs.list", "fs.exists", "fs.stat"];

impl<'a> Scan<'_, 'a> {
    pub(super) fn read_reach(&mut self, unit: usize, scope: ScopeId, name: &str, at: (u32, u32), call: &'a CallExpr) {
        match name {
            "http.fetch" => self.fetch(unit, scope, at, call),
            "audio.play" => self.clip(unit, scope, at, call),
            "process.run" | "process.spawn" => self.command(unit, scope, name, at, call),
            "fs.list" if call.args.is_empty() => self.keep(unit, Which::Path, Some(".".to_owned()), name, at),
            _ if PATHS.contains(&name) => {
                let path = self.text_of(unit, scope, call.args.first());
                let named = path.and_then(|path| match (path.whole, path.text.rsplit_once('/')) {
                    (true, _) => Some(path.text),
                    // A path that begins readably still names its folder.
                    (false, Some((folder, _))) => Some(format!("{folder}/*")),
                    (false, None) => None,
                });
                self.keep(unit, Which::Path, named, name, self.arg_at(unit, call.args.first(), at));
            }
            _ => {}
        }
    }

    fn arg_at(&self, unit: usize, arg: Option<&ExprOrSpread>, otherwise: (u32, u32)) -> (u32, u32) {
        arg.map_or(otherwise, |arg| self.unit(unit).parsed.offsets(arg.span()))
    }

    fn text_of(&self, unit: usize, scope: ScopeId, arg: Option<&ExprOrSpread>) -> Option<Known> {
        let arg = arg.filter(|arg| arg.spread.is_none())?;
        known_text(self.unit(unit), scope, &arg.expr)
    }

    fn keep(&mut self, unit: usize, which: Which, name: Option<String>, call: &str, at: (u32, u32)) {
        let named = self.named(name.as_deref().unwrap_or(call), unit, at);
        let list: &mut Sorted = match which {
            Which::Host => &mut self.hosts,
            Which::Command => &mut self.commands,
            Which::Path => &mut self.paths,
        };
        let list = if name.is_some() { &mut list.named } else { &mut list.unread };
        list.entry(named.name.clone()).or_insert(named);
    }

    fn fetch(&mut self, unit: usize, scope: ScopeId, at: (u32, u32), call: &'a CallExpr) {
        let place = self.arg_at(unit, call.args.first(), at);
        let host = self.text_of(unit, scope, call.args.first()).and_then(|known| host_of(&known));
        let init = Init::of(call.args.get(1));
        if init == Init::Socket {
            return self.keep(unit, Which::Host, None, "http.fetch", place);
        }
        let named = host.is_some();
        self.keep(unit, Which::Host, host, "http.fetch", place);
        if named && init == Init::Unread {
            let place = self.arg_at(unit, call.args.get(1), at);
            self.keep(unit, Which::Host, None, "http.fetch", place);
        }
    }

    fn clip(&mut self, unit: usize, scope: ScopeId, at: (u32, u32), call: &'a CallExpr) {
        let clip = call.args.first().filter(|arg| arg.spread.is_none()).map(|arg| plain(&arg.expr));
        let owner = self.unit(unit);
        let host = match clip {
            Some(object @ Expr::Object(literal)) => {
                let spread = literal.props.iter().any(|prop| matches!(prop, PropOrSpread::Spread(_)));
                let url = property(object, "url").and_then(|url| known_text(owner, scope, url));
                let short =
                    shorthand(object, "url").and_then(|name| known_text(owner, scope, &Expr::Ident(name.clone())));
                let has = property(object, "url").is_some() || shorthand(object, "url").is_some();
                match url.or(short) {
                    Some(known) => host_of(&known),
                    None if has || spread => None,
                    None => return,
                }
            }
            _ => None,
        };
        let place = self.arg_at(unit, call.args.first(), at);
        self.keep(unit, Which::Host, host, "audio.play", place);
    }

    fn command(&mut self, unit: usize, scope: ScopeId, name: &str, at: (u32, u32), call: &'a CallExpr) {
        let owner = self.unit(unit);
        let arg = call.args.first().filter(|arg| arg.spread.is_none()).map(|arg| plain(&arg.expr));
        let list = match arg {
            Some(object @ Expr::Object(_)) => {
                property(object, "command").or_else(|| property(object, "argv")).map(plain)
            }
            other => other,
        };
        let first = match list {
            Some(Expr::Array(array)) => match array.elems.first() {
                Some(Some(item)) if item.spread.is_none() => known_text(owner, scope, &item.expr),
                _ => None,
            },
            Some(other) => known_text(owner, scope, other),
            None => None,
        };
        let named = first.filter(|known| known.whole || known.text.contains(' ')).and_then(|known| {
            let is_list = matches!(list, Some(Expr::Array(_)));
            if is_list {
                known.whole.then_some(known.text)
            } else {
                known.text.split_whitespace().next().map(str::to_owned)
            }
        });
        let place = self.arg_at(unit, call.args.first(), at);
        self.keep(unit, Which::Command, named, name, place);
    }
}

#[derive(Clone, Copy)]
enum Which {
    Host,
    Command,
    Path,
}

/// What the second argument of a fetch says about where it goes.
#[derive(PartialEq, Eq)]
enum Init {
    Plain,
    /// It goes to a socket of this machine.
    Socket,
    /// It might.
    Unread,
}

impl Init {
    fn of(arg: Option<&ExprOrSpread>) -> Init {
        let Some(arg) = arg else { return Init::Plain };
        let Expr::Object(object) = plain(&arg.expr) else { return Init::Unread };
        if arg.spread.is_some() {
            return Init::Unread;
        }
        let mut init = Init::Plain;
        for prop in &object.props {
            let PropOrSpread::Prop(prop) = prop else { return Init::Unread };
            match &**prop {
                Prop::Shorthand(ident) if &*ident.sym != "socketPath" => {}
                Prop::KeyValue(pair) => match key_text(&pair.key) {
                    Some("socketPath") if matches!(plain(&pair.value), Expr::Lit(Lit::Str(_))) => init = Init::Socket,
                    None | Some("socketPath") => return Init::Unread,
                    Some(_) => {}
                },
                _ => return Init::Unread,
            }
        }
        init
    }
}

/// The host of an address whose beginning is known, with its port where it is not the scheme's own.
fn host_of(known: &Known) -> Option<String> {
    let text = if known.whole {
        known.text.clone()
    } else {
        // Only what stands before the path is certain.
        let rest = known.text.split_once("://")?.1;
        rest.contains(['/', '?', '#', '\\']).then(|| known.text.clone())?
    };
    let url = url::Url::parse(&text).ok()?;
    if !matches!(url.scheme(), "http" | "https" | "ws" | "wss") {
        return None;
    }
    let host = url.host_str()?.trim_end_matches('.');
    // Other signs may stand in a host, but no name anybody could look up has them.
    let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if !host.starts_with('[') && (!host.chars().all(named) || host.contains("..")) {
        return None;
    }
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, whole: bool, host: Option<&str>) {
        assert_eq!(host_of(&Known { text: text.to_owned(), whole }).as_deref(), host);
    }

    // Each as the real validator reads it.
    #[test]
    fn hosts_of_addresses() {
        check("https://u:p@a.example.com:8080/x", true, Some("a.example.com:8080"));
        check("HTTPS://API.Example.COM/x", true, Some("api.example.com"));
        check("https://bücher.example/x", true, Some("xn--bcher-kva.example"));
        check("http://[::1]:80/x", true, Some("[::1]"));
        check("https://b.example./x", true, Some("b.example"));
        check(" https://b.example/x", true, Some("b.example"));
        check("wss://a.example/x", true, Some("a.example"));
        check("file:///etc/passwd", true, None);
        check("/x", true, None);
        check("https://*.example.com/x", true, None);
        check("https://a!b.example.com/", true, None);
        check("https://a..b/", true, None);
        check("https://a_b.example.com/", true, Some("a_b.example.com"));
    }

    #[test]
    fn a_beginning_counts_once_the_host_has_ended() {
        check("https://api.example.com/", false, Some("api.example.com"));
        check("https://api.example.com?", false, Some("api.example.com"));
        check("https://api.example.com", false, None);
        check("https://api.example.com:", false, None);
    }
}
