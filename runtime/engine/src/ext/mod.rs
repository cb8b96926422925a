//! What JavaScript can ask of Rust, and the scripts that ask it.
//!
//! This folder is compiled twice: into the build script, which makes the start-up snapshot, and into the crate. So it
//! knows only [`Port`], never the isolate behind it.

pub mod convert;
pub mod ops;
pub mod port;

pub use ops::modgate;

use deno_core::Extension;

/// The one ordered list of extensions, for the snapshot and for every isolate.
pub fn extensions() -> Vec<Extension> {
    vec![
        deno_webidl::deno_webidl::init(),
        deno_web::deno_web::init(
            std::sync::Arc::new(deno_web::BlobStore::default()),
            None,
            false,
            deno_web::InMemoryBroadcastChannel::default(),
        ),
        modgate::init(),
    ]
}
