//! Brings up a lab for one command: the store, the devices, and a simulated lab if requested.

use std::path::{Path, PathBuf};
use std::time::Duration;

use color_eyre::eyre::{WrapErr, eyre};
use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use super::Usage;
use super::config::Config;
use super::framework_lab::FrameworkLab;
use super::hosts::way;
use super::servers::servers;
use droidmux_device::adb::Server;
use droidmux_device::{DeviceError, Patience};
use droidmux_device_remote::{Choice, Hosts, Waits};
use droidmux_lab::{Lab, look, track};
use droidmux_record::{HostsChoice, ServerName};
use droidmux_sim::{SimLab, SimOptions};
use droidmux_store::{Store, StoreOptions};

/// How long the first answer of an ADB server may take.
const FIRST_ANSWER: Duration = Duration::from_secs(5);
/// The same through a tunnel, which has to be opened first.
const FIRST_THROUGH_TUNNEL: Duration = Duration::from_secs(20);

/// Where the devices come from.
pub(super) enum Devices {
    /// The ADB server of the environment.
    Adb,
    /// These ADB servers.
    Servers(Vec<ServerName>),
    Sim(Box<SimOptions>),
    /// The framework lab.
    Apk(Box<ApkDevices>),
    /// The phones of other hosts.
    Hosts(Box<HostsChoice>),
}

/// Devices that hold the app in these APKs.
pub(super) struct ApkDevices {
    pub(super) lab: FrameworkLab,
    /// What the APKs must hold.
    pub(super) package: String,
    pub(super) apks: Vec<PathBuf>,
    /// All but the app.
    pub(super) options: SimOptions,
}

/// A lab with devices for one command.
pub(super) struct Ground {
    pub(super) lab: Lab,
    /// Kept alive; its devices end with it.
    sim: Option<SimLab>,
    tracking: CancellationToken,
    /// The lab ends with the command.
    closes: bool,
    /// Its phones are those of other hosts.
    remote: bool,
}

impl Ground {
    /// Opens the store and takes in the devices that are there now; later ones are tracked.
    pub(super) async fn new(name: &str, store: &Path, devices: Devices) -> color_eyre::Result<Self> {
        Self::with_devices(Lab::new(name, open_store(store).await?), devices, true).await
    }

    /// A ground on a store that is already open.
    pub(super) async fn on_store(name: &str, store: Store, devices: Devices) -> color_eyre::Result<Self> {
        Self::with_devices(new_lab(name, store)?, devices, true).await
    }

    /// The same for a command whose devices may come later: it waits for an ADB server that is not there yet.
    pub(super) async fn patient(name: &str, store: Store, devices: Devices) -> color_eyre::Result<Self> {
        let lab = new_lab(name, store)?;
        if let Devices::Hosts(choice) = &devices {
            return Self::with_hosts(&lab, choice, true).await;
        }
        let (servers, sim) = make(devices).await?;
        let answers = look_at(&lab, servers).await;
        Ok(Self::follow(lab, answers, sim, true))
    }

    /// On an existing lab: its own devices, those of further servers, which the lab then keeps, or simulated ones beside
    /// them.
    pub(super) async fn on_lab(lab: &Lab, devices: Devices) -> color_eyre::Result<Self> {
        match devices {
            Devices::Adb => {
                let tracking = CancellationToken::new();
                Ok(Self { lab: lab.clone(), sim: None, tracking, closes: false, remote: false })
            }
            Devices::Servers(names) => {
                let servers = servers(&names)?;
                let new = servers.into_iter().filter(|server| lab.roster().comes_from(server)).collect();
                let answers = look_at(lab, new).await;
                // The lab's from now on: other sessions may have taken their devices when this one ends.
                track_all(lab, answers, &CancellationToken::new());
                Ok(Self {
                    lab: lab.clone(),
                    sim: None,
                    tracking: CancellationToken::new(),
                    closes: false,
                    remote: false,
                })
            }
            Devices::Hosts(choice) => Self::with_hosts(lab, &choice, false).await,
            Devices::Sim(_) | Devices::Apk(_) => {
                Self::with_devices(lab.with_own_devices(), devices, false).await
            }
        }
    }

    /// A lab with the phones of other hosts, which it shares among its sessions.
    async fn with_hosts(lab: &Lab, choice: &HostsChoice, closes: bool) -> color_eyre::Result<Self> {
        let way = way::way(choice)?;
        let version = env!("CARGO_PKG_VERSION");
        let connect = async |identity: &str| {
            Hosts::connect(&way, Choice::default(), Some(identity), version, Waits::default()).await
        };
        let lab = lab.with_hosts(&way::key(choice), connect).await?;
        Ok(Self { lab, sim: None, tracking: CancellationToken::new(), closes, remote: true })
    }

