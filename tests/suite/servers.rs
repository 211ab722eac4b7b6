//! Phones of several ADB servers in one session: one server is reached directly, the other through a genuine `sshd` on a
//! loopback port, over a line that can be cut.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use droidmux::device::Patience;
use droidmux::device::adb::Server;
use droidmux::lab::{Lab, look, track};
use droidmux::proto::{DeviceHealth, DeviceView, HostState, LabView};
use droidmux::record::ServerName;
use droidmux::sim::{SimLab, SimOptions, apps};
use droidmux::store::{Store, StoreOptions};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::server::sshd::{Line, Sshd};

/// How long anything may take.
const WITHIN: Duration = Duration::from_secs(120);

/// Two simulated hosts whose phones have the same serials, and the way to the second.
struct Hosts {
    near: SimLab,
    far: SimLab,
    sshd: Sshd,
    line: Line,
    folder: tempfile::TempDir,
}

impl Hosts {
    /// `None`, with a message, if there is no OpenSSH.
    async fn new(devices: u16) -> Option<Self> {
        let sshd = Sshd::with("")?;
        let options = || SimOptions { devices, steady: true, ..SimOptions::with_apps(apps::all()) };
        Some(Self {
            near: SimLab::start(options()).await.expect("a simulated lab"),
            far: SimLab::start(options()).await.expect("a simulated lab"),
            line: sshd.line(),
            sshd,
            folder: tempfile::tempdir().expect("a folder"),
        })
    }

    fn near(&self) -> String {
        self.near.server_addr().to_string()
    }

    fn far(&self) -> String {
        format!("{}/{}", self.line.url(), self.far.server_addr().port())
    }

    fn both(&self) -> String {
        format!("{},{}", self.near(), self.far())
    }

    /// The command lines of the tunnels to the second host.
    fn tunnels(&self) -> Vec<String> {
        let url = self.line.url();
        let port = format!("-p {} ", url.rsplit(':').next().expect("a port"));
        let processes = std::fs::read_dir("/proc").expect("processes").flatten();
        let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
        let words = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
        words.filter(|line| line.contains(&port)).collect()
    }

    /// A command with nothing from this machine.
    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
        command.args(arguments).envs(self.sshd.environment());
        for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, self.folder.path());
        }
        command.env_remove("ADB_SERVER_SOCKET").env("ANDROID_ADB_SERVER_PORT", "1");
        command
    }

    /// Exit code, standard output, standard error.
    fn says(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = self.program(arguments).output().expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }

    /// A session that ends only when it is told to; its file names both servers.
    fn run(&self) -> Running {
        let file = self.folder.path().join("both.toml");
        let text = format!(
            "technique = \"monkey\"\napp = \"org.droidmux.notes\"\n[lab]\nkind = \"adb\"\n\
             servers = [\"{}\", \"{}\"]\n[run]\nmax-events = 1000000\nwindow = 8\n",
            self.near(),
            self.far()
        );
        std::fs::write(&file, text).expect("written");
        let store = self.folder.path().join("store");
        let mut command = self.program(&["run", "--json", "--seed", "7"]);
        command.arg(&file).arg("--store").arg(store).stdout(Stdio::piped()).stderr(Stdio::piped());
        Running::new(command.spawn().expect("droidmux runs"))
    }
}

/// A session under way.
struct Running {
    child: Child,
    lines: Receiver<String>,
}

