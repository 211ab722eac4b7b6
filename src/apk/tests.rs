//! Packages, sound and broken.

use proptest::prelude::*;

use super::{Apk, ApkFault, read};
use droidmux_testutils::apk_writer::{LABEL, Value, apk, archive, element, launcher, manifest, table, xml};

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn what_a_manifest_declares_is_read() {
    let application = element("application")
        .with("label", Value::Resource(LABEL))
        .child(element("activity").text("name", "other.place.Second"))
        .child(launcher(".Main"))
        .child(element("activity-alias").text("name", "Alias"))
        .child(
            element("service")
                .text("name", ".Keys")
                .text("permission", "android.permission.BIND_INPUT_METHOD")
                .hearing("android.view.InputMethod", ""),
        )
        .child(element("service").text("name", ".Plain"))
        .child(
            element("service")
                .text("name", ".Watch")
                .hearing("android.accessibilityservice.AccessibilityService", ""),
        );
    let bytes = apk(&manifest("org.example.app", 7, application), Some("Beispiel é"));
    let expected = Apk {
        package: "org.example.app".into(),
        label: "Beispiel é".into(),
        version_name: "7.0".into(),
        version_code: 7,
        min_sdk: 21,
        target_sdk: 33,
        activities: names(&["other.place.Second", "org.example.app.Main", "org.example.app.Alias"]),
        launcher: Some("org.example.app.Main".into()),
        permissions: names(&["android.permission.CAMERA", "android.permission.INTERNET"]),
        signed: true,
        input_methods: names(&["org.example.app.Keys"]),
        accessibility: names(&["org.example.app.Watch"]),
        ..Apk::default()
    };
    assert_eq!(read(&bytes), Ok(expected));
}

#[test]
fn labels_are_found_and_made_harmless() {
    let of = |label: Option<Value>, text: Option<&str>| {
        let application = element("application");
        let application = match label {
            Some(label) => application.with("label", label),
            None => application,
        };
        read(&apk(&manifest("org.a", 1, application), text)).map(|apk| apk.label)
    };
    let text = |text: &str| Some(Value::Text(text.to_owned()));
    for (label, table, expected) in [
        (text("Plain"), None, "Plain".to_owned()),
        (text("two\n\u{1b}[31mlines "), None, "two  [31mlines".to_owned()),
        (text(&"x".repeat(3_000)), None, "x".repeat(100)),
        (text(" \u{7} "), None, "org.a".to_owned()),
        (None, Some("unused"), "org.a".to_owned()),
        (Some(Value::Resource(LABEL)), Some("Named"), "Named".to_owned()),
        (Some(Value::Resource(LABEL)), None, "org.a".to_owned()),
        (Some(Value::Resource(LABEL + 9)), Some("Named"), "org.a".to_owned()),
        (Some(Value::Resource(0x0102_0003)), Some("Named"), "org.a".to_owned()),
    ] {
        assert_eq!(of(label.clone(), table), Ok(expected), "{label:?} {table:?}");
    }
}

#[test]
fn what_is_no_package_is_refused_with_the_reason() {
    let named = |package: &str| apk(&manifest(package, 1, element("application")), None);
    let deep = |depth: usize| (0..depth).fold(element("a"), |inner, _| element("a").child(inner));
    let with_class = |class: &str| {
        let application = element("application").child(element("activity").text("name", class));
        apk(&manifest("org.a", 1, application), None)
    };
    for (bytes, expected) in [
        (b"".to_vec(), "NOT_APK"),
        (b"PK\x03\x04xxxx".to_vec(), "NOT_APK"),
        (b"#!/bin/sh".to_vec(), "NOT_APK"),
        (archive(&[("classes.dex", Vec::new())]), "BAD_MANIFEST"),
        (archive(&[("AndroidManifest.xml", b"<manifest/>".to_vec())]), "MANIFEST_MALFORMED"),
        (archive(&[("AndroidManifest.xml", xml(&element("other")))]), "MANIFEST_MALFORMED"),
        (archive(&[("AndroidManifest.xml", vec![0; 5 << 20])]), "too long"),
        (archive(&[("AndroidManifest.xml", xml(&deep(100)))]), "too deep"),
        (named("noparts"), "BAD_PACKAGE_NAME"),
        (named("org.1a"), "BAD_PACKAGE_NAME"),
        (named("org.a/../../b"), "BAD_PACKAGE_NAME"),
        (named(&format!("org.{}", "a".repeat(300))), "BAD_PACKAGE_NAME"),
        (with_class("a b"), "MANIFEST_MALFORMED"),
    ] {
        let said = read(&bytes).map_err(|fault| fault.to_string());
        assert!(said.as_ref().is_err_and(|said| said.contains(expected)), "{expected}: {said:?}");
    }
    assert!(matches!(read(&named("org.a")), Ok(Apk { .. })));
}

#[test]
fn references_that_go_in_circles_end() {
    // The entry refers to itself when the table is made to believe that its second is its first.
    let mut bytes = table("x");
    let needle = (LABEL + 1).to_le_bytes();
    while let Some(at) = bytes.windows(4).position(|four| four == needle) {
        bytes[at..at + 4].copy_from_slice(&LABEL.to_le_bytes());
    }
    assert_eq!(super::resources::text(&bytes, LABEL), None);
}

proptest! {
    /// Sound files with a few faults in them are either read or refused; nothing else happens.
    #[test]
    fn broken_files_never_panic(faults in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let application = element("application").with("label", Value::Resource(LABEL)).child(launcher(".Main"));
        let manifest = manifest("org.example.app", 7, application);
        let damaged = |mut bytes: Vec<u8>| {
            for (at, byte) in &faults {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            bytes
        };
        let _ = read(&damaged(apk(&manifest, Some("Label"))));
        let parts = [("AndroidManifest.xml", damaged(xml(&manifest))), ("resources.arsc", damaged(table("Label")))];
        if let Err(fault) = read(&archive(&parts)) {
            prop_assert!(!matches!(fault, ApkFault::NotApk(_)), "{fault}");
        }
    }
}
