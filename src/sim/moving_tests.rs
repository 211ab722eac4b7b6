//! A phone that takes time to change: what is to be seen meanwhile, and who can tell. The time is that of the tests.

use std::time::Duration;

use droidmux_gui::Point;
use droidmux_sim_apps as apps;
use droidmux_sim_toolkit::platform::Effect;
use tokio::time::Instant;

use super::screen::{Before, Screen};
use super::{DefectSwitches, Latency, Observed, Phone, PhoneOptions, SimLab, SimOptions};

const NOTES: &str = "org.droidmux.notes";
const BAR: &str = "android.widget.ProgressBar";

/// A phone, its screen, and the time.
struct Moving {
    phone: Phone,
    screen: Screen,
    now: Instant,
}

impl Moving {
    fn new(seed: u64, reaction: u64) -> Self {
        let options = PhoneOptions { seed, ..PhoneOptions::default() };
        let phone = Phone::new(options, &apps::all(), &DefectSwitches::all());
        let screen = Screen::new(seed, Duration::from_millis(reaction));
        Moving { phone, screen, now: Instant::now() }
    }

    fn act(&mut self, act: impl FnOnce(&mut Phone)) {
        let before = Before::new(&self.phone, true);
        act(&mut self.phone);
        self.screen.changed(before, self.now, &mut self.phone);
    }

    fn dump(&mut self) -> String {
        self.screen.observe();
        self.phone.dump_by_agent(255, true)
    }

    /// Time goes on to what is scheduled next; false if nothing is.
    fn go_on(&mut self) -> bool {
        let Some(next) = self.screen.next() else { return false };
        self.now = next;
        self.screen.go_on(next, &mut self.phone);
        true
    }

    fn settle(&mut self) {
        while self.go_on() {}
    }

    /// What is to be seen until nothing is scheduled, each layout once.
    fn seen(&mut self) -> Vec<String> {
        let mut seen = vec![self.dump()];
        while self.go_on() {
            seen.push(self.dump());
        }
        seen.dedup();
        seen
    }

    /// What is to be seen after each of some gestures, and how long each takes.
    fn hour(&mut self) -> Vec<(Vec<String>, Duration)> {
        self.act(launch);
        let mut all = Vec::new();
        for number in 0..20 {
            let began = self.now;
            let seen = self.seen();
            all.push((seen, self.now - began));
            let scene = self.phone.active_scene().expect("a window");
            let places: Vec<Point> = scene
                .nodes
                .iter()
                .filter(|node| node.is_clickable())
                .map(|node| node.bounds.center())
                .collect();
            let at = places.get(number * 7 % places.len().max(1)).copied();
            self.act(|phone| match at {
                Some(at) => phone.tap(at),
                None => phone.home(),
            });
        }
        all
    }
}

fn launch(phone: &mut Phone) {
    let launcher = phone.launcher_of(NOTES).expect("an app");
    phone.launch(&launcher).expect("it starts");
}

#[test]
fn the_same_seed_and_gestures_move_the_same() {
    let [one, again, other, still] =
        [(7, 250), (7, 250), (8, 250), (7, 0)].map(|(s, ms)| Moving::new(s, ms).hour());
    assert!(one == again);
    let ends = |all: &[(Vec<String>, _)]| {
        all.iter().filter_map(|(seen, _)| seen.last().cloned()).collect::<Vec<_>>()
    };
    assert!(ends(&one) == ends(&still), "in the end it shows what a steady phone shows at once");
    assert!(still.iter().all(|(seen, time)| seen.len() == 1 && time.is_zero()));
    assert!(one.iter().zip(&other).any(|(one, other)| one.1 != other.1), "another phone moves otherwise");
    let moved: Vec<_> = one.iter().filter(|(seen, _)| seen.len() > 1).collect();
    assert!(
        moved.iter().filter(|(seen, _)| seen.len() > 2).count() * 2 > moved.len(),
        "there is something in between"
    );
    let (least, most) = (Duration::from_millis(130), Duration::from_millis(250 + 300 + 2_000));
    assert!(moved.iter().all(|(_, time)| (least..=most).contains(time)));
    let bars =
        |all: &[(Vec<String>, _)]| all.iter().any(|(seen, _)| seen.iter().any(|dump| dump.contains(BAR)));
    assert!((1..20).any(|seed| bars(&Moving::new(seed, 250).hour())), "some pages load");
    assert!(ends(&one).iter().all(|end| !end.contains(BAR)));
}

