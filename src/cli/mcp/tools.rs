//! The tools, one entry each, and what a call of one becomes.
//!
//! In: checked arguments. Out: command lines, and what is made of their output.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::ToolAnnotations;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::arguments::{Argument, Checked, Takes, check, schema};
use super::command::{Line, Program, Ran};
use crate::exit;
use droidmux_file as file;

/// Reading takes seconds, with a large store a minute.
const READING: Duration = Duration::from_secs(180);
/// A finding's tests on a slow device, several times over.
const ON_DEVICES: Duration = Duration::from_secs(30 * 60);

/// The most pictures of one result, and the most bytes of one of them.
const MOST_PICTURES: usize = 12;
const MOST_PICTURE: u64 = 4 << 20;

/// Lines of an account that are given when no number is named, and at most.
const LINES: usize = 400;
const MOST_LINES: u64 = 2_000;

/// A tool.
pub(super) struct ToolEntry {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub arguments: &'static [Argument],
    /// It changes nothing and touches no device.
    pub reads: bool,
    /// It has devices do something.
    devices: bool,
    run: Run,
}

/// How a call becomes command lines.
enum Run {
    /// One command whose output is the result.
    Plain(fn(&Checked) -> Vec<String>),
    /// The same, with a folder that the command writes pictures into.
    Pictured(fn(&Checked, &str) -> Vec<String>),
    /// Chosen lines of a command's output.
    Lines(fn(&Checked) -> Vec<String>),
    /// One command that reads the argument of this name.
    Fed(fn(&Checked) -> Vec<String>, &'static str),
}

/// A result.
pub(super) struct Told {
    pub text: String,
    /// PNG files in base64.
    pub pictures: Vec<String>,
}

const SESSION: Argument =
    Argument { name: "session", what: "a session, such as \"s3\"", takes: Takes::Session, required: true };
const OF_SESSION: Argument =
    Argument { name: "session", what: "only those of this session", takes: Takes::Session, required: false };
const FINDING: Argument = Argument {
    name: "finding",
    what: "a finding, such as \"s3-1a2b3c4d\"",
    takes: Takes::Finding,
    required: true,
};
const QUESTION: Argument = Argument {
    name: "question",
    what: "the question's number",
    takes: Takes::Number(1, u64::MAX),
    required: true,
};

pub(super) const TOOLS: &[ToolEntry] = &[
    ToolEntry {
        name: "list_sessions",
        title: "List sessions",
        description: "The sessions of the store as JSON: technique, app, how far each got, how many findings it has, how \
                      it ended. Reads only.",
        arguments: &[],
        reads: true,
        devices: false,
        run: Run::Plain(|_| words(&["store", "stats", "--json"])),
    },
    ToolEntry {
        name: "list_findings",
        title: "List findings",
        description: "Findings as JSON Lines: the reported ones, or those of another tier. A finding's name for the other \
                      tools is its session, a dash, and its member `finding`. Reads only.",
        arguments: &[
            OF_SESSION,
            Argument {
                name: "tier",
                what: "instead of the reported ones",
                takes: Takes::Word(&["reported", "suspicious", "explained"]),
                required: false,
            },
        ],
        reads: true,
        devices: false,
        run: Run::Plain(|given| {
            let mut line = words(&["findings"]);
            line.extend(option("--session", given.get("session")));
            line.extend(option("--tier", given.get("tier")));
            line
        }),
    },
    ToolEntry {
        name: "see_finding",
        title: "See a finding",
        description: "One finding: why it is suspected, what was tried to explain it, the account of its test step by \
                      step, and the pictures of the test's last screens. Reads only.",
        arguments: &[FINDING],
        reads: true,
        devices: false,
        run: Run::Pictured(|given, folder| {
            let mut line = words(&["findings"]);
            line.extend(given.get("finding").map(str::to_owned));
            line.extend(words(&["--account", "--pictures", folder]));
            line
        }),
    },
    ToolEntry {
        name: "read_account",
        title: "Read what a session did",
        description: "A stretch of the account of a session: each event, and what it did to the screen, in words. Steps \
                      are named JOB.TURN. Says where to go on. Reads only.",
        arguments: &[
            SESSION,
            Argument {
                name: "from",
                what: "lines to leave out, 0 at first",
                takes: Takes::Number(0, 1_000_000_000),
                required: false,
            },
            Argument {
                name: "lines",
                what: "how many lines; 400 when not given",
                takes: Takes::Number(1, MOST_LINES),
                required: false,
            },
        ],
        reads: true,
        devices: false,
        run: Run::Lines(|given| {
            let mut line = words(&["read"]);
            line.extend(given.get("session").map(str::to_owned));
            line.push("--print".into());
            line
        }),
    },
    ToolEntry {
        name: "list_questions",
        title: "List waiting questions",
        description: "What sessions ask of people in place of a language model, as JSON Lines, the oldest first. Reads only.",
        arguments: &[OF_SESSION],
        reads: true,
        devices: false,
        run: Run::Plain(|given| {
            let mut line = words(&["questions", "--json"]);
            line.extend(given.get("session").map(str::to_owned));
            line
        }),
    },
    ToolEntry {
        name: "see_question",
        title: "See a waiting question",
        description: "One waiting question in full, with its pictures, the JSON schema of the reply and a reply to fill \
                      in. Answer it from what it says alone. Reads only.",
        arguments: &[QUESTION],
        reads: true,
        devices: false,
        run: Run::Pictured(|given, folder| {
            let mut line = words(&["questions", "show"]);
            line.extend(given.get("question").map(str::to_owned));
            line.extend(words(&["--pictures", folder]));
            line
        }),
    },
    ToolEntry {
        name: "answer_question",
        title: "Answer a question",
        description: "Gives a waiting question its reply: JSON by the question's schema. A reply that does not fit is \
                      refused with what is wrong, and the question waits on. The session then goes on with its test.",
        arguments: &[
            QUESTION,
            Argument {
                name: "reply",
                what: "JSON by the question's schema",
                takes: Takes::Json,
                required: true,
            },
        ],
        reads: false,
        devices: false,
        run: Run::Fed(
            |given| {
                let mut line = words(&["questions", "answer"]);
                line.extend(given.get("question").map(str::to_owned));
                line
            },
            "reply",
        ),
    },
    ToolEntry {
        name: "replay_finding",
        title: "Run a finding's tests again on a device",
        description: "TOUCHES A DEVICE: clears the app's data and performs the finding's events on a device of the lab, \
                      in a session of its own, and says how often the finding showed. Takes minutes.",
        arguments: &[
            FINDING,
            Argument {
                name: "times",
                what: "how often; once when not given",
                takes: Takes::Number(1, 20),
                required: false,
            },
        ],
        reads: false,
        devices: true,
        run: Run::Plain(|given| {
            let mut line = words(&["replay"]);
            line.extend(given.get("finding").map(str::to_owned));
            line.extend(words(&["--times", given.get("times").unwrap_or("1")]));
            line
        }),
    },
    ToolEntry {
        name: "step_finding",
        title: "Lead a finding's test over a device",
        description: "TOUCHES A DEVICE: clears the app's data and leads the finding's test over a device of the lab by \
                      these orders, from its beginning in each call, in a session of its own. Orders: next, skip, \
                      insert KIND [WIDGET] [TEXT], back, to N, violation, end, look (lists the widgets), lanes (lists \
                      the events of both tests), help. Takes minutes.",
        arguments: &[
            FINDING,
            Argument {
                name: "orders",
                what: "what to do, in this order, such as [\"lanes\", \"violation\", \"look\"]",
                takes: Takes::Orders(100),
                required: true,
            },
        ],
        reads: false,
        devices: true,
        run: Run::Plain(|given| {
            let mut line = words(&["step"]);
            line.extend(given.get("finding").map(str::to_owned));
            line.extend(option("--orders", given.get("orders")));
            line
        }),
    },
];

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// An option with its value in one word, which nothing else can take it for.
fn option(name: &str, value: Option<&str>) -> Option<String> {
    value.map(|value| format!("{name}={value}"))
}

impl ToolEntry {
    /// What its arguments may be.
    pub fn schema(&self) -> Map<String, Value> {
        schema(self.arguments)
    }

