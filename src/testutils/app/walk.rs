//! Random walks over an app: what no correct app does, and what no defect does without being counted.

use super::Probe;
use droidmux_gui::{EventKind, Layout, Point};
use droidmux_sim::{Phone, PhoneOptions, UnknownDefect};
use droidmux_sim_toolkit::platform::scramble;
use droidmux_sim_toolkit::{DefectSwitches, SimApp};

const TEXTS: [&str; 4] = ["a", "7", "Work", "?"];

/// An event of a walk.
#[derive(Clone, Copy, Debug)]
enum Move {
    LongPress(Point),
    Type(Point, &'static str),
    Scroll(Point),
    Tap(Point),
    Back,
    Turn,
    /// Leaves the app and comes back.
    Launch,
}

/// Walks over an app with all defects off, and returns the last dump: the same for the same seed.
///
/// # Errors
/// What a correct app does not do, in words: it crashes, hangs, loads for ever, or cannot be dumped.
///
/// # Panics
/// When the app is not among these.
pub fn walk(apps: &[SimApp], package: &str, seed: u64, steps: u64) -> Result<String, String> {
    let options = PhoneOptions { seed, steady: false, ..PhoneOptions::default() };
    let mut probe = Probe::start(package, apps, &DefectSwitches::none(), options);
    for step in 0..steps {
        let layout = probe.layout();
        let amiss = |what: &str| Err(format!("{package} {what} at step {step} of walk {seed}"));
        if layout.widgets().any(|widget| widget.short_id() == "progress_bar") {
            return amiss("loads");
        }
        go(&mut probe, chosen(&layout, seed, step));
        if probe.crashed() {
            return amiss("crashed");
        }
        if probe.hangs() {
            return amiss("hangs");
        }
        come_back(&mut probe, package);
    }
    probe.phone.dump().map_err(|fault| format!("{package} cannot be dumped after walk {seed}: {fault}"))
}

/// Walks over an app with one defect on and over the same app without it, both by the same events, until they show
/// different screens, and returns the number of inputs that set the defect off until then. This shows an author
/// whether a defect is counted where it makes a difference.
///
/// # Errors
/// They show different screens though nothing was counted, or no app has the defect; in words.
///
/// # Panics
/// When the app is not among these.
pub fn walk_beside(
    apps: &[SimApp],
    package: &str,
    defect: &str,
    seed: u64,
    steps: u64,
) -> Result<u64, String> {
    let wrong = DefectSwitches::only([defect], apps).map_err(|UnknownDefect { id, .. }| id)?;
    let start = |switches| {
        let options = PhoneOptions { seed, ..PhoneOptions::default() };
        Probe::start(package, apps, switches, options)
    };
    let (mut right, mut wrong) = (start(&DefectSwitches::none()), start(&wrong));
    let counted = |phone: &Phone| phone.set_off(package).get(defect).copied().unwrap_or(0);
    for step in 0..steps {
        let event = chosen(&right.layout(), seed, step);
        go(&mut right, event);
        go(&mut wrong, event);
        let same = right.phone.dump() == wrong.phone.dump();
        let inputs = counted(&wrong.phone);
        match (same, inputs) {
            (false, 0) => return Err(format!("{defect} shows at step {step} of walk {seed}, uncounted")),
            (false, inputs) => return Ok(inputs),
            (true, _) => {}
        }
        come_back(&mut right, package);
        come_back(&mut wrong, package);
    }
    Ok(counted(&wrong.phone))
}

/// Does something that the screen takes, and comes back to the app where that left it.
pub fn take_step(probe: &mut Probe, package: &str, seed: u64, step: u64) {
    let event = chosen(&probe.layout(), seed, step);
    go(probe, event);
    if !probe.crashed() {
        come_back(probe, package);
    }
}

/// The event of a step, drawn from what the screen offers.
fn chosen(layout: &Layout, seed: u64, step: u64) -> Move {
    let events = layout.events();
    let chance = usize::try_from(scramble(seed ^ scramble(step)) >> 33).unwrap_or(0);
    // Three more than there are events: BACK, turning the screen, and leaving.
    let event = events
        .get(chance % (events.len() + 3))
        .and_then(|(kind, widget)| Some((*kind, layout.get(*widget)?.bounds().center())));
    match event {
        Some((EventKind::LongClick, at)) => Move::LongPress(at),
        Some((EventKind::Edit, at)) => {
            Move::Type(at, TEXTS.get(chance % TEXTS.len()).copied().unwrap_or_default())
        }
        Some((EventKind::Scroll(_), at)) => Move::Scroll(at),
        Some((_, at)) => Move::Tap(at),
        None => match chance % 3 {
            0 => Move::Back,
            1 => Move::Turn,
            _ => Move::Launch,
        },
    }
}

fn go(probe: &mut Probe, event: Move) {
    match event {
        Move::LongPress(at) => probe.phone.long_press(at),
        Move::Type(at, text) => {
            probe.phone.tap(at);
            probe.phone.commit_text(text);
        }
        Move::Scroll(at) => probe.phone.swipe(at, Point { y: at.y - 300, ..at }, 200),
        Move::Tap(at) => probe.phone.tap(at),
        Move::Back => {
            probe.key("BACK");
        }
        Move::Turn => {
            probe.turn();
        }
        Move::Launch => {
            probe.key("HOME");
        }
    }
}

/// Brings the app to the front again where it was left.
fn come_back(probe: &mut Probe, package: &str) {
    if probe.phone.focus().package != package
        && let Some(launcher) = probe.phone.launcher_of(package)
    {
        // What cannot be launched stays away, and the walk goes on where it is.
        let _ = probe.phone.launch(&launcher);
    }
}
