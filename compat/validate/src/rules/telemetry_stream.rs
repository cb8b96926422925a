//! A telemetry hook stands on a stream that is not for installed mods.

use crate::scan::{STREAMS, Scan};

rule! {
    /// # What
    ///
    /// A hook on `telemetry.log`, `telemetry.mark` or `telemetry.*` names no stream, the host's own, an unknown
    /// one, or one that has to be computed.
    ///
    /// # Why
    ///
    /// The stream `anthropic` is for mods that are built in. Without `to`, a hook stands on every stream.
    ///
    /// # Example
    ///
    /// ```js
    /// on('telemetry.log', async ($, e, next) => next(e))
    /// ```
    ///
    /// # Instead
    ///
    /// Name the collector on each telemetry hook:
    ///
    /// ```js
    /// on('telemetry.log', { to: 'collector' }, async ($, e, next) => next(e))
    /// ```
    ///
    /// # Source
    ///
    /// `claude plugin validate` 2.1.332 refuses it.
    RULE = "telemetry-stream", Error, "a telemetry hook stands on a stream that is not for installed mods"
}

const HELP: &str = "write { to: \"collector\" } as the matcher";

/// `to` has to be computed.
pub(crate) fn unread(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32)) {
    scan.refuse(&RULE, unit, at, "to of a telemetry hook is not a string literal or a list of them").help(HELP);
}

/// No such stream.
pub(crate) fn unknown(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), stream: &str) {
    scan.refuse(&RULE, unit, at, format!("{stream:?} is no telemetry stream; there are {}", STREAMS.join(" and ")))
        .help(HELP);
}

/// The host's own stream.
pub(crate) fn reserved(scan: &mut Scan<'_, '_>, unit: usize, at: (u32, u32), named: bool) {
    if scan.options.tier == crate::Tier::Builtin {
        return;
    }
    let message = if named {
        "this telemetry hook stands on the stream anthropic, which is for built-in mods"
    } else {
        "this telemetry hook names no stream, so it stands on anthropic too, which is for built-in mods"
    };
    scan.fault(&RULE, unit, at, message).help(HELP);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn streams() {
        check(
            "telemetry-stream",
            r#"
    //- /hooks/register.js
    const hook = async ($, e, next) => next(e)
    export function register(on, options) {
      on('telemetry.log', hook)
    //   ^^^^^^^^^^^^^^^ telemetry-stream
      on('telemetry.mark', { to: 'collector' }, hook)
      on('telemetry.mark', { to: ['collector', 'anthropic'] }, hook)
    //                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ telemetry-stream
      on('telemetry.mark', { to: /x/ }, hook)
    //                     ^^^^^^^^^^^ telemetry-stream
      on('telemetry.mark', { to: 'elsewhere' }, hook)
    //                     ^^^^^^^^^^^^^^^^^^^ telemetry-stream
    }
    "#,
        );
    }
}
