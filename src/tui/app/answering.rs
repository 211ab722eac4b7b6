//! Answering questions that wait for people, in the person's editor.
//!
//! In: the oldest waiting question with its pictures, and what the person makes of it. Out: the text for the editor, the
//! pictures as files, the reply for the lab, and what was wrong with it, for the next time that the editor opens.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{App, Effect};
use crate::text;
use crate::theme::Role;
use droidmux_proto::{Request, Taking, WaitingDetail, WaitingView};
use droidmux_record::BlobHash;
use droidmux_words::figure::count;
use droidmux_words::printable_lines;

/// What begins a line that is no part of the reply.
const COMMENT: &str = "#";

/// A reply that was not taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    number: u64,
    reply: String,
    /// What is wrong with it, in words.
    faults: Vec<String>,
}

/// A question with what came of its pictures so far; `None` for those that the lab has no more.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    detail: Box<WaitingDetail>,
    folder: PathBuf,
    pictures: BTreeMap<BlobHash, Option<Png>>,
}

type Png = Arc<Vec<u8>>;

impl App {
    /// The questions that wait for people, of the open session if it asks them, else of all.
    pub fn waiting(&self) -> Vec<&WaitingView> {
        let all = &self.view.questions;
        let own: Vec<_> = all.iter().filter(|line| Some(line.session) == self.session.id).collect();
        if own.is_empty() { all.iter().collect() } else { own }
    }

    /// Asks for the question that waits longest, to open it in the editor.
    pub fn answer_question(&mut self) {
        let Some(number) = self.waiting().first().map(|line| line.number) else {
            return self.say("no question waits for people", Role::Warn);
        };
        self.ask_once(Request::Question(number));
    }

    /// Opens the editor on a question, once its pictures are there.
    pub(super) fn take_question(&mut self, question: Result<Box<WaitingDetail>, String>) {
        let detail = match question {
            Ok(detail) => detail,
            Err(why) => return self.say(why, Role::Warn),
        };
        let Some(folder) = self.options.picture_folder.clone() else {
            return self.edit_question(&detail, None, Vec::new());
        };
        let mut pictures = BTreeMap::new();
        let mut missing = Vec::new();
        for hash in detail.pictures() {
            match self.cache.screenshots.peek(&hash) {
                Some(png) => drop(pictures.insert(hash, png.clone())),
                None => missing.push(hash),
            }
        }
        self.transcripts.opening = Some(Opening { detail, folder, pictures });
        for hash in missing {
            self.ask_once(Request::Screenshot(hash));
        }
        self.open_question();
    }

    /// Takes in a picture that a question to be opened may wait for.
    pub(super) fn take_picture(&mut self, hash: BlobHash, png: Option<&Png>) {
        let waits = |opening: &&mut Opening| opening.detail.pictures().any(|wanted| wanted == hash);
        if let Some(opening) = self.transcripts.opening.as_mut().filter(waits) {
            opening.pictures.insert(hash, png.cloned());
            self.open_question();
        }
    }

    fn open_question(&mut self) {
        let is_whole = |opening: &mut Opening| {
            opening.detail.pictures().all(|hash| opening.pictures.contains_key(&hash))
        };
        let Some(opening) = self.transcripts.opening.take_if(is_whole) else { return };
        let Opening { detail, folder, pictures } = opening;
        let files = pictures.into_iter().filter_map(|(hash, png)| {
            let path = folder.join(WaitingDetail::picture_name(hash));
            Some((path, png?))
        });
        self.edit_question(&detail, Some(&folder), files.collect());
    }

    fn edit_question(
        &mut self,
        detail: &WaitingDetail,
        folder: Option<&Path>,
        pictures: Vec<(PathBuf, Png)>,
    ) {
        let number = detail.line.number;
        let draft = self.transcripts.draft.as_ref().filter(|draft| draft.number == number);
        let told = match folder {
            Some(folder) => told(detail, folder, &pictures),
            None => untold(detail),
        };
        let text = written(detail, draft, told);
        self.effect(Effect::Edit { number, text, pictures });
    }

    /// Sends what the person wrote.
    pub(super) fn take_edited(&mut self, number: u64, edited: Result<String, String>) {
        let reply = match edited {
            Ok(text) => reply_of(&text),
            Err(why) => return self.say(why, Role::Bad),
        };
        if reply.is_empty() {
            return self.say(format!("question {number} waits on: the reply is empty"), Role::Warn);
        }
        self.transcripts.draft = Some(Draft { number, reply: reply.clone(), faults: Vec::new() });
        self.effect(Effect::Send(Request::Answer { number, reply }));
    }

