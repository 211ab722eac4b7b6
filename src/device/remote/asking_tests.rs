//! Requests over a wire that loses, doubles and delays messages, by a seed.

use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::frame::cut;
use crate::packing::{PackError, unpack};
use crate::window::{Known, Window};
use crate::wire::{Answer, Fault};

/// Both directions of a wire, and the host at its end.
struct Wire {
    rng: Mutex<StdRng>,
    /// How many of a hundred messages are lost, doubled, and late.
    lost: u32,
    doubled: u32,
    late: u32,
    /// The longest that a late one takes.
    latest: Duration,
    asker: Mutex<Option<Asker>>,
    window: Mutex<Window>,
    began: Instant,
    /// How often each request was worked on, by what it asked.
    worked: Mutex<HashMap<String, u32>>,
    takes: Duration,
    dropped: AtomicU32,
    weak: std::sync::Weak<Wire>,
}

impl Wire {
    fn new(seed: u64, lost: u32, doubled: u32, late: u32) -> Arc<Self> {
        Self::of(seed, [lost, doubled, late], Duration::from_secs(8))
    }

    fn slow(seed: u64, late: u32, latest: Duration) -> Arc<Self> {
        Self::of(seed, [0, 0, late], latest)
    }

    fn of(seed: u64, [lost, doubled, late]: [u32; 3], latest: Duration) -> Arc<Self> {
        Arc::new_cyclic(|weak| Self {
            rng: Mutex::new(StdRng::seed_from_u64(seed)),
            lost,
            doubled,
            late,
            latest,
            asker: Mutex::default(),
            window: Mutex::default(),
            began: Instant::now(),
            worked: Mutex::default(),
            takes: Duration::from_millis(700),
            dropped: AtomicU32::new(0),
            weak: weak.clone(),
        })
    }

    fn asker(self: &Arc<Self>) -> Asker {
        let asker = Asker::new(self.clone(), Waits::default(), Some("lab"));
        *self.asker.lock().unwrap() = Some(asker.clone());
        asker.tick("far", 1, 0);
        asker
    }

    /// After which times a message arrives: never, once, or twice.
    fn fates(&self) -> Vec<Duration> {
        let mut rng = self.rng.lock().unwrap();
        let mut hundred = |share: u32| rng.random_range(0..100) < share;
        if hundred(self.lost) {
            self.dropped.fetch_add(1, Ordering::Relaxed);
            return Vec::new();
        }
        let copies = if hundred(self.doubled) { 2 } else { 1 };
        let late: Vec<bool> = (0..copies).map(|_| hundred(self.late)).collect();
        let latest = u64::try_from(self.latest.as_millis()).unwrap();
        late.into_iter()
            .map(|late| Duration::from_millis(if late { rng.random_range(0..latest) } else { 5 }))
            .collect()
    }

    fn clock(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap()
    }

    /// What a host does with a message.
    async fn host(&self, message: Message, reply: Option<String>) {
        if message.kind == Kind::Cancel {
            return self.window.lock().unwrap().cancel(message.id);
        }
        let (request, _) = unpack::<Request>(&message.bytes).expect("a request");
        if request.begin_by != 0 && self.clock() > request.begin_by {
            return;
        }
        let to = reply.expect("somebody to answer");
        let known = self.window.lock().unwrap().ask(message.id);
        let body = match known {
            Known::Working => {
                return self
                    .send(to, None, Message::of(Kind::Working, message.id, Bytes::new()).write())
                    .await;
            }
            Known::Answered(body) => body,
            Known::Forgotten => return,
            Known::New(cancel) => {
                *self.worked.lock().unwrap().entry(request.phone.clone()).or_default() += 1;
                tokio::time::sleep(self.takes).await;
                assert!(!cancel.is_cancelled() || self.lost + self.late > 0);
                let done: Result<Answer, Fault> = Ok(Answer::Holds(vec![request.phone.clone()]));
                let reply =
                    Reply { run: 1, clock: self.clock(), done, remarks: vec![], shortcomings: vec![] };
                let body = pack(&reply, &[content()]).expect("packed");
                self.window.lock().unwrap().answer(message.id, body.clone());
                body
            }
        };
        for part in cut(Kind::Answer, message.id, &body, 0) {
            self.send(to.clone(), None, part.write()).await;
        }
    }
}

