//! Brings up a lab for one command: store, devices, and a simulated lab where wanted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use color_eyre::eyre::{WrapErr, eyre};
use tokio_util::sync::CancellationToken;

use crate::device::Patience;
use crate::device::adb::Server;
use crate::lab::{Lab, take_in, track};
use crate::sim::{SimLab, SimOptions};
use crate::store::{Store, StoreOptions};

/// How long the first answer of an ADB server may take.
const FIRST_ANSWER: Duration = Duration::from_secs(5);

/// Where the devices come from.
pub(super) enum Devices {
    /// The ADB server of the environment.
    Adb,
    Sim(SimOptions),
}

/// A lab that lasts as long as the command.
pub(super) struct Ground {
    pub(super) lab: Lab,
    /// Kept alive; its devices end with it.
    _sim: Option<SimLab>,
    tracking: CancellationToken,
}

impl Ground {
    /// Opens the store and takes in the devices that are there now; later ones are tracked.
    pub(super) async fn new(name: &str, store: &Path, devices: Devices) -> color_eyre::Result<Self> {
        let path = store.to_owned();
        let store =
            tokio::task::spawn_blocking(move || Store::open(&path, StoreOptions::default())).await??;
        let lab = Lab::new(name, store);
        let (server, sim) = match devices {
            Devices::Adb => (Server::from_env()?, None),
            Devices::Sim(options) => {
                let sim = SimLab::start(options).await.wrap_err("the simulated lab did not start")?;
                (Server::at(sim.server_addr()), Some(sim))
            }
        };
        let tracking = CancellationToken::new();
        let patience = Patience { within: FIRST_ANSWER, cancel: tracking.clone() };
        take_in(lab.roster(), &server, &server.devices(&patience).await?);
        tokio::spawn(track(lab.roster().clone(), server, tracking.clone()));
        Ok(Self { lab, _sim: sim, tracking })
    }

    /// An error when no device can be used at this moment.
    pub(super) fn require_device(&self) -> color_eyre::Result<()> {
        let states = self.lab.roster().states();
        if states.iter().any(|(_, state)| state == "device") {
            return Ok(());
        }
        let listed: Vec<String> =
            states.iter().map(|(serial, state)| format!("{serial} is {state}")).collect();
        Err(match listed.as_slice() {
            [] => eyre!(
                "the ADB server knows no device; connect one and allow USB debugging on it, or try `droidmux demo`"
            ),
            _ => eyre!("no device can be used: {}", listed.join(", ")),
        })
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        self.tracking.cancel();
        self.lab.close();
    }
}

/// The runtime of a command.
pub(super) fn runtime() -> color_eyre::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

/// The store named by `--store`, or the user's.
pub(super) fn store_path(given: Option<PathBuf>) -> color_eyre::Result<PathBuf> {
    Ok(match given {
        Some(path) => path,
        None => super::folders::store()?,
    })
}
