//! Stories: what happens to a session, line by line, and what is done for it.
//!
//! A line is `SECOND EVENT > EFFECT, EFFECT …`; devices are `a`, `b`, …, `j0.2` is the second attempt
//! at slot 0.

use std::fmt::Write as _;

use super::*;

/// The settings of a story.
struct Given {
    window: u32,
    retries: u32,
    patience: u64,
    until: Option<u64>,
}

const USUAL: Given = Given { window: 1, retries: 1, patience: 60, until: None };
const TIMED: Given = Given { until: Some(100), ..USUAL };

fn core(given: &Given, trials: &[(u64, Trial)]) -> Core {
    let limits = Limits {
        retries: given.retries,
        patience: Duration::from_secs(given.patience),
        until: given.until.map(Duration::from_secs),
        grace: Duration::from_secs(30),
    };
    let mut schedule = Schedule::new(given.window);
    trials.iter().for_each(|_| schedule.planned());
    Core::new(limits, schedule, trials.iter().map(|(slot, trial)| (Slot(*slot), *trial)).collect())
}

fn slot(word: &str) -> Slot {
    Slot(word.trim_start_matches('j').parse().unwrap_or_else(|_| panic!("`{word}` is no slot")))
}

fn event(words: &str) -> Event {
    let (name, rest) = words.split_once(' ').unwrap_or((words, ""));
    let (serial, job) = rest.split_once(' ').unwrap_or((rest, "j0"));
    let serial = serial.to_owned();
    let broken = |cause| {
        let words = format!("{name} trouble");
        Event::Broken { serial: serial.clone(), slot: slot(job), cause, words }
    };
    let finished = |timed_out, leaving| {
        let serial = serial.clone();
        Event::Finished { serial, slot: slot(job), timed_out, leaving }
    };
    let none = |outlook| Event::Hired { serials: Vec::new(), outlook };
    match name {
        "began" => Event::Began,
        "job" => Event::Planned(Answer::Job),
        "idle" => Event::Planned(Answer::Idle),
        "done" => Event::Planned(Answer::Done),
        "absorbed" => Event::Absorbed,
        "hired" => Event::Hired {
            serials: rest.split_whitespace().map(str::to_owned).collect(),
            outlook: Outlook::Soon,
        },
        "open" => none(Outlook::Open(rest.to_owned())),
        "passing" => none(Outlook::Passing(rest.to_owned())),
        "unfit" => none(Outlook::None),
        "ready" => Event::Ready { serial },
        "finished" => finished(false, false),
        "timed-out" => finished(true, false),
        "finished-leaving" => finished(false, true),
        "device" => broken(Cause::Device),
        "server" => broken(Cause::Server),
        "panic" => broken(Cause::Panic),
        "other" => broken(Cause::Other),
        "cut" => Event::Cut { serial, slot: slot(job) },
        "left" => Event::Left { serial },
        "vanished" => Event::Vanished { serial, words: "it panicked".into() },
        "judged" => Event::Judged(slot(rest)),
        "failed" => Event::Failed,
        "pause" => Event::Paused(true),
        "resume" => Event::Paused(false),
        "tick" => Event::Tick,
        "stop" => Event::Stopped,
        other => panic!("`{other}` is no event"),
    }
}

fn words(effect: &Effect) -> String {
    match effect {
        Effect::Plan(slot) => format!("plan {slot}"),
        Effect::Absorb(slot) => format!("absorb {slot}"),
        Effect::Hire(waiting) => format!("hire {waiting}"),
        Effect::Hand { serial, slot, attempt } => format!("hand {slot}.{attempt} to {serial}"),
        Effect::Judge(slot) => format!("judge {slot}"),
        Effect::LastTests => "last tests".into(),
        Effect::Alone(Some(why)) => format!("alone ({why})"),
        Effect::Alone(None) => "not alone".into(),
        Effect::Say(Saying::TimeOver { running, unbegun, .. }) => {
            format!("say time over {running} running {unbegun} unbegun")
        }
        Effect::Say(Saying::GraceOver { cut }) => format!("say grace over {cut} cut"),
        Effect::End(ending) => match ending {
            Ending::JobFailed { slot, attempts, last } => {
                format!("end {slot} failed {attempts} times: {last}")
            }
            Ending::NoDevice { why, .. } => format!("end without device ({why})"),
            Ending::Stalled(slot) => format!("end stalled at {slot}"),
            other => format!("end {other:?}").to_lowercase(),
        },
    }
}

/// Plays a story and compares what is done with its lines.
fn tell(name: &str, given: &Given, trials: &[(u64, Trial)], story: &str) {
    let mut core = core(given, trials);
    let mut told = String::new();
    for line in story.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (event_words, expected) = line.split_once('>').unwrap_or((line, ""));
        let (second, happens) =
            event_words.trim().split_once(' ').unwrap_or_else(|| panic!("{name}: {line}"));
        let now = Duration::from_secs(second.parse().unwrap_or_else(|_| panic!("{name}: {line}")));
        let effects: Vec<String> = core.take(now, event(happens)).iter().map(words).collect();
        let _ = writeln!(told, "{second} {happens} > {}", effects.join(", "));
        assert_eq!(effects.join(", "), expected.trim(), "{name}:\n{told}");
    }
}

