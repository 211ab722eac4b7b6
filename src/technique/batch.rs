//! The driver that plays the tests of a batch back, and the one that does nothing.

use crate::Driver;
use crate::explain::came_to_another_page;
use droidmux_gui::{Event, Layout, LayoutHash, Level, Page, likeness};
use droidmux_record::{Act, Batch, Ending, Layouts, Manifest, Observation, Purpose, Role, Seen, Test};

/// Runs the tests of a batch one after another, each from a fresh reset.
///
/// A test ends early when an event cannot be performed, when the app crashes, or when a mutant did
/// not come back to its pivot. If the tests of a batch are compared with each other and the first
/// one does not reach its end, the batch is given up. After a test of a manifestation that ended in
/// the right state, one more event is performed, chosen on the layout that is there.
#[derive(Clone, Debug)]
pub struct BatchDriver {
    tests: Vec<Test>,
    app: String,
    /// Least likeness of the layout after the insertion to the mutant's own pivot layout; `None` if mutants go on
    /// wherever the insertion led.
    pivot_likeness: Option<f64>,
    /// The running test; `None` before the first.
    test: Option<usize>,
    /// Events of the running test that were asked for.
    asked: usize,
    pivot: Option<LayoutHash>,
    /// What the first test is needed for.
    first_decides: bool,
    /// What to append to each test, and whether it was for the running one.
    manifest: Option<Manifest>,
    appended: bool,
}

impl BatchDriver {
    /// A driver of these tests in this app; mutants must come back to their pivot's page, to a layout at least this
    /// similar to it. With `None` they go on wherever they ended up: for techniques that judge exactly that.
    pub fn new(batch: &Batch, app: &str, pivot_likeness: Option<f64>) -> Self {
        let manifest = match &batch.purpose {
            Purpose::Manifest(manifest) => Some(manifest.clone()),
            _ => None,
        };
        let alone = manifest.is_some() || matches!(batch.purpose, Purpose::Calibrate { .. });
        Self {
            tests: batch.tests.clone(),
            app: app.to_owned(),
            pivot_likeness,
            test: None,
            asked: 0,
            pivot: None,
            first_decides: !alone && batch.tests.len() > 1,
            manifest,
            appended: false,
        }
    }

    fn running(&self) -> Option<&Test> {
        self.test.and_then(|n| self.tests.get(n))
    }

    fn next_test(&mut self) -> Act {
        let cut_short = self.running().is_some_and(|test| self.asked < test.events.len());
        self.end_test(cut_short)
    }

    fn end_test(&mut self, cut_short: bool) -> Act {
        if cut_short && self.test == Some(0) && self.first_decides {
            return Act::Finish(Ending::Stuck);
        }
        let next = self.test.map_or(0, |n| n + 1);
        if next >= self.tests.len() {
            return Act::Finish(Ending::Complete);
        }
        self.test = Some(next);
        self.asked = 0;
        self.pivot = None;
        self.appended = false;
        Act::Reset
    }

    fn next_event(&mut self, seen: &Seen, layouts: &dyn Layouts) -> Act {
        if seen.crashed(&self.app) || !self.is_on_course(seen, layouts) {
            return self.end_test(true);
        }
        match self.running().and_then(|test| test.events.get(self.asked)) {
            Some(event) => {
                let event = event.clone();
                self.asked += 1;
                Act::Perform(event)
            }
            None => match self.appendix(seen, layouts) {
                Some(event) => {
                    self.appended = true;
                    Act::Perform(event)
                }
                None => self.next_test(),
            },
        }
    }

    /// The event that a manifestation appends here: on the first widget that takes it, if the test
    /// ended in the state it was meant to end in.
    fn appendix(&self, seen: &Seen, layouts: &dyn Layouts) -> Option<Event> {
        let manifest = self.manifest.as_ref().filter(|_| !self.appended && seen.screen.in_app)?;
        let layout = layouts.layout(seen.screen.layout)?;
        let page = Page { package: &seen.screen.package, activity: &seen.screen.activity };
        if Level::Events.state(page, &layout) != manifest.state {
            return None;
        }
        manifest.event.on(&layout)
    }

