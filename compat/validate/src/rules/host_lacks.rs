//! A host that was asked for does not have this.

use crate::HostSpec;
use crate::report::Severity;
use crate::scan::Scan;
use modgate_catalog::hosts::{EventStatus, HostProfile, UnknownEvent, compare_versions};

rule! {
    /// # What
    ///
    /// The mod hooks an event that a host does not know or never raises, or calls a member it does not serve or got
    /// in a later version.
    ///
    /// # Why
    ///
    /// Declarations differ between versions and hosts. An unknown event refuses the module there; one that is never
    /// raised leaves the hook silent; a call that is not served rejects.
    ///
    /// # Example
    ///
    /// ```js
    /// on('vcs.detect', hook)
    /// ```
    ///
    /// # Instead
    ///
    /// Leave it out, do without it where it is missing, or name the version the mod needs in its README.
    ///
    /// # Source
    ///
    /// Host profiles and the catalog's versions. Asked for with `--host`.
    RULE = "host-lacks", Warning, "a host that was asked for does not have this"
}

/// The events and calls of the module on one host.
pub(crate) fn check(scan: &mut Scan<'_, '_>, host: &HostProfile, spec: &HostSpec) {
    for index in 0..scan.hooks.len() {
        let hook = &scan.hooks[index];
        let Some(event) = hook.read.name().and_then(modgate_catalog::event) else { continue };
        let (unit, at) = (hook.unit, hook.pattern_at);
        match host.event(event.name) {
            EventStatus::Raised => {}
            EventStatus::Registered => {
                scan.fault(&RULE, unit, at, format!("{} never raises {}", host.title, event.name)).host(spec.clone());
            }
            EventStatus::Unknown if host.unknown_event.is == UnknownEvent::Ignore => {
                scan.fault(&RULE, unit, at, format!("{} does not know {}", host.title, event.name)).host(spec.clone());
            }
            EventStatus::Unknown => {
                scan.fault(
                    &RULE,
                    unit,
                    at,
                    format!("{} does not know {} and refuses the module", host.title, event.name),
                )
                .severity(Severity::Error)
                .host(spec.clone());
            }
        }
    }
    for site in scan.sites.clone() {
        let Some((noun, method)) = site.name.split_once('.') else { continue };
        let Some(member) = modgate_catalog::member(noun, method).filter(|member| !host.serves(member)) else {
            continue;
        };
        let newer = host.name == "claude-code" && compare_versions(member.since, &host.version).is_gt();
        let message = if newer {
            format!("$.{} came with {}, after {}", member.call, member.since, host.title)
        } else {
            format!("{} does not serve $.{}", host.title, member.call)
        };
        scan.fault(&RULE, site.unit, site.at, message).host(spec.clone());
    }
}

#[cfg(test)]
mod tests {
    use crate::Options;
    use crate::testing::check_with;

    #[test]
    fn events_and_members() {
        let options = Options { hosts: vec!["dsh".parse().unwrap()], ..Options::default() };
        check_with(
            "host-lacks",
            r#"
    //- /hooks/register.js
    const hook = async ($, e, next) => next(e)
    export function register(on) {
      on('classic.Stop', hook)
    //   ^^^^^^^^^^^^^^ host-lacks
      on('tool.check', hook)
    //   ^^^^^^^^^^^^ host-lacks
      on('tool.call', async ($, e, next) => { await $.model.complete({}); await $.ui.toast('x'); return next(e) })
    //                                                ^^^^^^^^^^^^^^ host-lacks
    }
    "#,
            &options,
        );
    }

    #[test]
    fn an_unknown_event_refuses_the_module_there() {
        let (files, _) = crate::testing::read(
            "\n//- /hooks/register.js\nexport function register(on) { on('classic.Stop', async ($, e, next) => next(e)) }\n",
        );
        let on =
            |host: &str| crate::validate(&files, &Options { hosts: vec![host.parse().unwrap()], ..Options::default() });
        assert!(!on("dsh").is_accepted());
        assert!(on("claude-code").is_accepted());
    }
}
