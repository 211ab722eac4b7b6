//! How much may be written now: what a person waits for goes first, what merely moves keeps to a budget.
//!
//! A socket's back-pressure comes late: between the cockpit and the glass lie buffers of the shell, of SSH and of
//! modems, and what is in them is what a key waits behind. So every write ends with a question that every terminal
//! answers (DSR), and the answer says that everything before it is on the glass. What is unanswered is under way, and a
//! window limits it: the window grows while answers come as fast as the fastest, and shrinks when they come later,
//! which is when a buffer fills. The round trip is a better measure than the rate of the writes, which buffers swallow,
//! and better than the terminal's word on its size, which says nothing about the link. A multiplexer answers by itself:
//! there the budget alone is the limit, and the multiplexer drops what its own terminal does not take.
//!
//! An echo has room of its own besides the window: its own length makes answers late and the window small, and then
//! it would wait a round trip for what moves. It goes in pieces, too, so that the first rows show while the others are
//! on their way.
//!
//! In: what was written, answers, the time. Out: how many bytes may go, or how long to wait.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use droidmux_words::number;

/// What a write is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// A person pressed a key and waits to see it.
    Echo,
    /// Something changed by itself.
    Moves,
}

/// What moves goes in pieces of this size where there is a budget: none of them holds a key up for long.
pub const PIECE: usize = 320;
/// The size of the pieces of an echo there.
const ECHO_PIECE: usize = 1 << 10;
/// Bytes of echoes that may be under way however small the window is.
const ECHO_RESERVE: usize = 4 << 10;
/// The window over a link that is thrifty, and over any other, before anything is known.
const FIRST_WINDOW: (usize, usize) = (12 << 10, 64 << 10);
const LEAST_WINDOW: usize = 1 << 10;
const MOST_WINDOW: usize = 4 << 20;
/// Later than the fastest answer by this much is late.
const LATE: Duration = Duration::from_millis(60);
/// Without any answer after this long, the terminal gives none.
const MUTE: Duration = Duration::from_secs(3);
/// Unanswered for this long: what is under way counts as lost, and a window of the least size goes out to see.
const LOST: Duration = Duration::from_secs(8);
/// How often the fastest answer is measured anew: links change.
const RENEW: Duration = Duration::from_secs(60);
/// What is owed for echoes is forgotten beyond this many seconds of the budget.
const MOST_DEBT: f64 = 2.0;

/// The way to the terminal.
#[derive(Debug)]
pub struct Link {
    /// Bytes a second for what merely moves; `None` is no limit.
    budget: Option<f64>,
    tokens: f64,
    filled: Instant,
    window: usize,
    /// Writes without an answer.
    under_way: VecDeque<Sent>,
    fastest: Option<(Duration, Instant)>,
    /// Answers to questions before this moment say nothing of the window as it is.
    cut: Instant,
    began: Instant,
    heard: bool,
    /// The latest answer.
    last: Instant,
    /// The terminal answers nothing.
    mute: bool,
}

/// A write that the terminal has not answered.
#[derive(Clone, Copy, Debug)]
struct Sent {
    at: Instant,
    bytes: usize,
    urgency: Urgency,
}

/// What the link takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// About this many bytes at once.
    Bytes(usize),
    /// Nothing until this time has passed, or the terminal has answered.
    After(Duration),
}

impl Link {
    /// A link with `budget` bytes a second for what moves.
    pub fn new(budget: Option<u32>, now: Instant) -> Self {
        Self {
            budget: budget.map(f64::from),
            tokens: piece(),
            filled: now,
            window: if budget.is_some() { FIRST_WINDOW.0 } else { FIRST_WINDOW.1 },
            under_way: VecDeque::new(),
            fastest: None,
            cut: now,
            began: now,
            heard: false,
            last: now,
            mute: false,
        }
    }

    /// How much may be written now.
    pub fn room(&mut self, urgency: Urgency, now: Instant) -> Room {
        self.fill(now);
        self.give_up(now);
        let mut room = if self.mute { MOST_WINDOW } else { self.window.saturating_sub(self.sent(None)) };
        if urgency == Urgency::Echo && !self.mute {
            let reserve = ECHO_RESERVE.saturating_sub(self.sent(Some(Urgency::Echo)));
            room = room.max(reserve);
            if self.budget.is_some() {
                room = room.min(ECHO_PIECE);
            }
        }
        if let Some(budget) = self.budget
            && (urgency == Urgency::Moves || self.mute)
        {
            let least = if urgency == Urgency::Moves { piece() } else { -budget / 2.0 };
            if self.tokens < least {
                return Room::After(Duration::from_secs_f64((least - self.tokens) / budget).max(TICK));
            }
            room = room.min(if urgency == Urgency::Moves { PIECE } else { FIRST_WINDOW.0 });
        }
        // Pieces too small to be worth their frame wait for more room.
        match room >= PIECE.min(self.window) {
            true => Room::Bytes(room),
            false => Room::After(self.patience(now)),
        }
    }

