//! `uiautomator dump`: errors go to the error output and the exit code stays 0.

use super::{Call, Command, light};
use crate::agent::REGISTERED;
use crate::mishap::Dumping;

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