    async fn with_devices(lab: Lab, devices: Devices, closes: bool) -> color_eyre::Result<Self> {
        if let Devices::Hosts(choice) = &devices {
            return Self::with_hosts(&lab, choice, closes).await;
        }
        let (servers, sim) = make(devices).await?;
        let mut answers = look_at(&lab, servers).await;
        // One of several is enough: the others may come.
        if answers.iter().all(|(_, answer)| answer.is_err())
            && let Some((_, Err(error))) = answers.pop()
        {
            return Err(error.into());
        }
        Ok(Self::follow(lab, answers, sim, closes))
    }

    fn follow(lab: Lab, servers: Answers, sim: Option<SimLab>, closes: bool) -> Self {
        let tracking = CancellationToken::new();
        track_all(&lab, servers, &tracking);
        Self { lab, sim, tracking, closes, remote: false }
    }

    /// Whether its devices are simulated.
    pub(super) fn is_simulated(&self) -> bool {
        self.sim.is_some()
    }

    /// Waits for the hooks that this command's own lab has called.
    pub(super) async fn finish(&self) {
        if self.closes {
            self.lab.end_hooks().await;
        }
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
            [] if self.remote => {
                eyre!(
                    "no host offers a phone; start `droidmux host` where phones are (`droidmux devices --nats URL` lists them)"
                )
            }
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
        if self.closes {
            self.lab.close();
        }
    }
}

/// Servers, with whether they answered at first.
type Answers = Vec<(Server, Result<(), DeviceError>)>;

/// Takes in what servers list now, all at once.
async fn look_at(lab: &Lab, servers: Vec<Server>) -> Answers {
    let looks = servers.into_iter().map(|server| async move {
        let within = if server.is_tunnelled() { FIRST_THROUGH_TUNNEL } else { FIRST_ANSWER };
        let answer = look(lab.roster(), &server, &Patience::of(within)).await;
        (server, answer)
    });
    join_all(looks).await
}

fn track_all(lab: &Lab, servers: Answers, tracking: &CancellationToken) {
    for (server, answer) in servers {
        tokio::spawn(track(lab.roster().clone(), server, answer.is_ok(), tracking.clone()));
    }
}

/// Opens the store in this folder, creating it if there is none.
pub(super) async fn open_store(path: &Path) -> color_eyre::Result<Store> {
    let path = path.to_owned();
    Ok(tokio::task::spawn_blocking(move || Store::open(&path, StoreOptions::default())).await??)
}

/// The store named by `--store`, or the user's.
pub(super) fn store_path(given: Option<PathBuf>) -> color_eyre::Result<PathBuf> {
    Ok(match given {
        Some(path) => path,
        None => super::folders::store()?,
    })
}

/// A lab that runs the user's hooks.
fn new_lab(name: &str, store: Store) -> color_eyre::Result<Lab> {
    let hooks = Config::read()?.hooks();
    let lab = Lab::new(name, store);
    lab.follow_hooks(hooks);
    Ok(lab)
}

/// The servers that have these devices, and the simulated lab behind it if there is one.
pub(super) async fn make(devices: Devices) -> color_eyre::Result<(Vec<Server>, Option<SimLab>)> {
    Ok(match devices {
        Devices::Adb => (servers(&[])?, None),
        Devices::Servers(names) => (servers(&names)?, None),
        Devices::Hosts(_) => return Err(eyre!("the phones of other hosts are no phones of an ADB server")),
        Devices::Sim(options) => simulated(*options).await?,
        Devices::Apk(devices) => simulated(devices.options().await?).await?,
    })
}

async fn simulated(options: SimOptions) -> color_eyre::Result<(Vec<Server>, Option<SimLab>)> {
    let sim = SimLab::start(options).await.wrap_err("the simulated lab did not start")?;
    Ok((vec![Server::at(sim.server_addr())], Some(sim)))
}

impl ApkDevices {
    /// With the app, translated unless it was before.
    async fn options(self) -> color_eyre::Result<SimOptions> {
        // A command that is interrupted meanwhile leaves nothing that another would take for a translated app.
        let stop = CancellationToken::new();
        let _interrupts = stop.clone().drop_guard();
        let translation = tokio::task::spawn_blocking(move || {
            let (framework, made) = self.lab.serving(&self.apks, &stop)?;
            if made.app.package != self.package {
                let what = format!("the session is of {}, its APK holds {}", self.package, made.app.package);
                return Err(Usage::new(what).into());
            }
            Ok(SimOptions { framework: Some(framework), ..self.options })
        });
        translation.await?
    }
}
