//! Sessions that people start from a cockpit: the files they choose from, what those contain, and the devices.
//!
//! In: what a person chose, on this host. Out: definitions and labs with devices, as `droidmux run` makes them.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use async_trait::async_trait;

use super::caller::Premises;
use super::config::Config;
use super::source::source;
use super::{SessionFileError, UsualLlm, ranges, read_session};
use droidmux_file as file;
use droidmux_lab::{Ground, Lab, NoGround, Starter};
use droidmux_proto::{FilePlace, SessionFileView, Start, StartFault};
use droidmux_record::{LabKind, SessionDefinition, SimTerms};

/// Files listed at most.
const MOST_FILES: usize = 200;
/// Larger files are not session files.
const MOST_BYTES: u64 = 1 << 20;
/// The most characters shown of a line.
const MOST_LINE: usize = 200;
/// Where session files are looked for besides the folder itself.
const SESSIONS: &str = "sessions";

/// Reads the files of this host and knows which devices the lab itself has.
pub(super) struct Desk {
    /// The lab's own devices are simulated.
    pub(super) simulated: bool,
}

#[async_trait]
impl Starter for Desk {
    fn files(&self, folder: &str) -> Vec<SessionFileView> {
        let folder = known(folder);
        let Ok(usual) = Config::read().map(|config| config.llm) else { return Vec::new() };
        let below = toml_files(&folder.join(SESSIONS)).into_iter().map(|name| format!("{SESSIONS}/{name}"));
        let names = below.chain(toml_files(&folder).into_iter().filter(|name| is_meant(&folder.join(name))));
        names.take(MOST_FILES).map(|name| look(&folder, name, &usual)).collect()
    }

    fn read(&self, start: &Start) -> Result<SessionDefinition, StartFault> {
        let config = Config::read().map_err(|error| format!("{error:#}"))?;
        let path = path(start);
        let mut definition = read_session(&path, &config.llm).map_err(|error| fault(error, &start.file))?;
        if let Some(most) = start.max_events {
            definition.run.max_events =
                ranges::number(&most.to_string(), &ranges::EVENTS).map_err(|why| format!("events: {why}"))?;
        }
        if !start.serials.is_empty() {
            // The devices named are the lab's own, whatever the file would have created.
            definition.lab.kind = if self.simulated { LabKind::Sim } else { LabKind::Adb };
            definition.lab.serials.clone_from(&start.serials);
            definition.lab.servers.clear();
        }
        Ok(definition)
    }

    fn terms(&self) -> SimTerms {
        SimTerms { steady: false, defects: "all".into() }
    }

    async fn ground(
        &self,
        lab: &Lab,
        definition: &SessionDefinition,
        sim: &SimTerms,
    ) -> Result<Ground, NoGround> {
        let premises = Premises { lab: lab.clone(), simulated: self.simulated };
        let ground = async {
            let ground = premises.ground(source(definition, sim)?).await?;
            ground.require_device()?;
            color_eyre::Result::<_>::Ok(ground)
        };
        let ground = ground.await.map_err(|error| NoGround { why: format!("{error:#}") })?;
        Ok(Ground { lab: ground.lab.clone(), held: Box::new(ground) })
    }
}

/// The folder with this name, or this process's own if none is given: a cockpit may run on another host.
fn known(folder: &str) -> PathBuf {
    let folder = Path::new(folder);
    if folder.is_absolute() && folder.is_dir() {
        return folder.to_owned();
    }
    env::current_dir().unwrap_or_default()
}

/// The file that a person named; `~` is their home.
fn path(start: &Start) -> PathBuf {
    match (start.file.strip_prefix("~/"), env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => known(&start.folder).join(&start.file),
    }
}

/// The names of the TOML files in a folder, sorted.
fn toml_files(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.path());
    let names = names.filter(|path| path.extension() == Some(OsStr::new("toml")));
    let mut names: Vec<String> =
        names.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
    names.sort_unstable();
    names
}