    /// Notes what was written. True when the terminal is to be asked whether it has taken it in.
    pub fn wrote(&mut self, bytes: usize, urgency: Urgency, now: Instant) -> bool {
        self.fill(now);
        if let Some(budget) = self.budget {
            self.tokens = (self.tokens - number::real(bytes)).max(-MOST_DEBT * budget);
        }
        if !self.mute {
            self.under_way.push_back(Sent { at: now, bytes, urgency });
        }
        !self.mute
    }

    /// The terminal has taken in the oldest write without an answer.
    pub fn answered(&mut self, now: Instant) {
        self.heard = true;
        self.mute = false;
        self.last = now;
        let before = self.sent(None);
        let Some(Sent { at: asked, bytes, .. }) = self.under_way.pop_front() else { return };
        let took = now.saturating_duration_since(asked);
        let fastest = match self.fastest {
            Some((fastest, since)) if fastest <= took && now.duration_since(since) < RENEW => fastest,
            _ => {
                self.fastest = Some((took, now));
                took
            }
        };
        if took > fastest + LATE {
            if asked >= self.cut {
                self.window = (before / 2).max(LEAST_WINDOW).min(self.window);
                self.cut = now;
            }
        } else if before * 2 >= self.window {
            // Fast until an answer is late for the first time, in small steps from then on.
            let step = if self.cut > self.began { bytes.min(LEAST_WINDOW) } else { bytes };
            self.window = (self.window + step).min(MOST_WINDOW);
        }
    }

    /// Questions that have no answer yet.
    pub fn waits(&self) -> bool {
        self.heard && !self.under_way.is_empty()
    }

    /// Something else used the terminal meanwhile: questions already asked will not be answered any more.
    pub fn forget(&mut self, now: Instant) {
        self.under_way.clear();
        self.cut = now;
    }

    /// Bytes without an answer: those of one urgency, or all.
    fn sent(&self, of: Option<Urgency>) -> usize {
        let these = self.under_way.iter().filter(|sent| of.is_none_or(|urgency| urgency == sent.urgency));
        these.map(|sent| sent.bytes).sum()
    }

    fn fill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.filled);
        self.filled = now;
        if let Some(budget) = self.budget {
            self.tokens = (self.tokens + passed.as_secs_f64() * budget).min(piece() * 1.5);
        }
    }

    fn give_up(&mut self, now: Instant) {
        let Some(oldest) = self.under_way.front() else { return };
        // Answers that come late are not lost.
        let waited = now.saturating_duration_since(oldest.at.max(self.last));
        if !self.heard && waited >= MUTE {
            self.mute = true;
            self.under_way.clear();
        } else if waited >= LOST {
            self.under_way.clear();
            self.window = LEAST_WINDOW;
            self.cut = now;
        }
    }

    /// Until something is given up.
    fn patience(&self, now: Instant) -> Duration {
        let limit = if self.heard { LOST } else { MUTE };
        let asked = self.under_way.front().map_or(self.began, |oldest| oldest.at.max(self.last));
        (asked + limit).saturating_duration_since(now).max(TICK)
    }
}

/// The shortest wait.
const TICK: Duration = Duration::from_millis(2);

