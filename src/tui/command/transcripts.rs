//! Commands of the Transcripts screen.

use super::{Command, Scope};
use crate::app::{App, Dialog};

const TRANSCRIPTS: Scope = Scope::TRANSCRIPTS;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "follow-transcripts",
        what: "Follow the newest exchange, or stay where the cursor is",
        keys: &["f"],
        scope: TRANSCRIPTS,
        changes: false,
        hint: "follow",
        run: |app| app.transcripts.follows = !app.transcripts.follows,
    },
    Command {
        name: "next-agent",
        what: "Show the exchanges of the next agent only, after the last those of all",
        keys: &["a"],
        scope: TRANSCRIPTS,
        changes: false,
        hint: "agent",
        run: |app| app.next_agent(),
    },
    Command {
        name: "search-transcripts",
        what: "Search prompts and replies",
        keys: &["/"],
        scope: TRANSCRIPTS,
        changes: false,
        hint: "search",
        run: |app| app.dialog = Some(Dialog::Filter(app.transcripts.search.clone().into())),
    },
    Command {
        name: "next-found",
        what: "Go to the next exchange that holds the text searched for",
        keys: &["n"],
        scope: TRANSCRIPTS,
        changes: false,
        hint: "",
        run: |app| app.search_transcripts(true),
    },
    Command {
        name: "previous-found",
        what: "Go to the previous exchange that holds the text searched for",
        keys: &["N"],
        scope: TRANSCRIPTS,
        changes: false,
        hint: "",
        run: |app| app.search_transcripts(false),
    },
    Command {
        name: "step-of-exchange",
        what: "Go to what the exchange is about: each step that a reader cites, the finding that a reviewer judges, or the \
               step that came of it",
        keys: &["s"],
        scope: TRANSCRIPTS,
        changes: false,
        hint: "its step",
        run: App::go_to_use,
    },
    Command {
        name: "answer-question",
        what: "Answer the question to people that waits longest, in $VISUAL or $EDITOR",
        keys: &["e"],
        scope: TRANSCRIPTS,
        changes: true,
        hint: "answer",
        run: App::answer_question,
    },
    Command {
        name: "copy-reply",
        what: "Copy the reply as it came",
        keys: &["y"],
        scope: TRANSCRIPTS,
        changes: false,
        hint: "copy",
        run: |app| app.copy_exchange(false),
    },
    Command {
        name: "copy-exchange",
        what: "Copy the whole exchange: role, prompt and reply",
        keys: &["Y"],
        scope: TRANSCRIPTS,
        changes: false,
        hint: "",
        run: |app| app.copy_exchange(true),
    },
    Command {
        name: "next-picture",
        what: "Show the next of the pictures that were sent",
        keys: &["."],
        scope: TRANSCRIPTS,
        changes: false,
        hint: "",
        run: |app| app.turn_pictures(true),
    },
    Command {
        name: "previous-picture",
        what: "Show the previous of the pictures that were sent",
        keys: &[","],
        scope: TRANSCRIPTS,
        changes: false,
        hint: "",
        run: |app| app.turn_pictures(false),
    },
];
