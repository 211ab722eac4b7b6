//! The whole program with a technique of another crate: the worked example of CONTRIBUTING.

use std::process::ExitCode;

#[path = "../../../suite/turns/technique.rs"]
mod technique;

fn main() -> ExitCode {
    if let Err(error) = droidmux::technique::register(&technique::TURNS) {
        eprintln!("{error}");
        return ExitCode::from(2);
    }
    droidmux::cli::main("outside")
}
