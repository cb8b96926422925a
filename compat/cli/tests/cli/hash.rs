//! `modgate hash`. Expected values were made with coreutils, as `docs/hash.md` describes.

use std::os::unix::fs::symlink;

use crate::fixture::Room;
use crate::wire::Hashes;

const PLAIN: &str = "modgate1:ed15821a462c9a9ad4a19357e82fa13cfb91d5d511b07c95d1f82b51eee14347";
const WITH_LINK: &str = "modgate1:24db7467ce07326331a89ffe2f9afab7665437b737853105a757e3603b32cde7";

fn plain() -> Room {
    let room = Room::new();
    room.file("m/hooks/hooks.json", r#"{ "modules": ["./register.js"] }"#)
        .file("m/hooks/register.js", "export function register() {}")
        .file("m/z é.txt", "hé")
        .file("m/Z.md", "x");
    room
}

#[test]
fn equals_what_coreutils_give() {
    let room = plain();
    assert_eq!(room.run(&["hash", "m"]).ended(0).out, format!("{PLAIN}  m\n"));
    symlink("hooks/register.js", room.at("m/a-link")).unwrap();
    assert_eq!(room.run(&["hash", "m", "."]).ended(0).out.lines().next(), Some(format!("{WITH_LINK}  m").as_str()));
}

#[test]
fn lists_what_sha256sum_would() {
    let room = plain();
    symlink("hooks/register.js", room.at("m/a-link")).unwrap();
    let list = room.run(&["hash", "m", "--list"]).ended(0).out.clone();
    assert_eq!(
        list,
        "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  Z.md\n\
         e6ca824764f35e364fc691b235af876ce5d3dbecfd0c7200080b6904393710d6 @a-link\n\
         f1ab6e1d03ffac4728889799a1f69c82b45ede8f574fa6e0b10f3091d6faddfa  hooks/hooks.json\n\
         8baf9647fdad53949a99de89ea8545cd4aafd4f2b42ac8d17e375e30c1963994  hooks/register.js\n\
         7dfbe0eab96510b11c9a2671d83019cd52953211294db5f917ffa0b7cc84f534  z é.txt\n"
    );
}

#[test]
fn json_tells_what_counted() {
    let room = plain();
    let document: Hashes = room.run(&["hash", "m", "--json"]).ended(0).json();
    let [of_mod] = document.mods.as_slice() else { panic!("{document:?}") };
    assert_eq!((document.schema, of_mod.target.as_str(), of_mod.hash.as_str()), (1, "m", PLAIN));
    let files: Vec<(&str, &str)> = of_mod.files.iter().map(|file| (file.path.as_str(), file.kind.as_str())).collect();
    assert_eq!(
        files,
        [("Z.md", "file"), ("hooks/hooks.json", "file"), ("hooks/register.js", "file"), ("z é.txt", "file")]
    );
    // 1 + 32 + 29 + 3.
    assert_eq!(of_mod.bytes, 65);
}

#[test]
fn leftovers_and_modes_do_not_count() {
    use std::os::unix::fs::PermissionsExt;
    let room = plain();
    room.file("m/.git/HEAD", "ref").file("m/hooks/.register.js.swp", "x").file("m/a~", "x").file("m/.DS_Store", "x");
    std::fs::create_dir(room.at("m/empty")).unwrap();
    std::fs::set_permissions(room.at("m/Z.md"), PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(room.run(&["hash", "m"]).ended(0).out, format!("{PLAIN}  m\n"));
    // A folder may be called like a leftover: what is in it could be loaded.
    room.file("m/a~dir~/x.js", "x");
    assert_ne!(room.run(&["hash", "m"]).ended(0).out, format!("{PLAIN}  m\n"));
}

#[test]
fn a_link_counts_by_its_target_and_is_not_followed() {
    let room = plain();
    let of = |target: &str| {
        let link = room.at("m/link");
        let _ = std::fs::remove_file(&link);
        symlink(target, &link).unwrap();
        room.run(&["hash", "m"]).ended(0).out.clone()
    };
    let (dangling, outside, folder, itself) = (of("nowhere"), of("/etc"), of("hooks"), of("link"));
    let all = [&dangling, &outside, &folder, &itself];
    for (index, one) in all.iter().enumerate() {
        assert!(!all[..index].contains(one));
    }
    assert_eq!(of("nowhere"), dangling);
}

#[test]
fn what_cannot_be_pinned_is_refused() {
    let room = plain();
    room.file("m/a\nb", "x");
    let breaks = room.run(&["hash", "m"]);
    std::fs::remove_file(room.at("m/a\nb")).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(room.at("m/hooks/pipe.js")).status().unwrap();
    assert!(fifo.success());
    let pipe = room.run(&["hash", "m"]);
    insta::assert_snapshot!(format!("{}\n{}", breaks.ended(2), pipe.ended(2)));
}
