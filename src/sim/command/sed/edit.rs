//! What the commands of `sed` are.

use std::sync::Arc;

use super::super::regular::Regular;

/// Which lines a command applies to.
#[derive(Debug)]
pub(super) enum Address {
    Line(usize),
    Last,
    /// `first~step`.
    Every(usize, usize),
    Matching(Arc<Regular>),
    /// `+N`: this many more lines.
    More(usize),
}

/// A command with its addresses.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) from: Option<Address>,
    pub(super) to: Option<Address>,
    pub(super) negated: bool,
    pub(super) function: Function,
}

#[derive(Debug)]
pub(super) enum Function {
    Nothing,
    /// `{`: where the command after its end is.
    Block(usize),
    Label(String),
    Delete,
    DeleteFirst,
    Print,
    PrintFirst,
    Number,
    /// With this code, and whether the line is printed.
    Quit(i32, bool),
    Next,
    Append,
    Before(String),
    After(String),
    Change(String),
    Hold,
    HoldMore,
    Get,
    GetMore,
    Exchange,
    Map(Vec<char>, Vec<char>),
    Substitute(Box<Substitution>),
    Branch(String),
    /// `t`, and with false `T`.
    BranchIf(String, bool),
}

#[derive(Debug)]
pub(super) struct Substitution {
    pub(super) regular: Arc<Regular>,
    pub(super) by: Vec<Replacement>,
    /// The first match that is replaced.
    pub(super) number: usize,
    pub(super) all: bool,
    pub(super) print: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Replacement {
    Text(String),
    Group(usize),
}
