//! `log`: a line for the log.

use super::{Call, Command, light};
use crate::phone::Buffer;

pub(super) const COMMANDS: &[Command] = &[light("log", log)];

/// Longest message; a phone's log takes about as much.
const MAX_MESSAGE: usize = 4_068;

/// `log [-p LEVEL] [-t TAG] MESSAGE…`.
fn log(call: &mut Call) -> i32 {
    let mut level = 'I';
    let mut tag = "log".to_owned();
    let words = call.args(1);
    let mut words = words.iter();
    let mut message: Vec<&str> = Vec::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-p" if message.is_empty() => {
                let named = words.next().map_or("", String::as_str).to_ascii_uppercase();
                match named.chars().next().filter(|level| "VDIWEFS".contains(*level) && named.len() == 1) {
                    Some(known) => level = known,
                    None => {
                        call.complain(&format!("log: bad -p '{named}'"));
                        return 1;
                    }
                }
            }
            "-t" if message.is_empty() => tag = words.next().cloned().unwrap_or_default(),
            option if message.is_empty() && option.len() > 1 && option.starts_with('-') => {
                let text =
                    format!("log: Unknown option '{}' (see \"log --help\")", option.trim_start_matches('-'));
                call.unknown();
                call.complain(&text);
                return 1;
            }
            word => message.push(word),
        }
    }
    if message.is_empty() {
        call.complain("log: Needs 1 argument (see \"log --help\")");
        return 1;
    }
    let text: String = message.join(" ").chars().take(MAX_MESSAGE).collect();
    call.device.phone().write_log(Buffer::Main, level, &tag, &text);
    0
}
