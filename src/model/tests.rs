//! The model on made-up pages: weights, ways, likeness, merging, mining of whole jobs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use droidmux_gui::{
    Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, LayoutHash, Level, NewWidget, Resolution, StateId,
};
use droidmux_record::{
    Act, AppBuild, Choice, DeviceInfo, Explore, Failure, Goal, Job, JobRun, Layouts, Observation, Screen,
    Seen, Slot, Turn, Work,
};

/// A page named by its title, with these buttons.
fn page(title: &str, buttons: &[&str]) -> Layout {
    let mut builder = LayoutBuilder::new();
    builder.open(NewWidget { class: "Page", resource_id: title, ..NewWidget::default() });
    for (text, n) in buttons.iter().zip(0..) {
        let bounds = Bounds::new(0, n * 10, 9, n * 10 + 9);
        let flags = Flags::ENABLED.with(Flags::CLICKABLE, true);
        builder.open(NewWidget {
            class: "Button",
            resource_id: text,
            text,
            bounds,
            flags,
            ..NewWidget::default()
        });
        builder.close();
    }
    builder.finish()
}

fn screen(layout: &Layout, activity: &str) -> Screen {
    Screen {
        layout: layout.hash(),
        package: "a".into(),
        activity: activity.into(),
        in_app: !activity.is_empty(),
        rotation: 0,
        keyboard: false,
    }
}

#[derive(Default)]
struct Pages {
    known: BTreeMap<LayoutHash, Arc<Layout>>,
    turns: Vec<Turn>,
    last: Option<Arc<Layout>>,
}

impl Layouts for Pages {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.known.get(&hash).cloned()
    }
}

impl Pages {
    fn show(&mut self, act: Act, layout: Layout, activity: &str, resolution: Option<Resolution>) {
        let layout = Arc::new(layout);
        let observation = Observation::Seen(Box::new(Seen {
            screen: screen(&layout, activity),
            settling: droidmux_record::Settling::Strict,
            dumps: 2,
            toast: None,
            hears_toasts: false,
            resolution,
            signals: Vec::new(),
            setup: Vec::new(),
            dialogs: Vec::new(),
            screenshot: None,
        }));
        self.known.insert(layout.hash(), layout.clone());
        self.last = Some(layout);
        self.turns.push(Turn { act, observation, at_ms: 0, took_ms: 0 });
    }

    fn reset(&mut self, layout: Layout, activity: &str) {
        self.show(Act::Reset, layout, activity, None);
    }

    /// Clicks the button with this label on the page shown last; it leads to this page.
    fn click(&mut self, label: &str, layout: Layout, activity: &str) {
        let last = self.last.clone().expect("a page");
        let widget = last.widgets().find(|w| w.text() == label).expect("a button").id();
        let event = Event::on(EventKind::Click, last.selector(widget));
        self.show(Act::Perform(event), layout, activity, Some(Resolution::Exact(widget)));
    }

    fn run(&self) -> JobRun {
        let explore = Explore::new(Goal::Mine, Choice::Random, 9);
        JobRun {
            job: Job { slot: Slot(0), rng: 0, work: Work::Explore(explore) },
            attempt: 1,
            device: DeviceInfo::default(),
            app: AppBuild::default(),
            turns: self.turns.clone(),
        }
    }
}

/// One → two → three by `next`, back to one by `home`, out of the app by `leave`.
fn tour() -> Pages {
    let mut pages = Pages::default();
    pages.reset(page("one", &["next", "leave"]), "A");
    pages.click("next", page("two", &["next", "home"]), "A");
    pages.click("next", page("three", &["home"]), "B");
    pages.click("home", page("one", &["next", "leave"]), "A");
    pages.click("leave", page("launcher", &["icon"]), "");
    pages
}

fn mined(pages: &Pages) -> GuiModel {
    let mut model = GuiModel::new(Level::Widgets, 100.0);
    model.absorb(&pages.run(), &mut Familiar::default(), pages);
    model
}

fn state(pages: &Pages, title: &str) -> StateId {
    let layout = pages.known.values().find(|l| l.widgets().any(|w| w.resource_id() == title)).expect("page");
    let activity = if title == "three" { "B" } else { "A" };
    GuiModel::new(Level::Widgets, 100.0).locate(Sighting { screen: &screen(layout, activity), layout })
}

