//! Recordings: every exchange of a session as a line of JSON, so that a later run can be answered from it without
//! network.
//!
//! The first line says what was recorded; each further line is one [`Entry`]. If a question occurs several times,
//! because its job ran again, the last one counts. Recordings are passed around, so they are checked line by line when
//! read, and capped.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::LlmError;
use super::outcome::Outcome;
use super::place::{Key, QuestionPlace};
use super::prompt::Prompt;
use droidmux_file as file;
use droidmux_record::{Agent, Exchange, NoReply, Reply, Slot};

/// The version of the format.
const VERSION: u32 = 1;

/// Bytes of a line, at most.
const MOST_LINE: u64 = 16 << 20;

/// Lines, at most.
const MOST_LINES: usize = 1_000_000;

/// What a session asks about, for the first line of its recording.
#[derive(Clone, Copy, Debug)]
pub(super) struct About<'a> {
    /// The technique's name.
    pub technique: &'a str,
    /// The app's package.
    pub app: &'a str,
    pub model: &'a str,
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Header {
    recording: u32,
    droidmux: String,
    technique: String,
    app: String,
    model: String,
}

/// One exchange.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    job: Slot,
    agent: Agent,
    ordinal: u32,
    pub prompt: Prompt,
    answer: Recorded,
    pub exchange: Exchange,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
enum Recorded {
    Reply(String),
    None { why: NoReply, detail: String },
}

/// A recording that questions are answered from.
#[derive(Debug)]
pub(super) struct Recording {
    path: PathBuf,
    file: File,
    lines: BTreeMap<Key, Line>,
    /// The position after the last complete line.
    end: u64,
}

/// Where a line is.
#[derive(Clone, Copy, Debug)]
struct Line {
    number: usize,
    offset: u64,
    length: usize,
}

/// A recording being written.
#[derive(Debug)]
pub(super) struct Recorder {
    path: PathBuf,
    file: Mutex<File>,
}

impl Entry {
    pub(super) fn new(key: Key, prompt: Prompt, outcome: &Outcome) -> Self {
        let Key { place: QuestionPlace { slot, ordinal }, agent } = key;
        let answer = match outcome.said.clone() {
            Ok(text) => Recorded::Reply(text),
            Err((why, detail)) => Recorded::None { why, detail },
        };
        Self { job: slot, agent, ordinal, prompt, answer, exchange: outcome.exchange.clone() }
    }

    pub(super) fn outcome(self) -> Outcome {
        let said = match self.answer {
            Recorded::Reply(text) => Ok(text),
            Recorded::None { why, detail } => Err((why, detail)),
        };
        Outcome { said, exchange: self.exchange }
    }

    fn key(&self) -> Key {
        Key { place: QuestionPlace { slot: self.job, ordinal: self.ordinal }, agent: self.agent }
    }
}

impl Recording {
    /// Reads through a recording. A truncated last line, e.g. after a kill, does not count.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or one of its lines is not an exchange.
    pub(super) fn open(path: &Path) -> Result<Self, LlmError> {
        let unreadable = |error: std::io::Error| in_file(path, format!("cannot be read: {error}"));
        let file = file::open(path).map_err(unreadable)?;
        // The recording's lines are read again later, which is impossible with a pipe.
        if !file.metadata().map_err(unreadable)?.is_file() {
            return Err(in_file(path, "is no file".into()));
        }
        let mut recording = Self { path: path.into(), file, lines: BTreeMap::new(), end: 0 };
        let mut reader = BufReader::new(recording.file.try_clone().map_err(unreadable)?);
        for number in 1.. {
            let mut line = Vec::new();
            let read = (&mut reader).take(MOST_LINE + 1).read_until(b'\n', &mut line);
            let length = read.map_err(unreadable)?;
            if line.last() != Some(&b'\n') {
                recording.check_end(number, &line)?;
                break;
            }
            if number > MOST_LINES {
                return Err(recording.wrong(number, format!("a recording has at most {MOST_LINES} lines")));
            }
            recording.take(Line { number, offset: recording.end, length }, &line)?;
            recording.end = recording.end.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
        }
        Ok(recording)
    }

