//! What a demo shows: a session on each device of a simulated lab.

use std::io;
use std::path::{Path, PathBuf, absolute};

use tokio_util::sync::CancellationToken;

use crate::framework_lab::FrameworkLab;
use crate::ready::ReadySession;
use crate::session_file::parse_session;
use droidmux_record::{LabKind, SessionDefinition};
use droidmux_sim::SimOptions;
use droidmux_sim_apps as apps;

/// The sessions, and the devices that they run on.
pub(super) struct Programme {
    pub(super) definitions: Vec<SessionDefinition>,
    pub(super) options: SimOptions,
}

/// What is run on an app of which nothing is known but its APK: they need nothing else.
const OF_ANY_APP: [&str; 2] = ["neutral", "monkey"];

impl Programme {
    /// Ready sessions. On the tour there is a device for stepping through a finding, however busy the others are.
    pub(super) fn of_ready(sessions: &[ReadySession], tour: bool) -> color_eyre::Result<Self> {
        let definitions = sessions.iter().map(ReadySession::definition).collect::<Result<Vec<_>, _>>()?;
        let devices = u16::try_from(definitions.len() + usize::from(tour))?;
        Ok(Self { definitions, options: SimOptions { devices, ..SimOptions::with_apps(apps::all()) } })
    }

    /// An app in the framework lab. Blocks while it is translated.
    pub(super) fn of_apk(
        apks: &[PathBuf],
        host: Option<&Path>,
        network: bool,
        stop: &CancellationToken,
    ) -> color_eyre::Result<Self> {
        let (framework, made) = FrameworkLab::find(host)?.with_network(network).serving(apks, stop)?;
        let mut definitions = Vec::new();
        for technique in OF_ANY_APP {
            let mut definition = definition(technique, &made.app.package, apks)?;
            definition.lab.network = network;
            definitions.push(definition);
        }
        let devices = u16::try_from(definitions.len())?;
        let options = SimOptions { devices, framework: Some(framework), ..SimOptions::default() };
        Ok(Self { definitions, options })
    }
}

/// A session on this app, as a file with nothing but the necessary would have it: kept, its findings can be replayed.
fn definition(technique: &str, package: &str, apks: &[PathBuf]) -> color_eyre::Result<SessionDefinition> {
    let text = format!("technique = \"{technique}\"\napp = \"{package}\"\n");
    let unnamed = |_: &Path| Err(io::ErrorKind::NotFound.into());
    let mut definition = parse_session(Path::new("demo.toml"), &text, &Default::default(), &unnamed)?;
    definition.lab.kind = LabKind::Apk;
    definition.lab.devices = 1;
    definition.lab.apk = apks.iter().map(absolute).collect::<io::Result<_>>()?;
    Ok(definition)
}