impl Running {
    fn new(mut child: Child) -> Self {
        let (sender, lines) = channel();
        let out = BufReader::new(child.stdout.take().expect("its output"));
        std::thread::spawn(move || out.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        Self { child, lines }
    }

    /// Waits until steps on phones of this host were told, this many in all.
    fn wait_for_steps(&mut self, host: &str, many: usize) {
        let until = Instant::now() + WITHIN;
        let mut seen = 0;
        while seen < many {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else { panic!("{seen} of {many} steps on {host}") };
            let line: Value = serde_json::from_str(&line).expect("JSON");
            let serial = line["device"]["serial"].as_str().unwrap_or_default();
            seen += usize::from(line["type"] == "step" && serial.ends_with(&format!("@{host}")));
        }
    }

    fn interrupt(mut self) -> i32 {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
        // What it still says must not fill the pipe.
        while self.lines.recv_timeout(WITHIN).is_ok() {}
        self.child.wait().expect("its end").code().unwrap_or(-1)
    }
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < WITHIN, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The label of a name, as devices carry it.
fn label(url: &str) -> String {
    let name: ServerName = url.parse().expect("a name");
    name.label()
}

#[tokio::test(flavor = "multi_thread")]
async fn phones_of_two_servers_are_listed_and_examined_by_host() {
    let Some(hosts) = Hosts::new(2).await else { return };
    let (near, far) = (label(&hosts.near()), label(&hosts.far()));
    let (code, told, said) = hosts.says(&["devices", "--json", "--servers", &hosts.both()]);
    assert_eq!((code, said.as_str()), (0, ""), "{told}");
    let names: Vec<String> = told
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(line["state"], "device", "{line}");
            let host = line["host"].as_str().expect("a host");
            assert!(line["serial"].as_str().expect("a serial").ends_with(&format!("@{host}")), "{line}");
            line["serial"].as_str().expect("a serial").to_owned()
        })
        .collect();
    assert_eq!(
        names,
        [near.clone(), far.clone()].map(|host| [1, 2].map(|n| format!("sim-{n}@{host}"))).concat()
    );

    let (code, told, said) = hosts.says(&["doctor", "--servers", &hosts.both(), "--device", "sim-2"]);
    assert!(code <= 1, "{said}");
    for part in [format!("server {near}"), format!("server {far}"), format!("sim-2@{far}")] {
        assert!(told.contains(&part), "{part} is not in\n{told}");
    }
    assert!(!told.contains("sim-1@"), "{told}");

