//! APKs, translated for the host once for each content.
//!
//! In: the APKs of one app, where the translator's program is, a folder to keep what it makes. Out: the folder that a host
//! loads, and what the translator says of the app. Invariants: the app's code is read, never run; a folder that was not
//! finished is never taken, and two processes may translate the same APKs at the same time; what the translator says is
//! untrusted.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf, absolute};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::cache::{Cache, InUse};
use super::confine::{Confined, Confinement};
use super::mutants::{self, Mutant};
use super::translated::{Misdescribed, TranslatedApp};

/// Makes of APKs what a host loads.
#[derive(Clone, Debug)]
pub struct Translator {
    /// The folder of the framework lab.
    host: PathBuf,
    /// Where translated apps are kept.
    cache: Cache,
    confinement: Confinement,
    /// Whether mutants are woven in.
    mutants: bool,
}

/// A translated app.
#[derive(Clone, Debug)]
pub struct Translation {
    /// What a host loads.
    pub folder: PathBuf,
    /// What the translator found in it.
    pub app: TranslatedApp,
    /// The mutants that were woven into it, in the order of their numbers.
    pub mutants: Vec<Mutant>,
    /// It was made just now; otherwise it was there.
    pub fresh: bool,
    /// Keeps the folder from being removed.
    pub in_use: InUse,
}

/// Why an app was not translated.
#[derive(Debug, Error)]
pub enum TranslateError {
    /// There is no translator, or it was not built.
    #[error("{}: no translator of the framework lab", .0.display())]
    NoTranslator(PathBuf),
    /// An APK, or the folder for translated apps.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An APK is larger than the largest that app stores take.
    #[error("{}: {size} bytes; no APK is larger than {MOST_BYTES}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// In bytes.
        size: u64,
    },
    /// The translator says why.
    #[error("{0}")]
    Refused(String),
    /// It says nothing and does not end.
    #[error("{}: the translator did not end within {} minutes", .0.display(), PATIENCE.as_secs() / 60)]
    Silent(PathBuf),
    /// Its description cannot be used.
    #[error("{}: {why}", path.display())]
    Misdescribed {
        /// The description.
        path: PathBuf,
        /// What is wrong with it.
        why: Misdescribed,
    },
    /// A person interrupted it.
    #[error("the translation was interrupted")]
    Interrupted,
}

/// The name of the description in a translated app's folder.
const DESCRIPTION: &str = "app.json";
/// The name of the list of its mutants.
const MUTANTS: &str = "mutants.json";
/// What a host loads the code from.
const CODE: &str = "classes.jar";
/// The largest description.
const MOST_DESCRIPTION: u64 = 16 << 20;
/// The largest APK: twice what the largest app store takes.
const MOST_BYTES: u64 = 8 << 30;
/// The most of what a translator says that is read.
const MOST_SAID: u64 = 1 << 16;
/// The translator itself gives up after fifteen minutes.
const PATIENCE: Duration = Duration::from_secs(20 * 60);
/// Between two looks at the translator.
const PAUSE: Duration = Duration::from_millis(50);

impl Translator {
    /// The translator in this folder of the framework lab; `cache` is made when it is needed.
    pub fn new(host: PathBuf, cache: PathBuf, confinement: Confinement) -> Self {
        Self { host, cache: Cache::at(cache), confinement, mutants: false }
    }

    /// The same, which weaves mutants into the apps' own classes.
    #[must_use]
    pub fn with_mutants(self) -> Self {
        Self { mutants: true, ..self }
    }

    /// The folder that a host loads for these APKs of one app: a single one, a base and its splits, or an archive of them.
    /// Takes seconds, up to a minute for a large app, unless they were translated before. Blocks.
    ///
    /// # Errors
    /// When an APK cannot be read or translated, or `stop` is cancelled.
    pub fn translate(
        &self,
        apks: &[PathBuf],
        stop: &CancellationToken,
    ) -> Result<Translation, TranslateError> {
        let program = self.host.join("translate");
        let jar = self.jar().ok_or_else(|| TranslateError::NoTranslator(program.clone()))?;
        let key = key(&jar, apks)? + if self.mutants { "-mutants" } else { "" };
        let sound = |folder: &Path| {
            folder.join(CODE).is_file() && described(folder).is_ok() && self.listed(folder).is_ok()
        };
        let found = |folder: PathBuf, fresh: bool, in_use: InUse| {
            let (app, mutants) = (described(&folder)?, self.listed(&folder)?);
            Ok(Translation { app, mutants, folder, fresh, in_use })
        };
        if let Some((folder, in_use)) = self.cache.find(&key, sound) {
            return found(folder, false, in_use);
        }
        let unmade = |source| TranslateError::Unreadable { path: self.cache.folder().to_owned(), source };
        let making = self.cache.begin().map_err(unmade)?;
        self.run(&program, apks, making.path(), stop)?;
        described(making.path())?;
        let (folder, in_use) = self.cache.keep(making, &key, sound).map_err(unmade)?;
        found(folder, true, in_use)
    }

