//! Where the agent's jar is on this host.

use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use droidmux_file as file;

/// Where the Python package keeps the jar.
const IN_PACKAGES: &str = "uiautomator2/assets/u2.jar";
/// Folders of packages in a Python installation or virtual environment; `*` is one folder.
const PACKAGE_FOLDERS: [&str; 5] = [
    "",
    "lib/python*/site-packages",
    "lib/python*/dist-packages",
    "local/lib/python*/dist-packages",
    "Lib/site-packages",
];
/// Every jar begins with these bytes.
const MAGIC: &[u8] = b"PK\x03\x04";
/// Real ones are about 4 MB.
const MAX_BYTES: u64 = 64 << 20;

/// A jar that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentJar {
    path: PathBuf,
}

/// Why there is no jar.
#[derive(Debug, Error)]
pub enum JarError {
    /// The system does not allow it to be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// The file does not begin as a ZIP archive does.
    #[error(
        "{0}: is no jar (it does not begin as one); name u2.jar, or the Python installation that holds it"
    )]
    NoJar(PathBuf),
    /// The folder is not a Python installation, or is one without the agent.
    #[error(
        "{0}: no {IN_PACKAGES} in this folder nor in its lib/python*/site-packages; install the agent \
         with `pip install uiautomator2` there, or name u2.jar itself"
    )]
    NotInstalled(PathBuf),
}

impl AgentJar {
    /// The jar that a path names: the file itself, the folder of a Python installation, virtual
    /// environment or packages, or a Python program in its `bin`.
    ///
    /// # Errors
    /// When there is none; with the path and what to do.
    pub fn find(named: &Path) -> Result<Self, JarError> {
        let unreadable = |source| JarError::Unreadable { path: named.to_owned(), source };
        if fs::metadata(named).map_err(unreadable)?.is_dir() {
            return in_installation(named).ok_or_else(|| JarError::NotInstalled(named.to_owned()));
        }
        if is_jar(named).map_err(unreadable)? {
            return Ok(Self { path: named.to_owned() });
        }
        let name = named.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let installation = named.parent().and_then(Path::parent).filter(|_| name.starts_with("python"));
        match installation {
            Some(folder) => in_installation(folder).ok_or_else(|| JarError::NotInstalled(folder.to_owned())),
            None => Err(JarError::NoJar(named.to_owned())),
        }
    }

    /// The file that was found, inside the folder if one was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its bytes.
    ///
    /// # Errors
    /// When it cannot be read, or has been replaced in the meantime.
    pub(super) fn read(&self) -> Result<Vec<u8>, JarError> {
        let unreadable = |source| JarError::Unreadable { path: self.path.clone(), source };
        let bytes = file::read(&self.path, MAX_BYTES).map_err(unreadable)?;
        if bytes.starts_with(MAGIC) { Ok(bytes) } else { Err(JarError::NoJar(self.path.clone())) }
    }
}

fn in_installation(folder: &Path) -> Option<AgentJar> {
    let packages = PACKAGE_FOLDERS.iter().flat_map(|pattern| folders(folder, pattern));
    let jars = packages.map(|packages| packages.join(IN_PACKAGES));
    // The package's own folder may also be given.
    let path = jars.chain([folder.join("assets/u2.jar")]).find(|path| is_jar(path).unwrap_or(false))?;
    Some(AgentJar { path })
}

/// The folders that match a pattern, in reverse alphabetic order: of two Pythons, the newer comes first.
fn folders(root: &Path, pattern: &str) -> Vec<PathBuf> {
    let Some((before, behind)) = pattern.split_once('*') else { return vec![root.join(pattern)] };
    let (parent, prefix) = before.rsplit_once('/').unwrap_or(("", before));
    let entries = fs::read_dir(root.join(parent)).into_iter().flatten().flatten();
    let fits = |name: &str| name.starts_with(prefix);
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_str().is_some_and(fits))
        .map(|entry| entry.path().join(behind.trim_start_matches('/')))
        .collect();
    found.sort_by(|a, b| b.cmp(a));
    found
}

fn is_jar(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    let limit = u64::try_from(MAGIC.len()).unwrap_or(u64::MAX);
    io::Read::read_to_end(&mut io::Read::take(file::open(path)?, limit), &mut head)?;
    Ok(head == MAGIC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jars_are_found_in_whatever_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |path: &str, bytes: &[u8]| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(path, bytes).expect("a file");
        };
        put("venv/bin/python3", b"\x7fELF");
        put("venv/lib/python3.9/site-packages/uiautomator2/assets/u2.jar", b"PK\x03\x04old");
        put("venv/lib/python3.11/site-packages/other/x", b"");
        put("system/local/lib/python3.11/dist-packages/uiautomator2/assets/u2.jar", b"PK\x03\x04");
        put("empty/lib/python3.11/site-packages/x", b"");
        put("cut/uiautomator2/assets/u2.jar", b"PK");
        put("mine.jar", b"PK\x03\x04");
        put("notes.txt", b"hello");
        let in_venv = "venv/lib/python3.9/site-packages/uiautomator2/assets/u2.jar";
        let cases = [
            ("mine.jar", Ok("mine.jar")),
            ("venv", Ok(in_venv)),
            ("venv/bin/python3", Ok(in_venv)),
            ("venv/lib/python3.9/site-packages", Ok(in_venv)),
            ("venv/lib/python3.9/site-packages/uiautomator2", Ok(in_venv)),
            ("system", Ok("system/local/lib/python3.11/dist-packages/uiautomator2/assets/u2.jar")),
            ("empty", Err("pip install uiautomator2")),
            ("cut", Err("pip install uiautomator2")),
            ("notes.txt", Err("is no jar")),
            ("missing", Err("No such file")),
        ];
        for (named, expected) in cases {
            let found = AgentJar::find(&folder.path().join(named));
            match (found, expected) {
                (Ok(jar), Ok(path)) => assert_eq!(jar.path(), folder.path().join(path), "{named}"),
                (Err(error), Err(said)) => assert!(error.to_string().contains(said), "{named}: {error}"),
                (found, _) => panic!("{named}: {found:?}"),
            }
        }
    }
}
