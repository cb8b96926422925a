//! `modgate hash`: the content hash of folders.

use std::io::{self, Write};
use std::path::Path;

use modgate_folder::{HashError, Hashed};
use modgate_validate::hash::Line;

use crate::cli::HashArgs;
use crate::discover::slashed;
use crate::error::Failure;
use crate::exit::Exit;
use crate::output::Terminal;
use crate::render::safe::visible;
use crate::wire::SCHEMA;
use crate::wire::hash::{Hash, HashedFile, Hashes};

/// Runs the command.
pub(crate) fn run(args: &HashArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut out = terminal.writer();
    let mut mods = Vec::new();
    for path in &args.folders {
        let hashed = hash(path)?;
        let target = slashed(path);
        if args.json {
            mods.push(wire(target, &hashed));
        } else if args.list {
            hashed.folder.lines().try_for_each(|(path, line)| out.write_all(line.text(path).as_bytes()))?;
        } else {
            writeln!(out, "{}  {}", hashed.folder.finish(), visible(&target))?;
        }
    }
    if args.json {
        let document = Hashes { schema: SCHEMA, mods };
        writeln!(out, "{}", serde_json::to_string_pretty(&document).map_err(io::Error::from)?)?;
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn hash(path: &Path) -> Result<Hashed, Failure> {
    modgate_folder::hash(path).map_err(|error| match error {
        HashError::Read { path: inside, error } if inside.as_os_str().is_empty() => match error.kind() {
            io::ErrorKind::NotADirectory => Failure::NotAFolder(path.to_owned()),
            _ => Failure::at(path, error),
        },
        HashError::Read { path: inside, error } => Failure::at(path.join(inside), error),
        HashError::Unpinnable { path: inside, why } => Failure::NotHashable { path: path.join(inside), why },
    })
}

fn wire(target: String, hashed: &Hashed) -> Hash {
    let file = |(path, line): (&str, Line)| HashedFile {
        path: path.to_owned(),
        kind: if line.is_link { "link" } else { "file" },
        sha256: line.hex(),
    };
    let folder = &hashed.folder;
    Hash { target, hash: folder.finish().to_string(), bytes: hashed.bytes, files: folder.lines().map(file).collect() }
}
