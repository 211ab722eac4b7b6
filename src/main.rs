//! The droidmux binary: hands its arguments to [`droidmux::cli`] and its exit code back.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything else: the child that runs generated code must not have opened, read or
    // started anything.
    if let Some(code) = droidmux::llm::sandbox::enter() {
        return code;
    }
    // The same for the child that becomes the Java of the framework lab.
    if let Some(code) = droidmux::sim::enter_confined() {
        return code;
    }
    droidmux::cli::main(env!("DROIDMUX_BUILD"))
}
