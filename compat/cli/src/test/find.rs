//! From the paths of the command line to test files, each with the mod it belongs to.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use modgate_compat::load::{Folder, FolderError};
use modgate_compat::testing::test_files;

use crate::discover::{self, Target, enclosing_mod, slashed};
use crate::error::Failure;

/// A mod with tests.
pub(crate) struct Tested {
    /// Its folder, as a person would write it.
    pub(crate) shown: String,
    /// Its folder, without symbolic links in the path.
    pub(crate) root: PathBuf,
    /// What a host reads of it, or why it cannot.
    pub(crate) folder: Result<Arc<Folder>, FolderError>,
    /// Its test files, by path inside the folder.
    pub(crate) files: Vec<String>,
}

/// Every mod with tests, in the order of the command line and then of names, and the paths of which nothing came.
pub(crate) fn find(paths: &[PathBuf]) -> (Vec<Tested>, Vec<Failure>) {
    let mut found: Vec<Tested> = Vec::new();
    let mut failures = Vec::new();
    for path in paths {
        match at(path) {
            Ok(tested) if tested.is_empty() => failures.push(Failure::NoTests(path.clone())),
            Ok(tested) => tested.into_iter().for_each(|tested| add(&mut found, tested)),
            Err(failure) => failures.push(failure),
        }
    }
    (found, failures)
}

/// The same mod through another path: the files of both.
fn add(found: &mut Vec<Tested>, tested: Tested) {
    match found.iter_mut().find(|other| other.root == tested.root) {
        Some(other) => {
            let known: HashSet<_> = other.files.iter().cloned().collect();
            other.files.extend(tested.files.into_iter().filter(|file| !known.contains(file)));
        }
        None => found.push(tested),
    }
}

fn at(path: &Path) -> Result<Vec<Tested>, Failure> {
    let found = discover::discover(&[path.to_path_buf()], true);
    if let Some(failure) = found.failures.into_iter().next() {
        return Err(failure);
    }
    let real = path.canonicalize().map_err(|error| Failure::at(path, error))?;
    let one = real.is_file().then_some(real);
    let folders = found.targets.into_iter().filter_map(|target| match target {
        Target::Mod(folder, _) => Some(folder),
        Target::Marketplace(..) => None,
    });
    let with_tests = folders.filter_map(|folder| {
        let files = match &one {
            Some(file) => file.strip_prefix(&folder.root).map(|inside| vec![slashed(inside)]).unwrap_or_default(),
            None => own_files(&folder.root),
        };
        let opened = Folder::open(&folder.root);
        (!files.is_empty()).then(|| Tested { folder: opened, shown: folder.shown, root: folder.root, files })
    });
    Ok(with_tests.collect())
}

/// The test files of the mod at `root`. Those of mods below it are theirs.
fn own_files(root: &Path) -> Vec<String> {
    let mut files = test_files(root);
    files.retain(|file| enclosing_mod(&root.join(file)).is_some_and(|owner| owner == root));
    files
}