#[test]
fn jobs_are_planned_run_judged_and_absorbed_in_the_order_of_the_schedule() {
    tell(
        "one job at a time",
        &USUAL,
        &[],
        "0 began > plan j0
         0 job > hire 1
         0 hired a >
         1 ready a > hand j0.1 to a, hire 0
         1 hired >
         2 finished a j0 > judge j0, hire 0
         2 hired >
         3 judged j0 > absorb j0
         3 absorbed > plan j1
         3 job > hand j1.1 to a, hire 0
         3 hired >
         4 finished a j1 > judge j1, hire 0
         4 judged j1 > absorb j1
         4 absorbed > plan j2
         4 done > end complete
         5 tick >",
    );
    tell(
        "a window of two, the later job first",
        &Given { window: 2, ..USUAL },
        &[],
        "0 began > plan j0
         0 job > plan j1
         0 job > hire 2
         0 hired a b >
         0 ready a > hand j0.1 to a, hire 1
         0 hired >
         0 ready b > hand j1.1 to b, hire 0
         1 finished b j1 > judge j1, hire 0
         1 judged j1 > hire 0
         2 finished a j0 > judge j0, hire 0
         2 judged j0 > absorb j0
         2 absorbed > plan j2
         2 done > absorb j1
         2 absorbed > end complete",
    );
    tell(
        "a planner that must learn first",
        &Given { window: 2, ..USUAL },
        &[],
        "0 began > plan j0
         0 job > plan j1
         0 idle > hire 1
         0 hired a >
         0 ready a > hand j0.1 to a, hire 0
         1 finished a j0 > judge j0, hire 0
         1 judged j0 > absorb j0
         1 absorbed > plan j2
         1 idle > end stalled at j2",
    );
}

#[test]
fn what_goes_away_does_not_count_and_what_fails_does() {
    let mut lost = String::from(
        "0 began > plan j0
         0 job > hire 1
         0 hired a >
         0 ready a > hand j0.1 to a, hire 0\n",
    );
    for attempt in 2..=40 {
        let cause = if attempt % 2 == 0 { "server" } else { "device" };
        let _ = writeln!(
            lost,
            "{attempt} {cause} a j0 > hire 1
             {attempt} hired a >
             {attempt} ready a > hand j0.{attempt} to a, hire 0"
        );
    }
    lost.push_str("41 finished a j0 > judge j0, hire 0");
    tell("lost again and again", &USUAL, &[], &lost);

    for (cause, most) in [("other", 6), ("panic", 3)] {
        let mut story = String::from(
            "0 began > plan j0
             0 job > hire 1
             0 hired a >
             0 ready a > hand j0.1 to a, hire 0\n",
        );
        for attempt in 2..=most {
            let _ = writeln!(
                story,
                "0 {cause} a j0 > hire 1
                 0 hired a >
                 0 ready a > hand j0.{attempt} to a, hire 0"
            );
        }
        let _ = writeln!(story, "0 {cause} a j0 > end j0 failed {most} times: {cause} trouble");
        tell(cause, &USUAL, &[], &story);
    }
    tell(
        "a worker that ends without a word leaves its job to another",
        &USUAL,
        &[],
        "0 began > plan j0
         0 job > hire 1
         0 hired a b >
         0 ready a > hand j0.1 to a, hire 0
         0 ready b > hire 0
         1 vanished a > hand j0.2 to b, hire 0
         1 vanished a > hire 0
         2 finished-leaving b j0 > judge j0, hire 0",
    );
    tell(
        "a test that timed out is run again as often as allowed",
        &USUAL,
        &[],
        "0 began > plan j0
         0 job > hire 1
         0 hired a >
         0 ready a > hand j0.1 to a, hire 0
         1 timed-out a j0 > hand j0.2 to a, hire 0
         2 timed-out a j0 > judge j0, hire 0",
    );
}

#[test]
fn work_waits_for_devices_as_long_as_its_patience_lasts() {
    tell(
        "none comes",
        &USUAL,
        &[],
        "0 began > plan j0
         0 job > hire 1
         0 open a is leased by ann > alone (waiting for a device: a is leased by ann)
         59 tick > hire 1
         59 open a is leased by ann >
         60 tick > hire 1
         60 open a is leased by ann > end without device (a is leased by ann)",
    );
    tell(
        "one that comes ends the wait, and its loss begins another",
        &USUAL,
        &[],
        "0 began > plan j0
         0 job > hire 1
         0 open gone > alone (waiting for a device: gone)
         50 tick > hire 1
         50 hired a > not alone
         51 ready a > hand j0.1 to a, hire 0
         52 device a > hire 1
         52 open gone > alone (waiting for a device: gone)
         111 tick > hire 1
         111 open gone >
         112 tick > hire 1
         112 open gone > end without device (gone)",
    );
    tell(
        "what passes by itself is worth any wait, and so is a person's pause",
        &USUAL,
        &[],
        "0 began > plan j0
         0 job > hire 1
         0 passing a rests > alone (a rests)
         500 tick > hire 1
         500 passing a rests >
         501 tick > hire 1
         501 open gone > alone (waiting for a device: gone)
         502 pause > hire 1
         502 open gone >
         900 tick > hire 1
         900 open gone >
         901 resume > hire 1
         901 open gone > alone (waiting for a device: gone)
         960 tick > hire 1
         960 open gone >
         961 tick > hire 1
         961 unfit > end nonefits",
    );
}

