//! `logcat`, once with `-d` or following without.

use super::{Call, Command, light};
use crate::SimDevice;
use crate::phone::{Buffer, LogLine};
use droidmux_sim_toolkit::Moment;

pub(super) const COMMANDS: &[Command] = &[light("logcat", logcat)];

fn logcat(call: &mut Call) -> i32 {
    let options = match Options::read(&call.words) {
        Ok(options) => options,
        Err(word) => {
            call.unknown();
            call.complain(&format!("logcat: unrecognized option '{word}'"));
            return 1;
        }
    };
    if options.clear {
        call.device.phone().clear_logcat(&options.buffers);
        return 0;
    }
    if options.sizes {
        for buffer in &options.buffers {
            let text = format!(
                "{}: ring buffer is 256 KiB (64 KiB consumed, 1 MiB readable), max entry is 5120 B, max payload is 4068 B",
                name(*buffer)
            );
            call.line(&text);
        }
        return 0;
    }
    let text = options.print(&call.device, &mut Vec::new());
    call.print(&text);
    0
}

/// A logcat that goes on printing what is new.
pub(crate) struct Follower {
    options: Options,
    begun: Vec<Buffer>,
    seen: usize,
}

impl Follower {
    /// `None` when `words` are not a logcat that follows.
    pub(crate) fn new(words: &[String]) -> Option<Follower> {
        let name = words.first()?;
        if name != "logcat" && name != "/system/bin/logcat" {
            return None;
        }
        let options = Options::read(words).ok()?;
        let once = options.once || options.clear || options.sizes;
        (!once).then_some(Follower { options, begun: Vec::new(), seen: 0 })
    }

    /// What was logged since the last call.
    pub(crate) fn more(&mut self, device: &SimDevice) -> Vec<u8> {
        let count = device.phone().logcat(&self.options.buffers).len();
        // Fewer lines than before: the buffers were cleared.
        let from = if count < self.seen { 0 } else { self.seen };
        self.seen = count;
        self.options.skip = from;
        let text = if from < count { self.options.print(device, &mut self.begun) } else { String::new() };
        self.options.newest = None;
        text.into_bytes()
    }
}

#[derive(Default)]
struct Options {
    buffers: Vec<Buffer>,
    once: bool,
    clear: bool,
    sizes: bool,
    brief: Option<String>,
    newest: Option<usize>,
    since_ms: Option<u64>,
    /// As logs write it, the year left open.
    since_text: Option<String>,
    pid: Option<u32>,
    skip: usize,
    /// Tag and lowest level; the default is for tags not named.
    filters: Vec<(String, char)>,
    otherwise: Option<char>,
}

