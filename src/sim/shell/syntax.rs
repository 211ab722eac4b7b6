//! What a script is made of once it is parsed.

use super::lexer::{RedirectKind, Word};

/// Lines to be run one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Script(pub(super) Vec<Line>);

/// Pipelines, each but the first with the condition it runs under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) first: Pipeline,
    pub(super) rest: Vec<(Condition, Pipeline)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    IfOk,
    IfFailed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pipeline {
    pub(super) negated: bool,
    pub(super) commands: Vec<Command>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) body: Body,
    pub(super) redirects: Vec<Redirect>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Body {
    Simple {
        assignments: Vec<(String, Word)>,
        words: Vec<Word>,
    },
    Group(Script),
    /// As a group, but what it sets and its `exit` stay inside.
    Subshell(Script),
    If {
        branches: Vec<(Script, Script)>,
        otherwise: Script,
    },
    Loop {
        until: bool,
        condition: Script,
        body: Script,
    },
    For {
        name: String,
        words: Vec<Word>,
        body: Script,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Redirect {
    pub(super) fd: u8,
    pub(super) kind: RedirectKind,
    pub(super) target: Word,
}
