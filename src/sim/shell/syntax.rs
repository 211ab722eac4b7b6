//! What a script is made of once it is parsed.

use std::sync::{Arc, OnceLock};

use thiserror::Error;

/// A part of a word; words are concatenations of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Quoted or escaped text, taken as it is.
    Quoted(String),
    /// Unquoted text, in which `*`, `?` and `[…]` match file names.
    Bare(String),
    /// `$name`, `${name…}`, `$?`, `$1`; split at blanks when not quoted.
    Parameter { name: String, change: Change, quoted: bool },
    /// `$(script)` or a script in back-ticks.
    Output { script: Arc<Script>, quoted: bool },
    /// `$((expression))`, in which parameters are expanded first.
    Number { expression: Word, quoted: bool },
}

pub(super) type Word = Vec<Part>;

/// What `${name…}` makes of the parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Its value as it is.
    Nothing,
    /// `${#name}`.
    Length,
    /// `${name:-word}` and its kin; with the colon an empty value counts as none.
    Missing { sign: Sign, colon: bool, word: Word },
    /// `${name%pattern}`, `%%`, `#`, `##`.
    Trim { end: bool, longest: bool, pattern: Word },
    /// `${name/pattern/text}`; with `//` all of them, with `/#` and `/%` at one end only.
    Replace { place: Replaced, pattern: Word, text: Word },
    /// `${name:from:length}`.
    Slice { from: Word, length: Option<Word> },
}

/// What stands for a missing value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// `-`: the word.
    Use,
    /// `=`: the word, which it is set to as well.
    Assign,
    /// `?`: an error.
    Fail,
    /// `+`: the word where there *is* a value.
    Instead,
}

/// Which matches are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replaced {
    First,
    All,
    AtStart,
    AtEnd,
}

/// Lines to be run one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Script(pub(super) Vec<Line>);

impl Script {
    /// One command alone.
    pub(super) fn of(command: Command) -> Self {
        let first = Pipeline { negated: false, commands: vec![command] };
        Script(vec![Line { first, rest: Vec::new(), background: false }])
    }

    /// The file, when this is nothing but `<FILE`.
    pub(super) fn file_alone(&self) -> Option<&Word> {
        let [Line { first, rest, background: false }] = self.0.as_slice() else { return None };
        let ([Command { body: Body::Simple { assignments, words }, redirects }], true) =
            (first.commands.as_slice(), rest.is_empty() && !first.negated)
        else {
            return None;
        };
        match redirects.as_slice() {
            [Redirect { fd: 0, kind: RedirectKind::Read, target }]
                if assignments.is_empty() && words.is_empty() =>
            {
                Some(target)
            }
            _ => None,
        }
    }
}

/// Pipelines, each but the first with the condition it runs under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) first: Pipeline,
    pub(super) rest: Vec<(Condition, Pipeline)>,
    /// Ended by `&`.
    pub(super) background: bool,
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
    /// Without words: over the script's arguments.
    For {
        name: String,
        words: Option<Vec<Word>>,
        body: Script,
    },
    Case {
        word: Word,
        arms: Vec<Arm>,
    },
    Function {
        name: String,
        body: Arc<Script>,
    },
    /// `((expression))`.
    Number(Word),
    /// `[[ … ]]`.
    Test(Test),
}

/// One choice of a `case`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arm {
    pub(super) patterns: Vec<Word>,
    pub(super) body: Script,
    /// Ended by `;&`: the next one's body is run, too.
    pub(super) falls: bool,
}

/// What stands between `[[` and `]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    /// A word alone, or an option and its operand.
    One(Option<String>, Word),
    Two(Word, String, Word),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Redirect {
    pub(super) fd: u8,
    pub(super) kind: RedirectKind,
    pub(super) target: Word,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RedirectKind {
    Read,
    Write,
    Append,
    /// `>&` and `<&`: the word that follows is a descriptor.
    Duplicate,
    /// `&>`: both outputs.
    Both,
    /// `<<END`: the lines up to `END`, which are read after the line the redirection is in.
    Here(Arc<OnceLock<Word>>),
    /// `<<<`: the word that follows is the input.
    HereWord,
}

/// A script that is not a sentence of the shell's language.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum SyntaxError {
    #[error("syntax error: unexpected '{0}'")]
    Unexpected(String),
    /// More lines could make it one.
    #[error("{0}")]
    Unfinished(String),
    #[error("{0}")]
    Other(String),
}

/// A character of a variable's name.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a variable can have this name.
pub(super) fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_name)
}