    /// False when a mutant's inserted trace has just ended and did not lead back to its pivot.
    fn is_on_course(&mut self, seen: &Seen, layouts: &dyn Layouts) -> bool {
        let Some(Role::Mutant(insertion)) = self.running().map(|test| test.role.clone()) else { return true };
        let pivot_at = usize::from(insertion.pivot).saturating_sub(1);
        if self.asked == pivot_at {
            self.pivot = Some(seen.screen.layout);
        }
        if self.asked != pivot_at + usize::from(insertion.length) {
            return true;
        }
        let Some(least) = self.pivot_likeness else { return true };
        let Some(pivot) = self.pivot else { return true };
        if pivot == seen.screen.layout {
            return true;
        }
        match (layouts.layout(pivot), layouts.layout(seen.screen.layout)) {
            (Some(before), Some(after)) => {
                let next = self.running().and_then(|test| test.events.get(self.asked));
                came_back(&before, &after, next, least).is_ok()
            }
            _ => true,
        }
    }
}

/// Why an inserted trace did not come back to its pivot.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Astray {
    /// Too little is alike; the percentage that is.
    #[error("the layout after the insertion is {0} % like the pivot's")]
    Unlike(f64),
    /// The screen is turned, which changes every page after it.
    #[error("the insertion turned the screen and left it so")]
    Turned,
    /// A person would say that it is another page, another mode of it, or another row that the next event acts on; the
    /// difference in words.
    #[error("the insertion came back to something else: {0}")]
    Elsewhere(String),
}

/// Whether an inserted trace that began on one layout and ended on another came back to its pivot.
pub fn came_back(pivot: &Layout, end: &Layout, next: Option<&Event>, least: f64) -> Result<(), Astray> {
    let alike = likeness(pivot, end);
    if alike < least {
        return Err(Astray::Unlike((alike * 100.0).round()));
    }
    if pivot.rotation() != end.rotation() {
        return Err(Astray::Turned);
    }
    came_to_another_page(pivot, end, next).map_or(Ok(()), |difference| Err(Astray::Elsewhere(difference)))
}

impl Driver for BatchDriver {
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        match observation {
            Observation::Started => self.next_test(),
            Observation::Seen(seen) => self.next_event(seen, layouts),
            Observation::Failed(_) => self.end_test(true),
            Observation::Ended | Observation::Answered(_) => Act::Finish(Ending::Complete),
        }
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }
}

/// Ends at once: for jobs in which nothing is performed.
#[derive(Clone, Copy, Debug)]
pub struct IdleDriver;

impl Driver for IdleDriver {
    fn next(&mut self, _observation: &Observation, _layouts: &dyn Layouts) -> Act {
        Act::Finish(Ending::Complete)
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{EventKind, Layout, LayoutBuilder, NewWidget};
    use droidmux_record::{Failure, FindingId, Insertion, Screen, SessionId, Signal, SignalKind};
    use std::collections::BTreeMap;
    use std::sync::Arc;

    struct Known(BTreeMap<LayoutHash, Arc<Layout>>);

    impl Layouts for Known {
        fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
            self.0.get(&hash).cloned()
        }
    }

