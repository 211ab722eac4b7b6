//! The cockpit over a made-up lab, in the terminal the tests run in:
//! `cargo test --lib tui::tests::preview -- --ignored --nocapture`.

use crate::tui::fixtures::live_lab;
use crate::tui::{TuiOptions, run};

#[test]
#[ignore = "needs a terminal and a person"]
fn preview() {
    let steps = std::env::var("PREVIEW_STEPS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_234);
    let quiet = std::env::var_os("PREVIEW_QUIET").is_some();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let result = runtime.block_on(async { run(vec![live_lab(steps, quiet)], TuiOptions::from_env()).await });
    runtime.shutdown_background();
    assert!(result.is_ok(), "{result:?}");
}
