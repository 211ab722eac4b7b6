//! A signal whose lines are still being read.

use super::form::{Begun, FormKind, MAX_LINE};
use super::{Logged, words};
use crate::output::capped;
use crate::output::log_line::LogLine;
use droidmux_record::{Signal, SignalKind};

/// The most lines of one stack.
const MAX_STACK: usize = 64;

/// A signal whose lines are still being read.
#[derive(Debug)]
pub(super) struct Open {
    pub kind: FormKind,
    /// Who writes it, and under which tag: lines that go on come from there, too.
    tag: String,
    writer: Option<u32>,
    time: String,
    /// The process that it is about.
    pid: Option<u32>,
    /// `None` until the log names it.
    process: Option<String>,
    short_name: Option<String>,
    headline: String,
    /// The next line belongs to the headline.
    wants_message: bool,
    stack: Vec<String>,
    /// A command-line tool of the system itself, e.g. `uiautomator`: not an app.
    tool: bool,
    /// Nothing that follows belongs to it.
    over: bool,
}

impl Open {
    pub fn is_of(&self, tag: &str, writer: Option<u32>) -> bool {
        let bare = tag.is_empty() && self.tag == "AndroidRuntime";
        (self.tag == tag || bare) && self.writer == writer && !self.over
    }

    /// The signal that this line begins as one of this form, if it begins one. `current` is the one being read.
    pub fn begin(
        kind: FormKind,
        tag: &str,
        writer: Option<u32>,
        level: char,
        line: LogLine<'_>,
        current: Option<&Self>,
    ) -> Option<Self> {
        let message = line.message.trim();
        if let Some(begun) = kind.begin(level, message) {
            return Self::new(kind, tag, writer, line, begun).goes_on_from(current);
        }
        // The log was cut: its first lines were pushed out of the buffer.
        if kind != FormKind::Runtime || current.is_some_and(|current| current.headline.is_empty()) {
            return None;
        }
        let names = words::naming("AndroidRuntime", message).is_some();
        let whole = current.is_none() && line.header.is_some() && is_exception(message);
        (names || whole).then(|| {
            let mut begun = Self::new(kind, tag, writer, line, Begun::default());
            begun.add(level, message);
            begun
        })
    }

    fn new(kind: FormKind, tag: &str, writer: Option<u32>, line: LogLine<'_>, begun: Begun) -> Self {
        let Begun { process, pid, headline, kept } = begun;
        let short_name = (kind == FormKind::Libc).then(|| words::short_name_of_fatal(line.message)).flatten();
        Self {
            kind,
            tag: if tag.is_empty() { "AndroidRuntime".to_owned() } else { tag.to_owned() },
            writer,
            time: line.time.to_owned(),
            pid: pid.or(writer.filter(|_| kind.is_of_writer())),
            process,
            short_name: short_name.map(|name| capped(name, MAX_LINE)),
            // These exceptions stand on the next line, unless it is this one.
            wants_message: headline.is_empty() && matches!(kind, FormKind::Mono | FormKind::Rust),
            headline,
            stack: kept.then(|| capped(line.message.trim(), MAX_LINE)).into_iter().collect(),
            tool: false,
            over: matches!(
                kind,
                FormKind::Libc | FormKind::Zygote | FormKind::EventCrash | FormKind::EventAnr
            ) || kind == FormKind::WindowAnr,
        }
    }

    /// A panic while another one is told is a part of that.
    fn goes_on_from(self, current: Option<&Self>) -> Option<Self> {
        let nested = self.kind == FormKind::Go && current.is_some_and(|current| current.kind == FormKind::Go);
        (!nested).then_some(self)
    }

    /// Takes in a line that goes on with it.
    pub fn add(&mut self, level: char, message: &str) {
        let text = message.trim();
        let is_of_stack = match self.kind {
            FormKind::Runtime | FormKind::Acra | FormKind::CustomActivity => self.add_of_java(text),
            FormKind::Tombstone => self.add_of_tombstone(text),
            FormKind::Anr => self.add_of_anr(level, text),
            FormKind::Flutter => self.add_of_flutter(text),
            FormKind::Python => self.add_of_python(message),
            FormKind::Rust => !self.takes_message(text),
            FormKind::Dart | FormKind::JavaScript | FormKind::Unity | FormKind::Mono | FormKind::WebView => {
                self.add_of_script(text)
            }
            FormKind::Go
            | FormKind::Libc
            | FormKind::Zygote
            | FormKind::EventCrash
            | FormKind::EventAnr
            | FormKind::WindowAnr => true,
        };
        if !is_of_stack {
            return;
        }
        if self.stack.len() < MAX_STACK && !text.is_empty() {
            self.stack.push(capped(message.trim_end(), MAX_LINE));
        }
    }