    fn seen(class: &str, known: &mut Known) -> Observation {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class, ..NewWidget::default() });
        let layout = Arc::new(builder.finish());
        let screen = Screen {
            layout: layout.hash(),
            package: "a".into(),
            activity: "a.A".into(),
            in_app: true,
            rotation: 0,
            keyboard: false,
        };
        known.0.insert(layout.hash(), layout);
        Observation::Seen(Box::new(Seen {
            screen,
            settling: droidmux_record::Settling::Strict,
            dumps: 2,
            toast: None,
            hears_toasts: false,
            resolution: None,
            signals: Vec::new(),
            setup: Vec::new(),
            dialogs: Vec::new(),
            screenshot: None,
        }))
    }

    fn test(role: Role, events: usize) -> Test {
        Test { role, events: vec![Event::global(EventKind::Back); events] }
    }

    #[test]
    fn coming_back_needs_a_like_page_the_same_way_up() {
        let page = |classes: &str, rotation| {
            let mut builder = LayoutBuilder::new();
            builder.rotation(rotation);
            for class in classes.split(' ') {
                builder.open(NewWidget { class, ..NewWidget::default() });
                builder.close();
            }
            builder.finish()
        };
        for (pivot, end, expected) in [
            (("A B C D", 0), ("A B C D E", 0), None),
            (("A B C D", 0), ("A X Y Z", 0), Some("25 %")),
            (("A B C D", 0), ("A B C D", 1), Some("turned")),
            (("A B C D", 1), ("A B C D", 1), None),
        ] {
            let came = came_back(&page(pivot.0, pivot.1), &page(end.0, end.1), None, 0.5);
            assert_eq!(came.is_ok(), expected.is_none(), "{pivot:?} {end:?}: {came:?}");
            let reason = came.err().map(|astray| astray.to_string()).unwrap_or_default();
            assert!(reason.contains(expected.unwrap_or_default()), "{reason}");
        }
    }

    /// Answers: `=` the usual page, `x` another page, `!` a failure, `c` a crash. Acts: `R` reset,
    /// `p` perform, `.` finish complete, `s` finish stuck.
    fn run(tests: Vec<Test>, answers: &str) -> String {
        let finding = FindingId { session: SessionId(1), key: 1 };
        let batch = Batch { purpose: Purpose::Replay { finding, round: 1 }, tests };
        let mut driver = BatchDriver::new(&batch, "a", Some(0.5));
        let mut known = Known(BTreeMap::new());
        let mut acts = String::new();
        let mut observation = Observation::Started;
        for answer in answers.chars().chain("============".chars()) {
            match driver.next(&observation, &known) {
                Act::Reset => acts.push('R'),
                Act::Perform(_) => acts.push('p'),
                Act::Finish(Ending::Complete) => return acts + ".",
                Act::Finish(_) => return acts + "s",
                Act::Consult(_) => return acts + "?",
            }
            observation = match answer {
                'x' => seen("Other", &mut known),
                '!' => Observation::Failed(Failure::NotFound),
                _ => seen("Usual", &mut known),
            };
            if let ('c', Observation::Seen(seen)) = (answer, &mut observation) {
                let (headline, stack) = (String::new(), Vec::new());
                let (kind, process) = (SignalKind::Crash, "a".into());
                seen.signals.push(Signal { kind, process, headline, stack });
            }
        }
        acts
    }

    #[test]
    fn tests_run_in_order_and_end_when_lost() {
        let mutant = || Role::Mutant(Insertion { pivot: 2, length: 2 });
        let batch = || vec![test(Role::Seed, 2), test(mutant(), 4), test(Role::Seed, 2)];
        for (name, answers, acts) in [
            ("all well", "============", "RppRppppRpp."),
            ("the seed is lost", "=!", "Rps"),
            ("the mutant is lost", "=====!", "RppRppRpp."),
            ("not back at the pivot", "======x", "RppRpppRpp."),
            ("elsewhere before the insertion's end", "=====x", "RppRppppRpp."),
            ("a crash in the mutant", "====c", "RppRpRpp."),
            ("the last run is lost", "=========!", "RppRppppRp."),
        ] {
            assert_eq!(run(batch(), answers), acts, "{name}");
        }
        assert_eq!(run(vec![test(Role::Seed, 1)], "=!"), "Rp.", "a lone test has nothing after it");
        assert_eq!(run(Vec::new(), ""), ".");
    }
}
