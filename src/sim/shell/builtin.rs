//! Commands that change the shell itself.

use std::io;
use std::time::Duration;

use super::lexer::is_name;
use super::run::Shell;
use super::streams::Streams;
use crate::sim::command;

/// Longest `sleep`.
const MAX_SLEEP: f64 = 86_400.0;

impl Shell<'_, '_> {
    /// Runs `words` if they are a builtin; false when they are not.
    pub(super) async fn builtin(&mut self, words: &[String], streams: &Streams) -> io::Result<bool> {
        let Some((name, args)) = words.split_first() else { return Ok(true) };
        let first = args.first().map_or("", String::as_str);
        match name.as_str() {
            "exit" => {
                self.status = first.parse().unwrap_or(self.status);
                self.left = true;
            }
            "exec" | "command" | "eval" if !args.is_empty() => {
                return self.indirect(name, args, streams).await;
            }
            "exec" | "set" | "umask" | "trap" | "wait" => self.status = 0,
            "export" | "unset" | "local" | "readonly" => {
                self.status = 0;
                let unset = name == "unset";
                for arg in args {
                    let (name, value) = arg.split_once('=').unwrap_or((arg, ""));
                    if name.chars().all(is_name) {
                        if unset {
                            self.variables.remove(name);
                        } else if arg.contains('=') {
                            self.variables.insert(name.to_owned(), value.to_owned());
                        }
                    }
                }
            }
            "env" | "printenv" if args.is_empty() => {
                let lines: String = self.variables.iter().map(|(k, v)| format!("{k}={v}\n")).collect();
                self.status = 0;
                self.emit(&streams.out, lines.as_bytes()).await?;
            }
            "cd" => {
                let to = if first.is_empty() { "/" } else { first };
                let path = command::absolute(self.variables.get("PWD").map_or("/", String::as_str), to);
                let listed = self.device.files().list(&path).map(|_| ());
                self.status = i32::from(listed.is_err());
                match listed {
                    Ok(()) => drop(self.variables.insert("PWD".to_owned(), path)),
                    Err(error) => {
                        let text = format!("/system/bin/sh: cd: {to}: {error}\n");
                        self.emit(&streams.err, text.as_bytes()).await?;
                    }
                }
            }
            "sleep" => {
                let unit = match first.chars().last() {
                    Some('m') => 60.0,
                    Some('h') => 3_600.0,
                    _ => 1.0,
                };
                let count = first.trim_end_matches(['s', 'm', 'h']).parse::<f64>();
                match count.ok().map(|count| count * unit).filter(|time| (0.0..=MAX_SLEEP).contains(time)) {
                    Some(time) => {
                        self.status = 0;
                        self.console.sleep(Duration::from_secs_f64(time)).await?;
                    }
                    None => {
                        self.status = 1;
                        let text = format!("sleep: not a number '{first}' (see \"sleep --help\")\n");
                        self.emit(&streams.err, text.as_bytes()).await?;
                    }
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `exec`, `command` and `eval`, which run the rest of their words.
    async fn indirect(&mut self, name: &str, args: &[String], streams: &Streams) -> io::Result<bool> {
        if name == "command" && matches!(args.first().map(String::as_str), Some("-v" | "-V")) {
            let wanted = args.get(1).map_or("", String::as_str);
            let found = command::is_known(wanted);
            self.status = i32::from(!found);
            if found {
                let text = format!("/system/bin/{wanted}\n");
                self.emit(&streams.out, text.as_bytes()).await?;
            }
            return Ok(true);
        }
        let args = args.to_vec();
        if name == "eval" {
            let script = args.join(" ");
            let output = self.output_of(&script).await?;
            let text = if output.is_empty() { output } else { format!("{output}\n") };
            self.emit(&streams.out, text.as_bytes()).await?;
            return Ok(true);
        }
        // A boxed future: this is how a command can lead back to a command.
        Box::pin(self.run_words(args, streams)).await?;
        if name == "exec" {
            self.left = true;
        }
        Ok(true)
    }
}
