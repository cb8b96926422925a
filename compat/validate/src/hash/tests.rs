use super::*;

/// Made with coreutils: `find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum`.
const PLAIN: &str = "modgate1:ed15821a462c9a9ad4a19357e82fa13cfb91d5d511b07c95d1f82b51eee14347";
/// The same list with the line of a link put in by hand.
const WITH_LINK: &str = "modgate1:24db7467ce07326331a89ffe2f9afab7665437b737853105a757e3603b32cde7";

fn plain() -> FolderHash {
    let mut folder = FolderHash::new();
    // Not in the order of the list.
    folder.file("z é.txt", "hé".as_bytes()).unwrap();
    folder.file("hooks/register.js", b"export function register() {}").unwrap();
    folder.file("Z.md", b"x").unwrap();
    folder.file("hooks/hooks.json", br#"{ "modules": ["./register.js"] }"#).unwrap();
    folder
}

#[test]
fn equals_what_coreutils_give() {
    assert_eq!(plain().finish().to_string(), PLAIN);
    let mut folder = plain();
    folder.link("a-link", b"hooks/register.js").unwrap();
    assert_eq!(folder.finish().to_string(), WITH_LINK);
}

#[test]
fn no_files_is_the_hash_of_nothing() {
    let empty = "modgate1:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(FolderHash::new().finish().to_string(), empty);
}

#[test]
fn reading_piece_by_piece_gives_the_same() {
    let content = vec![7; 200_000];
    let mut at_once = FolderHash::new();
    at_once.file("a", &content).unwrap();
    let mut in_pieces = FolderHash::new();
    assert_eq!(in_pieces.file_from("a", content.as_slice()).unwrap(), 200_000);
    assert_eq!(at_once.finish(), in_pieces.finish());
}

#[test]
fn any_change_changes_it() {
    let of = |files: &[(&str, &str)]| content_hash(files.iter().copied()).unwrap();
    let all = [
        of(&[("a", "1")]),
        of(&[("a", "2")]),
        of(&[("b", "1")]),
        of(&[("a", "1"), ("b", "")]),
        of(&[("a", ""), ("b", "1")]),
        of(&[("a/b", "1")]),
    ];
    for (index, hash) in all.iter().enumerate() {
        assert!(!all[..index].contains(hash), "{index}");
    }
    let mut link = FolderHash::new();
    link.link("a", b"1").unwrap();
    assert_ne!(link.finish(), all[0], "a link is not a file with its target in it");
}

#[test]
fn leftovers_do_not_count() {
    let mut folder = plain();
    for path in [
        ".git/HEAD",
        "sub/.git",
        ".hg/x",
        ".svn/a",
        ".jj/b",
        ".DS_Store",
        "hooks/Thumbs.db",
        "register.js~",
        "hooks/.register.js.swp",
        ".a.swo",
        "#register.js#",
    ] {
        assert!(!is_pinned(path), "{path}");
        folder.file(path, b"x").unwrap();
    }
    assert_eq!(folder.finish().to_string(), PLAIN);
}

#[test]
fn whatever_can_be_loaded_counts() {
    for path in [
        ".gitignore",
        ".github/x.yml",
        ".mcp.json",
        ".vscode/a.ts",
        ".idea/b.js",
        "node_modules/c/index.js",
        ".#a.ts",
        ".swp.ts",
        "swp",
        "~",
        "#",
        "a.swp.mjs",
        ".env",
        ".swp",
    ] {
        assert!(is_pinned(path), "{path}");
    }
}

#[test]
fn no_leftover_has_the_suffix_of_a_module() {
    for suffix in ["ts", "tsx", "jsx", "js", "mjs", "cjs", "mts", "cts", "json", "md"] {
        for name in ["a", "~", "#a", ".a.swp", ".DS_Store", ".#a", "a~"] {
            assert!(is_pinned(&format!("{name}.{suffix}")), "{name}.{suffix}");
        }
    }
}

#[test]
fn refuses_paths_that_could_pass_for_others() {
    let mut folder = FolderHash::new();
    for path in ["a\nb", "a\rb", "a\\b", "a\0b"] {
        assert_eq!(folder.file(path, b""), Err(BadPath::Character(path.into())));
    }
    for path in ["", "/a", "a/", "a//b", "./a", "a/../b", ".."] {
        assert_eq!(folder.file(path, b""), Err(BadPath::Outside(path.into())));
    }
    folder.file("a", b"").unwrap();
    assert_eq!(folder.link("a", b""), Err(BadPath::Twice("a".into())));
    let error = folder.file_from("../a", &b""[..]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
}

#[test]
fn text_form_round_trips() {
    let hash = plain().finish();
    assert_eq!(PLAIN.parse(), Ok(hash));
    for bad in
        ["", "modgate1:", &PLAIN[1..], &PLAIN[..PLAIN.len() - 1], &PLAIN.to_uppercase(), &PLAIN.replace("ed15", "eg15")]
    {
        assert_eq!(bad.parse::<ContentHash>(), Err(BadHash(bad.to_owned())));
    }
}