    /// What a client may rely on when it decides whether to ask its user.
    pub fn annotations(&self) -> ToolAnnotations {
        let hints = ToolAnnotations::with_title(self.title).read_only(self.reads);
        // A device's app loses its data.
        hints.destructive(self.devices).idempotent(self.reads).open_world(self.devices)
    }

    /// Carries out a call.
    ///
    /// # Errors
    /// In words, for the agent.
    pub async fn call(
        &self,
        program: &Program,
        sent: &Map<String, Value>,
        cancel: &CancellationToken,
    ) -> Result<Told, String> {
        let given = check(self.arguments, sent)?;
        let within = if self.devices { ON_DEVICES } else { READING };
        let line = |words: Vec<String>, input| Line {
            words: words.into_iter().map(OsString::from).collect(),
            input,
            within,
            lines: (0, usize::MAX),
            cancel,
        };
        let text = match &self.run {
            Run::Plain(words) => result(program.run(line(words(&given), "")).await?)?,
            Run::Fed(words, fed) => {
                let input = given.get(fed).unwrap_or_default();
                result(program.run(line(words(&given), input)).await?)?
            }
            Run::Lines(words) => {
                let (from, most) = (given.number("from", 0), given.number("lines", LINES));
                let chosen = Line { lines: (from, most), ..line(words(&given), "") };
                stretch(program.run(chosen).await?, from)?
            }
            Run::Pictured(words) => {
                let folder = tempfile::Builder::new().prefix("droidmux-mcp-").tempdir();
                let folder = folder.map_err(|error| format!("no folder for pictures: {error}"))?;
                let path = folder.path().to_str().ok_or("the folder for pictures has no UTF-8 path")?;
                let text = result(program.run(line(words(&given, path), "")).await?)?;
                let pictures = pictures(folder.path(), &text);
                // Nothing is there once the call has been answered.
                let text = text.replace(path, "").replace("picture: /", "picture: ");
                return Ok(Told { text, pictures });
            }
        };
        Ok(Told { text, pictures: Vec::new() })
    }
}

/// What a command said, if it did what it was to do.
fn result(ran: Ran) -> Result<String, String> {
    let Ran { output, more, messages, code } = ran;
    let told = [output.trim_end(), messages.trim_end()].into_iter().filter(|text| !text.is_empty());
    let told = told.collect::<Vec<_>>().join("\n");
    match code {
        None if more => Ok(format!("{told}\n[more was said than is told here]")),
        // A finding shows by its code.
        Some(code)
            if code == i32::from(exit::OK) || (code == i32::from(exit::FOUND) && !output.is_empty()) =>
        {
            Ok(if told.is_empty() { "nothing".into() } else { told })
        }
        _ => Err(if told.is_empty() { "the command failed and said nothing".into() } else { told }),
    }
}

/// A stretch of lines, with where to go on.
fn stretch(ran: Ran, from: usize) -> Result<String, String> {
    let (more, count) = (ran.more, ran.output.lines().count());
    if more {
        let next = from.saturating_add(count);
        return Ok(format!("{}[lines {from} to {next}; go on with \"from\": {next}]", ran.output));
    }
    let text = result(ran)?;
    Ok(if count == 0 { format!("there are no more than {from} lines") } else { text })
}

/// The pictures that a text names, in the order in which it does.
fn pictures(folder: &Path, text: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<(usize, String)> = entries
        .flatten()
        .filter_map(|entry| {
            let place = text.find(entry.path().to_str()?)?;
            let png = file::read(&entry.path(), MOST_PICTURE).ok()?;
            Some((place, STANDARD.encode(png)))
        })
        .collect();
    found.sort();
    found.into_iter().take(MOST_PICTURES).map(|(_, base64)| base64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::Parser;
    use serde_json::json;

    /// Words for each argument.
    fn sample(takes: Takes) -> Value {
        match takes {
            Takes::Session => json!("s3"),
            Takes::Finding => json!("s3-1a2b3c4d"),
            Takes::Number(least, _) => json!(least),
            Takes::Word(words) => json!(words[0]),
            Takes::Orders(_) => json!(["insert click \"--help\"", "next"]),
            Takes::Json => json!({}),
        }
    }

    #[test]
    fn every_tool_is_a_command_of_this_program() {
        for tool in TOOLS {
            for all in [true, false] {
                let arguments = tool.arguments.iter().filter(|argument| all || argument.required);
                let sent =
                    arguments.map(|argument| (argument.name.to_owned(), sample(argument.takes))).collect();
                let given = check(tool.arguments, &sent).expect(tool.name);
                let line = match &tool.run {
                    Run::Plain(line) | Run::Lines(line) | Run::Fed(line, _) => line(&given),
                    Run::Pictured(line) => line(&given, "/tmp/x"),
                };
                let line = [words(&["droidmux"]), line, words(&["--store", "/x"])].concat();
                let parsed = Cli::try_parse_from(&line);
                assert!(
                    parsed.is_ok(),
                    "{line:?}: {}",
                    parsed.err().map(|error| error.to_string()).unwrap_or_default()
                );
            }
        }
    }

    #[test]
    fn what_touches_a_device_says_so_and_what_reads_is_marked() {
        for tool in TOOLS {
            assert!(!(tool.reads && tool.devices), "{}", tool.name);
            assert_eq!(tool.description.contains("TOUCHES A DEVICE"), tool.devices, "{}", tool.name);
            assert_eq!(tool.description.contains("Reads only."), tool.reads, "{}", tool.name);
            assert_eq!(tool.annotations().read_only_hint, Some(tool.reads), "{}", tool.name);
        }
    }
}
