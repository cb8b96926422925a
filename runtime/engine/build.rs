//! Makes the start-up snapshot: an isolate with the bootstrap already run.

#[path = "src/ext/mod.rs"]
#[allow(dead_code, reason = "the build script uses the extension list alone")]
mod ext;

use std::path::PathBuf;
use std::rc::Rc;

use deno_core::FastString;

/// Modules of an extension have no base that a relative import could be joined to.
fn absolute_imports(name: &str, code: FastString) -> FastString {
    if !name.starts_with("ext:modgate/ui/") {
        return code;
    }
    code.as_str().replace("from \"./", "from \"ext:modgate/ui/").into()
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/ext");
    println!("cargo:rerun-if-changed=../../js/bootstrap");
    println!("cargo:rerun-if-changed=../../js/ui");
    let made = deno_core::snapshot::create_snapshot(
        deno_core::snapshot::CreateSnapshotOptions {
            cargo_manifest_dir: env!("CARGO_MANIFEST_DIR"),
            startup_snapshot: None,
            skip_op_registration: false,
            extensions: ext::extensions(),
            extension_transpiler: Some(Rc::new(|name, code| Ok((absolute_imports(&name, code), None)))),
            with_runtime_cb: None,
        },
        None,
    )
    .expect("the bootstrap runs");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(out.join("engine.snapshot"), made.output).expect("OUT_DIR can be written");
}
