//! `droidmux apk setup`: builds the framework lab with Maven.
//!
//! In: the lab's sources, in the folder at hand or within this program. Out: a folder that `droidmux sim --apk` finds.
//! Invariants: an existing folder's sources are replaced, what was built from them is kept until Maven builds it anew;
//! nothing else on the machine is touched.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use clap::Args;
use color_eyre::eyre::{WrapErr, eyre};
use include_dir::{Dir, DirEntry, include_dir};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio_util::sync::CancellationToken;

use crate::exit::Interrupted;
use crate::folders;
use crate::java::require_build_tools;
use crate::runtime::runtime;
use crate::signals::end_on_signals;

/// What the host is built from.
static SOURCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../framework/src/main");
/// The other files that it needs; true for programs.
const FILES: [(&str, &str, bool); 3] = [
    ("pom.xml", include_str!("../../../framework/pom.xml"), false),
    ("run", include_str!("../../../framework/run"), true),
    ("translate", include_str!("../../../framework/translate"), true),
];

/// Between two looks at Maven.
const PAUSE: Duration = Duration::from_millis(50);

#[derive(Debug, Args)]
pub(super) struct SetupArgs {
    /// Where to build it [default: $XDG_DATA_HOME/droidmux/framework]
    #[arg(long, value_name = "FOLDER", env = "DROIDMUX_FRAMEWORK")]
    framework_host: Option<PathBuf>,
}

/// # Errors
///
/// `Usage` without Java or Maven; another error when the build fails, with Maven's last words.
pub(super) fn run(args: &SetupArgs) -> color_eyre::Result<ExitCode> {
    require_build_tools()?;
    let folder = match &args.framework_host {
        Some(folder) => folder.clone(),
        None => folders::framework()?,
    };
    let runtime = runtime()?;
    let stop = runtime.block_on(async { end_on_signals() });
    let is_new = !folder.exists();
    // A checkout has its own sources.
    if !folder.join("src/main").is_dir() || args.framework_host.is_none() {
        unpack(&folder).wrap_err_with(|| format!("{}: the sources cannot be written", folder.display()))?;
    }
    let mut err = io::stderr();
    let _ = writeln!(
        err,
        "droidmux: building the framework lab in {}; the first time Maven fetches some 500 MB",
        folder.display()
    );
    let status = build(&folder, &stop).wrap_err("mvn cannot be started")?;
    let Some(status) = status else {
        // What is half built is not taken for a lab; what was there before stays to be built on.
        if is_new {
            let _ = fs::remove_dir_all(&folder);
        }
        return Err(Interrupted.into());
    };
    if !status.success() {
        return Err(eyre!("Maven could not build the framework lab in {}: {status}", folder.display()));
    }
    let _ = writeln!(err, "droidmux: done; `droidmux demo --apk FILE` shows an app in it");
    Ok(ExitCode::SUCCESS)
}

/// How Maven ended; `None` when it was ended because a person wanted it.
fn build(folder: &Path, stop: &CancellationToken) -> io::Result<Option<ExitStatus>> {
    // In a group of its own, which is ended as a whole: Maven starts further processes.
    let mut maven = Command::new("mvn")
        .args(["-B", "-ntp", "-DskipTests", "-f"])
        .arg(folder.join("pom.xml"))
        .arg("package")
        .stdin(Stdio::null())
        .process_group(0)
        .spawn()?;
    loop {
        match maven.try_wait()? {
            Some(status) => return Ok(Some(status)),
            None if stop.is_cancelled() => break,
            None => thread::sleep(PAUSE),
        }
    }
    if let Some(group) = i32::try_from(maven.id()).ok().and_then(Pid::from_raw) {
        // Gone already is as good.
        let _ = kill_process_group(group, Signal::KILL);
    }
    maven.wait()?;
    Ok(None)
}

fn unpack(folder: &Path) -> io::Result<()> {
    let sources = folder.join("src/main");
    match fs::remove_dir_all(&sources) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => fs::create_dir_all(&sources)?,
    }
    write_all(&SOURCES, &sources)?;
    for (name, text, is_program) in FILES {
        let path = folder.join(name);
        fs::write(&path, text)?;
        if is_program {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

fn write_all(from: &Dir<'_>, to: &Path) -> io::Result<()> {
    for entry in from.entries() {
        let path = to.join(entry.path());
        match entry {
            DirEntry::Dir(folder) => {
                fs::create_dir_all(&path)?;
                write_all(folder, to)?;
            }
            DirEntry::File(file) => fs::write(&path, file.contents())?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sources_in_this_program_are_those_of_the_lab() {
        let folder = tempfile::tempdir().expect("a folder");
        unpack(folder.path()).expect("unpacked");
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../framework");
        let class = "src/main/java/org/droidmux/framework/Main.java";
        for name in ["pom.xml", "run", "translate", class] {
            let text = |folder: &Path| fs::read_to_string(folder.join(name)).expect("text");
            assert_eq!(text(folder.path()), text(&own), "{name}");
        }
        assert!(folder.path().join("run").metadata().expect("a file").permissions().mode() & 0o111 != 0);
        // Once more over what is there.
        unpack(folder.path()).expect("unpacked again");
    }
}
