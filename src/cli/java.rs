//! The Java and the Maven that the framework lab needs: whether they are there.
//!
//! In: the search path. Out: nothing, or one line that says what to install.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use super::Usage;

/// The lowest version of Java that builds and runs the framework lab.
const JAVA: u32 = 17;

/// Java as the framework lab needs it.
///
/// # Errors
/// `Usage` with what to install.
pub(super) fn require_java() -> Result<(), Usage> {
    match installed() {
        Some(version) if version >= JAVA => Ok(()),
        Some(version) => Err(missing(&format!("the framework lab needs Java {JAVA}; here is {version}"))),
        None => Err(missing(&format!("the framework lab needs Java {JAVA}; there is none"))),
    }
}

/// Java, its compiler and Maven.
///
/// # Errors
/// `Usage` with what to install.
pub(super) fn require_build_tools() -> Result<(), Usage> {
    require_java()?;
    if found("javac").is_none() {
        return Err(missing(&format!(
            "the framework lab is built with a JDK {JAVA}; here is Java without its compiler"
        )));
    }
    match Command::new("mvn").arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(missing("the framework lab is built with Maven; there is none")),
    }
}

fn missing(what: &str) -> Usage {
    Usage::new(format!("{what}; apt install openjdk-17-jdk-headless maven, or what your system calls them"))
}

/// The version of the Java that the search path has.
fn installed() -> Option<u32> {
    let java = fs::canonicalize(found("java")?).ok()?;
    // Asking takes a tenth of a second or more: a Java's own folder says it as well.
    let home = java.parent().and_then(Path::parent);
    let released = home.and_then(|home| fs::read_to_string(home.join("release")).ok());
    let line =
        released.as_deref().and_then(|text| text.lines().find(|line| line.starts_with("JAVA_VERSION=")));
    if let Some(version) = line.and_then(version) {
        return Some(version);
    }
    let said = Command::new(java).arg("-version").output().ok()?;
    version(&String::from_utf8_lossy(&said.stderr))
}

fn found(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// The first version in quotes; 8 for 1.8.
fn version(said: &str) -> Option<u32> {
    let quoted = said.split('"').nth(1)?;
    let mut parts = quoted.split(['.', '-', '+', '_']).map(|part| part.parse().ok());
    match parts.next()? {
        Some(1) => parts.next()?,
        version => version,
    }
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
            ("JAVA_VERSION=\"11.0.2\"", Some(11)),
            ("bash: java: command not found", None),
        ];
        for (said, expected) in cases {
            assert_eq!(version(said), expected, "{said}");
        }
    }
}
