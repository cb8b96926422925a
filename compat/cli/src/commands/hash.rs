//! `modgate hash`: walks a folder and hands what it finds to the pure algorithm.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use ignore::{DirEntry, WalkBuilder};
use modgate_validate::hash::{FolderHash, is_pinned};

use crate::cli::HashArgs;
use crate::discover::slashed;
use crate::disk;
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
        let (folder, bytes) = hash_folder(path)?;
        let target = slashed(path);
        if args.json {
            mods.push(wire(target, &folder, bytes));
            continue;
        }
        if args.list {
            folder.lines().try_for_each(|(path, line)| out.write_all(line.text(path).as_bytes()))?;
        } else {
            writeln!(out, "{}  {}", folder.finish(), visible(&target))?;
        }
    }
    if args.json {
        let document = Hashes { schema: SCHEMA, mods };
        writeln!(out, "{}", serde_json::to_string_pretty(&document).map_err(io::Error::from)?)?;
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn wire(target: String, folder: &FolderHash, bytes: u64) -> Hash {
    let file = |(path, line): (&str, modgate_validate::hash::Line)| HashedFile {
        path: path.to_owned(),
        kind: if line.is_link { "link" } else { "file" },
        sha256: line.hex(),
    };
    Hash { target, hash: folder.finish().to_string(), bytes, files: folder.lines().map(file).collect() }
}

/// The hash of everything in a folder, and how many bytes its files have.
fn hash_folder(path: &Path) -> Result<(FolderHash, u64), Failure> {
    let root = fs::canonicalize(path).map_err(|error| Failure::at(path, error))?;
    if !root.is_dir() {
        return Err(Failure::NotAFolder(path.to_owned()));
    }
    let mut folder = FolderHash::new();
    let mut bytes = 0;
    let inside =
        |entry: &DirEntry, root: &Path| entry.path().strip_prefix(root).map(Path::to_owned).unwrap_or_default();
    let top = root.clone();
    let walk = WalkBuilder::new(&root)
        .standard_filters(false)
        // Version control's folders can be larger than everything else; names that are not UTF-8 are refused below.
        .filter_entry(move |entry| match inside(entry, &top).to_str() {
            Some("") | None => true,
            // A folder may be called like a leftover; what is in it counts all the same.
            Some(path) => is_pinned(&format!("{}/file", slashed(path.as_ref()))),
        })
        .build();
    for entry in walk.skip(1) {
        let entry = entry.map_err(|error| {
            let text = error.to_string();
            Failure::at(path, error.into_io_error().unwrap_or_else(|| io::Error::other(text)))
        })?;
        bytes += add(&mut folder, &entry, &inside(&entry, &root), path)?;
    }
    Ok((folder, bytes))
}

/// Adds what is at `inside` in the folder that the command line calls `folder_path`; gives its size in bytes.
fn add(folder: &mut FolderHash, entry: &DirEntry, inside: &Path, folder_path: &Path) -> Result<u64, Failure> {
    let real = entry.path();
    let called = folder_path.join(inside);
    let refuse = |why: String| Failure::NotHashable { path: called.clone(), why };
    if inside.to_str().is_none() {
        return Err(refuse("its name is not valid UTF-8".to_owned()));
    }
    let path = slashed(inside);
    let kind = entry.file_type().ok_or_else(|| refuse("nobody can tell what it is".to_owned()))?;
    if kind.is_dir() {
        return Ok(0);
    }
    if kind.is_symlink() {
        let target = fs::read_link(real).map_err(|error| Failure::at(&called, error))?;
        folder.link(&path, target.as_os_str().as_encoded_bytes()).map_err(|bad| refuse(bad.to_string()))?;
        return Ok(0);
    }
    // Checked before opening: a FIFO would wait for a writer.
    if let Some(special) = disk::special(kind) {
        return Err(refuse(format!("it is a {special}")));
    }
    let file = disk::open(real).map_err(|error| Failure::at(&called, error))?;
    folder.file_from(&path, file).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => refuse(error.to_string()),
        _ => Failure::at(&called, error),
    })
}