    /// Tells what became of a reply; one that is not what was asked for is kept for the next try.
    pub(super) fn take_taking(&mut self, number: u64, taking: Taking) {
        match taking {
            Taking::Taken => {
                self.transcripts.draft = None;
                self.say(format!("question {number} is answered"), Role::Good);
            }
            Taking::Gone(why) => {
                self.transcripts.draft = None;
                self.say(why, Role::Warn);
            }
            Taking::Unfit(faults) => {
                let first = faults.first().cloned().unwrap_or_default();
                let more = match faults.len() {
                    0 | 1 => String::new(),
                    faults => format!(" ({} in all)", count(faults, "fault")),
                };
                let draft = self.transcripts.draft.as_mut().filter(|draft| draft.number == number);
                if let Some(draft) = draft {
                    draft.faults = faults;
                }
                let words = format!("question {number} waits on: {}{more}; e goes on", text::safe(&first));
                self.say(words, Role::Bad);
            }
        }
    }
}

/// Where the pictures of a question are.
fn told(detail: &WaitingDetail, folder: &Path, files: &[(PathBuf, Png)]) -> Vec<String> {
    let line = |(number, hash): (usize, BlobHash)| {
        let path = folder.join(WaitingDetail::picture_name(hash));
        match files.iter().any(|(file, _)| *file == path) {
            true => format!("Picture {number}: {}", path.display()),
            false => format!("Picture {number} is gone: the question waits no longer."),
        }
    };
    (1..).zip(detail.pictures()).map(line).collect()
}

/// How to come to the pictures of a question that nobody wrote.
fn untold(detail: &WaitingDetail) -> Vec<String> {
    let line = &detail.line;
    let words = || {
        let pictures = count(line.pictures, "picture");
        format!("It has {pictures}: `droidmux questions show {}` writes them into files.", line.number)
    };
    (line.pictures > 0).then(words).into_iter().collect()
}

/// A question as the editor shows it: all of it, and where its pictures are, as comments, and below them the reply.
fn written(detail: &WaitingDetail, draft: Option<&Draft>, pictures: Vec<String>) -> String {
    let line = &detail.line;
    let faults = draft.map(|draft| draft.faults.as_slice()).unwrap_or_default();
    let mut head = Vec::new();
    if !faults.is_empty() {
        head.push("The last reply was not taken:".to_owned());
        head.extend(faults.iter().map(|fault| format!("  {fault}")));
        head.push(String::new());
    }
    head.push(format!(
        "Question {} of {}, {}/{}, {}, job {}",
        line.number,
        line.session,
        line.technique,
        line.agent.name(),
        line.app,
        line.slot
    ));
    head.extend(pictures);
    head.push(
        "Lines that begin with # are no part of the reply; without a reply, the question waits on."
            .to_owned(),
    );
    let role = detail.role.trim();
    let body = format!("{}\n\n{role}\n\n{}", head.join("\n"), detail.text().trim());
    let comments: String = printable_lines(&body)
        .lines()
        .map(|line| format!("{}\n", format!("{COMMENT} {line}").trim_end()))
        .collect();
    let reply = draft.map_or(&detail.skeleton, |draft| &draft.reply);
    format!("{comments}\n{}\n", reply.trim_end())
}

/// What of an edited text is the reply. JSON has no line that begins with `#`.
fn reply_of(text: &str) -> String {
    let kept = text.lines().filter(|line| !line.trim_start().starts_with(COMMENT));
    kept.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_testutils::fixtures::waiting;

    #[test]
    fn what_is_left_of_a_question_is_the_reply() {
        let detail = waiting::detail(7).expect("a question");
        let first = written(&detail, None, untold(&detail));
        assert!(
            first.starts_with("# Question 7 of s1, visiondroid/detector, org.diary, job j14\n"),
            "{first}"
        );
        assert!(first.contains("\n# It has 2 pictures: `droidmux questions show 7`"), "{first}");
        assert_eq!(reply_of(&first), detail.skeleton);
        let faults = vec!["`widget` is missing".to_owned()];
        let draft = Draft { number: 7, reply: "{\n  \"a\": 1\n}".into(), faults };
        let second = written(&detail, Some(&draft), Vec::new());
        assert!(
            second.starts_with("# The last reply was not taken:\n#   `widget` is missing\n#\n"),
            "{second}"
        );
        assert_eq!(reply_of(&second), draft.reply);
        assert_eq!(reply_of("# only\n  # comments\n\n"), "");
    }
}
