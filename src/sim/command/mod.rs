//! The commands a simulated device knows.
//!
//! In: a [`Call`] with its words, its input and the device. Out: what it printed on both outputs,
//! in order, and an exit code. One file holds one family; texts and codes are those of Android's
//! own tools.
//!
//! Invariants: a command never waits (waiting is the shell's work, by the device's latency), never
//! panics on its words, and holds a lock of the device no longer than it runs.

use std::sync::Arc;

use bytes::Bytes;

use super::SimDevice;
use super::shell::Fd;

pub(super) use install::InstallSessions;
pub(super) use screen::SRGB;

mod activity;
mod condition;
mod content;
mod cut;
mod device;
mod digest;
mod dumpsys;
mod file;
mod find;
mod grep;
mod health;
mod ime;
mod input;
mod install;
mod log;
pub(super) mod logcat;
mod monkey;
mod package;
mod package_dump;
mod print;
mod process;
mod property;
mod regular;
mod screen;
mod sed;
mod settings;
mod surroundings;
mod system;
mod text;
mod uiautomator;
mod window;

pub(super) use condition::evaluate_test;
pub(super) use device::awaits_events;
pub(super) use find::find_files;
pub(super) use print::escapes;

#[cfg(test)]
mod tests;

/// Where the shell says it found a command.
const DIRECTORIES: [&str; 4] = ["/system/bin/", "/system/xbin/", "/vendor/bin/", "/product/bin/"];

/// Does a command's work and gives its exit code.
type Run = fn(&mut Call) -> i32;

/// A command of the table.
#[derive(Clone, Copy)]
pub(super) struct Command {
    name: &'static str,
    pub(super) run: Run,
    /// Takes more than a few milliseconds of processor time: run outside the async workers.
    pub(super) heavy: bool,
}

const fn light(name: &'static str, run: Run) -> Command {
    Command { name, run, heavy: false }
}

const fn heavy(name: &'static str, run: Run) -> Command {
    Command { name, run, heavy: true }
}

const FAMILIES: [&[Command]; 15] = [
    activity::COMMANDS,
    dumpsys::COMMANDS,
    file::COMMANDS,
    grep::COMMANDS,
    input::COMMANDS,
    logcat::COMMANDS,
    monkey::COMMANDS,
    package::COMMANDS,
    print::COMMANDS,
    process::COMMANDS,
    property::COMMANDS,
    screen::COMMANDS,
    settings::COMMANDS,
    system::COMMANDS,
    text::COMMANDS,
];
const MORE_FAMILIES: [&[Command]; 11] = [
    condition::COMMANDS,
    content::COMMANDS,
    cut::COMMANDS,
    device::COMMANDS,
    digest::COMMANDS,
    ime::COMMANDS,
    log::COMMANDS,
    sed::COMMANDS,
    surroundings::COMMANDS,
    uiautomator::COMMANDS,
    window::COMMANDS,
];

/// The services `cmd` and `abb_exec:` reach, the command each is, and the API level that brought it.
const SERVICES: [(&str, Run, u32); 10] = [
    ("activity", activity::am, 0),
    ("alarm", system::alarm, 0),
    ("input", input::input, 0),
    ("package", package::pm, 0),
    ("settings", settings::settings, 0),
    ("window", window::cmd_window, 0),
    ("statusbar", system::statusbar, 0),
    ("uimode", system::uimode, 29),
    ("locale", surroundings::locale, surroundings::WITH_LOCALE),
    ("connectivity", surroundings::connectivity, surroundings::WITH_AIRPLANE_MODE),
];

/// What a command reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    Nothing,
    All,
    /// This many bytes, after which more may come that is not for it.
    Exactly(u64),
}

/// The command these words call, if the device has it.
pub(super) fn find(words: &[String]) -> Option<Command> {
    let name = words.first()?.as_str();
    // Whole packages are read only by these.
    let installs = words.iter().any(|word| word.starts_with("install"));
    if name == "cmd" {
        return Some(Command { name: "cmd", run: cmd, heavy: installs });
    }
    let name = DIRECTORIES.iter().find_map(|at| name.strip_prefix(at)).unwrap_or(name);
    let known = FAMILIES.into_iter().chain(MORE_FAMILIES).flatten().find(|command| command.name == name)?;
    Some(Command { heavy: known.heavy || name == "pm" && installs, ..*known })
}

/// Whether the shell would find a program of this name.
pub(super) fn is_known(name: &str) -> bool {
    // The shell runs these itself, since they wait or run others.
    const RUN_BY_SHELL: [&str; 9] =
        ["sh", "sleep", "env", "printenv", "xargs", "find", "nohup", "timeout", "toybox"];
    let name = DIRECTORIES.iter().find_map(|at| name.strip_prefix(at)).unwrap_or(name);
    RUN_BY_SHELL.contains(&name) || find(&[name.to_owned()]).is_some()
}

