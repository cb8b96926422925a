//! Settings hooks: events, matchers, what they run.

use crate::found::Found;
use crate::json::{Entry, Json, Value};
use crate::report::ClassicHook;
use crate::rules::settings_hook;
use crate::text::Text;

/// Fields a settings hook must have, by its kind.
const NEEDS: [(&str, &[&str]); 5] = [
    ("agent", &["prompt"]),
    ("command", &["command"]),
    ("http", &["url"]),
    ("mcp_tool", &["server", "tool"]),
    ("prompt", &["prompt"]),
];

pub(super) fn read(found: &mut Found, text: &Text, hooks: &Json, all: &mut Vec<ClassicHook>) {
    let Some(events) = hooks.entries() else {
        return settings_hook::malformed(
            found,
            text,
            (hooks.start, hooks.end),
            true,
            format!("hooks is {} and should be an object", hooks.kind()),
        );
    };
    for event in events {
        if modgate_catalog::event(&format!("classic.{}", event.key)).is_none() {
            settings_hook::unknown_event(found, text, event);
            continue;
        }
        groups(found, text, event, all);
    }
}

/// An unreadable hook of these may be what guards everything else, so the host takes nothing from the file.
pub(crate) fn guards(event: &str) -> bool {
    matches!(event, "PreToolUse" | "PermissionRequest")
}

fn groups(found: &mut Found, text: &Text, event: &Entry, all: &mut Vec<ClassicHook>) {
    let guard = guards(&event.key);
    let value = &event.value;
    let Some(groups) = value.list() else {
        return settings_hook::malformed(
            found,
            text,
            (value.start, value.end),
            guard,
            format!("{} is {} and should be a list", event.key, value.kind()),
        );
    };
    for group in groups {
        let at = (group.start, group.end);
        if group.entries().is_none() {
            settings_hook::malformed(
                found,
                text,
                at,
                guard,
                format!("an entry of {} is {} and should be an object", event.key, group.kind()),
            );
            continue;
        }
        let matcher = group.get("matcher");
        if let Some(matcher) = matcher.filter(|matcher| matcher.text().is_none()) {
            let message = format!("matcher is {} and should be a text", matcher.kind());
            settings_hook::malformed(found, text, (matcher.start, matcher.end), guard, message);
        }
        match group.get("hooks").map(|hooks| (hooks, hooks.list())) {
            Some((_, Some(hooks))) => {
                for hook in hooks {
                    one(found, text, hook, &event.key, matcher.and_then(Json::text), all);
                }
            }
            Some((hooks, None)) => {
                let message = format!("hooks is {} and should be a list", hooks.kind());
                settings_hook::malformed(found, text, (hooks.start, hooks.end), guard, message);
            }
            None => settings_hook::malformed(
                found,
                text,
                at,
                guard,
                format!("an entry of {} has no list of hooks", event.key),
            ),
        }
    }
}

fn one(found: &mut Found, text: &Text, hook: &Json, event: &str, matcher: Option<&str>, all: &mut Vec<ClassicHook>) {
    let guard = guards(event);
    let at = (hook.start, hook.end);
    if hook.entries().is_none() {
        return settings_hook::malformed(
            found,
            text,
            at,
            guard,
            format!("a hook is {} and should be an object", hook.kind()),
        );
    }
    let Some(kind) = hook.get("type") else {
        return settings_hook::malformed(found, text, at, guard, "a hook has no type".to_owned());
    };
    let Some((kind, needs)) = NEEDS.iter().find(|(name, _)| kind.text() == Some(*name)) else {
        let known: Vec<_> = NEEDS.iter().map(|(name, _)| *name).collect();
        return settings_hook::malformed(
            found,
            text,
            (kind.start, kind.end),
            guard,
            format!("type of a hook is one of {}", known.join(", ")),
        );
    };
    let mut fits = true;
    for need in *needs {
        match hook.get(need) {
            Some(given) if given.text().is_some_and(|given| *need != "url" || url::Url::parse(given).is_ok()) => {}
            Some(given) => {
                fits = false;
                let what = if *need == "url" { "an address" } else { "a text" };
                settings_hook::malformed(
                    found,
                    text,
                    (given.start, given.end),
                    guard,
                    format!("{need} of a {kind} hook should be {what}"),
                );
            }
            None => {
                fits = false;
                settings_hook::malformed(found, text, at, guard, format!("a {kind} hook has no {need}"));
            }
        }
    }
    fits &= more_fields(found, text, hook, kind, guard);
    if fits {
        let does = needs.iter().filter_map(|need| hook.get(need).and_then(Json::text)).collect::<Vec<_>>().join(" ");
        let matcher = matcher.map(str::to_owned);
        all.push(ClassicHook {
            event: event.to_owned(),
            matcher,
            kind: (*kind).to_owned(),
            does,
            at: text.location(at.0, at.1),
        });
    }
}

/// Fields a settings hook may have; whether those that are there have the right type.
fn more_fields(found: &mut Found, text: &Text, hook: &Json, kind: &str, guard: bool) -> bool {
    let mut fits = true;
    for (field, what) in [("timeout", "a number above 0"), ("args", "a list")] {
        let wrong = hook.get(field).filter(|given| match &given.value {
            Value::Number(seconds) => field != "timeout" || *seconds <= 0.0,
            Value::Array(_) => field != "args",
            _ => true,
        });
        if let Some(given) = wrong {
            fits = false;
            let message = format!("{field} of a {kind} hook should be {what}");
            settings_hook::malformed(found, text, (given.start, given.end), guard, message);
        }
    }
    fits
}
