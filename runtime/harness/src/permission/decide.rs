use std::path::Path;

use serde_json::Value;

use super::path::tidy;
use super::shell::{Part, analyse};
use super::{Decision, Mode, Permissions, Rule, Verdict};
use crate::tools::{Effect, place};

/// What a call does, as far as permission goes.
struct Subject<'a> {
    tool: &'a str,
    effect: Effect,
    root: &'a Path,
    /// Directory the shell is in.
    shell: &'a Path,
}

impl Permissions {
    /// What rules and mode say about a call. Pure but for resolving symbolic links of the paths named.
    pub fn decide(&self, tool: &str, effect: Effect, input: &Value, root: &Path) -> Verdict {
        self.decide_in(tool, effect, input, root, root)
    }

    /// As [`Permissions::decide`], with the directory the shell is in, which redirections are relative to.
    pub fn decide_in(&self, tool: &str, effect: Effect, input: &Value, root: &Path, shell: &Path) -> Verdict {
        let subject = Subject { tool, effect, root, shell };
        if tool == "Bash" {
            let command = input.get("command").and_then(Value::as_str).unwrap_or_default();
            return self.decide_command(&subject, command);
        }
        if matches!(effect, Effect::Reads | Effect::Edits) {
            let named = ["file_path", "path", "notebook_path"].iter().find_map(|key| input.get(key)?.as_str());
            let path = crate::tools::absolute(root, named.unwrap_or("."));
            return self.decide_path(&subject, &path);
        }
        let about = |rule: &Rule| rule.matches_other(input);
        self.by_rules(tool, about, about).unwrap_or_else(|| self.by_mode(&subject, true))
    }

    /// Deny before ask before allow; `held` says whether a deny or ask rule speaks, `granted` whether an allow does.
    fn by_rules(&self, tool: &str, held: impl Fn(&Rule) -> bool, granted: impl Fn(&Rule) -> bool) -> Option<Verdict> {
        let find = |behavior: Decision, about: &dyn Fn(&Rule) -> bool| {
            self.rules.iter().find(|rule| rule.behavior == behavior && rule.names(tool) && about(rule))
        };
        let strict = find(Decision::Deny, &held).or_else(|| find(Decision::Ask, &held));
        if let Some(rule) = strict {
            return Some(by_rule(rule));
        }
        if self.mode == Mode::Plan {
            return None;
        }
        find(Decision::Allow, &granted).map(by_rule)
    }

    fn decide_path(&self, subject: &Subject, path: &Path) -> Verdict {
        let spoken = tidy(path);
        let real = place(subject.root, path);
        let either =
            |rule: &Rule| rule.matches_path(&spoken, subject.root) || rule.matches_path(&real.path, subject.root);
        let both =
            |rule: &Rule| rule.matches_path(&spoken, subject.root) && rule.matches_path(&real.path, subject.root);
        let verdict = self.by_rules(subject.tool, either, both);
        verdict.unwrap_or_else(|| self.by_mode(subject, real.inside))
    }

    fn decide_command(&self, subject: &Subject, command: &str) -> Verdict {
        let analysis = analyse(command);
        let mut worst: Option<Verdict> = None;
        let mut verdicts: Vec<Verdict> = Vec::new();
        for part in &analysis.parts {
            verdicts.push(self.decide_part(subject, part));
            let writer = Subject { tool: "Edit", effect: Effect::Edits, ..*subject };
            let reader = Subject { tool: "Read", effect: Effect::Reads, ..*subject };
            verdicts.extend(part.writes.iter().filter_map(|file| self.decide_redirection(&writer, file)));
            verdicts.extend(part.reads.iter().filter_map(|file| self.decide_redirection(&reader, file)));
        }
        if let Some(reason) = &analysis.opaque
            && let Some(verdict) = self.decide_opaque(subject, command, reason)
        {
            verdicts.push(verdict);
        }
        for verdict in verdicts {
            if worst.as_ref().is_none_or(|worst| verdict.decision > worst.decision) {
                worst = Some(verdict);
            }
        }
        worst.unwrap_or_else(|| self.by_mode(subject, true))
    }