#[test]
fn times_keep_their_ratio() {
    let time = |reaction| Moving::new(7, reaction).hour().iter().map(|(_, time)| *time).sum::<Duration>();
    let (whole, tenth) = (time(250), time(25));
    assert!(whole > Duration::from_secs(1), "{whole:?}");
    assert!((tenth * 10).abs_diff(whole) < Duration::from_millis(1), "{tenth:?}, {whole:?}");
}

#[test]
fn what_was_dumped_too_early_is_counted_once_a_gesture() {
    let mut moving = Moving::new(7, 250);
    moving.act(launch);
    let early = moving.dump();
    moving.settle();
    assert_ne!(moving.dump(), early);
    moving.act(Phone::home);
    let counted = |observations, premature| Observed { observations, premature };
    assert_eq!(moving.screen.observed(), counted(1, 0), "the last dump counts");
    moving.dump();
    moving.settle();
    moving.act(launch);
    assert_eq!(moving.screen.observed(), counted(2, 1));
    moving.act(Phone::home);
    assert_eq!(moving.screen.observed(), counted(2, 1), "without a dump there is no observation");
}

#[test]
fn each_change_of_layout_is_an_event() {
    let mut moving = Moving::new(7, 250);
    moving.act(launch);
    assert_eq!(moving.screen.events(), 0, "the screen has yet to react");
    let mut before = 0;
    while moving.go_on() {
        assert_eq!(moving.screen.events(), before + 1);
        assert_eq!(moving.screen.last_event(), moving.now);
        before += 1;
    }
    assert!((2..=4).contains(&before), "{before}");
    // A gesture on a screen that moves: it goes on from what is to be seen.
    moving.act(Phone::home);
    moving.go_on();
    let between = moving.dump();
    moving.act(launch);
    assert_eq!(moving.dump(), between);
    // A screen that is off shows nothing, at once.
    moving.act(|phone| drop(phone.key("POWER")));
    assert!(moving.screen.next().is_none() && moving.phone.active_scene().is_err());
}

#[test]
fn toasts_are_heard_when_the_screen_reacts() {
    let mut moving = Moving::new(7, 250);
    let toast = |text: &str| Effect::Toast(text.to_owned());
    let heard = |moving: &Moving| moving.screen.toast(&moving.phone);
    moving.act(|phone| phone.carry_out(vec![toast("Saved")]));
    assert_eq!(heard(&moving), None);
    moving.settle();
    assert_eq!(heard(&moving).as_deref(), Some("Saved"));
    moving.act(|phone| phone.carry_out(vec![toast("Deleted")]));
    assert_eq!(heard(&moving).as_deref(), Some("Saved"));
    let Moving { phone, screen, .. } = &mut moving;
    screen.forget_toast(phone);
    assert_eq!(heard(&moving), None);
    moving.settle();
    assert_eq!(
        heard(&moving).as_deref(),
        Some("Deleted"),
        "it was shown after the earlier one was forgotten"
    );
    let Moving { phone, screen, .. } = &mut moving;
    screen.forget_toast(phone);
    assert_eq!(heard(&moving), None);
}

#[tokio::test]
async fn idleness_is_what_has_been_and_not_what_will_be() {
    // A quarter of a minute and more to react.
    let latency = Latency { reaction: Duration::from_secs(125), ..Latency::ZERO };
    let options = SimOptions { latency, steady: true, ..SimOptions::with_apps(apps::all()) };
    let lab = SimLab::start(options).await.expect("a lab");
    let device = lab.device("sim-1").expect("a device");
    let (quiet, limit) = (Duration::from_millis(50), Duration::from_secs(600));
    device.rests(quiet, limit).await;
    device.with_phone(launch);
    device.rests(quiet, limit).await;
    assert!(!device.is_settled(), "nothing has happened yet");
    device.with_phone(|phone| drop(phone.key("POWER")));
    let began = Instant::now();
    device.rests(quiet, limit).await;
    assert!(began.elapsed() >= Duration::from_millis(40), "{:?}", began.elapsed());
    device.settled().await;
}
