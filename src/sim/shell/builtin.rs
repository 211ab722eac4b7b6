//! Commands that change the shell itself.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::arith::evaluate;
use super::run::{Leave, Shell};
use super::streams::Streams;
use crate::command;
use droidmux_sim_toolkit::platform::Meanwhile;

/// Longest `sleep`.
const MAX_SLEEP: f64 = 86_400.0;
/// From this on, a sleep is a wait for what the app does.
const WAIT: Duration = Duration::from_secs(1);
/// The builtins, as `command -v` knows them; `echo`, `test` and `pwd` are among the other commands.
pub(super) const NAMES: [&str; 37] = [
    ".", ":", "[", "break", "cd", "command", "continue", "echo", "eval", "exec", "exit", "export", "false",
    "hash", "kill", "let", "local", "pwd", "read", "readonly", "return", "set", "shift", "source", "test",
    "times", "trap", "true", "type", "typeset", "ulimit", "umask", "unset", "wait", "whence", "builtin",
    "jobs",
];

impl Shell<'_, '_> {
    /// Runs `words` if they are a builtin; false when they are not.
    pub(super) async fn builtin(&mut self, words: &[String], streams: &Streams) -> io::Result<bool> {
        let Some((name, args)) = words.split_first() else { return Ok(true) };
        match name.as_str() {
            "exit" | "return" => self.end(name, args, streams).await?,
            "break" | "continue" => self.loop_end(name, args, streams).await?,
            "set" => self.set(args, streams).await?,
            "shift" => {
                let count = args.first().map_or(Ok(1), |count| count.parse::<usize>()).unwrap_or(usize::MAX);
                self.status = 0;
                match self.state.arguments.get(count..) {
                    Some(rest) => self.state.arguments = Arc::new(rest.to_vec()),
                    None => self.fatal(streams, "shift: nothing to shift").await?,
                }
            }
            "trap" => self.trap(args, streams).await?,
            "kill" => return self.kill(args, streams).await,
            "wait" => self.status = self.waited(args),
            "umask" => {
                self.status = 0;
                match args {
                    [] => self.emit(&streams.out, b"0077\n").await?,
                    _ => self.unsupported(streams, "umask").await?,
                }
            }
            "hash" | "jobs" if args.is_empty() => self.status = 0,
            "export" | "readonly" | "local" | "unset" | "typeset" => {
                self.variables(name, args, streams).await?;
            }
            "read" => self.read(args, streams).await?,
            "let" => {
                self.status = 1;
                for arg in args {
                    match evaluate(arg, &mut self.state) {
                        Ok(number) => self.status = i32::from(number == 0),
                        Err(error) => return self.complain(streams, &error, 2).await.map(|()| true),
                    }
                }
            }
            "cd" => self.cd(args, streams).await?,
            "pwd" => {
                self.status = 0;
                let text = format!("{}\n", self.state.cwd());
                self.emit(&streams.out, text.as_bytes()).await?;
            }
            "sleep" => self.sleep(args, streams).await?,
            _ => return self.leading(name, args, streams).await,
        }
        Ok(true)
    }

    /// An error after which a script does not go on.
    pub(super) async fn fatal(&mut self, streams: &Streams, what: &str) -> io::Result<()> {
        self.left = Some(Leave::Abort);
        self.complain(streams, what, 1).await
    }

    /// What a phone's shell has and this one lacks: reported, noted, and the script does not go on.
    pub(super) async fn unsupported(&mut self, streams: &Streams, what: &str) -> io::Result<()> {
        self.device.note_unknown(&format!("sh: {what}"));
        self.fatal(streams, &format!("{what}: not supported")).await
    }

    /// `exit` and `return`, which outside of functions is the same.
    async fn end(&mut self, name: &str, args: &[String], streams: &Streams) -> io::Result<()> {
        if let Some(code) = args.first() {
            let Ok(code) = code.parse::<i32>() else {
                return self.fatal(streams, &format!("{name}: bad number: {code}")).await;
            };
            self.status = code & 0xff;
        }
        self.left = Some(if name == "exit" { Leave::Exit } else { Leave::Return });
        Ok(())
    }

    async fn loop_end(&mut self, name: &str, args: &[String], streams: &Streams) -> io::Result<()> {
        let loops = args.first().map_or(Ok(1), |loops| loops.parse::<u32>()).ok().filter(|loops| *loops > 0);
        let Some(loops) = loops else {
            return self.fatal(streams, &format!("{name}: bad number")).await;
        };
        self.status = 0;
        if self.state.loops == 0 {
            return self.complain(streams, &format!("{name}: can't {name}"), 0).await;
        }
        let loops = loops.min(self.state.loops);
        self.left = Some(if name == "break" { Leave::Break(loops) } else { Leave::Continue(loops) });
        Ok(())
    }

    /// The exit code of what ran in the background.
    fn waited(&self, args: &[String]) -> i32 {
        let Some(pid) = args.first() else { return 0 };
        let ended = self.ended.iter().rev().find(|(ended, _)| ended.to_string() == *pid);
        ended.map_or(127, |(_, status)| *status)
    }

    async fn cd(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        let first = args.first().map_or("", String::as_str);
        let to = match first {
            "" => self.state.get("HOME").unwrap_or("/").to_owned(),
            "-" => match self.state.get("OLDPWD") {
                Some(before) => before.to_owned(),
                None => return self.complain(streams, "cd: no OLDPWD", 2).await,
            },
            to => to.to_owned(),
        };
        let path = command::absolute(self.state.cwd(), &to);
        let listed = {
            let files = self.device.files();
            files.list(&path).map(|_| files.plain(&path))
        };
        match listed {
            Ok(path) => {
                self.status = 0;
                let before = self.state.cwd().to_owned();
                let set = self.state.set("OLDPWD", before).and_then(|()| self.state.set("PWD", path.clone()));
                if let Err(error) = set {
                    return self.complain(streams, &format!("cd: {error}"), 2).await;
                }
                if first == "-" {
                    self.emit(&streams.out, format!("{path}\n").as_bytes()).await?;
                }
                Ok(())
            }
            Err(error) => self.complain(streams, &format!("cd: {to}: {error}"), 2).await,
        }
    }

    /// `sleep TIME…`, times with units `s`, `m`, `h`, `d`. An app on a clock of its own goes through it at once.
    async fn sleep(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        let mut total = 0.0;
        for arg in args {
            let unit = match arg.chars().last() {
                Some('m') => 60.0,
                Some('h') => 3_600.0,
                Some('d') => 86_400.0,
                _ => 1.0,
            };
            let count = arg.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or(arg).parse::<f64>();
            total += count.map_or(f64::NAN, |count| count * unit);
        }
        if args.is_empty() {
            self.status = 1;
            return self.emit(&streams.err, b"sleep: Needs 1 argument (see \"sleep --help\")\n").await;
        }
        if !(0.0..=MAX_SLEEP).contains(&total) {
            self.status = 1;
            let text = format!("sleep: not a number '{}' (see \"sleep --help\")\n", args.join(" "));
            return self.emit(&streams.err, text.as_bytes()).await;
        }
        self.status = 0;
        let time = Duration::from_secs_f64(total);
        // Shorter ones are there for what several computers do at once.
        let millis = if time < WAIT { 0 } else { u64::try_from(time.as_millis()).unwrap_or(u64::MAX) };
        if millis > 0 && self.device.phone().pass_time(millis, Meanwhile::Awake) {
            return Ok(());
        }
        self.console.sleep(time).await
    }
}