    /// True when the line is one of the stack.
    fn add_of_java(&mut self, text: &str) -> bool {
        if let Some((process, pid)) =
            text.strip_prefix("Process: ").and_then(|rest| rest.split_once(", PID: "))
        {
            self.process.get_or_insert_with(|| capped(process, MAX_LINE));
            self.pid = self.pid.or(words::leading_number(pid));
            return false;
        }
        let first = self.kind == FormKind::Runtime && self.headline.is_empty();
        if first && text.strip_prefix("PID: ").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) {
            self.tool = self.process.is_none();
            return false;
        }
        if self.headline.is_empty() {
            self.headline = capped(text, MAX_LINE);
            return false;
        }
        true
    }

    /// True when the line is one of the report.
    fn add_of_tombstone(&mut self, text: &str) -> bool {
        if self.headline.is_empty() && text.starts_with("signal ") {
            self.headline = capped(text, MAX_LINE);
        } else if let Some(message) = text.strip_prefix("Abort message: ") {
            self.headline = capped(&format!("{}: {message}", self.headline), MAX_LINE);
        }
        true
    }

    /// True when the line is a frame: what an app goes on to write under the same tag is none.
    fn add_of_script(&mut self, text: &str) -> bool {
        let frame = is_frame(text);
        if !frame && self.takes_message(text) {
            return false;
        }
        self.over |= !frame && !text.is_empty();
        frame
    }

    /// True when the line is one of the report.
    fn add_of_anr(&mut self, level: char, text: &str) -> bool {
        if level != 'E' && level != 'F' {
            return false;
        }
        if let Some(reason) = text.strip_prefix("Reason: ").or_else(|| text.strip_prefix("Annotation: ")) {
            self.headline = capped(reason.trim(), MAX_LINE);
        }
        if let Some(pid) = text.strip_prefix("PID: ") {
            self.pid = words::leading_number(pid.trim());
        }
        true
    }

    /// True when the line is one of the stack. The report of the framework names the class, then says what, then has
    /// the stack.
    fn add_of_flutter(&mut self, text: &str) -> bool {
        if let Some(thrown) = text.strip_prefix("The following ") {
            let class = thrown.split(" was thrown").next().unwrap_or(thrown);
            self.headline = capped(class.trim(), MAX_LINE);
            self.wants_message = true;
            return false;
        }
        if self.headline.is_empty() {
            self.over = !text.is_empty();
            return false;
        }
        self.over |= text.starts_with('═');
        !self.takes_message(text) && is_frame(text)
    }

    /// True when the line is one of the stack; the first line that is not indented is the exception.
    fn add_of_python(&mut self, message: &str) -> bool {
        let line = message.strip_prefix(' ').unwrap_or(message);
        let indented = message.starts_with("  ") || line.trim_start().starts_with("File \"");
        if !indented && !message.trim().is_empty() {
            self.headline = capped(message.trim(), MAX_LINE);
            self.over = true;
        }
        message.trim_start().starts_with("File \"")
    }

    /// Takes the line as the message that the headline lacks.
    fn takes_message(&mut self, text: &str) -> bool {
        if !self.wants_message || text.is_empty() {
            return false;
        }
        self.wants_message = false;
        let said =
            if self.headline.is_empty() { text.to_owned() } else { format!("{}: {text}", self.headline) };
        self.headline = capped(&said, MAX_LINE);
        true
    }

    /// The signal, unless its lines are not all there, or say that it is none.
    pub fn close(mut self) -> Option<(FormKind, Logged)> {
        if self.kind == FormKind::Anr && self.headline.is_empty() {
            self.headline = self.stack.first().cloned().unwrap_or_default();
        }
        // A page that does not fit is no crash.
        let overflow = self.kind == FormKind::Flutter && self.headline.contains("overflowed by");
        if self.tool || overflow || self.headline.is_empty() {
            return None;
        }
        let kind = if self.kind.is_anr() { SignalKind::Anr } else { SignalKind::Crash };
        let process = self.process.unwrap_or_default();
        let signal = Signal { kind, process, headline: self.headline, stack: self.stack };
        let (bare, ends) = (self.kind.is_bare(), self.kind.is_last());
        let Self { kind, time, pid, short_name, .. } = self;
        Some((kind, Logged { time, pid, signal, bare, ends, short_name }))
    }
}

/// A line of a stack in any of the languages.
fn is_frame(text: &str) -> bool {
    let numbered = text.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    // `save@12:40` of scripts, `Notes.Editor:Save (Note)` of Unity
    let at = text.split_once('@').is_some_and(|(_, place)| place.contains(':'));
    let call = text.split_once('(').is_some_and(|(name, _)| name.contains(':') && !name.trim().contains(' '));
    numbered || at || call || text.starts_with("at ") || text.starts_with("in ")
}

/// `java.lang.SomeException: message`
fn is_exception(text: &str) -> bool {
    let class = text.split(':').next().unwrap_or_default();
    class.contains('.') && !class.contains(char::is_whitespace)
}
