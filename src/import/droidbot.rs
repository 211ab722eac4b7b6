//! DroidBot's output folder.
//!
//! `events/event_TAG.json` name the states before and after, `states/state_TAG.json` hold the views; `utg.js` is a
//! JavaScript file that assigns a JSON object with the app's name. Kea, which is based on DroidBot, calls the folder of
//! states `all_states/`.

use serde::Deserialize;

use super::ImportError;
use super::folder::{Folder, parse};
use super::recording::Recording;
use super::tape::{STATES, Tape};

/// The app as `utg.js` and Genie's `utg.json` name it.
#[derive(Debug, Default, Deserialize)]
struct About {
    #[serde(default)]
    app_package: String,
    #[serde(default)]
    device_serial: String,
}

pub(super) fn read(folder: &Folder) -> Result<Recording, ImportError> {
    if !STATES.iter().any(|states| folder.has(states)) {
        return Err(folder.lacks("states/ (Kea's all_states/)", "DroidBot"));
    }
    if !folder.has("events") {
        return Err(folder.lacks("events/", "DroidBot"));
    }
    let (about, fault) = match about(folder) {
        Ok(about) => (about, None),
        Err(error) => (About::default(), Some(format!("left out: {error}"))),
    };
    let mut tape = Tape::new(folder, &about.app_package, &about.device_serial);
    if about.app_package.is_empty() {
        tape.recording.remarks.extend(fault);
        let remark = "no utg.js names the app: every screen counts as one of it";
        tape.recording.remarks.push(remark.to_owned());
    }
    tape.explore()?;
    Ok(tape.finish())
}

fn about(folder: &Folder) -> Result<About, ImportError> {
    const FILE: &str = "utg.js";
    if !folder.has(FILE) {
        return Ok(About::default());
    }
    let bytes = folder.read(FILE)?;
    let object = memchr::memchr(b'{', &bytes).and_then(|at| bytes.get(at..)).unwrap_or(&[]);
    let end = memchr::memrchr(b'}', object).map_or(0, |at| at + 1);
    parse(FILE, object.get(..end).unwrap_or(&[]))
}