    /// The rest after the last line feed.
    fn check_end(&self, number: usize, rest: &[u8]) -> Result<(), LlmError> {
        if u64::try_from(rest.len()).unwrap_or(u64::MAX) > MOST_LINE {
            return Err(self.wrong(number, format!("a line has at most {} MiB", MOST_LINE >> 20)));
        }
        if number == 1 {
            return Err(in_file(&self.path, "holds no recording: its first line is missing".into()));
        }
        if !rest.is_empty() {
            let path = self.path.display();
            tracing::warn!("{path}:{number}: the recording's last line is cut off and does not count");
        }
        Ok(())
    }

    fn take(&mut self, line: Line, text: &[u8]) -> Result<(), LlmError> {
        if line.number > 1 {
            let key = self.parse(line.number, text)?.key();
            self.lines.insert(key, line);
            return Ok(());
        }
        let header: Header = serde_json::from_slice(text)
            .map_err(|error| self.wrong(1, format!("is not how a recording begins: {error}")))?;
        if header.recording != VERSION {
            let why = format!(
                "was recorded in format {} by droidmux {}; this droidmux reads format {VERSION}",
                header.recording, header.droidmux
            );
            return Err(self.wrong(1, why));
        }
        Ok(())
    }

    fn parse(&self, number: usize, text: &[u8]) -> Result<Entry, LlmError> {
        let entry: Entry = serde_json::from_slice(text)
            .map_err(|error| self.wrong(number, format!("is no exchange: {error}")))?;
        match &entry.answer {
            Recorded::Reply(text) if text.len() > Reply::MOST_BYTES => {
                Err(self.wrong(number, format!("a reply has at most {} KiB", Reply::MOST_BYTES >> 10)))
            }
            _ => Ok(entry),
        }
    }

    /// The recorded answer to this question.
    ///
    /// # Errors
    ///
    /// When the file changed since it was opened.
    pub(super) fn entry(&self, key: Key) -> Result<Option<Entry>, LlmError> {
        let Some(line) = self.lines.get(&key) else { return Ok(None) };
        let mut text = vec![0; line.length];
        self.file
            .read_exact_at(&mut text, line.offset)
            .map_err(|error| self.wrong(line.number, format!("cannot be read any more: {error}")))?;
        self.parse(line.number, &text).map(Some)
    }

    fn wrong(&self, line: usize, why: String) -> LlmError {
        LlmError::RecordingLine { path: self.path.clone(), line, why }
    }
}

impl Recorder {
    /// Begins a recording, or continues the one of a session that was interrupted.
    ///
    /// # Errors
    ///
    /// When the file already exists although the session is new, is not a recording although the session is not new, or
    /// cannot be written.
    pub(super) fn open(path: &Path, about: &About<'_>, resumed: bool) -> Result<Self, LlmError> {
        let unwritable = |error| in_file(path, format!("cannot be written: {error}"));
        if resumed && path.exists() {
            let end = Recording::open(path)?.end;
            let mut file = OpenOptions::new().write(true).open(path).map_err(unwritable)?;
            file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).map_err(unwritable)?;
            return Ok(Self { path: path.into(), file: Mutex::new(file) });
        }
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error
            .kind()
        {
            ErrorKind::AlreadyExists => {
                in_file(path, "exists already; remove it, or name another file in `[llm] recording`".into())
            }
            _ => unwritable(error),
        })?;
        let recorder = Self { path: path.into(), file: Mutex::new(file) };
        recorder.append(&Header {
            recording: VERSION,
            droidmux: env!("CARGO_PKG_VERSION").into(),
            technique: about.technique.into(),
            app: about.app.into(),
            model: about.model.into(),
        })?;
        Ok(recorder)
    }

    /// Adds an exchange.
    ///
    /// # Errors
    ///
    /// When it cannot be written; half a line may be in the file then.
    pub(super) fn write(&self, entry: &Entry) -> Result<(), LlmError> {
        self.append(entry)
    }

    fn append(&self, line: &impl Serialize) -> Result<(), LlmError> {
        let unwritable = |why: String| in_file(&self.path, format!("cannot be written: {why}"));
        let mut text = serde_json::to_vec(line).map_err(|error| unwritable(error.to_string()))?;
        text.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&text).and_then(|()| file.flush()).map_err(|error| unwritable(error.to_string()))
    }
}

