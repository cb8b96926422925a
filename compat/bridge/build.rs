//! Lists the inner modules: every script of `js/claude-code` and `js/testing`, by path.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let js = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../js");
    let mut table = String::new();
    for (constant, folder) in [("CLAUDE_CODE", "claude-code"), ("TESTING", "testing")] {
        println!("cargo:rerun-if-changed=../../js/{folder}");
        let mut files: Vec<PathBuf> = std::fs::read_dir(js.join(folder))
            .expect("the folder is part of the repository")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|suffix| suffix == "js"))
            .collect();
        files.sort();
        writeln!(table, "static {constant}: &[(&str, &str)] = &[").expect("text can be written");
        for file in files {
            let name = file.file_name().expect("a file has a name").to_string_lossy().into_owned();
            let path = file.canonicalize().expect("the file is there");
            writeln!(table, "    ({:?}, include_str!({path:?})),", format!("{folder}/{name}"))
                .expect("text can be written");
        }
        table.push_str("];\n");
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(out.join("inner.rs"), table).expect("OUT_DIR can be written");
}
