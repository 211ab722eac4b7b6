//! A shell without a script: lines from a person at a terminal, or from a pipe.

use std::io;
use std::sync::Arc;

use super::console::{Console, Fd};
use super::leading::is_unfinished;
use super::run::{Leave, Shell};
use super::streams::Streams;
use crate::SimDevice;

/// Longest line kept.
const MAX_LINE: usize = 64 << 10;

/// Reads and runs lines until `exit`, the end of the input or ^D; gives the exit code.
///
/// At a terminal the line is echoed and edited here, as a phone's terminal driver does: backspace,
/// ^U, ^C and ^D.
///
/// # Errors
/// The peer is gone.
pub(crate) async fn interact(device: &Arc<SimDevice>, console: &mut Console<'_>) -> io::Result<i32> {
    let terminal = console.terminal;
    let prompt = format!("{}:/ $ ", device.identity()[2]);
    let mut shell = Shell::new(device, console);
    shell.begin().await?;
    let mut editor = Editor::default();
    let mut script = String::new();
    if terminal {
        shell.console.print(Fd::Out, prompt.as_bytes()).await?;
    }
    'typing: while let Some(bytes) = shell.console.read_some().await? {
        for (n, byte) in bytes.iter().copied().enumerate() {
            let (echo, typed) = editor.take(byte, terminal);
            if terminal {
                shell.console.print(Fd::Out, echo.as_bytes()).await?;
            }
            match typed {
                Typed::Nothing => continue,
                Typed::End => break 'typing,
                Typed::Line(line) => {
                    script.push_str(&line);
                    script.push('\n');
                }
            }
            let unfinished = script.len() < MAX_LINE && is_unfinished(&script);
            if !unfinished {
                // What follows is the input of commands that read.
                shell.console.unread(bytes.get(n + 1..).unwrap_or_default());
                shell.source(&script).await?;
                script.clear();
                match shell.left {
                    Some(Leave::Abort) if terminal => shell.left = None,
                    Some(_) => break 'typing,
                    None => {}
                }
            }
            if terminal {
                let prompt = if unfinished { "> " } else { &prompt };
                shell.console.print(Fd::Out, prompt.as_bytes()).await?;
            }
            if !unfinished {
                break;
            }
        }
    }
    // A last line without its end still counts.
    script.push_str(&String::from_utf8_lossy(&editor.line));
    if !script.is_empty() && shell.left.is_none() {
        shell.source(&script).await?;
    }
    shell.at_exit(&Streams::console()).await?;
    Ok(shell.status())
}

/// What a typed byte led to.
enum Typed {
    Nothing,
    Line(String),
    End,
}

#[derive(Default)]
struct Editor {
    line: Vec<u8>,
}

impl Editor {
    /// Takes a byte; gives what to echo and what it led to.
    fn take(&mut self, byte: u8, terminal: bool) -> (String, Typed) {
        const INTERRUPT: u8 = 3;
        const END: u8 = 4;
        const KILL: u8 = 21;
        match byte {
            b'\n' => (String::from("\n"), self.line()),
            b'\r' if terminal => (String::from("\n"), self.line()),
            INTERRUPT if terminal => {
                self.line.clear();
                (String::from("^C\n"), Typed::Line(String::new()))
            }
            END if terminal && self.line.is_empty() => (String::from("\n"), Typed::End),
            8 | 127 if terminal => {
                let known = self.line.pop().is_some();
                (String::from(if known { "\u{8} \u{8}" } else { "" }), Typed::Nothing)
            }
            KILL if terminal => {
                let echo = "\u{8} \u{8}".repeat(self.line.len());
                self.line.clear();
                (echo, Typed::Nothing)
            }
            _ if self.line.len() >= MAX_LINE => (String::new(), Typed::Nothing),
            _ => {
                self.line.push(byte);
                let echo = if byte.is_ascii_graphic() || byte == b' ' {
                    char::from(byte).to_string()
                } else {
                    String::new()
                };
                (echo, Typed::Nothing)
            }
        }
    }

    fn line(&mut self) -> Typed {
        let line = std::mem::take(&mut self.line);
        Typed::Line(String::from_utf8_lossy(&line).into_owned())
    }
}
