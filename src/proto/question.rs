//! Questions that wait for people, as a viewer sees them.

use serde::{Deserialize, Serialize};

use droidmux_record::{Agent, BlobHash, SessionId, Slot};

/// A question of a session whose model is whoever looks at the lab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitingView {
    /// Its number in this lab, counted from 1.
    pub number: u64,
    /// The session that asks.
    pub session: SessionId,
    /// The name of its technique.
    pub technique: String,
    /// The package that it tests.
    pub app: String,
    /// The part of the technique that asks.
    pub agent: Agent,
    /// The job that asks.
    pub slot: Slot,
    /// Since when it waits, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// When its session goes on without a reply, in milliseconds since the Unix epoch.
    pub until_ms: u64,
    /// Its length in tokens, estimated.
    pub tokens: u64,
    /// Pictures that belong to it.
    pub pictures: u32,
    /// Its first line, at most [`WaitingView::HEADLINE`] characters.
    pub headline: String,
}

/// A waiting question in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitingDetail {
    /// The same question as lists show it.
    pub line: WaitingView,
    /// What whoever answers is to be: a model's system message.
    pub role: String,
    /// Texts and pictures, in order.
    pub parts: Vec<WaitingPart>,
    /// The JSON schema of the reply.
    pub schema: String,
    /// A reply by this schema, with an empty value in each place.
    pub skeleton: String,
}

/// A piece of a waiting question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WaitingPart {
    /// As a model would be sent it.
    Text(String),
    /// A picture, to be had by [`super::Request::Screenshot`] as long as the question waits.
    Picture(BlobHash),
}

/// What became of a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Taking {
    /// The session has it.
    Taken,
    /// It is not what was asked for, in words; the question waits on.
    Unfit(Vec<String>),
    /// Nobody waits for it, in words.
    Gone(String),
}

impl WaitingView {
    /// Characters of a headline.
    pub const HEADLINE: usize = 160;
}

impl WaitingDetail {
    /// The texts, with `[picture 1]` and so on in the places of pictures.
    pub fn text(&self) -> String {
        let mut number = 0;
        let parts = self.parts.iter().map(|part| match part {
            WaitingPart::Text(text) => text.clone(),
            WaitingPart::Picture(_) => {
                number += 1;
                format!("[picture {number}]")
            }
        });
        parts.collect::<Vec<_>>().join("\n\n")
    }

    /// What the file of one of its pictures is called, wherever it is written.
    pub fn picture_name(hash: BlobHash) -> String {
        format!("{:.16}.png", hash.to_string())
    }

    /// In the order of the question's parts.
    pub fn pictures(&self) -> impl Iterator<Item = BlobHash> {
        self.parts.iter().filter_map(|part| match part {
            WaitingPart::Picture(hash) => Some(*hash),
            WaitingPart::Text(_) => None,
        })
    }
}
