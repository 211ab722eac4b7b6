//! How the screens are arranged, as a person left them: kept in a file, so that the next cockpit starts the same way.
//!
//! Invariant: whatever in a file is not understood stays at its default; a file that cannot be read or written changes
//! nothing else.

use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::App;
use super::session::ShownPanes;
use crate::columns::Widths;
use droidmux_file as file;

/// Larger files are not arrangements.
const MOST_BYTES: u64 = 64 * 1024;

/// How the cockpit's screens are arranged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Arrangement {
    /// That of the Lab screen.
    pub lab: LabArrangement,
    /// The panes of the Session screen that are not hidden.
    pub session: ShownPanes,
    /// That of the Findings screen.
    pub findings: FindingsArrangement,
}

/// That of the Findings screen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct FindingsArrangement {
    /// Columns whose width was chosen.
    pub widths: Widths,
}

/// That of the Lab screen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct LabArrangement {
    /// Sessions are rows of a table instead of tiles.
    pub table: bool,
    pub sort_sessions: SessionOrder,
    pub sort_devices: DeviceOrder,
    /// Sessions that have ended are not shown.
    pub hide_ended: bool,
    /// How many rows more, or fewer, than usual the devices have.
    pub more_devices: i16,
    /// Columns of the table whose width was chosen.
    pub widths: Widths,
}

/// What sessions are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SessionOrder {
    #[default]
    Number,
    /// Sessions under way first.
    State,
    App,
    /// Sessions with the most reported findings first.
    Findings,
    /// The fastest first.
    Rate,
    /// Sessions nearest to their end first.
    Progress,
}

/// What devices are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceOrder {
    #[default]
    Serial,
    /// Devices in trouble first, then those that work.
    Health,
    Session,
    /// The fastest first.
    Rate,
}

impl SessionOrder {
    const ALL: [Self; 6] = [Self::Number, Self::State, Self::App, Self::Findings, Self::Rate, Self::Progress];

    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::State => "state",
            Self::App => "app",
            Self::Findings => "findings",
            Self::Rate => "steps a minute",
            Self::Progress => "progress",
        }
    }
}

impl DeviceOrder {
    const ALL: [Self; 4] = [Self::Serial, Self::Health, Self::Session, Self::Rate];

    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Serial => "serial",
            Self::Health => "health",
            Self::Session => "session",
            Self::Rate => "steps a minute",
        }
    }
}

impl Arrangement {
    /// The arrangement in a file; the usual one if no file can be read.
    pub fn read(path: &Path) -> Self {
        let text = file::read_text(path, MOST_BYTES).unwrap_or_default();
        toml::from_str(&text).unwrap_or_default()
    }

    /// Puts it in the place of what the file holds.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let text = toml::to_string(self).map_err(io::Error::other)?;
        let draft = path.with_extension(format!("{}.new", std::process::id()));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&draft, text).and_then(|()| fs::rename(&draft, path))
    }
}

impl App {
    pub fn arrangement(&self) -> Arrangement {
        Arrangement {
            lab: self.lab.arrangement.clone(),
            session: self.session.shown,
            findings: FindingsArrangement { widths: self.findings.widths.clone() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrangement_comes_back_and_what_is_none_is_the_usual_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep").join("cockpit.toml");
        assert_eq!(Arrangement::read(&path), Arrangement::default());
        let lab = LabArrangement {
            table: true,
            sort_sessions: SessionOrder::Findings,
            sort_devices: DeviceOrder::Health,
            hide_ended: true,
            more_devices: -3,
            widths: Widths::default().with("app", Some(33)),
        };
        let findings = FindingsArrangement { widths: Widths::default().with("what is wrong", Some(60)) };
        let session = ShownPanes { picture: false, ..ShownPanes::default() };
        let arranged = Arrangement { lab, session, findings };
        arranged.write(&path).expect("written");
        assert_eq!(Arrangement::read(&path), arranged);
        let left: Vec<_> = fs::read_dir(path.parent().expect("a folder")).expect("entries").collect();
        assert_eq!(left.len(), 1, "no draft is left");
        for (text, table) in
            [("[lab", false), ("[lab]\ntable = 7", false), ("[lab]\ntable = true\nshape = 1", true)]
        {
            fs::write(&path, text).expect("written");
            assert_eq!(Arrangement::read(&path).lab.table, table, "{text}");
        }
    }
}
