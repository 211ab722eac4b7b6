//! The droidmux binary: hands its arguments to [`droidmux::cli`] and its exit code back.

use std::process::ExitCode;

fn main() -> ExitCode {
    droidmux::cli::main()
}
