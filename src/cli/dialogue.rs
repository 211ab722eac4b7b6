//! Questions on standard error, answers as lines on standard input, from a person or a script.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal};

use color_eyre::eyre::Report;
use tokio::sync::mpsc;

use super::Usage;
use droidmux_words::printable;

/// The longest line that is read, in bytes.
const LONGEST: usize = 64 << 10;

pub(super) struct Dialogue {
    lines: mpsc::Receiver<io::Result<String>>,
    at_terminal: bool,
}

/// The message when nobody answers any more.
const ENDED: &str = "the input ended before all was answered; nothing was written";

impl Dialogue {
    /// Reads standard input from now on, on a separate thread: it may wait for ever.
    pub fn start() -> Self {
        let (sender, lines) = mpsc::channel(16);
        std::thread::spawn(move || {
            for line in io::stdin().lock().lines() {
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        Self { lines, at_terminal: io::stdin().is_terminal() }
    }

    /// The next line.
    ///
    /// # Errors
    ///
    /// `Usage` at the end of the input: nobody is there to answer.
    pub async fn ask(&mut self, question: &str) -> Result<String, Report> {
        eprint!("{question} ");
        match self.lines.recv().await {
            Some(Ok(line)) if line.len() <= LONGEST => {
                let answer = line.trim().to_owned();
                if !self.at_terminal {
                    // A script's answers are echoed as if they were typed.
                    eprintln!("{}", printable(&answer));
                }
                Ok(answer)
            }
            Some(Ok(_)) => Err(Usage::new("a line of the input is too long").into()),
            Some(Err(error)) => Err(error.into()),
            None => {
                eprintln!();
                Err(Usage::new(ENDED).into())
            }
        }
    }

    /// Like [`Dialogue::ask`], with a default answer for an empty line.
    pub async fn ask_or(&mut self, question: &str, default: &str) -> Result<String, Report> {
        let answer = match default {
            "" => self.ask(question).await?,
            default => self.ask(&format!("{question} [{default}]")).await?,
        };
        Ok(if answer.is_empty() { default.to_owned() } else { answer })
    }

    /// Asks until the answer can be read; `option` answers it without a question, and the error names it when nobody
    /// answers.
    pub async fn ask_until<T, E: Display>(
        &mut self,
        question: &str,
        default: &str,
        option: &str,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, Report> {
        loop {
            let answer = self.ask_or(question, default).await;
            let answer = answer.map_err(|error| match option {
                "" => error,
                option if error.is::<Usage>() => {
                    Usage::new(error.to_string()).hint(format!("give {option}, to be asked less")).into()
                }
                _ => error,
            })?;
            match read(&answer) {
                Ok(answer) => return Ok(answer),
                // A script gives the same answer only once: the next line is a new one.
                Err(error) => self.say(&printable(&error.to_string())),
            }
        }
    }

    pub fn say(&self, text: &str) {
        eprintln!("{text}");
    }
}
