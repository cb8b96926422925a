//! What is read of a folder, and what is not.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use modgate_folder::{DiskFiles, HashError, LARGEST, hash};
use modgate_validate::{Entry, Files};

struct Room(tempfile::TempDir);

impl Room {
    fn new() -> Room {
        let room = Room(tempfile::tempdir().unwrap());
        fs::create_dir(room.path().join("mod")).unwrap();
        room
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn at(&self, path: &str) -> std::path::PathBuf {
        self.path().join("mod").join(path)
    }

    fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Room {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), content).unwrap();
        self
    }

    #[track_caller]
    fn check(&self, path: &str, expected: Option<Entry>) {
        assert_eq!(DiskFiles::open(&self.path().join("mod")).unwrap().read(path), expected, "{path}");
    }
}

fn text(text: &str) -> Option<Entry> {
    Some(Entry::Text(text.into()))
}

#[test]
fn files_are_read_as_they_are() {
    let room = Room::new();
    room.file("a.js", "\u{feff}a\r\n").file("dir/b.js", "").file("broken.js", b"\xff");
    room.check("a.js", text("\u{feff}a\r\n"));
    room.check("dir/b.js", text(""));
    room.check("broken.js", Some(Entry::Bytes(vec![0xff])));
    room.check("none.js", None);
    room.check("a.js/none.js", None);
    room.check(&"long/".repeat(2000), None);
}

#[test]
fn the_limit_is_exact() {
    let room = Room::new();
    let largest = usize::try_from(LARGEST).unwrap();
    room.file("fits.js", vec![b' '; largest]).file("large.js", vec![b' '; largest + 1]);
    room.check("fits.js", text(&" ".repeat(largest)));
    room.check("large.js", Some(Entry::TooLarge(LARGEST + 1)));
}

#[test]
fn links_stay_inside() {
    let room = Room::new();
    room.file("real.js", "x").file("dir/file.js", "y");
    fs::write(room.path().join("secret.js"), "s").unwrap();
    for (target, link) in [
        ("real.js", "inside.js"),
        ("../secret.js", "outside.js"),
        ("dir", "folder"),
        ("..", "up"),
        ("loop.js", "loop.js"),
        ("none.js", "dangling.js"),
    ] {
        symlink(target, room.at(link)).unwrap();
    }
    // Out and in again: it ends inside.
    symlink("../mod/real.js", room.at("around.js")).unwrap();
    room.check("inside.js", text("x"));
    room.check("around.js", text("x"));
    room.check("folder/file.js", text("y"));
    room.check("outside.js", Some(Entry::Outside));
    room.check("up/secret.js", Some(Entry::Outside));
    room.check("loop.js", Some(Entry::NotAFile("symlink loop")));
    room.check("dangling.js", None);
}

#[test]
fn a_neighbour_with_a_longer_name_is_outside() {
    let room = Room::new();
    fs::create_dir(room.path().join("mod-two")).unwrap();
    fs::write(room.path().join("mod-two/a.js"), "x").unwrap();
    symlink("../mod-two/a.js", room.at("a.js")).unwrap();
    room.check("a.js", Some(Entry::Outside));
}

#[test]
fn nothing_but_regular_files_is_opened() {
    let room = Room::new();
    fs::create_dir(room.at("dir.js")).unwrap();
    assert!(Command::new("mkfifo").arg(room.at("pipe.js")).status().unwrap().success());
    let _socket = UnixListener::bind(room.at("socket.js")).unwrap();
    room.check("dir.js", Some(Entry::NotAFile("directory")));
    room.check("pipe.js", Some(Entry::NotAFile("fifo")));
    room.check("socket.js", Some(Entry::NotAFile("socket")));
    let HashError::Unpinnable { path, why } = hash(&room.path().join("mod")).unwrap_err() else { panic!() };
    assert!(matches!(
        (path.to_str().unwrap(), why.as_str()),
        ("pipe.js", "it is a fifo") | ("socket.js", "it is a socket")
    ));
}

#[test]
fn only_folders_are_opened() {
    let room = Room::new();
    room.file("a.js", "");
    assert_eq!(DiskFiles::open(&room.at("a.js")).unwrap_err().kind(), std::io::ErrorKind::NotADirectory);
    assert_eq!(DiskFiles::open(&room.at("none")).unwrap_err().kind(), std::io::ErrorKind::NotFound);
    let HashError::Read { path, error } = hash(&room.at("a.js")).unwrap_err() else { panic!() };
    assert_eq!((path.as_os_str().len(), error.kind()), (0, std::io::ErrorKind::NotADirectory));
}

#[test]
fn a_root_behind_a_link_is_the_same_folder() {
    let room = Room::new();
    room.file("a.js", "x");
    symlink("mod", room.path().join("link")).unwrap();
    let files = DiskFiles::open(&room.path().join("link")).unwrap();
    assert_eq!(files.read("a.js"), text("x"));
    let of = |name: &str| hash(&room.path().join(name)).unwrap().folder.finish();
    assert_eq!(of("link"), of("mod"));
}
