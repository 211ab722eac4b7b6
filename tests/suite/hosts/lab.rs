//! A night's lab: a NATS server, hosts with simulated phones, and a lab that uses them.

use std::io::Read;
use std::net::SocketAddr;
use std::ops::Deref;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use droidmux::device::adb::Server;
use droidmux::device::remote::{Choice, Host, HostOptions, Hosts, Link, Policy, Waits, Way};
use droidmux::lab::Lab;
use droidmux::proto::Request;
use droidmux::record::{HostsChoice, LabKind, SessionDefinition, SessionId};
use droidmux::sim::{SimLab, SimOptions, apps};
use droidmux::store::{Store, StoreOptions};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::NatsServer;
use crate::care::ward::{Ward, brisk};

/// Everything that must happen has to happen within this time.
const SOON: Duration = Duration::from_secs(90);

/// The environment variable of passwords, and the password.
pub const PASSWORD: (&str, &str) = ("DROIDMUX_TEST_PASSWORD", "right");

/// A host in this process, of version 9.9 and the next version of the wire, called `odd`. It ends when this is dropped.
pub async fn odd_host(server: &NatsServer, adb: SocketAddr) -> DropGuard {
    let link = Link::connect(&Way { url: server.url(), ..Way::default() }, "odd").await.unwrap();
    let (name, version) = ("odd".into(), "9.9".into());
    let options = HostOptions { name, pool: String::new(), policy: Policy::default(), agent: None, version };
    let host = Host::of_version(options, Server::at(adb), Arc::new(link.clone()), 2).unwrap();
    let stop = CancellationToken::new();
    let ends = stop.clone();
    tokio::spawn(async move { host.serve(&link, ends).await });
    stop.drop_guard()
}

/// `droidmux host` as a process, in front of simulated phones of this process.
pub struct HostProcess {
    name: String,
    url: String,
    more: Vec<String>,
    /// Its ADB server.
    adb: SocketAddr,
    sim: Option<SimLab>,
    child: Option<Child>,
    said: Arc<Mutex<String>>,
}

/// A lab that uses hosts.
pub struct Night {
    ward: Ward,
    pub hosts: Hosts,
}

impl Deref for Night {
    type Target = Ward;

    fn deref(&self) -> &Ward {
        &self.ward
    }
}

/// Waits that fit tests: a host on the same machine answers at once.
pub fn quick() -> Waits {
    Waits {
        again: Duration::from_millis(500),
        silence: Duration::from_secs(4),
        nobody: Duration::from_millis(1_500),
        away: Duration::from_millis(4_500),
    }
}

/// Waits for a night with a fault every second.
pub fn hasty() -> Waits {
    Waits {
        again: Duration::from_millis(250),
        silence: Duration::from_millis(1_000),
        nobody: Duration::from_millis(500),
        ..quick()
    }
}

impl HostProcess {
    /// Offers this many phones.
    pub async fn start(server: &NatsServer, name: &str, devices: u16, more: &[&str]) -> Self {
        let serials = (1..=devices).map(|n| format!("{name}-{n}")).collect();
        let options = SimOptions {
            devices,
            serials,
            steady: true,
            strict: true,
            adbd: false,
            ..SimOptions::with_apps(apps::all())
        };
        let sim = SimLab::start(options).await.expect("phones");
        let mut host = Self::at(sim.server_addr(), server, name, more);
        host.sim = Some(sim);
        host
    }

    /// Offers the phones of this ADB server.
    pub fn at(adb: SocketAddr, server: &NatsServer, name: &str, more: &[&str]) -> Self {
        let more = more.iter().map(|&word| word.to_owned()).collect();
        let (url, said) = (server.url(), Arc::default());
        let mut host = Self { name: name.into(), url, more, adb, sim: None, child: None, said };
        host.begin();
        host
    }

