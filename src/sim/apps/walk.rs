//! Random walks over every app with its defects off: what no correct app does.

use super::probe::Probe;
use crate::gui::{EventKind, Point};
use crate::sim::PhoneOptions;
use crate::sim::toolkit::{DefectSwitches, scramble};

const STEPS: u64 = 120;
const TEXTS: [&str; 4] = ["a", "7", "Work", "?"];

/// Walks, and gives the last dump.
fn walk(package: &str, seed: u64) -> String {
    let options = PhoneOptions { seed, steady: false, ..PhoneOptions::default() };
    let mut probe = Probe::start_of(package, &super::all(), &DefectSwitches::none(), options);
    for step in 0..STEPS {
        let loads = probe.layout().widgets().any(|widget| widget.short_id() == "progress_bar");
        assert!(!loads, "{package} loads at step {step} of walk {seed}");
        take_step(&mut probe, package, seed, step);
        assert!(!probe.crashed(), "{package} crashed at step {step} of walk {seed}");
    }
    probe.phone.dump().expect("a dump")
}

/// Does something that the screen takes, and comes back to the app where that left it.
pub(super) fn take_step(probe: &mut Probe, package: &str, seed: u64, step: u64) {
    let layout = probe.layout();
    let events = layout.events();
    let chance = usize::try_from(scramble(seed ^ scramble(step)) >> 1).expect("half of a usize");
    // Two more than there are events: BACK, and turning the screen.
    let event = events
        .get(chance % (events.len() + 2))
        .and_then(|(kind, widget)| Some((*kind, layout.get(*widget)?.bounds().center())));
    match event {
        Some((EventKind::LongClick, at)) => probe.phone.long_press(at),
        Some((EventKind::Edit, at)) => {
            probe.phone.tap(at);
            probe.phone.text(TEXTS[chance % TEXTS.len()]).expect("typable");
        }
        Some((EventKind::Scroll(_), at)) => {
            probe.phone.swipe(at, Point { y: at.y - 300, ..at }, 200);
        }
        Some((_, at)) => probe.phone.tap(at),
        None if chance % 2 == 0 => {
            probe.key("BACK");
        }
        None => {
            probe.turn();
        }
    }
    if probe.phone.focus().package != package && !probe.crashed() {
        let launcher = probe.phone.launcher_of(package).expect("has a launcher");
        probe.phone.launch(&launcher).expect("starts");
    }
}

#[test]
fn correct_apps_neither_crash_nor_load_and_answer_the_same_twice() {
    for app in super::all() {
        for seed in 1..=2 {
            assert_eq!(walk(app.package(), seed), walk(app.package(), seed), "{}", app.package());
        }
    }
}
