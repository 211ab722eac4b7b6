//! How the child gives up everything it does not need.

use std::fs;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
use seccompiler::{TargetArch, apply_filter, compile_from_json};

use super::error::SandboxError;

/// System calls that are left, by name; anything else kills the process.
const POLICY: &str = include_str!("policy.json");
/// Seconds of CPU time, as a backstop to the parent's wall clock.
const CPU_SECONDS: u64 = 6;
/// Bytes that may be allocated beyond what the program itself takes.
const MEMORY: u64 = 192 << 20;
/// Bytes of a page in `/proc/self/statm`, on systems with the smallest ones; elsewhere the limit is lower than
/// intended, by what the program itself takes.
const PAGE: u64 = 4096;

/// Ties the process to its parent, closes what it inherited and limits what it may use.
///
/// # Errors
/// When any of it could not be done: nothing may be run then.
pub(super) fn limit() -> Result<(), SandboxError> {
    let failed = |what, error| SandboxError::Limit { what, error };
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| failed("its life", error))?;
    close_inherited().map_err(SandboxError::Descriptors)?;
    let limits = [
        ("memory", Resource::As, size()?.saturating_add(MEMORY)),
        ("computing", Resource::Cpu, CPU_SECONDS),
        ("files", Resource::Nofile, 3),
        ("file sizes", Resource::Fsize, 0),
        ("core dumps", Resource::Core, 0),
        ("processes", Resource::Nproc, 0),
    ];
    for (what, resource, most) in limits {
        let most = Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(resource, most).map_err(|error| failed(what, error))?;
    }
    Ok(())
}

/// Leaves only the system calls of the policy, for good.
///
/// # Errors
/// When the kernel or the processor is not supported: nothing may be run then.
pub(super) fn seal() -> Result<(), SandboxError> {
    let failed = |error: &dyn std::fmt::Display| SandboxError::Seal(error.to_string());
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| failed(&error))?;
    let filters = compile_from_json(POLICY.as_bytes(), arch).map_err(|error| failed(&error))?;
    let filter = filters.get("sandbox").ok_or(SandboxError::NoFilter)?;
    apply_filter(filter).map_err(|error| failed(&error))
}

/// Closes every descriptor but standard input, output and error.
fn close_inherited() -> std::io::Result<()> {
    let mut open = Vec::new();
    for entry in fs::read_dir("/proc/self/fd")? {
        open.extend(entry?.file_name().to_str().and_then(|name| name.parse::<RawFd>().ok()));
    }
    // The descriptor of the listing itself is closed by now.
    open.retain(|fd| *fd > 2 && fs::symlink_metadata(format!("/proc/self/fd/{fd}")).is_ok());
    for fd in open {
        // SAFETY: this is the only thread, and it has opened nothing yet: what is open was
        // inherited, and nobody else will close it.
        drop(unsafe { OwnedFd::from_raw_fd(fd) });
    }
    Ok(())
}

/// Bytes of address space that the program takes now.
fn size() -> Result<u64, SandboxError> {
    let statm = fs::read_to_string("/proc/self/statm").map_err(SandboxError::Size)?;
    let pages = statm.split(' ').next().and_then(|pages| pages.parse::<u64>().ok());
    Ok(pages.ok_or(SandboxError::NoSize)?.saturating_mul(PAGE))
}
