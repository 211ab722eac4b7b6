//! `uiautomator dump`: errors go to the error output and the exit code stays 0.

use super::{Call, Command, light};
use crate::agent::REGISTERED;
use crate::mishap::Dumping;
use crate::phone::{Display, Phone};

pub(super) const COMMANDS: &[Command] = &[light("uiautomator", uiautomator)];

const DEFAULT_PATH: &str = "/sdcard/window_dump.xml";

fn uiautomator(call: &mut Call) -> i32 {
    match call.arg(1) {
        "dump" => dump(call),
        "" | "help" => {
            call.complain("Usage: uiautomator <subcommand> [options]\n\nAvailable subcommands:\n\nhelp: displays help message\n\nruntest: executes UI automation tests\n\ndump: creates an XML dump of current UI hierarchy");
            0
        }
        other => {
            let text = format!("Unsupported subcommand: {other}");
            call.unknown();
            call.complain(&text);
            1
        }
    }
}

/// Android 11: `--windows`. Before, the option is taken for none.
const WITH_WINDOWS: u32 = 30;

/// A display that shows nothing of what the phone shows.
const EMPTY: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" package=\"com.android.launcher3\" content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" focusable=\"false\" focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" bounds=\"[0,0][640,240]\" /></hierarchy>";

/// The windows of all displays, after AOSP's `AccessibilityNodeInfoDumper.dumpWindowsToFile`; `xml` is what the phone
/// shows.
fn all_windows(phone: &Phone, xml: &[u8]) -> String {
    let shown = String::from_utf8_lossy(xml).into_owned();
    let tree = |xml: &str| xml.split_once("?>").map_or(xml, |(_, tree)| tree).to_owned();
    let display = |Display { id, .. }: Display| {
        let tree = if id == phone.stage() { tree(&shown) } else { tree(EMPTY) };
        format!(
            "<display id=\"{id}\"><window index=\"0\" title=\"\" bounds=\"[0,0][1080,1920]\" active=\"true\" focused=\"true\" \
             id=\"{id}\" layer=\"1\" type=\"TYPE_APPLICATION\">{tree}</window></display>"
        )
    };
    let displays: String = phone.displays().into_iter().map(display).collect();
    format!("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><displays>{displays}</displays>")
}

fn dump(call: &mut Call) -> i32 {
    if call.device.has_agent() {
        call.complain(REGISTERED.trim_end());
        return 1;
    }
    let target = call.words.iter().skip(2).find(|word| !word.starts_with("--")).cloned();
    let target = target.unwrap_or_else(|| DEFAULT_PATH.to_owned());
    let (xml, written) = match call.device.dump() {
        Dumping::Done { xml, written } => (xml, written),
        Dumping::Failed(fault) => {
            call.complain(&format!("ERROR: {fault}"));
            return 0;
        }
        Dumping::Killed => {
            call.complain("Killed");
            return 137;
        }
    };
    let (elsewhere, wide) = {
        let phone = call.device.phone();
        let knows = phone.options().sdk >= WITH_WINDOWS && call.has("--windows");
        (phone.stage() != 0, knows.then(|| all_windows(&phone, &xml)))
    };
    let xml = match wide {
        Some(all) => all.into(),
        None if elsewhere => EMPTY.into(),
        None => xml,
    };
    if target == "/dev/tty" {
        call.write(&xml);
        call.line("UI hierchary dumped to: /dev/tty");
        return 0;
    }
    if written {
        let path = call.path(&target);
        // The tool logs a failed write and prints its success line all the same.
        let _ = call.device.files().write(&path, xml, 0o660, false);
    }
    call.line(&format!("UI hierchary dumped to: {target}"));
    0
}