    // A host that is away does not hide the other; one that is the only one is an error in words.
    hosts.line.cut(true);
    let (code, told, _) = hosts.says(&["devices", "--servers", &hosts.both()]);
    assert!(
        code == 0 && told.contains(&format!("{far} cannot be reached: the connection was closed")),
        "{told}"
    );
    assert!(told.contains(&format!("sim-1@{near}")), "{told}");
    hosts.line.mend();
    hosts.sshd.let_in(false);
    let (code, _, said) = hosts.says(&["devices", "--servers", &hosts.far()]);
    assert!(code == 3 && said.contains("must work without a password"), "{code}: {said}");
    hosts.sshd.let_in(true);
    let nobody = format!("{}/1", hosts.line.url());
    let (code, _, said) = hosts.says(&["devices", "--servers", &nobody]);
    assert!(code == 3 && said.contains("no ADB server listens on its port 1"), "{code}: {said}");
    wait_until("no ssh is left", || hosts.tunnels().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_outlives_the_sshd_of_one_of_its_hosts() {
    let Some(mut hosts) = Hosts::new(2).await else { return };
    let (near, far) = (label(&hosts.near()), label(&hosts.far()));
    let mut run = hosts.run();
    run.wait_for_steps(&far, 20);
    run.wait_for_steps(&near, 20);
    // The server is killed, and with it all that it carries.
    hosts.sshd.kill();
    hosts.line.cut(true);
    run.wait_for_steps(&near, 60);
    hosts.sshd.revive();
    hosts.line.mend();
    run.wait_for_steps(&far, 20);
    // Cut for a moment only, which ends what is under way just the same.
    hosts.line.cut(false);
    run.wait_for_steps(&far, 20);
    assert_eq!(run.interrupt(), 130);
    wait_until("no ssh is left", || hosts.tunnels().is_empty());
    let store = hosts.folder.path().join("store").display().to_string();
    let (code, told, said) = hosts.says(&["store", "verify", "--rederive", "--store", &store]);
    assert_eq!(code, 0, "{told}{said}");
    let log = log(hosts.folder.path());
    for part in ["away: ", "reachable again after", "are lost until it is back"] {
        assert!(log.contains(part), "{part} is not in\n{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tunnel_ends_with_a_process_that_is_killed() {
    let Some(hosts) = Hosts::new(1).await else { return };
    let mut run = hosts.run();
    run.wait_for_steps(&label(&hosts.far()), 5);
    assert!(!hosts.tunnels().is_empty(), "its tunnel runs");
    run.child.kill().expect("killed");
    run.child.wait().expect("its end");
    wait_until("its tunnel ends", || hosts.tunnels().is_empty());
}

/// A simulated host with two phones, at this port or at a free one.
async fn host(server_port: u16) -> SimLab {
    let options = SimOptions { devices: 2, server_port, ..SimOptions::with_apps(apps::all()) };
    SimLab::start(options).await.expect("a simulated lab")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_goes_away_takes_its_phones_along_and_brings_them_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let lab = Lab::new("desk", Store::open(folder.path(), StoreOptions::default()).expect("a store"));
    let (near, far) = (host(0).await, host(0).await);
    let cancel = CancellationToken::new();
    let _end = cancel.clone().drop_guard();
    for host in [&near, &far] {
        let server =
            Server::called(&host.server_addr().to_string().parse().expect("a name")).expect("a server");
        look(lab.roster(), &server, &Patience::of(WITHIN)).await.expect("it answers");
        tokio::spawn(track(lab.roster().clone(), server, true, cancel.clone()));
    }
    let port = far.server_addr().port();
    let (near_by, far_off) = (near.server_addr().to_string(), far.server_addr().to_string());
    let mut views = lab.hub().subscribe();
    let healthy = |view: &LabView, host: &str, health: fn(&DeviceHealth) -> bool| {
        let theirs: Vec<&DeviceView> =
            view.devices.iter().filter(|device| device.host.as_deref() == Some(host)).collect();
        theirs.len() == 2 && theirs.iter().all(|device| health(&device.health))
    };
    let state = |view: &LabView, host: &str| {
        view.hosts.iter().find(|view| view.name == host).map(|view| view.state.clone())
    };
    let is_idle: fn(&DeviceHealth) -> bool = |health| *health == DeviceHealth::Idle;
    let all_are_well = |view: &LabView| {
        [&near_by, &far_off]
            .iter()
            .all(|host| state(view, host) == Some(HostState::Reachable) && healthy(view, host, is_idle))
    };
    let wait =
        async |views: &mut tokio::sync::watch::Receiver<_>, what: &str, holds: &dyn Fn(&LabView) -> bool| {
            let holds = |view: &std::sync::Arc<LabView>| holds(view);
            tokio::time::timeout(WITHIN, views.wait_for(holds)).await.expect(what).expect(what);
        };
    wait(&mut views, "all are found", &all_are_well).await;
    let names: Vec<String> = lab.roster().states().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.iter().filter(|name| name.starts_with("sim-1@")).count(), 2, "{names:?}");

    drop(far);
    let away = |view: &LabView| {
        matches!(state(view, &far_off), Some(HostState::Away(_)))
            && healthy(view, &far_off, |health| *health == DeviceHealth::Away("host away".into()))
            && healthy(view, &near_by, is_idle)
    };
    wait(&mut views, "the host is away, its phones with it", &away).await;
    let _far = host(port).await;
    wait(&mut views, "it is back, and so are they", &all_are_well).await;
    let lines: Vec<String> = lab
        .hub()
        .log()
        .into_iter()
        .filter(|row| row.line.source == far_off || row.line.source.ends_with(&far_off))
        .map(|row| row.line.text)
        .collect();
    let told = |part: &str| lines.iter().filter(|line| line.contains(part)).count();
    assert_eq!((told("away: "), told("reachable again after")), (1, 1), "{lines:?}");
    assert_eq!(told("its 2 devices are lost until it is back"), 1, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| *line == "back").count(), 0, "not phone by phone: {lines:?}");
}

/// Two ways to one server are two names for each phone; each is leased once.
#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_is_reached_in_two_ways_is_leased_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let lab = Lab::new("desk", Store::open(folder.path(), StoreOptions::default()).expect("a store"));
    let only = host(0).await;
    let port = only.server_addr().port();
    for name in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
        let server = Server::called(&name.parse().expect("a name")).expect("a server");
        look(lab.roster(), &server, &Patience::of(WITHIN)).await.expect("it answers");
    }
    let mut definition = crate::sessions::session("notes-monkey.toml");
    definition.run.max_events = 200;
    let outcome = lab.run(definition, Default::default()).await.expect("it runs");
    assert!(outcome.steps >= 60, "{outcome:?}");
    let told: Vec<String> = lab.hub().log().into_iter().map(|row| row.line.text).collect();
    let doubly = told.iter().any(|line| line.contains("this lab under another name"));
    assert!(doubly, "the second name of a phone in use is told: {told:#?}");
}

/// All that the program logged.
fn log(folder: &Path) -> String {
    let mut folders = vec![folder.to_owned()];
    let mut text = String::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|extension| extension == "log") => {
                    text.push_str(&std::fs::read_to_string(path).unwrap_or_default());
                }
                false => {}
            }
        }
    }
    text
}