#[test]
fn a_job_becomes_states_transitions_and_trails() {
    let pages = tour();
    let mut model = GuiModel::new(Level::Widgets, 100.0);
    let learned = model.absorb(&pages.run(), &mut Familiar::default(), &pages);
    assert_eq!((learned.states, learned.transitions, learned.stale), (4, 4, 0));
    assert_eq!((model.state_count(), model.transition_count()), (3, 4));
    let trails: Vec<usize> = ["one", "two", "three"]
        .map(|title| model.state(state(&pages, title)).expect("state").trail.as_ref().expect("trail").len())
        .to_vec();
    assert_eq!(trails, [0, 1, 2]);
    let again = model.absorb(&pages.run(), &mut Familiar::default(), &pages);
    assert_eq!((again.states, again.transitions, again.stale, again.any), (0, 0, 4, false));
}

#[test]
fn what_was_read_before_is_not_looked_up_and_teaches_the_same() {
    struct Counted<'a>(&'a Pages, AtomicUsize);
    impl Layouts for Counted<'_> {
        fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.layout(hash)
        }
    }
    let pages = tour();
    let (mut quick, mut plain) = (mined(&pages), mined(&pages));
    let (mut familiar, counted) = (Familiar::default(), Counted(&pages, AtomicUsize::new(0)));
    let mut looked_up = Vec::new();
    for _ in 0..3 {
        let learned = quick.absorb(&pages.run(), &mut familiar, &counted);
        assert_eq!(learned, plain.absorb(&pages.run(), &mut Familiar::default(), &pages));
        looked_up.push(counted.1.swap(0, Ordering::Relaxed));
    }
    assert!(looked_up[0] > 0 && looked_up[1..] == [0, 0], "{looked_up:?}");
    assert!(quick.states().eq(plain.states()));
    let transitions =
        |model: &GuiModel| model.transitions().map(|(_, _, t, _)| t.clone()).collect::<Vec<_>>();
    assert_eq!(transitions(&quick), transitions(&plain));
}

#[test]
fn weights_follow_the_formula() {
    let pages = tour();
    let mut model = mined(&pages);
    let weight = |model: &GuiModel, from: &str, label: &str| {
        let state = model.state(state(&pages, from)).expect("state");
        let weight = state.offers().iter().filter(|o| o.executed > 0).map(|o| o.weight);
        let transition = model
            .leaving(state.id)
            .into_iter()
            .find(|(_, t, _)| t.event.receiver.as_ref().is_some_and(|r| r.text == label));
        let key = transition.expect("transition").1.action.key;
        assert!(weight.count() > 0);
        state.offer(key).expect("offer").weight
    };
    // Page two offers next, home, back and rotate for the first time: (100 + 4·100) / 1².
    assert_eq!(weight(&model, "one", "next"), 500.0);
    // Page three offers home, back and rotate.
    assert_eq!(weight(&model, "two", "next"), 400.0);
    // Nothing new back on page one.
    assert_eq!(weight(&model, "three", "home"), 100.0);
    model.absorb(&pages.run(), &mut Familiar::default(), &pages);
    assert_eq!(weight(&model, "one", "next"), 500.0 / 4.0);
    model.absorb(&pages.run(), &mut Familiar::default(), &pages);
    assert_eq!(weight(&model, "one", "next"), 500.0 / 4.0 / 9.0);
}

#[test]
fn routes_are_shortest_and_stay_in_the_app() {
    let pages = tour();
    let model = mined(&pages);
    let [one, two, three] = ["one", "two", "three"].map(|title| state(&pages, title));
    let route = |from, to, longest| {
        let route = model.route(from, longest, |s| s.id == to, |_, _| false)?;
        let label =
            |id: &TransitionId| model.transition(*id)?.1.event.receiver.as_ref().map(|r| r.text.clone());
        Some(route.iter().filter_map(label).collect::<Vec<_>>().join(" "))
    };
    for (from, to, longest, expected) in [
        (one, three, 9, Some("next next")),
        (one, three, 1, None),
        (one, one, 0, Some("")),
        (two, one, 9, Some("next home")),
        (three, two, 9, Some("home next")),
        (one, StateId(42), 9, None),
    ] {
        assert_eq!(route(from, to, longest).as_deref(), expected, "{from:?} {to:?}");
    }
    assert_eq!(model.route(one, 9, |s| s.id == three, |from, _| from == two), None, "avoided");
    let distances = model.distances(&[three]);
    assert_eq!([one, two, three].map(|s| distances.of(s)), [2, 1, 0]);
    assert_eq!(distances.of(GuiModel::OUTSIDE), UNREACHABLE);
}

