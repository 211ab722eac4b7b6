//! `droidmux apk setup`: builds the framework lab with Maven.
//!
//! In: the lab's sources, in the folder at hand or within this program. Out: a folder that `droidmux sim --apk` finds.
//! Invariants: an existing folder's sources are replaced, what was built from them is kept until Maven builds it anew;
//! nothing else on the machine is touched.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use color_eyre::eyre::{WrapErr, eyre};
use include_dir::{Dir, DirEntry, include_dir};

use crate::{Usage, folders};

/// What the host is built from.
static SOURCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../framework/src/main");
/// The other files that it needs; true for programs.
const FILES: [(&str, &str, bool); 3] = [
    ("pom.xml", include_str!("../../../framework/pom.xml"), false),
    ("run", include_str!("../../../framework/run"), true),
    ("translate", include_str!("../../../framework/translate"), true),
];

/// The lowest version of Java that builds and runs it.
const JAVA: u32 = 17;

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
    require_tools()?;
    let folder = match &args.framework_host {
        Some(folder) => folder.clone(),
        None => folders::framework()?,
    };
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
    let status = Command::new("mvn")
        .args(["-B", "-ntp", "-DskipTests", "-f"])
        .arg(folder.join("pom.xml"))
        .arg("package")
        .stdin(Stdio::null())
        .status()
        .wrap_err("mvn cannot be started")?;
    if !status.success() {
        return Err(eyre!("Maven could not build the framework lab in {}: {status}", folder.display()));
    }
    let _ = writeln!(err, "droidmux: done; `droidmux demo --apk FILE` shows an app in it");
    Ok(ExitCode::SUCCESS)
}

/// Both tools, or one line that says what to install.
fn require_tools() -> Result<(), Usage> {
    let hint = "apt install openjdk-17-jdk-headless maven, or what your system calls them";
    let java = Command::new("java").arg("-version").output();
    let version = java.ok().and_then(|said| java_version(&String::from_utf8_lossy(&said.stderr)));
    match version {
        Some(version) if version >= JAVA => {}
        Some(version) => {
            return Err(
                Usage::new(format!("the framework lab needs Java {JAVA}; here is {version}")).hint(hint)
            );
        }
        None => {
            return Err(Usage::new(format!("the framework lab needs Java {JAVA}; there is none")).hint(hint));
        }
    }
    match Command::new("mvn").arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Usage::new("the framework lab is built with Maven; there is none").hint(hint)),
    }
}

/// The version in the first line of `java -version`; 8 for 1.8.
fn java_version(said: &str) -> Option<u32> {
    let quoted = said.split('"').nth(1)?;
    let mut parts = quoted.split(['.', '-', '+', '_']).map(|part| part.parse().ok());
    match parts.next()? {
        Some(1) => parts.next()?,
        version => version,
    }
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
    fn versions_of_java_are_read() {
        let cases = [
            ("openjdk version \"17.0.12\" 2024-07-16\nOpenJDK Runtime", Some(17)),
            ("java version \"1.8.0_292\"", Some(8)),
            ("openjdk version \"21\" 2023-09-19", Some(21)),
            ("openjdk version \"22-ea\" 2024-03-19", Some(22)),
            ("bash: java: command not found", None),
        ];
        for (said, version) in cases {
            assert_eq!(java_version(said), version, "{said}");
        }
    }

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
