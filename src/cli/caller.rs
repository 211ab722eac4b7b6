//! Who called a command: the person at this process's terminal, or a client of the lab server that this process runs.
//!
//! Commands that read or write a store run in whichever process holds it; they reach the outside
//! only through their caller.

use std::collections::BTreeSet;
use std::future::Future;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::bring_up::{Devices, Ground, store_path};
use super::exit::{Usage, unless};
use super::runtime::{boxed, runtime};
use super::signals::stop_on_signals;
use droidmux_lab::Lab;
use droidmux_lab::server::CommandOutput;
use droidmux_record::SessionId;
use droidmux_store::{Store, StoreOptions};

pub(super) struct Caller {
    client: Option<Client>,
    /// Without a client: cancelled by signals, which are heard from when this is first asked for.
    stop: OnceLock<CancellationToken>,
}

/// The lab of a server, as sessions see it there.
#[derive(Clone)]
pub(super) struct Premises {
    pub(super) lab: Lab,
    /// The server's own devices are simulated.
    pub(super) simulated: bool,
}

impl Premises {
    /// The server's lab with these devices: its own, or simulated ones made for one session.
    ///
    /// # Errors
    /// When no simulated lab can be started.
    pub(super) async fn ground(&self, devices: Devices) -> color_eyre::Result<Ground> {
        match devices {
            Devices::Sim(_) if self.simulated => Ground::on_lab(&self.lab, Devices::Adb).await,
            devices => Ground::on_lab(&self.lab, devices).await,
        }
    }
}

/// A client of this lab server.
struct Client {
    server: Premises,
    /// What relative paths are relative to.
    folder: PathBuf,
    output: CommandOutput,
    interrupt: CancellationToken,
}

impl Caller {
    pub(super) fn at_terminal() -> Self {
        Self { client: None, stop: OnceLock::new() }
    }

    pub(super) fn client(
        server: Premises,
        folder: PathBuf,
        output: CommandOutput,
        interrupt: CancellationToken,
    ) -> Self {
        Self { client: Some(Client { server, folder, output, interrupt }), stop: OnceLock::new() }
    }

    /// Writes a whole output at once. A reader that went away (`| head`) is not an error.
    ///
    /// # Errors
    /// When standard output cannot be written for another reason, such as a full disk.
    pub(super) fn print(&self, text: &str) -> io::Result<()> {
        let mut out = self.out();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }

    /// Standard output.
    pub(super) fn out(&self) -> Box<dyn Write + Send> {
        match &self.client {
            Some(client) => Box::new(client.output.clone()),
            None => Box::new(io::stdout()),
        }
    }

    /// A line for a person, on standard error. One that cannot be written is lost.
    pub(super) fn tell(&self, words: &str) {
        let line = format!("droidmux: {words}\n");
        match &self.client {
            Some(client) => client.output.write(true, line.as_bytes()),
            None => drop(io::stderr().write_all(line.as_bytes())),
        }
    }

    /// Tells a client which session its command began.
    pub(super) fn began(&self, session: SessionId) {
        if let Some(client) = &self.client {
            client.output.began(session);
        }
    }

    /// Whether a person is watching standard output in this process.
    pub(super) fn is_terminal(&self) -> bool {
        self.client.is_none() && io::stdout().is_terminal()
    }

    /// Whether the command runs in a lab server.
    pub(super) fn is_client(&self) -> bool {
        self.client.is_some()
    }

    /// A path as the caller means it.
    pub(super) fn path(&self, path: &Path) -> PathBuf {
        match &self.client {
            Some(client) => client.folder.join(path),
            None => path.to_owned(),
        }
    }

    /// Opens the store that the command names, or the user's; a lab server already has it open.
    ///
    /// # Errors
    /// When another process holds the store, or it cannot be opened.
    pub(super) fn store(&self, named: Option<&Path>, create: bool) -> color_eyre::Result<Store> {
        let Some(client) = &self.client else {
            let path = store_path(named.map(Path::to_owned))?;
            return Ok(Store::open(&path, StoreOptions { create, ..StoreOptions::default() })?);
        };
        self.require_ours(named)?;
        Ok(client.server.lab.store().clone())
    }

    /// Whether a session runs in the lab server that carries out this command; without a server, none does.
    pub(super) fn is_running(&self, session: SessionId) -> bool {
        self.client.as_ref().is_some_and(|client| client.server.lab.is_running(session))
    }

    /// Tells the lab server that carries out this command that sessions are no longer in its store.
    pub(super) fn removed(&self, sessions: &BTreeSet<SessionId>) {
        if let Some(client) = &self.client {
            client.server.lab.removed(sessions);
        }
    }

    /// A lab on a store that [`Caller::store`] gave: that of the server, or one for this command.
    ///
    /// # Errors
    /// When the ADB server or the simulated lab is not available.
    pub(super) async fn ground(&self, store: Store, devices: Devices) -> color_eyre::Result<Ground> {
        match &self.client {
            // What runs here may take minutes to start: an app that has to be translated.
            Some(client) => unless(&client.interrupt, client.server.ground(devices)).await,
            None => unless(&self.stop(), Ground::on_store("this host", store, devices)).await,
        }
    }

    /// The same for a command that can do without devices: an ADB server that is not there is no error.
    ///
    /// # Errors
    /// When the simulated lab is not available.
    pub(super) async fn patient_ground(&self, store: Store, devices: Devices) -> color_eyre::Result<Ground> {
        match &self.client {
            Some(client) => unless(&client.interrupt, client.server.ground(devices)).await,
            None => unless(&self.stop(), Ground::patient("this host", store, devices)).await,
        }
    }

    /// Waits for a future on the command's runtime, or on the server's.
    ///
    /// # Errors
    /// When no runtime can be created.
    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> color_eyre::Result<T> {
        match &self.client {
            Some(_) => Ok(Handle::current().block_on(boxed(future))),
            None => Ok(runtime()?.block_on(future)),
        }
    }

    /// Cancelled when the person wants the command to end.
    pub(super) fn stop(&self) -> CancellationToken {
        match &self.client {
            Some(client) => client.interrupt.clone(),
            None => self.stop.get_or_init(stop_on_signals).clone(),
        }
    }

    /// A server carries out commands on its own store only.
    fn require_ours(&self, named: Option<&Path>) -> color_eyre::Result<()> {
        let (Some(client), Some(named)) = (&self.client, named) else { return Ok(()) };
        let ours = client.server.lab.store().folder().canonicalize()?;
        match client.folder.join(named).canonicalize() {
            Ok(theirs) if theirs == ours => Ok(()),
            _ => {
                let (named, ours) = (named.display(), ours.display());
                Err(Usage::new(format!("this lab server holds the store {ours}, not {named}")).into())
            }
        }
    }
}
