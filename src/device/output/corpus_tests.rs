//! The parsers on output of real devices.

use std::path::{Path, PathBuf};

use super::signals::read_log;
use super::{read_focus, read_keyboard, read_locked, read_package, read_rotation};
use crate::{DialogKind, system_dialog};
use droidmux_gui::read_dump;

/// The folder of real data, if it is available.
fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("DROIDMUX_CORPUS").map_or_else(beside, PathBuf::from);
    let found = folder.join("android-output").is_dir();
    if !found {
        println!("skipped: no corpus");
    }
    found.then_some(folder)
}

fn text(folder: &Path, name: &str) -> String {
    let bytes = std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// File, number of signals, and process and beginning of the headline of the first.
///
/// Three of the files hold no crash: an exception that was caught and printed, an error of a web
/// view's script, and stacks without a log around them.
const STACKS: [(&str, usize, &str, &str); 30] = [
    (
        "APhotoManager__crash_stack-116",
        1,
        "de.k3b.android.androFotoFinder",
        "java.lang.RuntimeException: Unable to start activity",
    ),
    (
        "AnkiDroid__crash_stack_11280",
        1,
        "com.ichi2.anki",
        "java.lang.RuntimeException: Failure delivering result",
    ),
    ("FirefoxLite__crash_stack_4881", 0, "", ""),
    (
        "FirefoxLite__crash_stack_4942",
        1,
        "org.mozilla.rocket.debug.ting",
        "java.lang.RuntimeException: Cannot create an instance",
    ),
    (
        "FirefoxLite__crash_stack_5085",
        1,
        "org.mozilla.rocket.debug.ting",
        "java.lang.NullPointerException: Attempt to invoke",
    ),
    (
        "Markor__crash_stack_1329",
        1,
        "net.gsantner.markor",
        "java.lang.NoClassDefFoundError: Failed resolution of",
    ),
    (
        "Markor__crash_stack_1698",
        1,
        "net.gsantner.markor_test",
        "java.lang.IllegalArgumentException: Receiver not registered",
    ),
    ("Markor__crash_stack_264", 0, "", ""),
    (
        "Omni-Notes__crash_stack-377",
        1,
        "it.feio.android.omninotes.foss",
        "java.lang.NumberFormatException: Invalid long",
    ),
    (
        "Omni-Notes__crash_stack-745",
        1,
        "it.feio.android.omninotes",
        "java.lang.NoSuchMethodError: No virtual method",
    ),
    (
        "Scarlet-Notes__crash_stack_114",
        1,
        "com.bijoysingh.quicknote",
        "java.lang.Exception: Invalid Search Mode",
    ),
    (
        "WordPress__crash_stack_10302",
        1,
        "org.wordpress.android",
        "java.lang.NullPointerException: Attempt to invoke",
    ),
    (
        "WordPress__crash_stack_10363",
        1,
        "org.wordpress.android",
        "java.lang.IllegalStateException: itemView.findViewById",
    ),
    (
        "WordPress__crash_stack_10547",
        1,
        "org.wordpress.android",
        "java.lang.RuntimeException: Unable to start activity",
    ),
    ("WordPress__crash_stack_10876", 0, "", ""),
    ("WordPress__crash_stack_11135", 1, "", "java.lang.IllegalStateException: siteStore.getSiteBySiteI"),
    (
        "WordPress__crash_stack_11992",
        1,
        "org.wordpress.android",
        "java.lang.NullPointerException: Attempt to invoke",
    ),
    (
        "WordPress__crash_stack_6530",
        1,
        "org.wordpress.android",
        "org.greenrobot.eventbus.EventBusException: Invoking",
    ),
    (
        "WordPress__crash_stack_7182",
        1,
        "org.wordpress.android",
        "org.greenrobot.eventbus.EventBusException: Invoking",
    ),
    (
        "WordPress__crash_stack_8659",
        1,
        "org.wordpress.android",
        "java.lang.IllegalStateException: Two different ViewHolders",
    ),
    (
        "and-bible__crash_stack_261",
        1,
        "net.bible.android.activity",
        "java.lang.StackOverflowError: stack size 1038KB",
    ),
    (
        "and-bible__crash_stack_375",
        1,
        "net.bible.android.activity",
        "kotlin.TypeCastException: null cannot be cast",
    ),
    ("and-bible__crash_stack_480", 1, "net.bible.android.activity", "kotlin.KotlinNullPointerException"),
    (
        "and-bible__crash_stack_697",
        1,
        "net.bible.android.activity",
        "java.lang.RuntimeException: Unable to start activity",
    ),
    (
        "and-bible__crash_stack_703",
        1,
        "net.bible.android.activity",
        "java.lang.NullPointerException: Attempt to invoke",
    ),
    ("nextcloud__crash_stack_1918", 1, "com.nextcloud.client", "java.lang.ClassCastException: com.owncloud"),
    (
        "nextcloud__crash_stack_4026",
        1,
        "com.nextcloud.client",
        "java.lang.RuntimeException: Unable to start activity",
    ),
    (
        "nextcloud__crash_stack_4792",
        2,
        "com.nextcloud.client",
        "java.lang.NullPointerException: Attempt to invoke",
    ),
    (
        "nextcloud__crash_stack_5173",
        1,
        "com.nextcloud.client",
        "java.lang.NullPointerException: Attempt to invoke",
    ),
    ("openlauncher__crash_stack_67", 1, "", "java.lang.SecurityException: Not allowed to change"),
];

#[test]
fn thirty_stacks() {
    let Some(corpus) = corpus() else { return };
    for (name, count, process, headline) in STACKS {
        let signals = read_log(&text(&corpus, &format!("crash-stacks/{name}.txt"))).signals;
        assert_eq!(signals.len(), count, "{name}");
        let Some(first) = signals.first() else { continue };
        assert_eq!(first.signal.process, process, "{name}");
        assert!(first.signal.headline.starts_with(headline), "{name}: {}", first.signal.headline);
        let frames = first.signal.stack.iter().filter(|line| line.trim_start().starts_with("at ")).count();
        assert!(frames > 3, "{name}: {frames} frames");
    }
}

#[test]
fn a_log_of_three_crashes() {
    let Some(corpus) = corpus() else { return };
    let signals = read_log(&text(&corpus, "android-output/logcat_crash_the-pig-farmer.txt")).signals;
    let found: Vec<_> = signals.iter().map(|s| (s.time.as_str(), s.pid, s.signal.process.as_str())).collect();
    let process = "com.example.smartswine";
    let expected = [
        ("05-17 21:04:34.655", Some(9089), process),
        ("05-17 21:07:24.266", Some(24930), process),
        ("05-18 12:00:18.376", Some(29967), process),
    ];
    assert_eq!(found, expected);
    assert!(
        signals
            .iter()
            .all(|s| s.signal.headline.starts_with("java.lang.OutOfMemoryError: Failed to allocate"))
    );
}

#[test]
fn focus_of_real_phones() {
    let Some(corpus) = corpus() else { return };
    let activities = text(&corpus, "android-output/dumpsys_activity_activities_mtk.txt");
    // Locked: the notification shade is in front of the camera app.
    let page = read_focus(&activities).page();
    assert_eq!(page, Some(("com.android.systemui".into(), "NotificationShade".into())));
    assert_eq!(read_rotation(&activities), Some(0));
    assert!(read_locked(&activities));
    // Without the window manager's part, the resumed activity counts.
    let (activities, _) = activities.split_once("mCurrentFocus").expect("both parts");
    let page = read_focus(activities).page();
    assert_eq!(page, Some(("com.mediatek.camera".into(), "com.mediatek.camera.CameraLauncher".into())));
    // Android 15 no longer mentions the focus there: it must not be guessed.
    let windows = text(&corpus, "android-output/dumpsys_window_windows_vivo.txt");
    assert_eq!(read_focus(&windows).page(), None);
    assert_eq!(read_rotation(&windows), Some(0));
    assert!(!read_keyboard(&windows));
}

#[test]
fn a_missing_package() {
    let Some(corpus) = corpus() else { return };
    let missing = text(&corpus, "android-output/dumpsys_package_missing.txt");
    assert_eq!(read_package(&missing, "com.funnyenglish.app"), None);
}

#[test]
fn dialogs_of_real_phones() {
    let Some(corpus) = corpus() else { return };
    let hangs = Some((DialogKind::NotResponding, "Process system isn't responding", "Wait"));
    let cases = [
        ("dump_cryptoloot_dialog", hangs),
        ("dump_quietlog", hangs),
        ("dump_chaosmonkey", None),
        ("dump_clockweather", None),
        ("dump_cryptoloot_systemui", None),
        ("dump_systemalert", None),
    ];
    for (name, expected) in cases {
        let bytes = std::fs::read(corpus.join(format!("android-output/{name}.xml"))).expect(name);
        let layout = read_dump(&bytes).expect(name).layout;
        let dialog = system_dialog(&layout);
        let button = |id| layout.get(id).map_or("?", |w| w.text());
        let got = dialog.as_ref().map(|d| (d.kind, d.message.as_str(), button(d.go_on)));
        assert_eq!(got, expected, "{name}");
    }
}