impl Options {
    fn read(words: &[String]) -> Result<Options, String> {
        let mut options = Options::default();
        let mut words = words.iter().skip(1);
        while let Some(word) = words.next() {
            // `-bcrash`, `--buffer=crash` and `-b crash` are the same.
            let (name, inline) = match word.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                _ if word.len() > 2 && word.starts_with('-') && !word.starts_with("--") => {
                    (word.get(..2).unwrap_or(word), word.get(2..).map(str::to_owned))
                }
                _ => (word.as_str(), None),
            };
            let mut value = || inline.clone().or_else(|| words.next().cloned()).unwrap_or_default();
            match name {
                "-d" | "--dump" => options.once = true,
                "-c" | "--clear" => options.clear = true,
                "-g" | "--buffer-size" => options.sizes = true,
                "-b" | "--buffer" => options.add_buffers(&value())?,
                "-v" | "--format" => options.brief = Some(value()),
                "-t" => {
                    options.once = true;
                    options.start(&value());
                }
                "-T" => options.start(&value()),
                "--pid" => options.pid = Some(value().parse().map_err(|_| word.clone())?),
                "-s" => options.otherwise = Some('S'),
                "-D" | "-L" => {}
                option if option.starts_with('-') => return Err(word.clone()),
                filter => options.add_filter(filter),
            }
        }
        if options.buffers.is_empty() {
            options.buffers = vec![Buffer::Main, Buffer::System, Buffer::Crash];
        }
        Ok(options)
    }

    fn add_buffers(&mut self, names: &str) -> Result<(), String> {
        for name in names.split(',') {
            match name {
                "main" => self.buffers.push(Buffer::Main),
                "system" => self.buffers.push(Buffer::System),
                "crash" => self.buffers.push(Buffer::Crash),
                "events" => self.buffers.push(Buffer::Events),
                "all" => self.buffers.extend([Buffer::Main, Buffer::System, Buffer::Crash, Buffer::Events]),
                "default" => self.buffers.extend([Buffer::Main, Buffer::System, Buffer::Crash]),
                // Buffers a phone without a modem keeps empty.
                "radio" | "kernel" => {}
                other => return Err(other.to_owned()),
            }
        }
        Ok(())
    }

    /// A number of lines, a date and time, or seconds since 1970.
    fn start(&mut self, text: &str) {
        if let Ok(count) = text.parse() {
            self.newest = Some(count);
        } else if let Some((seconds, part)) =
            text.split_once('.').filter(|(s, _)| s.bytes().all(|b| b.is_ascii_digit()))
        {
            let ms = part.get(..3).unwrap_or(part).parse().unwrap_or(0);
            self.since_ms = seconds.parse::<u64>().ok().map(|s| s.saturating_mul(1_000).saturating_add(ms));
        } else {
            // With or without the year; lines have none.
            let day = text.get(5..).filter(|_| text.len() > 18 && text.as_bytes().get(4) == Some(&b'-'));
            self.since_text = Some(day.unwrap_or(text).to_owned());
        }
    }

    fn add_filter(&mut self, filter: &str) {
        let (tag, level) = filter.split_once(':').unwrap_or((filter, "V"));
        let level = level.chars().next().unwrap_or('V').to_ascii_uppercase();
        if tag == "*" {
            self.otherwise = Some(level);
        } else {
            self.filters.push((tag.to_owned(), level));
        }
    }

    fn wants(&self, line: &LogLine) -> bool {
        let named = self.filters.iter().find(|(tag, _)| *tag == line.tag).map(|(_, level)| *level);
        let lowest = named.or(self.otherwise).unwrap_or('V');
        rank(line.level) >= rank(lowest) && self.pid.is_none_or(|pid| pid == line.pid)
    }

    /// The time from which lines are wanted, for a phone whose clock is at `now`.
    fn since(&self, now: Moment) -> u64 {
        let (year, ..) = now.date();
        let named = self.since_text.as_ref().and_then(|text| Moment::of_log_text(text, year));
        self.since_ms.or(named.map(|moment| moment.0)).unwrap_or_default()
    }

    /// The wanted lines, formatted only once they are known to be wanted: most lines of a full
    /// buffer are old. With `--------- beginning of` before the first of each buffer.
    fn print(&self, device: &SimDevice, begun: &mut Vec<Buffer>) -> String {
        let phone = device.phone();
        let lines = phone.logcat(&self.buffers);
        let since = self.since(Moment(phone.now_ms()));
        let new = lines.into_iter().skip(self.skip).filter(|line| line.time_ms >= since);
        let wanted: Vec<&LogLine> = new.filter(|line| self.wants(line)).collect();
        let from = self.newest.map_or(0, |newest| wanted.len().saturating_sub(newest));
        let mut out = String::new();
        for line in wanted.into_iter().skip(from) {
            if !begun.contains(&line.buffer) {
                begun.push(line.buffer);
                out += &format!("--------- beginning of {}\n", name(line.buffer));
            }
            out += &self.form(line);
            out.push('\n');
        }
        out
    }

    fn form(&self, line: &LogLine) -> String {
        let LogLine { pid, tid, level, tag, message, time_ms, .. } = line;
        match self.brief.as_deref() {
            Some("brief") => format!("{level}/{tag:<8}({pid:>5}): {message}"),
            Some("time") => format!("{} {level}/{tag:<8}({pid:>5}): {message}", line.time()),
            Some("tag") => format!("{level}/{tag:<8}: {message}"),
            Some("raw") => message.clone(),
            Some("epoch") => {
                format!(
                    "{:>15}.{:03} {pid:>5} {tid:>5} {level} {tag:<8}: {message}",
                    time_ms / 1_000,
                    time_ms % 1_000
                )
            }
            _ => line.threadtime(),
        }
    }
}

fn rank(level: char) -> usize {
    "VDIWEFS".find(level).unwrap_or(0)
}

fn name(buffer: Buffer) -> &'static str {
    match buffer {
        Buffer::Main => "main",
        Buffer::System => "system",
        Buffer::Crash => "crash",
        Buffer::Events => "events",
    }
}
