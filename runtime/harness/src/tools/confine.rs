use std::path::{Component, Path, PathBuf};

/// A path as it really is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Absolute, links resolved as far as the path exists.
    pub path: PathBuf,
    /// Whether it lies in the working directory.
    pub inside: bool,
}

/// Resolves a path: links of the part that exists, the rest by text.
pub fn place(root: &Path, path: &Path) -> Place {
    let path = resolve(&root.join(path), 40);
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let inside = path.starts_with(&real_root);
    Place { path, inside }
}

/// Follows links component by component, so that a link to a file that does not exist yet counts as what it names.
fn resolve(path: &Path, links: u32) -> PathBuf {
    let mut real = PathBuf::new();
    let mut parts = path.components();
    while let Some(part) = parts.next() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                real.pop();
            }
            Component::Prefix(_) | Component::RootDir => real.push(part),
            Component::Normal(name) => match std::fs::read_link(real.join(name)) {
                Ok(target) if links > 0 => return resolve(&real.join(target).join(parts.as_path()), links - 1),
                _ => real.push(name),
            },
        }
    }
    real
}
