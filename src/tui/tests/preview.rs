//! The cockpit over a made-up lab, in the terminal the tests run in:
//! `cargo test -p droidmux-tui tests::preview -- --ignored --nocapture`.

use crate::{TuiOptions, run};
use droidmux_testutils::fixtures::{FakeLab, live_lab};

#[test]
#[ignore = "needs a terminal and a person"]
fn preview() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let steps = number("PREVIEW_STEPS").unwrap_or(1_234);
    let sessions = number("PREVIEW_SESSIONS").and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let quiet = std::env::var_os("PREVIEW_QUIET").is_some();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let tour = std::env::var_os("PREVIEW_TOUR").is_some();
    let options = TuiOptions { tour, ..TuiOptions::from_env() };
    let lab = FakeLab { people: std::env::var_os("PREVIEW_PEOPLE").is_some(), ..FakeLab::new(steps) };
    let result = runtime.block_on(async { run(vec![live_lab(lab, sessions, quiet)], options).await });
    runtime.shutdown_background();
    assert!(result.is_ok(), "{result:?}");
}
