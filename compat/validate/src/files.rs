//! What the validator reads: the files of one mod, by relative path.

use std::collections::BTreeMap;

/// One file of a mod, as [`Files::read`] found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A text file: valid UTF-8, byte order mark and line ends as they are on disk.
    Text(String),
    /// A file that is not valid UTF-8.
    Bytes(Vec<u8>),
    /// A file larger than the reader accepts; the number is its size in bytes.
    TooLarge(u64),
    /// Something that is there but is no regular file: "directory", "fifo", "socket", "device", "symlink loop".
    NotAFile(&'static str),
    /// A symbolic link (or a path through one) that ends outside the folder of the mod.
    Outside,
}

/// The files of one mod. The program implements this on a folder, tests on a map; only files the mod really names
/// get read.
pub trait Files {
    /// The file at `path`: relative to the mod's folder, `/` between segments, no `.` or `..` segment, not empty.
    /// `None` when nothing is there.
    fn read(&self, path: &str) -> Option<Entry>;
}

/// Files held in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles(BTreeMap<String, Entry>);

impl MemoryFiles {
    /// No files.
    pub fn new() -> MemoryFiles {
        MemoryFiles::default()
    }

    /// Puts a text file at `path`, in place of what was there.
    pub fn text(&mut self, path: impl Into<String>, text: impl Into<String>) -> &mut MemoryFiles {
        self.entry(path, Entry::Text(text.into()))
    }

    /// Puts any entry at `path`, in place of what was there.
    pub fn entry(&mut self, path: impl Into<String>, entry: Entry) -> &mut MemoryFiles {
        self.0.insert(path.into(), entry);
        self
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &str) -> Option<Entry> {
        if let Some(entry) = self.0.get(path) {
            return Some(entry.clone());
        }
        let inside = format!("{path}/");
        self.0
            .range(inside.clone()..)
            .next()
            .filter(|(key, _)| key.starts_with(&inside))
            .map(|_| Entry::NotAFile("directory"))
    }
}