#[test]
fn trodden_ways_keep_to_what_was_done_in_a_row() {
    // The help page leads back to where it was opened, and its state does not show which page that was.
    let mut pages = Pages::default();
    for opener in ["one", "two"] {
        pages.reset(page(opener, &["help"]), "A");
        pages.click("help", page("help", &["up"]), "H");
        pages.click("up", page(opener, &["help"]), "A");
    }
    let model = mined(&pages);
    let [one, two] = ["one", "two"].map(|title| state(&pages, title));
    let never = |_: StateId, _: crate::EventKey| false;
    assert!(model.route(one, 9, |s| s.id == two, never).is_some(), "single transitions mislead");
    assert_eq!(model.trodden(one, 9, |s| s.id == two, never), None);
    let back = model.trodden(two, 9, |s| s.activity.as_ref() == "H", never);
    assert_eq!(back.map(|way| way.len()), Some(1));
    assert_eq!(model.trodden(two, 9, |s| s.id == two, never), Some(Vec::new()));
}

#[test]
fn similar_states_are_of_the_same_activity() {
    let mut pages = tour();
    pages.reset(page("one", &["next", "leave", "more"]), "A");
    pages.reset(page("one", &["next", "leave", "more", "menu", "help"]), "A");
    let model = mined(&pages);
    let one = state(&pages, "two");
    let similar = model.similar(one, 2);
    assert_eq!(similar.len(), 2);
    assert!(similar.iter().all(|id| model.state(*id).is_some_and(|s| &*s.activity == "A")));
    assert_eq!(model.similar(state(&pages, "three"), 2), []);
}

#[test]
fn a_failed_event_counts_as_tried() {
    let mut pages = Pages::default();
    pages.reset(page("one", &["next"]), "A");
    let before = mined(&pages);
    assert!(before.states().all(|s| s.has_untried(3, |_| true)));
    let last = pages.last.clone().expect("page");
    let event = Event::on(EventKind::Click, last.selector(droidmux_gui::WidgetId(1)));
    let observation = Observation::Failed(Failure::Untouchable);
    pages.turns.push(Turn { act: Act::Perform(event), observation, at_ms: 0, took_ms: 0 });
    let after = mined(&pages);
    let tried: Vec<u32> = after.states().flat_map(|s| s.offers()).map(|o| o.executed).collect();
    assert_eq!(tried.iter().sum::<u32>(), 1);
}

#[test]
fn merging_adds_up() {
    let (pages, mut other) = (tour(), Pages::default());
    other.reset(page("one", &["next", "leave"]), "A");
    other.click("next", page("four", &["home"]), "A");
    let (ours, theirs) = (mined(&pages), mined(&other));
    let mut merged = ours.clone();
    merged.merge(&theirs);
    let mut turned = theirs.clone();
    turned.merge(&ours);
    for model in [&merged, &turned] {
        assert_eq!((model.state_count(), model.transition_count()), (4, 5));
        let one = model.state(state(&pages, "one")).expect("state");
        assert_eq!(one.visits, 3);
        assert_eq!(one.offers().iter().map(|o| o.executed).sum::<u32>(), 3);
    }
    let mut twice = ours.clone();
    twice.merge(&ours);
    assert_eq!(
        (twice.state_count(), twice.transition_count()),
        (ours.state_count(), ours.transition_count())
    );
}

#[test]
fn the_same_jobs_give_the_same_model() {
    let pages = tour();
    let (one, two) = (mined(&pages), mined(&pages));
    assert_eq!(format!("{one:?}"), format!("{two:?}"));
}