#[async_trait]
impl Carrier for Wire {
    async fn send(&self, subject: String, reply: Option<String>, bytes: Bytes) {
        for after in self.fates() {
            let (wire, subject, reply, bytes) =
                (self.weak.upgrade().unwrap(), subject.clone(), reply.clone(), bytes.clone());
            tokio::spawn(async move {
                tokio::time::sleep(after).await;
                if subject.starts_with(&answered_at("")) {
                    let asker = wire.asker.lock().unwrap().clone().unwrap();
                    asker.hear(&subject, &bytes, false);
                } else {
                    wire.host(Message::read(&bytes).unwrap(), reply).await;
                }
            });
        }
    }

    fn most(&self) -> usize {
        1 << 20
    }

    fn trouble(&self) -> Option<String> {
        Some("the wire is cut".into())
    }
}

/// What does not get smaller, in three parts.
fn content() -> Bytes {
    let mut rng = StdRng::seed_from_u64(5);
    (0..9_000).map(|_| rng.random::<u8>()).collect()
}

fn patience() -> Patience {
    Patience::of(Duration::from_secs(60))
}

#[tokio::test(start_paused = true)]
async fn nothing_is_done_twice_whatever_the_wire_does() {
    for seed in 0..20 {
        // Shares of a hundred: lost, doubled, late.
        for (lost, doubled, late) in [(0, 0, 0), (30, 0, 0), (0, 60, 30), (20, 30, 50), (60, 20, 20)] {
            let wire = Wire::new(seed, lost, doubled, late);
            let asker = wire.asker();
            let mut answered = 0;
            for n in 0..15 {
                let phone = format!("tap {n}");
                match asker.ask("far", &phone, Some(1), Ask::Wake, &[], &patience()).await {
                    Ok((reply, beside)) => {
                        answered += 1;
                        assert!(matches!(reply.done, Ok(Answer::Holds(of)) if of == [phone.clone()]));
                        assert_eq!(beside, [content()]);
                        assert_eq!(wire.worked.lock().unwrap().get(&phone), Some(&1), "seed {seed}, {phone}");
                    }
                    Err(AskError::Silent { .. } | AskError::TimedOut(_)) => {
                        let worked = wire.worked.lock().unwrap().get(&phone).copied().unwrap_or(0);
                        assert!(worked <= 1, "seed {seed}, {phone}");
                    }
                    Err(error) => panic!("seed {seed}: {error}"),
                }
            }
            // Late and doubled ones have come by then.
            tokio::time::sleep(Duration::from_secs(120)).await;
            assert!(wire.worked.lock().unwrap().values().all(|&times| times == 1), "seed {seed}");
            assert!(lost > 0 || late > 0 || answered == 15, "seed {seed}: {answered}");
            let least = if lost > 50 { 1 } else { 5 };
            assert!(answered >= least, "seed {seed}: {answered} of 15 with {lost} % lost");
            assert!(asker.open().is_empty());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_given_up_is_not_begun_later() {
    let wire = Wire::slow(3, 100, Duration::from_secs(100));
    let asker = wire.asker();
    let mut given_up = Vec::new();
    for n in 0..20 {
        let phone = format!("tap {n}");
        if asker.ask("far", &phone, Some(1), Ask::Wake, &[], &patience()).await.is_err() {
            given_up.push((phone.clone(), wire.worked.lock().unwrap().contains_key(&phone)));
        }
    }
    tokio::time::sleep(Duration::from_secs(300)).await;
    assert!(given_up.len() > 5, "{given_up:?}");
    for (phone, worked) in given_up {
        assert_eq!(wire.worked.lock().unwrap().contains_key(&phone), worked, "{phone}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_wait_ends_with_a_reason() {
    let wire = Wire::new(1, 100, 0, 0);
    let asker = wire.asker();
    let error = asker.ask("far", "x", Some(1), Ask::Wake, &[], &patience()).await.expect_err("silence");
    assert_eq!(error.to_string(), "no word from host far for 10 s; the wire is cut");
    assert!(error.kind("far").is_serverless());
    let short = Patience::of(Duration::from_millis(200));
    let error = asker.ask("far", "x", Some(1), Ask::Wake, &[], &short).await.expect_err("no time");
    assert_eq!(error, AskError::TimedOut(short.within));
    let cancelled = patience();
    cancelled.cancel.cancel();
    let error = asker.ask("far", "x", Some(1), Ask::Wake, &[], &cancelled).await.expect_err("cancelled");
    assert_eq!(error, AskError::Cancelled);
    let large = [Bytes::from((0..3_000_000_u32).flat_map(u32::to_le_bytes).collect::<Vec<u8>>())];
    let error = asker.ask("far", "x", Some(1), Ask::Wake, &large, &patience()).await.expect_err("too large");
    assert!(matches!(error, AskError::Body { fault: PackError::TooLarge(_), .. }), "{error}");
}

/// A host that answers with whatever it is told to.
struct Odd {
    asker: Mutex<Option<Asker>>,
    answer: Box<dyn Fn(Id) -> Vec<Message> + Send + Sync>,
}

#[async_trait]
impl Carrier for Odd {
    async fn send(&self, _subject: String, reply: Option<String>, bytes: Bytes) {
        let Some(to) = reply else { return };
        let message = Message::read(&bytes).expect("a message");
        let asker = self.asker.lock().unwrap().clone().unwrap();
        for message in (self.answer)(message.id) {
            asker.hear(&to, &message.write(), false);
        }
        asker.hear(&to, &Bytes::from_static(b"garbage"), false);
    }

    fn most(&self) -> usize {
        1 << 20
    }

    fn trouble(&self) -> Option<String> {
        None
    }
}

#[tokio::test(start_paused = true)]
async fn odd_replies_are_refused_in_words() {
    type Answers = Box<dyn Fn(Id) -> Vec<Message> + Send + Sync>;
    let of = |kind: Kind, version: u16, body: &'static [u8]| -> Answers {
        Box::new(move |id| vec![Message { version, ..Message::of(kind, id, Bytes::from_static(body)) }])
    };
    let part = Bytes::from(vec![1; 1 << 20]);
    let cases: [(&str, Answers, &str); 5] = [
        (
            "another version",
            of(Kind::Answer, 9, b"x"),
            "host far speaks version 9 of the wire, this is version 1",
        ),
        ("refused", of(Kind::Refused, 9, b"host far has droidmux 9"), "host far has droidmux 9"),
        ("no body", of(Kind::Answer, VERSION, b"\x07nothing"), "host far: a message cannot be unpacked"),
        (
            "64 MB",
            Box::new(move |id| {
                let whole = |n| Message { part: n, parts: 64, ..Message::of(Kind::Answer, id, part.clone()) };
                (0..64).map(whole).collect()
            }),
            "host far: a reply of more than 32 MB, which is not taken",
        ),
        ("garbage alone", Box::new(|_| Vec::new()), "no word from host far for 10 s"),
    ];
    for (name, answer, words) in cases {
        let odd = Arc::new(Odd { asker: Mutex::default(), answer });
        let asker = Asker::new(odd.clone(), Waits::default(), None);
        *odd.asker.lock().unwrap() = Some(asker.clone());
        let error = asker.ask("far", "x", None, Ask::Wake, &[], &patience()).await.expect_err(name);
        assert!(error.to_string().starts_with(words), "{name}: {error}");
    }
}
