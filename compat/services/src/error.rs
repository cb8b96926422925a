//! Why a `$` call rejects.

use std::borrow::Cow;
use std::path::Path;

use modgate_value::Value;

/// What kind of rejection this is, for hosts that treat them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The host has nothing that serves this call.
    NoImplementation,
    /// The arguments have the wrong form.
    BadInput,
    /// One of the four gates refused the call.
    Refused,
    /// The caller's signal aborted, or the caller went away.
    Aborted,
    /// It took longer than it may.
    Timeout,
    /// A size limit.
    TooLarge,
    /// The service tried and could not.
    Failed,
}

/// A rejection, as the mod sees it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, serde::Serialize)]
#[error("{message}")]
pub struct ServiceError {
    /// The JavaScript error's `name`: `HooksError`, or `AbortError` for an aborted call.
    pub name: &'static str,
    /// Text for people. Names the call.
    pub message: String,
    /// Stable code: one of [`codes`], or the system's own name of the error (`ENOENT`).
    pub code: Cow<'static, str>,
    /// What kind of rejection this is.
    pub kind: ErrorKind,
}

impl ServiceError {
    /// A rejection of that kind and code.
    pub fn new(kind: ErrorKind, code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> ServiceError {
        ServiceError { name: "HooksError", message: message.into(), code: code.into(), kind }
    }

    /// `no implementation for <call>`.
    pub fn no_implementation(call: &str) -> ServiceError {
        let message = format!("no implementation for {call}");
        ServiceError::new(ErrorKind::NoImplementation, codes::NO_IMPLEMENTATION, message)
    }

    /// Arguments of the wrong form.
    pub fn bad_input(call: &str, why: impl std::fmt::Display) -> ServiceError {
        ServiceError::new(ErrorKind::BadInput, codes::BAD_INPUT, format!("{call}: {why}"))
    }

    /// A gate's refusal.
    pub fn refused(call: &str, code: &'static str, why: impl std::fmt::Display) -> ServiceError {
        ServiceError::new(ErrorKind::Refused, code, format!("{call}: {why}"))
    }

    /// The service tried and could not.
    pub fn failed(call: &str, code: &'static str, why: impl std::fmt::Display) -> ServiceError {
        ServiceError::new(ErrorKind::Failed, code, format!("{call}: {why}"))
    }

    /// More than the limit allows.
    pub fn too_large(call: &str, why: impl std::fmt::Display) -> ServiceError {
        ServiceError::new(ErrorKind::TooLarge, codes::TOO_LARGE, format!("{call}: {why}"))
    }

    /// The caller's signal aborted.
    pub fn aborted(call: &str) -> ServiceError {
        let message = format!("{call}: the call was aborted");
        ServiceError { name: "AbortError", ..ServiceError::new(ErrorKind::Aborted, codes::ABORTED, message) }
    }

    /// Still running when its time was over.
    pub fn timeout(call: &str, ms: u64) -> ServiceError {
        ServiceError::new(ErrorKind::Timeout, codes::TIMEOUT, format!("{call}: still running after {ms} ms"))
    }

    /// The system refused; the code is the system's name of the error.
    pub fn os(call: &str, path: &Path, error: &std::io::Error) -> ServiceError {
        let (code, text) = match error.raw_os_error() {
            Some(number) => {
                let errno = nix::errno::Errno::from_raw(number);
                (Cow::Owned(format!("{errno:?}")), errno.desc().to_string())
            }
            None => (Cow::Borrowed(codes::IO), error.to_string()),
        };
        let message = format!("{call}: {code}: {text}, {}", path.display());
        ServiceError::new(ErrorKind::Failed, code, message)
    }

    /// `{name, message, code}`, for the isolate to make an error of.
    pub fn to_value(&self) -> Value {
        Value::object([
            ("name", Value::from(self.name)),
            ("message", Value::from(self.message.as_str())),
            ("code", Value::from(&*self.code)),
        ])
    }

    /// Whether one of the four gates refused the call.
    pub fn is_refusal(&self) -> bool {
        self.kind == ErrorKind::Refused
    }
}

/// Stable codes. Codes of refusals (`grant-*`, `limit-*`, ...) say which permission is missing.
pub mod codes {
    macro_rules! codes {
        ($($(#[$doc:meta])* $name:ident = $code:literal;)*) => {
            $($(#[$doc])* pub const $name: &str = $code;)*
            /// Every code of this crate, sorted.
            pub const ALL: &[&str] = &[$($code),*];
        };
    }
    codes! {
        /// The signal aborted.
        ABORTED = "aborted";
        /// A child process, server or network request could not be started or reached.
        BAD_GATEWAY = "bad-gateway";
        /// Arguments of the wrong form.
        BAD_INPUT = "bad-input";
        /// The grant lists neither this call nor a group it belongs to.
        GRANT_CALL = "grant-call";
        /// No variable of that name may be read.
        GRANT_ENV_READ = "grant-env-read";
        /// No variable of that name may be set.
        GRANT_ENV_WRITE = "grant-env-write";
        /// Outside the paths that may be read.
        GRANT_FS_READ = "grant-fs-read";
        /// Outside the paths that may be written.
        GRANT_FS_WRITE = "grant-fs-write";
        /// A host, port, scheme or socket that may not be reached.
        GRANT_HTTP = "grant-http";
        /// An MCP server or tool that may not be called.
        GRANT_MCP = "grant-mcp";
        /// The mod has no grant at all.
        GRANT_MISSING = "grant-missing";
        /// A model that may not be asked.
        GRANT_MODEL = "grant-model";
        /// A command that may not be run.
        GRANT_PROCESS = "grant-process";
        /// A variable that may not be given to a child process.
        GRANT_PROCESS_ENV = "grant-process-env";
        /// The mod's content changed since the grant was given.
        GRANT_STALE = "grant-stale";
        /// A failure of the system without a name of its own.
        IO = "io";
        /// The host's own limits, which no grant can lift, do not cover it.
        LIMIT_EXCEEDED = "limit-exceeded";
        /// The member was withheld from this mod's `$`.
        MEMBER_WITHHELD = "member-withheld";
        /// The host serves nothing of that name.
        NO_IMPLEMENTATION = "no-implementation";
        /// What was named does not exist.
        NOT_FOUND = "not-found";
        /// It exists, and belongs to somebody else.
        NOT_OWNER = "not-owner";
        /// A path that cannot be resolved safely.
        PATH_UNSAFE = "path-unsafe";
        /// The caller is not named, or without a content hash.
        PROVENANCE_UNKNOWN = "provenance-unknown";
        /// The mod itself says it does not use this.
        REQUIREMENT_EXCEEDED = "requirement-exceeded";
        /// The stored file cannot be read as what it should be.
        STORE_DAMAGED = "store-damaged";
        /// Still running when its time was over.
        TIMEOUT = "timeout";
        /// A size limit.
        TOO_LARGE = "too-large";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_documented_once() {
        let mut sorted = codes::ALL.to_vec();
        sorted.sort_by_key(|code| code.replace('-', ""));
        sorted.dedup();
        assert_eq!(sorted.len(), codes::ALL.len());
    }

    #[test]
    fn system_errors_carry_their_name() {
        let missing = std::io::Error::from_raw_os_error(nix::errno::Errno::ENOENT as i32);
        let error = ServiceError::os("fs.read", Path::new("/d/a"), &missing);
        assert_eq!(error.code, "ENOENT");
        assert_eq!(error.message, "fs.read: ENOENT: No such file or directory, /d/a");
        assert!(!error.is_refusal());
        assert_eq!(error.to_value().str_at("code"), Some("ENOENT"));
    }
}