#[test]
fn once_the_time_is_over_no_test_begins_and_the_grace_ends_those_under_way() {
    let begun = "0 began > plan j0
         0 job > plan j1
         0 job > plan j2
         0 job > hire 3
         0 hired a b >
         0 ready a > hand j0.1 to a, hire 2
         0 hired >
         0 ready b > hand j1.1 to b, hire 1
         0 hired >\n";
    let three = Given { window: 3, ..TIMED };
    let after = |rest: &str| format!("{begun}{rest}");
    tell(
        "one ends in time, one is cut",
        &three,
        &[],
        &after(
            "100 tick > last tests, say time over 2 running 1 unbegun, hire 0
             110 finished a j0 > judge j0, hire 0
             111 judged j0 > absorb j0
             111 absorbed > hire 0
             130 tick > say grace over 1 cut, end outoftime",
        ),
    );
    tell(
        "the next test of a batch does not begin",
        &three,
        &[],
        &after(
            "100 tick > last tests, say time over 2 running 1 unbegun, hire 0
             101 cut b j1 > hire 0
             102 timed-out a j0 > judge j0, hire 0
             140 judged j0 > absorb j0
             140 absorbed > end outoftime",
        ),
    );
    tell(
        "a job that fails then is not tried again",
        &three,
        &[],
        &after(
            "100 tick > last tests, say time over 2 running 1 unbegun, hire 0
             101 other a j0 > hire 0
             101 device b j1 > end outoftime",
        ),
    );
    tell(
        "all that is under way ends in time",
        &TIMED,
        &[],
        "0 began > plan j0
         0 job > hire 1
         0 hired a >
         0 ready a > hand j0.1 to a, hire 0
         9 finished a j0 > judge j0, hire 0
         9 judged j0 > absorb j0
         9 absorbed > plan j1
         9 job > hand j1.1 to a, hire 0
         100 tick > last tests, say time over 1 running 0 unbegun, hire 0
         110 finished a j1 > judge j1, hire 0
         110 judged j1 > absorb j1
         110 absorbed > end outoftime",
    );
    tell(
        "a stop in the grace is a stop",
        &three,
        &[],
        &after("100 tick > last tests, say time over 2 running 1 unbegun, hire 0\n105 stop > end stopped"),
    );
}

#[test]
fn a_session_that_is_taken_up_goes_on_where_it_was() {
    let waiting = (0, Trial::new(Stage::Waiting, 3, 1));
    let whole = (1, Trial::recovered(2, 0, false, 1));
    let again = (2, Trial::recovered(2, 0, true, 1));
    let given = Given { window: 8, ..USUAL };
    tell(
        "jobs in every state",
        &given,
        &[waiting, whole, again, (3, Trial::new(Stage::Judged, 1, 0)), (4, Trial::new(Stage::Empty, 1, 0))],
        "0 began > judge j1, plan j5
         0 done > hire 2
         0 hired a >
         1 ready a > hand j0.3 to a, hire 1
         2 timed-out a j0 > judge j0, hand j2.3 to a, hire 0
         3 judged j1 > hire 0
         3 judged j0 > absorb j0
         3 absorbed > absorb j1
         3 absorbed > hire 0
         4 finished a j2 > judge j2, hire 0
         4 judged j2 > absorb j2
         4 absorbed > absorb j3
         4 absorbed > end complete",
    );
    tell(
        "its time was over meanwhile",
        &Given { until: Some(0), ..given },
        &[waiting, whole],
        "0 began > judge j1, last tests, say time over 0 running 1 unbegun, hire 0
         1 judged j1 > absorb j1
         1 absorbed > end outoftime",
    );
}

#[test]
fn what_cannot_be_gone_on_with_ends_it_at_once() {
    for (happens, ends) in [("failed", "end failed"), ("stop", "end stopped")] {
        let story = format!("0 began > plan j0\n0 job > hire 1\n1 {happens} > {ends}\n2 ready a >");
        tell(happens, &USUAL, &[], &story);
    }
}

#[test]
fn it_wakes_for_the_end_of_its_time_its_grace_and_its_patience() {
    let mut core = core(&TIMED, &[]);
    let wakes = |core: &Core| core.wakes_at().map(|at| at.as_secs());
    let mut take = |second, words: &str| {
        core.take(Duration::from_secs(second), event(words));
        wakes(&core)
    };
    for (second, happens, expected) in [
        (0, "began", Some(100)),
        (0, "job", Some(100)),
        (1, "open gone", Some(61)),
        (2, "hired a", Some(100)),
        (3, "ready a", Some(100)),
        (100, "tick", Some(130)),
        (110, "cut a", None),
    ] {
        assert_eq!(take(second, happens), expected, "{second} {happens}");
    }
}
