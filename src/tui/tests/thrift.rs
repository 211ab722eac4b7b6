//! The cockpit at the end of a slow link, while 64 sessions run.

use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use super::shaped::{LIKE_KITTY, Shaped, Way};

/// For an unoptimised build on a machine that is busy with something else: drawing takes its time.
const SLACK: Duration = Duration::from_millis(if cfg!(debug_assertions) { 250 } else { 100 });

fn start(way: Way, ssh: bool) -> Shaped {
    let mut command = CommandBuilder::new(std::env::current_exe().expect("this program"));
    command.args(["--ignored", "--exact", "--nocapture", "tests::preview::preview"]);
    command.env("PREVIEW_SESSIONS", "64");
    command.env("PREVIEW_STEPS", "1000000");
    match ssh {
        true => command.env("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22"),
        false => command.env_remove("SSH_CONNECTION"),
    }
    Shaped::run(command, 40, 120, way)
}

/// From a key to its echo, sorted.
fn echoes(shaped: &Shaped) -> Vec<Duration> {
    shaped.press(":");
    shaped.wait_for_text("enter do it");
    let mut took = Vec::new();
    for typed in ["q", "qx", "qxq", "qxqx", "qxqxq", "qxqxqx", "qxqxqxq"] {
        // Between the moments at which something moves, and with them.
        std::thread::sleep(Duration::from_millis(730));
        let pressed = shaped.press(typed.get(typed.len() - 1..).unwrap_or_default());
        took.push(shaped.wait_for_text(&format!("> {typed}")) - pressed);
    }
    took.sort();
    took
}

#[test]
fn a_key_does_not_wait_behind_what_moves() {
    let way = Way::SLOW;
    let shaped = start(way, true);
    shaped.wait_for_text("emulator-5554");
    // The buffers fill now if they ever do.
    let rate = shaped.rate_over(Duration::from_secs(6));
    let took = echoes(&shaped);
    println!("{rate:.0} bytes a second; echoes after {took:?}, {:?} there and back", way.round_trip());
    let median = took[took.len() / 2];
    assert!(median <= way.round_trip() + SLACK, "{took:?}");
    assert!(rate <= 6_600.0, "{rate} bytes a second");
    assert!(rate >= 500.0, "{rate} bytes a second: nothing moves");
}

#[test]
fn a_terminal_that_answers_nothing_keeps_to_the_budget() {
    let shaped = start(Way { answers: false, ..Way::SLOW }, true);
    shaped.wait_for_text("emulator-5554");
    std::thread::sleep(Duration::from_secs(4));
    let rate = shaped.rate_over(Duration::from_secs(5));
    assert!((500.0..=6_600.0).contains(&rate), "{rate} bytes a second");
    let pressed = shaped.press("3");
    let shown = shaped.wait_for_text("Deleting the picture") - pressed;
    assert!(shown < Duration::from_secs(8), "{shown:?}");
}

#[test]
fn a_slow_link_that_nobody_named_is_noticed() {
    let way = Way::SLOW;
    let shaped = start(way, false);
    shaped.wait_for_text("emulator-5554");
    std::thread::sleep(Duration::from_secs(8));
    let took = echoes(&shaped);
    println!("echoes without a budget after {took:?}");
    assert!(took[took.len() / 2] <= Duration::from_secs(2), "{took:?}");
}

#[test]
fn an_image_on_its_way_holds_no_key_up() {
    let way = Way { says: LIKE_KITTY, ..Way::SLOW };
    let shaped = start(way, true);
    shaped.wait_for_text("emulator-5554");
    shaped.press("2");
    shaped.wait_for_text("Trace");
    let began = Instant::now();
    // Away from the live end, where the screenshot is worth its bytes.
    shaped.press("k");
    while !shaped.came("\u{1b}_Gq=2,a=T,U=1") {
        assert!(began.elapsed() < Duration::from_secs(60), "no image comes:\n{}", shaped.screen());
        std::thread::sleep(Duration::from_millis(20));
    }
    let took = echoes(&shaped);
    println!("echoes beside an image after {took:?}");
    assert!(took[took.len() / 2] <= way.round_trip() + SLACK, "{took:?}");
    shaped.press("\u{1b}");
    shaped.wait_for_text("\u{10EEEE}");
}
