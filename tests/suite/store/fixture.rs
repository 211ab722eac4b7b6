//! Sessions, layouts and turns to store.

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use droidmux::gui::{Event, EventKind, Layout, LayoutBuilder, NewWidget};
use droidmux::record::{
    Act, AppBuild, BlobHash, Choice, Confirmation, DeviceInfo, Ending, Evidence, Explore, Fidelity, Finding,
    FindingId, FindingState, Goal, Job, JobRun, Judgement, Observation, Outcome, Screen, Seen,
    SessionDefinition, SessionId, SessionRecord, Slot, Technique, Turn, Verdict, Work,
};
use droidmux::store::{Append, Finished, Store, StoreOptions};

/// Options without the free space that a real store reserves.
pub fn options() -> StoreOptions {
    StoreOptions { min_free: 0, ballast: 0, ..StoreOptions::default() }
}

/// The database of a store that was just closed: its file is locked until sled's tasks have released it.
pub fn database(folder: &Path) -> sled::Db {
    let patience = Instant::now() + Duration::from_secs(30);
    loop {
        match sled::open(folder.join("db")) {
            Err(error) if error.to_string().contains("lock") && Instant::now() < patience => {
                thread::sleep(Duration::from_millis(20));
            }
            opened => return opened.unwrap(),
        }
    }
}

pub fn session() -> SessionRecord {
    SessionRecord::begun(SessionDefinition::new(Technique::Genie, "org.example"), 7, 1, 1_000)
}

/// A layout of one widget with this text.
pub fn layout(text: &str) -> Arc<Layout> {
    let mut builder = LayoutBuilder::new();
    builder.open(NewWidget { class: "android.widget.TextView", text, ..NewWidget::default() });
    Arc::new(builder.finish())
}

pub fn job(slot: u64) -> Job {
    let explore = Explore::new(Goal::Mine, Choice::Systematic, 3);
    Job { slot: Slot(slot), rng: slot, work: Work::Explore(explore) }
}

/// A turn that led to this layout, identifiable by its activity.
pub fn turn(act: Act, layout: &Layout, mark: &str) -> Turn {
    let seen = Seen {
        screen: Screen {
            layout: layout.hash(),
            activity: mark.to_owned(),
            in_app: true,
            ..empty_screen(layout)
        },
        settling: droidmux::record::Settling::Strict,
        dumps: 2,
        toast: None,
        hears_toasts: false,
        resolution: None,
        signals: Vec::new(),
        setup: Vec::new(),
        dialogs: Vec::new(),
        screenshot: None,
    };
    Turn { act, observation: Observation::Seen(Box::new(seen)), at_ms: 5, took_ms: 1 }
}

pub fn last_turn() -> Turn {
    Turn { act: Act::Finish(Ending::Complete), observation: Observation::Ended, at_ms: 9, took_ms: 0 }
}

/// The turns of an attempt: a reset, then back again and again, then the end.
pub fn turns(layouts: &[Arc<Layout>]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for layout in layouts {
        let act = match turns.is_empty() {
            true => Act::Reset,
            false => Act::Perform(Event::global(EventKind::Back)),
        };
        turns.push(turn(act, layout, "org.example.Main"));
    }
    turns.push(last_turn());
    turns
}

pub fn append(session: SessionId, slot: u64, first_turn: u32, turns: Vec<Turn>) -> Append {
    Append {
        session,
        slot: Slot(slot),
        attempt: 1,
        first_turn,
        turns,
        exchanges: Vec::new(),
        steps: Vec::new(),
        layouts: Vec::new(),
        screenshots: Vec::new(),
    }
}

pub fn run(slot: u64, turns: Vec<Turn>) -> JobRun {
    let device = DeviceInfo { serial: "sim-1".to_owned(), ..DeviceInfo::default() };
    let app = AppBuild { package: "org.example".to_owned(), ..AppBuild::default() };
    JobRun { job: job(slot), attempt: 1, device, app, turns }
}

pub fn finished(run: &JobRun) -> Finished {
    Finished { slot: run.job.slot, attempt: run.attempt, device: run.device.clone(), app: run.app.clone() }
}

pub fn verdict(slot: u64, key: &str) -> Verdict {
    Verdict {
        slot: Slot(slot),
        test: 0,
        oracle: "genie".to_owned(),
        outcome: Outcome::Violation,
        key: key.to_owned(),
        title: "a picture is gone".to_owned(),
        fidelity: Fidelity { events: 1, exact: 1, similar: 0, failed: 0, unsettled: 0, lowest_ratio: 1.0 },
        evidence: Evidence::None,
        hints: Vec::new(),
        experiments: Vec::new(),
        harm: droidmux::record::Harm::default(),
        cluster: String::new(),
    }
}

pub fn finding(session: SessionId, slot: u64, key: &str, rank: u32) -> Finding {
    Finding {
        id: FindingId::of(session, "genie", key),
        technique: "genie".to_owned(),
        app: "org.example".to_owned(),
        verdict: verdict(slot, key),
        seen: vec![(Slot(slot), 0)],
        occurrences: 1,
        confirmation: Confirmation::default(),
        tier: droidmux::record::Tier::Suspicious,
        because: String::new(),
        cluster: FindingId::of(session, "genie", key),
        rank,
        state: FindingState::New,
        note: String::new(),
    }
}

/// Stores a whole job: its turns one by one with layouts and one screenshot, its end, its
/// judgement.
pub async fn store_job(store: &Store, session: SessionId, slot: u64, layouts: &[Arc<Layout>]) {
    store.put_job(session, &job(slot)).unwrap();
    let mut turns = turns(layouts);
    let picture = format!("picture {slot}").into_bytes();
    let hash = BlobHash::of(&picture);
    if let Observation::Seen(seen) = &mut turns[0].observation {
        seen.screenshot = Some(hash);
    }
    for (number, turn) in (0..).zip(&turns) {
        let mut append = append(session, slot, number, vec![turn.clone()]);
        append.layouts = layouts.get(number as usize).cloned().into_iter().collect();
        append.screenshots = if number == 0 { vec![(hash, picture.clone())] } else { Vec::new() };
        store.append(append).await.unwrap();
    }
    store.finish_job(session, &finished(&run(slot, turns))).unwrap();
    let judgement = Judgement { verdicts: vec![verdict(slot, "key")], ..Judgement::default() };
    store.put_judgement(session, Slot(slot), &judgement).unwrap();
}

fn empty_screen(layout: &Layout) -> Screen {
    Screen {
        layout: layout.hash(),
        package: "org.example".to_owned(),
        activity: String::new(),
        in_app: true,
        rotation: 0,
        keyboard: false,
    }
}
