//! A folder of its own for every test, and the program run in it with a clean environment.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde::de::DeserializeOwned;
use tempfile::TempDir;

/// A temporary folder.
pub struct Room {
    dir: TempDir,
}

impl Room {
    /// An empty one.
    pub fn new() -> Room {
        Room { dir: tempfile::Builder::new().prefix("modgate-cli-").tempdir().unwrap() }
    }

    /// One with a mod called `guard` in the folder `guard`, whose module has this text.
    pub fn with_mod(module: &str) -> Room {
        let room = Room::new();
        room.add_mod("guard", "register.js", module);
        room
    }

    /// Its path, without symbolic links.
    pub fn path(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    /// A path in it.
    pub fn at(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    /// Writes a file, and the folders it is in.
    pub fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Room {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// Writes a mod that is named like its folder, and whose module is `hooks/<file>`.
    pub fn add_mod(&self, folder: &str, file: &str, module: impl AsRef<[u8]>) -> &Room {
        let name = Path::new(folder).file_name().map_or("root", |name| name.to_str().unwrap());
        self.manifest(folder, &format!(r#"{{ "name": "{name}", "version": "1.0.0", "description": "A test." }}"#));
        self.file(&format!("{folder}/hooks/hooks.json"), format!("{{ \"modules\": [\"./{file}\"] }}\n"));
        self.file(&format!("{folder}/hooks/{file}"), module)
    }

    /// Writes a manifest.
    pub fn manifest(&self, folder: &str, text: &str) -> &Room {
        self.file(&format!("{folder}/.claude-plugin/plugin.json"), text)
    }

    /// The program, ready to run here.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_modgate"));
        command.args(arguments).current_dir(self.path()).env_clear().stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::new(self, self.command(arguments).output().unwrap())
    }
}

/// How a run went. `Display` is what snapshots hold.
pub struct Ran {
    /// The exit code.
    pub code: i32,
    /// Standard output, the room's path replaced.
    pub out: String,
    /// Standard error, the room's path replaced.
    pub err: String,
}

impl Ran {
    pub fn new(room: &Room, output: Output) -> Ran {
        let here = room.path().display().to_string();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(&here, "[ROOM]");
        Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Standard output as a JSON document. Nothing may stand on standard error.
    #[track_caller]
    pub fn json<T: DeserializeOwned>(&self) -> T {
        assert_eq!(self.err, "");
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}\n{}", self.out))
    }

    /// That it ended with this code; shows everything otherwise.
    #[track_caller]
    pub fn ended(&self, code: i32) -> &Ran {
        assert_eq!(self.code, code, "{self}");
        self
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit {}\n----- out\n{}----- err\n{}", self.code, self.out, self.err)
    }
}