/// Whether a file that may be anything is a session file, sound or not.
fn is_meant(path: &Path) -> bool {
    let text = file::read_text(path, MOST_BYTES).unwrap_or_default();
    text.lines().any(|line| line.trim_start().starts_with("technique"))
}

fn look(folder: &Path, path: String, usual: &UsualLlm) -> SessionFileView {
    match read_session(&folder.join(&path), usual) {
        Ok(definition) => SessionFileView { path, words: words(&definition), fault: None },
        Err(error) => {
            let fault = Some(fault(error, &path));
            SessionFileView { path, words: String::new(), fault }
        }
    }
}

/// What a session does, in a few words.
fn words(definition: &SessionDefinition) -> String {
    let lab = match definition.lab.kind {
        LabKind::Adb => "adb",
        LabKind::Sim => "sim",
        LabKind::Apk => "apk",
        LabKind::Hosts => "hosts",
    };
    format!("{} {}, {} events, {lab}", definition.technique.name(), definition.app, definition.run.max_events)
}

/// What is wrong with a session file, using the name that the person gave.
fn fault(error: SessionFileError, named: &str) -> StartFault {
    match error {
        SessionFileError::Unreadable { source, .. } => format!("{named}: {source}").into(),
        SessionFileError::Wrong { path, line, what } => {
            let text = file::read_text(&path, MOST_BYTES).unwrap_or_default();
            let said = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            let text = said.chars().take(MOST_LINE).collect();
            let place = FilePlace { path: named.into(), line: line as u64, text };
            StartFault { what: without_list(what), place: Some(place) }
        }
    }
}

/// A form has room for the nearest name, not for all that could be used there.
fn without_list(what: String) -> String {
    match (what.split_once(", expected one of "), what.rsplit_once(" (did you mean ")) {
        (Some((head, _)), Some((_, nearest))) => format!("{head} (did you mean {nearest}"),
        _ => what,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = "technique = \"monkey\"\napp = \"org.droidmux.notes\"\n[lab]\nkind = \"sim\"\n";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join(SESSIONS)).expect("made");
        let files = [
            ("sessions/sound.toml", SOUND),
            (
                "sessions/wrong.toml",
                "technique = \"monkey\"\napp = \"org.droidmux.notes\"\n[run]\nmax-event = 3\n",
            ),
            ("here.toml", SOUND),
            ("Cargo.toml", "[package]\nname = \"x\"\n"),
            ("sessions/notes.txt", "no session"),
        ];
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("written");
        }
        folder
    }

    #[test]
    fn files_are_listed_with_what_they_say_or_what_is_wrong_on_which_line() {
        let folder = folder();
        let files = Desk { simulated: true }.files(&folder.path().display().to_string());
        let names: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(names, ["sessions/sound.toml", "sessions/wrong.toml", "here.toml"]);
        assert!(files[0].words.starts_with("monkey org.droidmux.notes, "), "{:?}", files[0]);
        let fault = files[1].fault.clone().expect("a fault");
        let place = fault.place.expect("a place");
        assert_eq!((place.line, place.text.as_str()), (4, "max-event = 3"));
        assert_eq!(fault.what, "unknown field `max-event` (did you mean `max-events`?)");
    }

    #[test]
    fn what_a_person_chose_stands_above_the_file() {
        let folder = folder();
        let start = Start {
            file: "here.toml".into(),
            folder: folder.path().display().to_string(),
            ..Start::default()
        };
        let desk = Desk { simulated: true };
        let chosen = Start { max_events: Some(7), serials: vec!["emulator-5556".into()], ..start.clone() };
        let definition = desk.read(&chosen).expect("a session");
        assert_eq!((definition.run.max_events, definition.lab.serials.len()), (7, 1));
        let cases = [
            (Start { max_events: Some(0), ..start.clone() }, "events: "),
            (Start { file: "gone.toml".into(), ..start.clone() }, "gone.toml: "),
            (Start { file: String::new(), ..start }, ": "),
        ];
        for (start, words) in cases {
            let fault = desk.read(&start).expect_err("a fault");
            assert!(fault.what.starts_with(words), "{start:?}: {}", fault.what);
        }
    }
}
