use std::sync::Arc;
use std::time::{Duration, SystemTime};

use modgate_harness::record::{By, Clock, GENESIS, Record, RecordError, digest, read, read_bytes};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::Place;

fn clock() -> Clock {
    Arc::new(|| SystemTime::UNIX_EPOCH + Duration::from_millis(1_500))
}

fn three(place: &Place) -> Vec<u8> {
    let mut record = Record::create(&place.record, clock()).unwrap();
    for n in 0..3 {
        record.append("ui/log", By::Mod("gauge".into()), json!({ "n": n })).unwrap();
    }
    drop(record);
    std::fs::read(&place.record).unwrap()
}

#[test]
fn a_row_is_one_line_with_the_hash_of_the_line_before() {
    let place = Place::new();
    let bytes = three(&place);
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    assert_eq!(lines.len(), 4, "three lines and nothing after the last break");
    let first: Value = serde_json::from_slice(lines[0]).unwrap();
    let expected = json!({
        "seq": 0, "time": "1970-01-01T00:00:01.500Z", "kind": "ui/log", "by": "mod:gauge", "prev": GENESIS,
        "data": { "n": 0 },
    });
    assert_eq!(first, expected);
    let second: Value = serde_json::from_slice(lines[1]).unwrap();
    assert_eq!(second["prev"], digest(lines[0]));
    assert_eq!(second["seq"], 1);
}

#[test]
fn the_digest_is_sha_256() {
    // The example of FIPS 180-4 for the text "abc".
    assert_eq!(digest(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#[test]
fn a_record_is_never_overwritten() {
    let place = Place::new();
    let before = three(&place);
    assert!(matches!(Record::create(&place.record, clock()), Err(RecordError::Exists { .. })));
    assert_eq!(std::fs::read(&place.record).unwrap(), before);
}

#[test]
fn one_writer_at_a_time() {
    let place = Place::new();
    let first = Record::create(&place.record, clock()).unwrap();
    assert!(matches!(Record::open(&place.record, clock()), Err(RecordError::Locked { .. })));
    drop(first);
    assert!(Record::open(&place.record, clock()).is_ok());
}

/// A process that is being started has such a copy until its program is loaded.
#[cfg(target_os = "linux")]
#[test]
fn a_copy_of_the_open_file_does_not_keep_the_lock() {
    use std::os::fd::BorrowedFd;
    let place = Place::new();
    let first = Record::create(&place.record, clock()).unwrap();
    let path = place.record.canonicalize().unwrap();
    let open = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
    let number = open
        .filter(|entry| std::fs::read_link(entry.path()).is_ok_and(|target| target == path))
        .find_map(|entry| entry.file_name().to_str()?.parse().ok())
        .unwrap();
    // SAFETY: the record has that file open until it is dropped, below.
    let copy = unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned().unwrap();
    drop(first);
    assert!(Record::open(&place.record, clock()).is_ok());
    drop(copy);
}

#[test]
fn a_torn_last_line_is_dropped_and_said_so() {
    let place = Place::new();
    let whole = three(&place);
    for torn in [&b"{"[..], b"\0\0\0", &whole[..whole.len() / 3 - 1]] {
        let mut bytes = whole.clone();
        bytes.extend_from_slice(torn);
        std::fs::write(&place.record, &bytes).unwrap();
        let loaded = read(&place.record).unwrap();
        assert_eq!(loaded.rows.len(), 3);
        assert_eq!(loaded.recovered.map(|recovered| recovered.dropped_bytes), Some(torn.len() as u64));
        assert_eq!(std::fs::read(&place.record).unwrap(), bytes, "reading changes nothing");
        let mut record = Record::open(&place.record, clock()).unwrap();
        assert_eq!(record.recovered().map(|recovered| recovered.dropped_bytes), Some(torn.len() as u64));
        record.append("ui/log", By::Harness, json!({})).unwrap();
        drop(record);
        assert_eq!(read(&place.record).unwrap().rows.len(), 4);
    }
}

#[test]
fn errors_name_the_line() {
    let place = Place::new();
    let text = String::from_utf8(three(&place)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let broken = |lines: &[&str]| read_bytes(format!("{}\n", lines.join("\n")).as_bytes()).unwrap_err();

    let error = broken(&[lines[0], "nonsense", lines[2]]);
    assert_eq!((error.code(), error.line()), ("record-malformed", Some(2)));
    let error = broken(&[lines[0], lines[2]]);
    assert_eq!((error.code(), error.line()), ("record-sequence", Some(2)));
    let changed = lines[0].replace("\"n\":0", "\"n\":7");
    let error = broken(&[&changed, lines[1], lines[2]]);
    assert_eq!((error.code(), error.line()), ("record-chain", Some(2)));
    let error = broken(&[lines[0], "", lines[1]]);
    assert_eq!((error.code(), error.line()), ("record-malformed", Some(2)));
}

#[test]
fn an_empty_file_is_a_record_without_rows() {
    let loaded = read_bytes(b"").unwrap();
    assert_eq!((loaded.rows.len(), loaded.head.as_str(), loaded.recovered), (0, GENESIS, None));
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("JSON has finite numbers", |n| n.is_finite()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn actor() -> impl Strategy<Value = By> {
    prop_oneof![
        Just(By::Harness),
        Just(By::Model),
        Just(By::Person),
        any::<String>().prop_map(By::Tool),
        any::<String>().prop_map(By::Mod),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_is_written_is_read(rows in prop::collection::vec((any::<String>(), actor(), json_value()), 0..6)) {
        let place = Place::new();
        let mut record = Record::create(&place.record, clock()).unwrap();
        for (kind, by, data) in rows {
            record.append(&kind, by, data).unwrap();
        }
        let written = record.rows().to_vec();
        drop(record);
        let loaded = read(&place.record).unwrap();
        prop_assert_eq!(loaded.rows, written);
        prop_assert_eq!(loaded.recovered, None);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), keep in any::<bool>()) {
        let place = Place::new();
        let mut all = if keep { three(&place) } else { Vec::new() };
        let whole = all.len();
        all.extend(&bytes);
        match read_bytes(&all) {
            // Rows cannot come out of nothing: only what has no line break is overlooked, and that is said.
            Ok(loaded) => {
                prop_assert!(!bytes.contains(&b'\n'));
                prop_assert_eq!(loaded.length, whole as u64);
                prop_assert_eq!(loaded.recovered.is_some(), !bytes.is_empty());
            }
            Err(error) => prop_assert!(error.line().is_some()),
        }
    }

    #[test]
    fn cut_anywhere_it_verifies_up_to_its_last_whole_line(at in any::<prop::sample::Index>()) {
        let place = Place::new();
        let bytes = three(&place);
        let at = at.index(bytes.len() + 1);
        let loaded = read_bytes(&bytes[..at]).unwrap();
        let whole = bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        let last = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        prop_assert_eq!(loaded.rows.len(), whole);
        prop_assert_eq!(loaded.recovered.map_or(0, |recovered| recovered.dropped_bytes), (at - last) as u64);
    }

    #[test]
    fn a_changed_byte_is_found(at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let place = Place::new();
        let mut bytes = three(&place);
        // The last line is vouched for by the row that will follow it.
        let covered = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap();
        let at = at.index(covered);
        prop_assume!(bytes[at] != to);
        bytes[at] = to;
        prop_assert!(read_bytes(&bytes).is_err());
    }
}