fn piece() -> f64 {
    number::real(PIECE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICKS: u64 = 5;

    /// A link with a rate and a delay, seen from the near end.
    struct Way {
        rate: f64,
        round_trip: Duration,
        free: Instant,
        answers: VecDeque<Instant>,
    }

    impl Way {
        fn carry(&mut self, bytes: usize, now: Instant) {
            self.free = self.free.max(now) + Duration::from_secs_f64(number::real(bytes) / self.rate);
            self.answers.push_back(self.free + self.round_trip);
        }

        /// How long a byte written now waits for those before it.
        fn backlog(&self, now: Instant) -> Duration {
            self.free.saturating_duration_since(now)
        }
    }

    /// Writes as much as the link takes for this long: bytes a second, and the longest backlog of the second half.
    fn flood(
        link: &mut Link,
        way: &mut Way,
        urgency: Urgency,
        start: Instant,
        seconds: u64,
    ) -> (f64, Duration) {
        let (mut written, mut worst) = (0, Duration::ZERO);
        for tick in 0..seconds * 1_000 / TICKS {
            let now = start + Duration::from_millis(tick * TICKS);
            while way.answers.front().is_some_and(|at| *at <= now) {
                way.answers.pop_front();
                link.answered(now);
            }
            if let Room::Bytes(bytes) = link.room(urgency, now) {
                let bytes = bytes.min(30_000);
                way.carry(bytes, now);
                link.wrote(bytes, urgency, now);
                written += bytes;
            }
            if tick > seconds * 500 / TICKS {
                worst = worst.max(way.backlog(now));
            }
        }
        (number::real(written) / number::real(seconds), worst)
    }

    #[test]
    fn what_moves_takes_the_budget_or_the_link_and_fills_no_buffer() {
        let ms = Duration::from_millis;
        // (budget, rate of the link, round trip, bytes a second, backlog at most)
        let cases = [
            (Some(6_000), 12_500.0, 300, 5_300.0..6_300.0, 60),
            (Some(6_000), 1_000_000.0, 20, 5_300.0..6_300.0, 10),
            (Some(6_000), 2_000.0, 300, 900.0..2_050.0, 1_000),
            (None, 12_500.0, 300, 4_000.0..13_000.0, 600),
            (None, 10_000_000.0, 1, 1_000_000.0..11_000_000.0, 60),
        ];
        for (budget, rate, round_trip, expected, backlog) in cases {
            let start = Instant::now();
            let mut link = Link::new(budget, start);
            let mut way = Way { rate, round_trip: ms(round_trip), free: start, answers: VecDeque::new() };
            let (written, worst) = flood(&mut link, &mut way, Urgency::Moves, start, 60);
            let case = format!("{budget:?} over {rate} bytes a second: {written:.0}, {worst:?} of backlog");
            assert!(expected.contains(&written), "{case}");
            assert!(worst <= ms(backlog), "{case}");
        }
    }

    #[test]
    fn a_terminal_that_says_nothing_is_written_to_by_the_budget_alone() {
        let start = Instant::now();
        let mut link = Link::new(Some(6_000), start);
        let mut written = 0;
        for tick in 0..20_000 / TICKS {
            let now = start + Duration::from_millis(tick * TICKS);
            if let Room::Bytes(bytes) = link.room(Urgency::Moves, now) {
                written += bytes;
                link.wrote(bytes, Urgency::Moves, now);
            }
        }
        assert!((90_000..=121_000).contains(&written), "{written} bytes in 20 s");
        assert!(!link.waits(), "nothing is waited for in the end");
    }

    #[test]
    fn an_echo_goes_though_the_budget_is_spent() {
        let start = Instant::now();
        let mut link = Link::new(Some(6_000), start);
        link.wrote(PIECE, Urgency::Moves, start);
        assert!(matches!(link.room(Urgency::Moves, start), Room::After(_)));
        assert!(matches!(link.room(Urgency::Echo, start), Room::Bytes(room) if room >= PIECE));
    }

    /// Keys whose echoes are as long as a list that is filtered, while much moves: how long from a key to the first and
    /// to the last bytes of its echo at the far end, at most.
    #[test]
    fn the_first_of_an_echo_waits_for_one_piece_at_most() {
        let ms = Duration::from_millis;
        // (rate of the link, bytes of an echo, first bytes within, last within), there and back 300 ms.
        for (rate, echo, first, last) in [
            (12_500.0, 200, 350, 350),
            (12_500.0, 800, 350, 420),
            (12_500.0, 2_400, 350, 560),
            (12_500.0, 4_000, 350, 760),
            (4_000.0, 2_400, 720, 1_500),
        ] {
            let start = Instant::now();
            let mut link = Link::new(Some(6_000), start);
            let mut way = Way { rate, round_trip: ms(300), free: start, answers: VecDeque::new() };
            let (mut left, mut pressed) = (0, start);
            let mut worst = (Duration::ZERO, Duration::ZERO);
            for tick in 0..60_000 / TICKS {
                let now = start + ms(tick * TICKS);
                while way.answers.front().is_some_and(|at| *at <= now) {
                    way.answers.pop_front();
                    link.answered(now);
                }
                if tick > 0 && tick % (730 / TICKS) == 0 {
                    (left, pressed) = (echo, now);
                }
                let urgency = if left > 0 { Urgency::Echo } else { Urgency::Moves };
                let Room::Bytes(room) = link.room(urgency, now) else { continue };
                let bytes = if left > 0 { room.min(left) } else { room };
                let begins = way.backlog(now);
                way.carry(bytes, now);
                link.wrote(bytes, urgency, now);
                if urgency == Urgency::Echo {
                    // The key came half of the round trip ago, the bytes take the other half.
                    let waited = now - pressed + ms(300);
                    if left == echo {
                        worst.0 = worst.0.max(waited + begins);
                    }
                    left -= bytes;
                    worst.1 = worst.1.max(waited + way.backlog(now));
                }
            }
            let case = format!("{echo} bytes over {rate}: {worst:?}");
            assert!(worst.0 <= ms(first) && worst.1 <= ms(last), "{case}");
        }
    }
}
