//! Texts on simulated phones, in each of the possible ways, and the user's keyboard afterwards.

use std::path::Path;
use std::time::Duration;

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Device, DeviceErrorKind, Equipment, Gesture, Patience};
use droidmux::record::DumpChoice;
use droidmux::sim::{SimLab, SimOptions};

use crate::device::{fresh, widget};
use crate::trial_app::app;

const LATIN: &str = "com.android.inputmethod.latin/.LatinIME";
const ADB_KEYBOARD: &str = "com.android.adbkeyboard/.AdbIME";

fn patience() -> Patience {
    Patience::of(Duration::from_secs(30))
}

async fn lab(adb_keyboard: bool) -> SimLab {
    let options = SimOptions { adb_keyboard, apps: vec![app()], strict: true, ..SimOptions::default() };
    SimLab::start(options).await.expect("a simulated lab")
}

fn device(lab: &SimLab) -> AdbDevice {
    AdbDevice::new(Server::at(lab.server_addr()), "sim-1")
}

/// A file that the simulated phone accepts as the agent's jar.
fn jar(folder: &Path) -> Equipment {
    let jar = folder.join("u2.jar");
    std::fs::write(&jar, b"PK\x03\x04 no classes").expect("a jar");
    Equipment { agent: Some(jar), dumps: DumpChoice::Agent, pictures: false }
}

/// The current keyboard, and those that may be chosen.
fn keyboards(lab: &SimLab) -> [Option<String>; 2] {
    let phone = lab.device("sim-1").expect("a device");
    ["default_input_method", "enabled_input_methods"]
        .map(|key| phone.with_phone(|phone| phone.setting("secure", key).map(str::to_owned)))
}

/// Replaces a text by another and returns what the app then has, and what the dump shows of it.
async fn typed(device: &AdbDevice, text: &str) -> Result<String, DeviceErrorKind> {
    let main = fresh(device).await;
    let at = widget(&main, "name").bounds().center();
    device.perform(&Gesture::Type(at, "before".into()), &patience()).await.expect("plain text");
    device.layout(10, &patience()).await.expect("a layout");
    device.perform(&Gesture::Type(at, text.into()), &patience()).await.map_err(|error| error.kind)?;
    let layout = device.layout(10, &patience()).await.expect("a layout").layout;
    Ok(widget(&layout, "echo").text().to_owned())
}

/// As dumps print them: two dots for a character of two units, one for half a pair.
fn as_dumped(text: &str) -> String {
    let units = |char: char| droidmux::gui::units_of_text(char.encode_utf8(&mut [0; 4])).len();
    let dots = |char: char| if char.len_utf16() == 2 { ".".repeat(units(char)) } else { char.to_string() };
    format!("[{}]", text.chars().map(dots).collect::<String>())
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_by_every_way() {
    // The text, and whether `input`, the agent and ADBKeyBoard can type it.
    let cases = [
        ("plain 100% %s", [true, true, true]),
        ("naïve café", [false, true, true]),
        ("日本語 שלום عربى", [false, true, true]),
        ("e\u{301} a\u{200b}b \u{202e}x", [false, true, true]),
        ("😀👩‍👩‍👧 ok", [false, true, true]),
        ("half \u{10d83d}", [false, true, false]),
        ("\u{10de00}\u{10d83d}", [false, true, false]),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (way, name) in ["input", "agent", "ADBKeyBoard"].into_iter().enumerate() {
        let lab = lab(way == 2).await;
        let device = device(&lab);
        device.prepare(&patience()).await.expect("prepared");
        if way == 1 {
            device.equip(&jar(folder.path()), &patience()).await.expect("equipped");
        }
        for (text, ways) in cases {
            let got = typed(&device, text).await;
            match ways[way] {
                true => assert_eq!(got.as_deref(), Ok(as_dumped(text).as_str()), "{text:?} by {name}"),
                false => {
                    assert!(matches!(got, Err(DeviceErrorKind::Untypable(_))), "{text:?} by {name}: {got:?}")
                }
            }
        }
        let long = "é😀".repeat(2_000);
        if way > 0 {
            assert_eq!(typed(&device, &long).await, Ok(as_dumped(&long)), "a long text by {name}");
        }
        device.restore(&patience()).await.expect("restored");
        let [chosen, enabled] = keyboards(&lab);
        assert_eq!((chosen.as_deref(), enabled.as_deref()), (Some(LATIN), Some(LATIN)), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_users_keyboard_comes_back_after_a_dead_session() {
    let lab = lab(true).await;
    let before = keyboards(&lab);
    let dying = device(&lab);
    dying.prepare(&patience()).await.expect("prepared");
    assert_eq!(typed(&dying, "é").await, Ok("[é]".into()));
    assert_eq!(keyboards(&lab)[0].as_deref(), Some(ADB_KEYBOARD));
    assert!(dying.remarks().join("\n").contains("ADBKeyBoard"));
    // It dies here. The next one uses the keyboard, too, and gives back what was before both.
    let next = device(&lab);
    next.prepare(&patience()).await.expect("prepared");
    assert_eq!(typed(&next, "ü").await, Ok("[ü]".into()));
    next.restore(&patience()).await.expect("restored");
    assert_eq!(keyboards(&lab), before);
    // A third one on the same connection selects it again.
    next.prepare(&patience()).await.expect("prepared");
    assert_eq!(typed(&next, "ß").await, Ok("[ß]".into()));
    // One that only restores, as after a crash at the very end.
    device(&lab).restore(&patience()).await.expect("restored");
    assert_eq!(keyboards(&lab), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_who_types_with_adb_keyboard_keeps_it() {
    let lab = lab(true).await;
    let device = device(&lab);
    let set = format!("ime enable {ADB_KEYBOARD} && ime set {ADB_KEYBOARD}");
    device.shell(&set, &patience()).await.expect("set");
    let before = keyboards(&lab);
    device.prepare(&patience()).await.expect("prepared");
    assert_eq!(typed(&device, "é").await, Ok("[é]".into()));
    device.restore(&patience()).await.expect("restored");
    assert_eq!(keyboards(&lab), before);
}
