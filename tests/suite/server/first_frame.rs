//! How soon the cockpit shows a running lab.

use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use super::fixture::Site;
use crate::shaped::{Shaped, Way};

/// The limit for an unoptimised build beside other tests; what matters is an optimised one on its own.
const SOON: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1_000 } else { 150 });

#[test]
fn the_first_frame_comes_at_once() {
    let site = Site::new(2);
    let mut took: Vec<Duration> = (0..5)
        .map(|_| {
            let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_droidmux"));
            command.arg("attach");
            for (name, value) in site.environment() {
                command.env(name, value);
            }
            let began = Instant::now();
            let shaped = Shaped::run(command, 40, 120, Way { answers: false, ..Way::LOCAL });
            shaped.wait_for_text("sim-1") - began
        })
        .collect();
    took.sort();
    println!("first frames after {took:?}");
    assert!(took[took.len() / 2] <= SOON, "{took:?}");
}
