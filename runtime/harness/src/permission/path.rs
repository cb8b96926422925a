use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

/// A path pattern as in settings: `//abs`, `~/home`, `/from-the-root`, `./here`, or, without a slash, a name at any
/// depth. A pattern that names a folder covers what is in it.
#[derive(Clone, Debug)]
pub(super) struct PathPattern {
    base: Base,
    globs: Vec<GlobMatcher>,
}

#[derive(Clone, Copy, Debug)]
enum Base {
    Root,
    Absolute,
}

impl PathPattern {
    pub(super) fn parse(text: &str) -> Result<PathPattern, String> {
        let (base, body) = if let Some(rest) = text.strip_prefix("//") {
            (Base::Absolute, format!("/{rest}"))
        } else if let Some(rest) = text.strip_prefix("~/") {
            let home = std::env::home_dir().ok_or("the home directory is not known")?;
            (Base::Absolute, home.join(rest).to_string_lossy().into_owned())
        } else {
            (Base::Root, text.trim_start_matches("./").trim_start_matches('/').to_owned())
        };
        let anchored = matches!(base, Base::Absolute) || text.trim_end_matches('/').contains('/');
        let body = body.trim_end_matches('/');
        let body = if anchored || body.starts_with("**/") { body.to_owned() } else { format!("**/{body}") };
        let globs = [body.clone(), format!("{body}/**")].iter().map(|glob| compile(glob)).collect::<Result<_, _>>()?;
        Ok(PathPattern { base, globs })
    }

    pub(super) fn matches(&self, path: &Path, root: &Path) -> bool {
        let path = tidy(path);
        let path = match self.base {
            Base::Absolute => path.as_path(),
            Base::Root => match path.strip_prefix(root) {
                Ok(inside) => inside,
                Err(_) => return false,
            },
        };
        self.globs.iter().any(|glob| glob.is_match(path))
    }
}

fn compile(glob: &str) -> Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(glob).literal_separator(true).build().map_err(|error| error.to_string())?;
    Ok(glob.compile_matcher())
}

/// The path without `.` and `..`, by text alone.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                tidy.pop();
            }
            other => tidy.push(other),
        }
    }
    tidy
}