    fn decide_part(&self, subject: &Subject, part: &Part) -> Verdict {
        if part.words.is_empty() {
            // Nothing but a redirection, which is decided on its own.
            return Verdict {
                decision: Decision::Allow,
                rule: None,
                source: "default".into(),
                reason: "no command, only a redirection".into(),
            };
        }
        let mut forms = part.disguises();
        forms.push(part.text.clone());
        let held = |rule: &Rule| forms.iter().any(|form| rule.matches_command(form));
        let plain = part.plain();
        let granted = |rule: &Rule| {
            rule.matches_command(&part.text) || plain.as_deref().is_some_and(|text| rule.matches_command(text))
        };
        self.by_rules(subject.tool, held, granted).unwrap_or_else(|| {
            let mut verdict = self.by_mode(subject, true);
            verdict.reason = format!("{} (`{}`)", verdict.reason, short(&part.text));
            verdict
        })
    }

    /// `None` for the places that are no files.
    fn decide_redirection(&self, subject: &Subject, file: &str) -> Option<Verdict> {
        if matches!(file, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/stdin") {
            return None;
        }
        let mut verdict = self.decide_path(subject, &crate::tools::absolute(subject.shell, file));
        if verdict.rule.is_none() && self.allows_every_command() {
            // Who may run any command may write by other means than a redirection as well.
            return None;
        }
        verdict.reason = format!("{} (redirection to or from `{}`)", verdict.reason, short(file));
        Some(verdict)
    }

    fn allows_every_command(&self) -> bool {
        let whole = |rule: &Rule| rule.behavior == Decision::Allow && rule.names("Bash") && rule.is_whole_tool();
        self.rules.iter().any(whole)
    }

    /// A command that was not understood: only a rule on every command allows it.
    fn decide_opaque(&self, subject: &Subject, command: &str, reason: &str) -> Option<Verdict> {
        let held = |rule: &Rule| rule.matches_command(command);
        let verdict = self.by_rules(subject.tool, held, Rule::is_whole_tool);
        Some(verdict.unwrap_or_else(|| {
            let mut verdict = self.by_mode(subject, true);
            verdict.reason = format!("{}; patterns cannot allow it: {reason}", verdict.reason);
            verdict
        }))
    }

    fn by_mode(&self, subject: &Subject, inside: bool) -> Verdict {
        let harmless = match subject.effect {
            Effect::None => true,
            Effect::Reads => inside,
            Effect::Edits | Effect::Runs => false,
        };
        let (decision, reason) = match self.mode {
            Mode::BypassPermissions => (Decision::Allow, "the mode allows everything".to_owned()),
            _ if harmless => (Decision::Allow, format!("{} changes nothing", subject.tool)),
            Mode::Plan if subject.effect != Effect::Reads => {
                (Decision::Deny, format!("plan mode only reads; {} does more", subject.tool))
            }
            Mode::AcceptEdits if subject.effect == Effect::Edits && inside => {
                (Decision::Allow, "the mode allows edits in the working directory".to_owned())
            }
            _ if !inside => (Decision::Ask, format!("{} leaves the working directory", subject.tool)),
            _ => (Decision::Ask, format!("no rule speaks about this use of {}", subject.tool)),
        };
        Verdict { decision, rule: None, source: format!("mode:{}", self.mode.name()), reason }
    }
}

fn by_rule(rule: &Rule) -> Verdict {
    let said = match rule.behavior {
        Decision::Allow => "allowed",
        Decision::Ask => "to be asked about",
        Decision::Deny => "denied",
    };
    Verdict {
        decision: rule.behavior,
        rule: Some(rule.text.clone()),
        source: rule.source.clone(),
        reason: format!("{said} by the rule {}", rule.text),
    }
}

fn short(text: &str) -> String {
    let mut cut: String = text.chars().take(80).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
