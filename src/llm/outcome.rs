//! The outcome of a question, before it becomes an answer.

use droidmux_record::{Answer, Exchange, NoReply, Reply, Unanswered};

pub(super) struct Outcome {
    pub said: Said,
    pub exchange: Exchange,
}

/// The reply's text, or why there is none and what is known about that.
pub(super) type Said = Result<String, (NoReply, String)>;

impl From<Outcome> for Answer {
    fn from(Outcome { said, exchange }: Outcome) -> Self {
        match said {
            Ok(text) => Self::Reply(Reply { text, exchange }),
            Err((why, detail)) => Self::None(Unanswered { why, detail, exchange }),
        }
    }
}
