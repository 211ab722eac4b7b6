//! `monkey`, as far as it is used to start an app from its launcher icon.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[light("monkey", monkey)];

const NOTHING_TO_START: i32 = 252;

/// `monkey -p PACKAGE [-c CATEGORY] 1`.
fn monkey(call: &mut Call) -> i32 {
    let package = call.option("-p").unwrap_or_default().to_owned();
    let count = call.words.last().cloned().unwrap_or_default();
    if count != "1" {
        // More events would be random ones, which nothing here asks for.
        call.unknown();
        call.complain("Error: only one event is simulated");
        return 1;
    }
    let outcome = {
        let mut phone = call.device.phone();
        let launcher = phone.launcher_of(&package).filter(|_| !call.device.is_hidden(&package));
        launcher.and_then(|component| phone.launch(&component).ok())
    };
    if outcome.is_none() {
        call.line("** No activities found to run, monkey aborted.");
        return NOTHING_TO_START;
    }
    call.line("Events injected: 1");
    call.line("## Network stats: elapsed time=20ms (0ms mobile, 0ms wifi, 20ms not connected)");
    0
}