/// What the command these words call reads.
pub(super) fn wants(words: &[String]) -> Wants {
    let name = words.first().map_or("", String::as_str);
    let operands = words.iter().skip(1).filter(|word| !word.starts_with('-') || *word == "-").count();
    let dash = words.iter().skip(1).any(|word| word == "-");
    match name {
        "cat" | "sort" | "uniq" | "wc" | "head" | "tail" | "md5sum" | "base64" => {
            // `head -n 5` has an operand that is not a file; an empty input then does no harm.
            let counts =
                matches!(name, "head" | "tail") && words.iter().any(|word| word == "-n" || word == "-c");
            if dash || operands <= usize::from(counts) { Wants::All } else { Wants::Nothing }
        }
        "grep" | "egrep" | "fgrep" if grep::reads_input(words) => Wants::All,
        "sed" if sed::reads_input(words) => Wants::All,
        "dd" if !words.iter().any(|word| word.starts_with("if=")) => Wants::All,
        "tr" | "tee" => Wants::All,
        "cut" if cut::reads_input(words) => Wants::All,
        "pm" | "cmd" if words.iter().any(|word| word.starts_with("install")) => {
            install::size_that_follows(words).map_or(Wants::Nothing, Wants::Exactly)
        }
        _ => Wants::Nothing,
    }
}

/// `cmd SERVICE …`.
fn cmd(call: &mut Call) -> i32 {
    let service = call.arg(1).to_owned();
    let sdk = call.device.phone().options().sdk;
    let present = || SERVICES.into_iter().filter(|(.., since)| sdk >= *since);
    if service == "-l" {
        call.line("Currently running services:");
        for (name, ..) in present() {
            call.line(&format!("  {name}"));
        }
        return 0;
    }
    let found = present().find(|(name, ..)| *name == service);
    let Some((_, run, _)) = found else {
        call.unknown();
        call.complain(&format!("cmd: Can't find service: {service}"));
        return 20;
    };
    call.words.remove(0);
    run(call)
}

/// A path as the shell's working directory makes it absolute.
pub(super) fn absolute(cwd: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", cwd.trim_end_matches('/')) }
}

/// One command as it is called.
pub(super) struct Call {
    pub(super) device: Arc<SimDevice>,
    /// The command's name and what follows it.
    pub(super) words: Vec<String>,
    cwd: String,
    /// What it reads; see [`Wants`].
    pub(super) input: Bytes,
    output: Vec<(Fd, Vec<u8>)>,
}

impl Call {
    pub(super) fn new(device: Arc<SimDevice>, words: Vec<String>, cwd: String, input: Bytes) -> Self {
        Call { device, words, cwd, input, output: Vec::new() }
    }

    /// What was printed, in order.
    pub(super) fn into_output(self) -> Vec<(Fd, Vec<u8>)> {
        self.output
    }

    /// The word of this number, 0 being the command; empty when there is none.
    fn arg(&self, number: usize) -> &str {
        self.words.get(number).map_or("", String::as_str)
    }

    /// The words from this number on.
    fn args(&self, from: usize) -> Vec<String> {
        self.words.get(from..).unwrap_or_default().to_vec()
    }

    fn has(&self, word: &str) -> bool {
        self.words.iter().skip(1).any(|other| other == word)
    }

    /// The word after an option.
    fn option(&self, name: &str) -> Option<&str> {
        let at = self.words.iter().position(|word| word == name)?;
        self.words.get(at + 1).map(String::as_str)
    }

    /// The user that `--user` names, or else the usual one of the command; `None` for all of them.
    fn user(&self, usual: u32) -> Option<u32> {
        match self.option("--user") {
            None => Some(usual),
            Some("all" | "-1") => None,
            Some("current" | "cur" | "-2") => Some(self.device.phone().current_user()),
            Some(number) => Some(number.parse().unwrap_or(u32::MAX)),
        }
    }

    /// The user that `--user` names, or else all of them.
    fn user_or_all(&self) -> Option<u32> {
        self.option("--user").and_then(|_| self.user(0))
    }

    /// Whether a package is there for a user (for anybody with `None`), and not made to be missing.
    fn has_app(&self, package: &str, user: Option<u32>) -> bool {
        let here = || user.is_none_or(|user| self.device.phone().is_for(package, user));
        !self.device.is_hidden(package) && here()
    }

    fn path(&self, path: &str) -> String {
        absolute(&self.cwd, path)
    }

    fn write(&mut self, bytes: &[u8]) {
        self.put(Fd::Out, bytes);
    }

    /// Writes much without a copy of it.
    fn give(&mut self, bytes: Vec<u8>) {
        self.output.push((Fd::Out, bytes));
    }

    fn print(&mut self, text: &str) {
        self.put(Fd::Out, text.as_bytes());
    }

    fn line(&mut self, text: &str) {
        self.print(text);
        self.print("\n");
    }

    /// A line on the error output.
    fn complain(&mut self, text: &str) {
        self.put(Fd::Err, text.as_bytes());
        self.put(Fd::Err, b"\n");
    }

    fn put(&mut self, fd: Fd, bytes: &[u8]) {
        match self.output.last_mut() {
            Some((last, text)) if *last == fd => text.extend_from_slice(bytes),
            _ => self.output.push((fd, bytes.to_vec())),
        }
    }

    /// Notes in the lab's journal that no device knows this form of a known command.
    fn unknown(&self) {
        self.device.note_unknown(&self.words.join(" "));
    }

    /// As Android's Java commands end on an exception: text and code 255.
    fn exception(&mut self, command: &str, what: &str) -> i32 {
        self.complain(&format!("\nException occurred while executing '{command}':\n{what}"));
        255
    }
}
