//! Signals: `trap` and `kill` on the shell itself.

use std::io;
use std::time::Duration;

use super::SHELL_PID;
use super::run::{Leave, Shell};
use super::streams::Streams;
use super::syntax::is_variable;

/// What `trap` can wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Signal {
    /// The end of the shell; 0.
    Exit,
    /// A command that failed.
    Error,
    /// A signal by its number.
    Number(u8),
}

/// Those a script may want to know.
const NAMES: [(&str, u8); 24] = [
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", 3),
    ("ILL", 4),
    ("TRAP", 5),
    ("ABRT", 6),
    ("BUS", 7),
    ("FPE", 8),
    ("KILL", 9),
    ("USR1", 10),
    ("SEGV", 11),
    ("USR2", 12),
    ("PIPE", 13),
    ("ALRM", 14),
    ("TERM", 15),
    ("CHLD", 17),
    ("CONT", 18),
    ("STOP", 19),
    ("TSTP", 20),
    ("TTIN", 21),
    ("TTOU", 22),
    ("URG", 23),
    ("WINCH", 28),
    ("IO", 29),
];
/// How long a shell whose peer is gone may take over its traps.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// These do not end a process.
const HARMLESS: [u8; 7] = [17, 18, 20, 21, 22, 23, 28];
const KILL: u8 = 9;
const STOP: u8 = 19;

impl Signal {
    pub(super) fn read(text: &str) -> Option<Signal> {
        let name = text.strip_prefix("SIG").unwrap_or(text);
        match name {
            "EXIT" | "0" => return Some(Signal::Exit),
            "ERR" => return Some(Signal::Error),
            _ => {}
        }
        let number = match NAMES.iter().find(|(known, _)| *known == name) {
            Some((_, number)) => *number,
            None => name.parse().ok()?,
        };
        NAMES.iter().any(|(_, known)| *known == number).then_some(Signal::Number(number))
    }

    fn name(self) -> &'static str {
        match self {
            Signal::Exit => "EXIT",
            Signal::Error => "ERR",
            Signal::Number(number) => {
                NAMES.iter().find(|(_, known)| *known == number).map_or("", |(name, _)| name)
            }
        }
    }
}

impl Shell<'_, '_> {
    /// `trap [ACTION] [SIGNAL…]`.
    pub(super) async fn trap(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        let args = args.strip_prefix(&["--".to_owned()]).unwrap_or(args);
        self.status = 0;
        let Some((action, signals)) = args.split_first() else {
            let mut lines = String::new();
            for (signal, action) in &self.state.traps {
                lines += &format!("trap -- {} {}\n", quoted(action), signal.name());
            }
            return self.emit(&streams.out, lines.as_bytes()).await;
        };
        if action.starts_with('-') && action.len() > 1 {
            return self.unsupported(streams, &format!("trap: {action}")).await;
        }
        // Without an action, all of them are signals to reset.
        let (action, signals) = match (signals.is_empty(), Signal::read(action)) {
            (true, Some(_)) => ("-", args),
            _ if action.parse::<u8>().is_ok() => ("-", args),
            _ => (action.as_str(), signals),
        };
        for name in signals {
            match Signal::read(name) {
                // As everywhere, these two cannot be caught.
                Some(Signal::Number(KILL | STOP)) => {}
                Some(signal) if action == "-" => drop(self.state.traps.remove(&signal)),
                Some(signal) => drop(self.state.traps.insert(signal, action.to_owned())),
                None if name == "DEBUG" || name == "RETURN" => {
                    return self.unsupported(streams, &format!("trap: {name}")).await;
                }
                None => self.complain(streams, &format!("trap: bad signal: {name}"), 1).await?,
            }
        }
        Ok(())
    }

    /// Runs the action for a signal; false when there is none.
    pub(super) async fn caught(&mut self, signal: Signal, streams: &Streams) -> io::Result<bool> {
        let Some(action) = self.state.traps.get(&signal).cloned() else { return Ok(false) };
        if action.is_empty() {
            return Ok(true);
        }
        let (status, left) = (self.status, self.left.take());
        // A failure within the action does not set it off again.
        let fails = signal == Signal::Error;
        if fails {
            self.state.traps.remove(&signal);
        }
        self.nested(&action, streams).await?;
        if fails {
            self.state.traps.entry(signal).or_insert(action);
        }
        if self.left.is_none() {
            (self.status, self.left) = (status, left);
        }
        Ok(true)
    }

    /// Runs the action for the end of the shell, once.
    pub(super) async fn at_exit(&mut self, streams: &Streams) -> io::Result<()> {
        if !self.state.traps.contains_key(&Signal::Exit) {
            return Ok(());
        }
        let action = self.state.traps.remove(&Signal::Exit).unwrap_or_default();
        self.left = None;
        let status = self.status;
        self.nested(&action, streams).await?;
        if self.left.is_none() {
            self.status = status;
        }
        self.left = Some(Leave::Exit);
        Ok(())
    }

    /// The peer is gone, which a shell learns from a signal: the action for it runs, with nobody
    /// there to see it.
    pub(super) async fn hang_up(&mut self) {
        const HANGUP: u8 = 1;
        let waits = |signal| self.state.traps.get(&signal).is_some_and(|action: &String| !action.is_empty());
        if !waits(Signal::Number(HANGUP)) && !waits(Signal::Exit) {
            return;
        }
        self.console.detach();
        (self.left, self.fault, self.status) = (None, None, 128 + i32::from(HANGUP));
        let streams = Streams::console();
        let last_words = async {
            self.caught(Signal::Number(HANGUP), &streams).await?;
            self.at_exit(&streams).await
        };
        // Whatever goes wrong now, there is nobody left to tell.
        let _ = tokio::time::timeout(LAST_WORDS, last_words).await;
    }

    /// `kill [-SIGNAL] PID` for the shell itself; false when it is about another process.
    pub(super) async fn kill(&mut self, args: &[String], streams: &Streams) -> io::Result<bool> {
        let own = SHELL_PID.to_string();
        // A resident agent has taken the place of the shell that started it.
        if args.last() != Some(&own) || self.device.has_agent() {
            return Ok(false);
        }
        let named = match args {
            [_] => "TERM",
            [flag, _] => flag.trim_start_matches('-'),
            [flag, name, _] if flag == "-s" => name,
            _ => "",
        };
        self.status = 0;
        match Signal::read(named) {
            Some(Signal::Exit) => {}
            Some(signal @ Signal::Number(number)) => {
                if !self.caught(signal, streams).await? && !HARMLESS.contains(&number) {
                    self.status = 128 + i32::from(number);
                    self.left = Some(Leave::Exit);
                    if matches!(number, KILL | STOP) {
                        self.state.traps.clear();
                    }
                }
            }
            _ => self.complain(streams, &format!("kill: bad signal '{named}'"), 1).await?,
        }
        Ok(true)
    }
}

/// A word as it can be typed again.
pub(super) fn quoted(text: &str) -> String {
    let plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | ':' | '+' | ',' | '%' | '@')
    };
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    if let Some((name, value)) = text.split_once('=')
        && is_variable(name)
    {
        return format!("{name}={}", if value.is_empty() { String::new() } else { quoted(value) });
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_names_and_numbers() {
        for (text, expected) in [
            ("EXIT", Some(Signal::Exit)),
            ("0", Some(Signal::Exit)),
            ("ERR", Some(Signal::Error)),
            ("SIGTERM", Some(Signal::Number(15))),
            ("2", Some(Signal::Number(2))),
            ("99", None),
            ("", None),
            ("term", None),
        ] {
            assert_eq!(Signal::read(text), expected, "{text}");
        }
    }
}
