//! DroidBot's output folder.
//!
//! `events/event_TAG.json` name the states before and after, `states/state_TAG.json` hold the
//! views; `utg.js` is a JavaScript file that assigns a JSON object with the app's name.

use serde::Deserialize;

use super::ImportError;
use super::folder::{Folder, parse};
use super::recording::Recording;
use super::tape::Tape;

/// The app as `utg.js` and Genie's `utg.json` name it.
#[derive(Debug, Default, Deserialize)]
struct About {
    #[serde(default)]
    app_package: String,
    #[serde(default)]
    device_serial: String,
}

pub(super) fn read(folder: &Folder) -> Result<Recording, ImportError> {
    if !folder.has("states") {
        return Err(missing("states/"));
    }
    if !folder.has("events") {
        return Err(missing("events/"));
    }
    let about = about(folder)?;
    let mut tape = Tape::new(folder, &about.app_package, &about.device_serial);
    if about.app_package.is_empty() {
        let remark = "no utg.js names the app: every screen counts as one of it";
        tape.recording.remarks.push(remark.to_owned());
    }
    tape.explore()?;
    Ok(tape.finish())
}

fn missing(what: &'static str) -> ImportError {
    ImportError::Missing { file: ".".into(), what, tool: "DroidBot" }
}

fn about(folder: &Folder) -> Result<About, ImportError> {
    const FILE: &str = "utg.js";
    if !folder.has(FILE) {
        return Ok(About::default());
    }
    let bytes = folder.read(FILE)?;
    let object = bytes.iter().position(|&b| b == b'{').and_then(|at| bytes.get(at..)).unwrap_or(&[]);
    let end = object.iter().rposition(|&b| b == b'}').map_or(0, |at| at + 1);
    parse(FILE, object.get(..end).unwrap_or(&[]))
}
