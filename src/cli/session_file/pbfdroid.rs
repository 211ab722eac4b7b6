//! PBFDroid's settings, and the specification they name.

use std::io;
use std::path::Path;

use super::complaints::Complaints;
use super::line::KeyPath;
use droidmux_gui::nearest;
use droidmux_record::{Configuration, PbfdroidSettings, SessionDefinition, Specification, Technique};
use droidmux_technique::pbfdroid::format::{FormatError, read_dmfs, read_key_views};
use droidmux_technique::pbfdroid::lint;

/// Reads a file that a session file names.
pub(crate) type ReadFile<'a> = &'a dyn Fn(&Path) -> io::Result<String>;

/// A place in the session file, and what is wrong there.
type Complaint = (KeyPath, String);

impl Complaints {
    /// The checks that do not need the specification.
    pub(super) fn pbfdroid(&mut self, definition: &SessionDefinition) {
        let settings = &definition.pbfdroid;
        if settings.specification.is_some() {
            let what = "`specification` is not for session files; name a file with `spec`";
            self.add(&["pbfdroid", "specification"], what.into());
        }
        if definition.technique != Technique::Pbfdroid {
            return;
        }
        if settings.spec.is_empty() {
            let what =
                "`technique = \"pbfdroid\"` needs a specification: `spec = \"FILE.json\"` in `[pbfdroid]`";
            self.add(&["pbfdroid", "spec"], what.into());
        }
        self.settings("pbfdroid", settings);
        if kinds(settings).into_iter().all(|weight| weight == 0) {
            let what =
                "the weights `random-…` of all kinds are 0; for no random events set `random-weight = 0`";
            self.add(&["pbfdroid", "random-click"], what.into());
        }
        for (number, name) in settings.functions.iter().enumerate() {
            if settings.functions[..number].contains(name) {
                let what = format!("`functions` names `{name}` twice");
                self.add(&["pbfdroid", "functions", &number.to_string()], what);
            }
        }
    }
}

/// The weights of the kinds of random events.
fn kinds(settings: &PbfdroidSettings) -> [u32; 7] {
    [
        settings.random_click,
        settings.random_long_click,
        settings.random_scroll,
        settings.random_edit,
        settings.random_back,
        settings.random_home,
        settings.random_rotate,
    ]
}

/// Reads the specification and makes it part of the definition; `folder` is the session file's.
pub(super) fn freeze(
    definition: &mut SessionDefinition,
    folder: &Path,
    read: ReadFile<'_>,
) -> Result<(), Complaint> {
    if definition.technique != Technique::Pbfdroid {
        return Ok(());
    }
    let settings = &mut definition.pbfdroid;
    let dmfs = file("spec", &settings.spec, folder, read, read_dmfs)?;
    let key_views = match settings.keyviews.as_str() {
        "" => Vec::new(),
        path => file("keyviews", path, folder, read, read_key_views)?,
    };
    let specification = lint::specification(dmfs, key_views);
    check_choice(settings, &specification)?;
    settings.specification = Some(specification);
    Ok(())
}

/// Reads a file that a key names.
fn file<T>(
    key: &str,
    path: &str,
    folder: &Path,
    read: ReadFile<'_>,
    parse: fn(&str, &str) -> Result<T, FormatError>,
) -> Result<T, Complaint> {
    let place = || place(&[key]);
    let path = folder.join(path);
    let name = path.display().to_string();
    let text = read(&path).map_err(|error| (place(), format!("{name}: {error}")))?;
    parse(&name, &text).map_err(|error| (place(), error.to_string()))
}

/// Checks that the chosen functions exist and that at least one can be carried out.
fn check_choice(settings: &PbfdroidSettings, specification: &Specification) -> Result<(), Complaint> {
    let spec = &settings.spec;
    let dmfs = &specification.dmfs;
    if dmfs.is_empty() {
        return Err((place(&["spec"]), format!("{spec}: has no functions")));
    }
    for (number, name) in settings.functions.iter().enumerate() {
        let complaint = |what| Err((place(&["functions", &number.to_string()]), format!("{spec}: {what}")));
        let mut called = dmfs.iter().filter(|dmf| dmf.name == *name).peekable();
        if called.peek().is_none() {
            let near = nearest(name, dmfs.iter().map(|dmf| dmf.name.as_str()));
            let hint = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            return complaint(format!("has no function `{name}`{hint}"));
        }
        let faults: Option<Vec<&str>> = called.map(|dmf| dmf.fault.as_deref()).collect();
        if let Some(fault) = faults.and_then(|faults| faults.first().copied()) {
            return complaint(format!("`{name}` cannot be used: {fault}"));
        }
    }
    let functions = &settings.functions;
    let chosen = || dmfs.iter().filter(|dmf| functions.is_empty() || functions.contains(&dmf.name));
    let mut usable = chosen().filter(|dmf| dmf.fault.is_none()).peekable();
    if usable.peek().is_none() {
        let why = chosen().find_map(|dmf| Some(format!("; `{}`: {}", dmf.name, dmf.fault.as_ref()?)));
        let what = format!("{spec}: no function can be used{}", why.unwrap_or_default());
        return Err((place(&["spec"]), what));
    }
    if settings.configuration == Configuration::Full && usable.all(|dmf| dmf.proportion == 0) {
        let what = format!("{spec}: all functions have the proportion 0: none would be carried out");
        return Err((place(&["spec"]), what));
    }
    Ok(())
}

fn place(keys: &[&str]) -> KeyPath {
    ["pbfdroid"].iter().chain(keys).map(ToString::to_string).collect()
}
