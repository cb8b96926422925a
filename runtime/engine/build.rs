//! Makes the start-up snapshot: an isolate with the bootstrap already run.

#[path = "src/ext/mod.rs"]
#[allow(dead_code, reason = "the build script uses the extension list alone")]
mod ext;

use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/ext");
    println!("cargo:rerun-if-changed=../../js/bootstrap");
    let made = deno_core::snapshot::create_snapshot(
        deno_core::snapshot::CreateSnapshotOptions {
            cargo_manifest_dir: env!("CARGO_MANIFEST_DIR"),
            startup_snapshot: None,
            skip_op_registration: false,
            extensions: ext::extensions(),
            extension_transpiler: None,
            with_runtime_cb: None,
        },
        None,
    )
    .expect("the bootstrap runs");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(out.join("engine.snapshot"), made.output).expect("OUT_DIR can be written");
}