    /// Runs the translator to its end.
    fn run(
        &self,
        program: &Path,
        apks: &[PathBuf],
        into: &Path,
        stop: &CancellationToken,
    ) -> Result<(), TranslateError> {
        let unstarted = |source| TranslateError::Unreadable { path: program.to_owned(), source };
        let whole = apks.iter().map(absolute).collect::<io::Result<Vec<_>>>().map_err(unstarted)?;
        let confined = self.confinement.command(program, &whole, &[into.to_owned()]);
        let Confined { mut command, folder: _folder } = confined.map_err(unstarted)?;
        let mut child = command
            .args(self.mutants.then_some("--mutants"))
            .args(&whole)
            .arg(into)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(unstarted)?;
        let errors = child.stderr.take();
        let reader = thread::spawn(move || {
            let mut said = Vec::new();
            // What comes after that is read to the end as well, or the translator would wait.
            if let Some(mut errors) = errors {
                let _ = (&mut errors).take(MOST_SAID).read_to_end(&mut said);
                let _ = io::copy(&mut errors, &mut io::sink());
            }
            said
        });
        let began = Instant::now();
        let ended = loop {
            match child.try_wait().map_err(unstarted)? {
                Some(status) => break Ok(status),
                None if stop.is_cancelled() => break Err(TranslateError::Interrupted),
                None if began.elapsed() > PATIENCE => break Err(TranslateError::Silent(program.to_owned())),
                None => thread::sleep(PAUSE),
            }
        };
        if ended.is_err() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let said = reader.join().unwrap_or_default();
        match ended? {
            status if status.success() => Ok(()),
            status => {
                let said = String::from_utf8_lossy(&said);
                // Above the last line there may be a stack.
                let last = said.lines().rfind(|line| !line.trim().is_empty());
                let mut last = last.map(|line| line.strip_prefix("translate: ").unwrap_or(line).to_owned());
                // In the words of the person who named them.
                for (whole, named) in whole.iter().zip(apks) {
                    last = last.map(|said| said.replace(&*whole.to_string_lossy(), &named.to_string_lossy()));
                }
                Err(TranslateError::Refused(
                    last.unwrap_or_else(|| format!("{}: ended with {status}", program.display())),
                ))
            }
        }
    }

    /// The mutants in a translated app's folder.
    fn listed(&self, folder: &Path) -> Result<Vec<Mutant>, TranslateError> {
        if !self.mutants {
            return Ok(Vec::new());
        }
        let path = folder.join(MUTANTS);
        let text = text(&path)?;
        mutants::read(&text).map_err(|why| TranslateError::Misdescribed { path, why })
    }

    /// What the translator consists of, if it was built.
    fn jar(&self) -> Option<PathBuf> {
        let is_jar = |path: &PathBuf| {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            name.starts_with("droidmux-framework-") && name.ends_with(".jar")
        };
        let entries = fs::read_dir(self.host.join("target")).ok()?;
        let mut jars: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_jar).collect();
        jars.sort_unstable();
        jars.pop()
    }
}

/// The name of what is made of these APKs by this translator: the same for the same bytes, in whatever order they are
/// named.
fn key(jar: &Path, apks: &[PathBuf]) -> Result<String, TranslateError> {
    let mut parts = apks.iter().map(|apk| hash(apk)).collect::<Result<Vec<_>, _>>()?;
    parts.sort_unstable();
    parts.push(hash(jar)?);
    let mut whole = blake3::Hasher::new();
    for part in &parts {
        whole.update(part);
    }
    Ok(whole.finalize().to_hex().chars().take(32).collect())
}

fn hash(path: &Path) -> Result<[u8; 32], TranslateError> {
    let unreadable = |source| TranslateError::Unreadable { path: path.to_owned(), source };
    let file = File::open(path).map_err(unreadable)?;
    let kind = file.metadata().map_err(unreadable)?;
    if !kind.is_file() {
        return Err(unreadable(io::Error::other("not a file")));
    }
    if kind.len() > MOST_BYTES {
        return Err(TranslateError::TooLarge { path: path.to_owned(), size: kind.len() });
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file.take(MOST_BYTES)).map_err(unreadable)?;
    Ok(*hasher.finalize().as_bytes())
}

fn described(folder: &Path) -> Result<TranslatedApp, TranslateError> {
    let path = folder.join(DESCRIPTION);
    let text = text(&path)?;
    TranslatedApp::read(&text).map_err(|why| TranslateError::Misdescribed { path, why })
}

fn text(path: &Path) -> Result<String, TranslateError> {
    let unreadable = |source| TranslateError::Unreadable { path: path.to_owned(), source };
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MOST_DESCRIPTION).read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}
