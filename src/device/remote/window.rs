//! The window of replies: what a host has been asked lately, and what it answered.
//!
//! In: ids of requests as they come, lost, doubled and late; replies once the work is done. Out: whether the work is to
//! be done, or what was answered before. Invariant: no id is worked on twice as long as anybody may still ask for it.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::frame::Id;

/// Longer than anybody asks again.
const KEPT_FOR: Duration = Duration::from_secs(300);
/// The most bytes of replies.
const MOST_BYTES: usize = 64 << 20;
/// The most ids, whatever their age.
const MOST_IDS: usize = 100_000;

/// What is to be done about a request.
#[derive(Clone, Debug)]
pub enum Known {
    /// It is new: work on it until the token is cancelled.
    New(CancellationToken),
    /// It is being worked on.
    Working,
    /// It was answered so.
    Answered(Bytes),
    /// It was answered, and the reply is no longer kept.
    Forgotten,
}

#[derive(Debug)]
enum State {
    Working(CancellationToken),
    Answered(Bytes),
    Forgotten,
}

/// Requests of the last minutes.
#[derive(Debug, Default)]
pub struct Window {
    states: HashMap<Id, State>,
    /// Oldest first.
    order: VecDeque<(Id, Instant)>,
    /// Ids with a reply, oldest first.
    answered: VecDeque<Id>,
    bytes: usize,
}

impl Window {
    /// Takes in a request.
    pub fn ask(&mut self, id: Id) -> Known {
        self.clear();
        match self.states.get(&id) {
            Some(State::Working(_)) => Known::Working,
            Some(State::Answered(reply)) => Known::Answered(reply.clone()),
            Some(State::Forgotten) => Known::Forgotten,
            None => {
                let token = CancellationToken::new();
                self.states.insert(id, State::Working(token.clone()));
                self.order.push_back((id, Instant::now()));
                Known::New(token)
            }
        }
    }

    /// The work is done.
    pub fn answer(&mut self, id: Id, reply: Bytes) {
        let Some(state @ State::Working(_)) = self.states.get_mut(&id) else { return };
        self.bytes += reply.len();
        *state = State::Answered(reply);
        self.answered.push_back(id);
        while self.bytes > MOST_BYTES
            && let Some(oldest) = self.answered.pop_front()
        {
            if let Some(state) = self.states.get_mut(&oldest)
                && let State::Answered(reply) = state
            {
                self.bytes -= reply.len();
                *state = State::Forgotten;
            }
        }
    }

    /// Nobody waits for it any more. An id that has not come yet must not be worked on when it does.
    pub fn cancel(&mut self, id: Id) {
        match self.states.get(&id) {
            Some(State::Working(token)) => token.cancel(),
            Some(_) => {}
            None => {
                self.states.insert(id, State::Forgotten);
                self.order.push_back((id, Instant::now()));
            }
        }
    }

    /// How many are being worked on.
    pub fn working(&self) -> usize {
        self.states.values().filter(|state| matches!(state, State::Working(_))).count()
    }

    fn clear(&mut self) {
        while let Some((id, since)) = self.order.front()
            && (since.elapsed() > KEPT_FOR || self.order.len() > MOST_IDS)
        {
            // Work that takes longer has its own limit, and its id stays.
            if let Some(State::Working(_)) = self.states.get(id) {
                let id = *id;
                self.order.pop_front();
                self.order.push_back((id, Instant::now()));
                if self.order.len() <= MOST_IDS {
                    continue;
                }
                return;
            }
            if let Some(State::Answered(reply)) = self.states.remove(id) {
                self.bytes -= reply.len();
            }
            self.order.pop_front();
        }
        let states = &self.states;
        while self.answered.front().is_some_and(|id| !matches!(states.get(id), Some(State::Answered(_)))) {
            self.answered.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(known: &Known) -> String {
        match known {
            Known::New(_) => "new".into(),
            Known::Working => "working".into(),
            Known::Answered(reply) => String::from_utf8_lossy(reply).into_owned(),
            Known::Forgotten => "forgotten".into(),
        }
    }

    #[test]
    fn an_id_is_worked_on_once() {
        // a, b: asked; A, B: answered with that letter; x, y: cancelled.
        let cases = [
            ("a", "new"),
            ("aa", "new working"),
            ("aAa", "new A"),
            ("abBba", "new new B working"),
            ("xa", "forgotten"),
            ("aAxa", "new A"),
            ("axa", "new working"),
        ];
        for (story, expected) in cases {
            let mut window = Window::default();
            let mut words = Vec::new();
            for event in story.chars() {
                let id = |letter: char| Id([u8::try_from(letter).unwrap(); 16]);
                match event {
                    'x' | 'y' => window.cancel(id(if event == 'x' { 'a' } else { 'b' })),
                    'A'..='Z' => {
                        window.answer(id(event.to_ascii_lowercase()), Bytes::from(event.to_string()));
                    }
                    _ => words.push(word(&window.ask(id(event)))),
                }
            }
            assert_eq!(words.join(" "), expected, "{story}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn replies_are_kept_for_minutes_and_by_their_size() {
        let mut window = Window::default();
        let id = |n: u8| Id([n; 16]);
        for n in 0..3 {
            assert_eq!(word(&window.ask(id(n))), "new");
            window.answer(id(n), vec![b'.'; 30 << 20].into());
        }
        assert_eq!(word(&window.ask(id(0))), "forgotten");
        assert_eq!(word(&window.ask(id(2))).len(), 30 << 20);
        assert_eq!(word(&window.ask(id(9))), "new");
        tokio::time::advance(KEPT_FOR + Duration::from_secs(1)).await;
        assert_eq!(word(&window.ask(id(1))), "new");
        assert_eq!(word(&window.ask(id(9))), "working");
        assert_eq!(window.bytes, 0);
    }
}
