//! `uiautomator dump`: errors go to the error output and the exit code stays 0.

use bytes::Bytes;

use super::{Call, Command, light};
use crate::sim::agent::REGISTERED;
use crate::sim::fault::Fault;
use crate::sim::text::cut;

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

fn dump(call: &mut Call) -> i32 {
    if call.device.has_agent() {
        call.complain(REGISTERED.trim_end());
        return 1;
    }
    let target = call.words.iter().skip(2).find(|word| !word.starts_with("--")).cloned();
    let target = target.unwrap_or_else(|| DEFAULT_PATH.to_owned());
    let fault = call.device.strike(|fault| {
        matches!(
            fault,
            Fault::DumpNeverSettles
                | Fault::DumpWithoutFile
                | Fault::DumpNullRoot
                | Fault::DumpNoIdle
                | Fault::DumpKilled
                | Fault::DumpCut(_)
        )
    });
    match fault {
        Some(Fault::DumpKilled) => {
            call.complain("Killed");
            return 137;
        }
        Some(Fault::DumpNullRoot) => {
            call.complain("ERROR: null root node returned by UiTestAutomationBridge.");
            return 0;
        }
        Some(Fault::DumpNoIdle) => {
            call.complain("ERROR: could not get idle state.");
            return 0;
        }
        _ => {}
    }
    let dumped = call.device.phone().dumped();
    let xml = match dumped {
        Ok(xml) => xml,
        Err(fault) => {
            call.complain(&format!("ERROR: {fault}"));
            return 0;
        }
    };
    let xml = match fault {
        Some(Fault::DumpNeverSettles) => unsettled(&xml, call.device.next_number()),
        Some(Fault::DumpCut(at)) => Bytes::from(cut(&String::from_utf8_lossy(&xml), at).to_owned()),
        _ => xml,
    };
    if target == "/dev/tty" {
        call.write(&xml);
        call.line("UI hierchary dumped to: /dev/tty");
        return 0;
    }
    if fault != Some(Fault::DumpWithoutFile) {
        let path = call.path(&target);
        // The tool logs a failed write and prints its success line all the same.
        let _ = call.device.files().write(&path, xml, 0o660, false);
    }
    call.line(&format!("UI hierchary dumped to: {target}"));
    0
}

/// The dump with a root more, which is another one in every dump.
fn unsettled(xml: &[u8], number: u64) -> Bytes {
    let mut xml = String::from_utf8_lossy(xml).into_owned();
    if let Some(end) = xml.rfind("</hierarchy>") {
        let node = format!(
            "<node index=\"99\" text=\"{number}\" resource-id=\"\" class=\"android.widget.TextView\" package=\"\" \
             content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" \
             focusable=\"false\" focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" \
             selected=\"false\" bounds=\"[0,0][10,10]\" />"
        );
        xml.insert_str(end, &node);
    }
    xml.into()
}