fn in_file(path: &Path, why: String) -> LlmError {
    LlmError::Recording { path: path.into(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: About<'_> = About { technique: "visiondroid", app: "org.app", model: "m" };

    fn key(slot: u64, ordinal: u32) -> Key {
        Key { place: QuestionPlace { slot: Slot(slot), ordinal }, agent: Agent::Explorer }
    }

    fn entry(key: Key, text: &str) -> Entry {
        let prompt = Prompt { role: "role".into(), parts: Vec::new(), schema: String::new() };
        Entry::new(key, prompt, &Outcome { said: Ok(text.into()), exchange: Exchange::default() })
    }

    fn reply(recording: &Recording, key: Key) -> Option<String> {
        let entry = recording.entry(key).expect("readable")?;
        Some(entry.outcome().said.expect("a reply"))
    }

    #[test]
    fn what_was_written_last_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("r.jsonl");
        let recorder = Recorder::open(&path, &ABOUT, false).expect("new");
        for (slot, ordinal, text) in [(0, 0, "a"), (0, 1, "b"), (7, 0, "c\nd"), (0, 0, "again")] {
            recorder.write(&entry(key(slot, ordinal), text)).expect("written");
        }
        let again = Recorder::open(&path, &ABOUT, false).expect_err("a new session takes no old file");
        assert!(again.to_string().contains("remove it"), "{again}");
        let recording = Recording::open(&path).expect("readable");
        let replies = [(0, 0), (0, 1), (7, 0), (7, 1)].map(|(slot, n)| reply(&recording, key(slot, n)));
        assert_eq!(replies.map(|text| text.unwrap_or_default()), ["again", "b", "c\nd", ""]);
    }

    #[test]
    fn an_interrupted_recording_goes_on_behind_its_last_whole_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("r.jsonl");
        Recorder::open(&path, &ABOUT, true).expect("new").write(&entry(key(0, 0), "a")).expect("written");
        let mut file = OpenOptions::new().append(true).open(&path).expect("open");
        file.write_all(b"{\"job\": 0, \"agent\": \"expl").expect("half a line");
        assert_eq!(reply(&Recording::open(&path).expect("readable"), key(0, 0)).as_deref(), Some("a"));
        Recorder::open(&path, &ABOUT, true).expect("goes on").write(&entry(key(0, 1), "b")).expect("written");
        let recording = Recording::open(&path).expect("readable");
        let replies = [0, 1].map(|ordinal| reply(&recording, key(0, ordinal)));
        assert_eq!(replies, [Some("a".into()), Some("b".into())]);
    }

    #[test]
    fn files_that_are_no_recordings_are_refused_with_the_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("r.jsonl");
        let recorder = Recorder::open(&path, &ABOUT, false).expect("new");
        recorder.write(&entry(key(0, 0), "a")).expect("written");
        let good = std::fs::read_to_string(&path).expect("text");
        let header = good.lines().next().expect("a line").to_owned();
        let long = entry(key(0, 0), &"x".repeat(Reply::MOST_BYTES + 1));
        let cases = [
            (String::new(), "first line is missing"),
            ("not\n".into(), ":1: is not how a recording begins"),
            (header.replace("\"recording\":1", "\"recording\":9") + "\n", ":1: was recorded in format 9"),
            (format!("{good}\n"), ":3: is no exchange"),
            (format!("{good}{{\"job\": 1}}\n"), ":3: is no exchange"),
            (
                format!("{header}\n{}\n", good.lines().nth(1).expect("a line").replace("explorer", "poet")),
                ":2: is no",
            ),
            (format!("{good}{}\n", serde_json::to_string(&long).expect("JSON")), ":3: a reply has at most"),
            (format!("{good}{}\n", "[".repeat(100_000)), ":3: is no exchange"),
            (format!("{good}{}", "x".repeat((16 << 20) + 1)), ":3: a line has at most"),
        ];
        for (text, expected) in cases {
            std::fs::write(&path, &text).expect("written");
            let error = Recording::open(&path).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert!(Recording::open(folder.path()).is_err(), "a folder");
        assert!(Recording::open(&folder.path().join("none")).is_err());
    }
}