    pub fn begin(&mut self) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_droidmux"))
            .args(["host", "--nats", &self.url, "--name", &self.name])
            .args(&self.more)
            .env("ADB_SERVER_SOCKET", format!("tcp:{}", self.adb))
            .env(PASSWORD.0, PASSWORD.1)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a host");
        let mut stderr = child.stderr.take().expect("its words");
        let said = self.said.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = stderr.read(&mut bytes) {
                said.lock().expect("words").push_str(&String::from_utf8_lossy(&bytes[..read]));
            }
        });
        self.child = Some(child);
    }

    /// Kills it as `kill -9` does; its phones live on.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("ended");
        }
    }

    /// Stops it where it is, as if its network were cut, or lets it go on.
    pub fn freeze(&self, frozen: bool) {
        let child = self.child.as_ref().expect("a host");
        let signal = if frozen { "-STOP" } else { "-CONT" };
        let status = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(status.expect("kill").success());
    }

    pub fn said(&self) -> String {
        self.said.lock().expect("words").clone()
    }

    /// Waits until it has said this.
    pub async fn says(&self, words: &str) {
        let began = Instant::now();
        while !self.said().contains(words) {
            assert!(began.elapsed() < SOON, "`{words}` is not in\n{}", self.said());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits for its end.
    pub fn code(&mut self) -> Option<i32> {
        self.child.take().and_then(|mut child| child.wait().expect("ended").code())
    }

    pub fn sim(&self) -> &SimLab {
        self.sim.as_ref().expect("phones of its own")
    }
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Night {
    /// A lab that waits until this many phones can be leased.
    pub async fn begin(server: &NatsServer, phones: usize) -> Self {
        Self::of(Way { url: server.url(), ..Way::default() }, quick(), phones).await
    }

    /// The same with these credentials and this patience.
    pub async fn of(way: Way, waits: Waits, phones: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("store"), StoreOptions::default()).expect("a store");
        let ground = Lab::with_terms("night", store, brisk());
        let mut connected = None;
        let connect = async |identity: &str| {
            let hosts =
                Hosts::connect(&way, Choice::default(), Some(identity), env!("CARGO_PKG_VERSION"), waits)
                    .await?;
            connected = Some(hosts.clone());
            Ok::<_, droidmux::device::remote::LinkError>(hosts)
        };
        let lab = ground.with_hosts(&way.url, connect).await.expect("hosts");
        let night = Self { ward: Ward::over(lab, folder), hosts: connected.expect("hosts") };
        let began = Instant::now();
        while night.ready() < phones {
            assert!(
                began.elapsed() < SOON,
                "{} of {phones} phones\n{}",
                night.ready(),
                night.log().join("\n")
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        night
    }

    fn ready(&self) -> usize {
        self.lab.roster().states().iter().filter(|(_, state)| state == "device").count()
    }

    /// Steps of all sessions so far.
    pub fn all_steps(&self) -> u64 {
        let sessions = self.lab.hub().snapshot().sessions;
        sessions.iter().map(|session| self.lab.hub().steps(session.id)).sum()
    }

    /// Waits until this many phones have a job at the same time, while none of them gets on with it.
    pub async fn all_at_work(&self, session: SessionId, phones: usize) {
        let viewer = self.lab.viewer();
        let began = Instant::now();
        while !self.lab.is_running(session) {
            assert!(began.elapsed() < SOON, "{}", self.log().join("\n"));
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        viewer.requests.send(Request::Pause(session)).await.expect("a lab");
        let at_work = || {
            let devices = self.lab.hub().snapshot().devices;
            devices.into_iter().filter(|device| device.job.is_some()).count()
        };
        while at_work() < phones {
            assert!(began.elapsed() < SOON, "{} of {phones}\n{}", at_work(), self.log().join("\n"));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        viewer.requests.send(Request::Resume(session)).await.expect("a lab");
    }

    /// The phones that jobs of a session were finished on.
    pub fn used(&self, session: SessionId) -> Vec<String> {
        let runs = self.lab.store().runs(session);
        let mut serials: Vec<String> = runs.map(|run| run.expect("a run").device.serial).collect();
        serials.sort();
        serials.dedup();
        serials
    }
}

/// The same session on the phones of hosts.
pub fn on_hosts(mut definition: SessionDefinition, url: &str) -> SessionDefinition {
    definition.lab.kind = LabKind::Hosts;
    definition.lab.hosts = HostsChoice { nats: url.into(), ..HostsChoice::default() };
    definition
}
