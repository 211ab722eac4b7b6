//! The resident agent: sessions, dumps and texts through it on the simulated lab.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Device, DeviceErrorKind, Equipment, Gesture, Manner, Patience, Screenshot};
use droidmux::gui::{Layout, LayoutHash};
use droidmux::lab::SessionEnd;
use droidmux::record::{DumpChoice, Observation, ScreenPolicy, SessionId};
use droidmux::sim::{Fault, Latency, SimDevice, SimLab, SimOptions, apps};

use crate::device::{GenuineAdb, fresh, step, tour, widget};
use crate::sessions::{Bench, session};
use crate::trial_app::{PACKAGE, app};

/// A file in a Python installation that the simulated phone accepts as an agent's jar.
struct Installation(tempfile::TempDir);

impl Installation {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let assets = folder.path().join("lib/python3.11/site-packages/uiautomator2/assets");
        std::fs::create_dir_all(&assets).expect("folders");
        std::fs::write(assets.join("u2.jar"), b"PK\x03\x04 no classes").expect("a jar");
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

fn patience() -> Patience {
    Patience::of(Duration::from_secs(30))
}

fn equipment(agent: &Path, dumps: DumpChoice) -> Equipment {
    Equipment { agent: Some(agent.to_owned()), dumps, pictures: false }
}

async fn lab(latency: Latency, adbd: bool) -> SimLab {
    let options = SimOptions { latency, adbd, apps: vec![app()], strict: true, ..SimOptions::default() };
    SimLab::start(options).await.expect("a simulated lab")
}

fn device(lab: &SimLab) -> AdbDevice {
    AdbDevice::new(Server::at(lab.server_addr()), "sim-1")
}

/// A simulated phone, a client of it, and an agent's jar on this side.
struct Stage {
    lab: SimLab,
    phone: Arc<SimDevice>,
    device: AdbDevice,
    installation: Installation,
}

impl Stage {
    async fn new(latency: Latency) -> Self {
        let lab = lab(latency, false).await;
        let phone = lab.device("sim-1").expect("a device").clone();
        Self { device: device(&lab), phone, lab, installation: Installation::new() }
    }

    /// With the agent started on a fresh app; and the app's first screen.
    async fn equipped() -> (Self, Arc<Layout>) {
        let stage = Self::new(Latency::ZERO).await;
        let main = fresh(&stage.device).await;
        stage.equip().await;
        (stage, main)
    }

    /// Starts the agent; returns the messages.
    async fn equip(&self) -> String {
        equip(&self.device, &equipment(self.installation.path(), DumpChoice::Agent)).await
    }
}

/// The message from equipping the device; one line.
async fn equip(device: &AdbDevice, wanted: &Equipment) -> String {
    device.equip(wanted, &patience()).await.expect("equipped").said.join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_layouts_whichever_dumps() {
    let installation = Installation::new();
    let lab = lab(Latency::ZERO, true).await;
    let stock = tour(&device(&lab)).await;
    let phone = lab.device("sim-1").expect("a device");

    let agent = device(&lab);
    let said = equip(&agent, &equipment(installation.path(), DumpChoice::Agent)).await;
    assert_eq!(said, "dumps: by the agent");
    assert!(phone.has_agent());
    assert_eq!(tour(&agent).await, stock);
    assert!(!phone.has_agent(), "restoring ended it");
    assert_eq!(agent.remarks(), [] as [&str; 0], "nothing went wrong");

    let Some(adb) = GenuineAdb::start() else { return };
    let server = Server::at(adb.address);
    adb.wait_for(&server).await;
    let serial = lab.adbd_addrs().first().expect("a door").to_string();
    server.connect(&serial, &patience()).await.expect("connected");
    let genuine = AdbDevice::new(server.clone(), serial.as_str());
    while !server.devices(&patience()).await.expect("a list").iter().any(|d| d.is_ready()) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    equip(&genuine, &equipment(installation.path(), DumpChoice::Agent)).await;
    assert_eq!(tour(&genuine).await, stock, "through a genuine ADB server");
    assert!(!phone.has_agent());
}

#[tokio::test(flavor = "multi_thread")]
async fn all_of_unicode_is_typed_by_the_agent() {
    let stage = Stage::new(Latency::ZERO).await;
    let (device, phone) = (&stage.device, &stage.phone);
    let main = fresh(device).await;
    let at = widget(&main, "name").bounds().center();
    let texts = [
        "\u{1f600}",
        "שלום עולם",
        "\u{301}\u{308}",
        "naïve \u{1f468}\u{200d}\u{1f469} %s \"x\"",
        "日本語\nx",
    ];
    let typed = |text: &str| Gesture::Type(at, text.into());
    for text in texts {
        let refused = device.perform(&typed(text), &patience()).await.expect_err("no keys for it").kind;
        assert!(matches!(refused, DeviceErrorKind::Untypable(_)), "{text}: {refused}");
    }
    stage.equip().await;
    for text in texts {
        step(device, Gesture::Type(at, "before".into())).await;
        let observed = step(device, typed(text)).await;
        // Beyond the basic plane a dump has two dots per character, whichever tool makes it.
        let dots = |c: char| if c.len_utf16() == 2 { "..".to_owned() } else { c.to_string() };
        let shown: String = text.chars().map(dots).collect();
        assert_eq!(widget(&observed.settled.layout, "echo").text(), format!("[{shown}]"));
        assert!(observed.foreground.keyboard, "{text}");
    }
    // If nothing takes a text, nothing is typed, as with `input text`.
    let beside = widget(&main, "echo").bounds().center();
    device.perform(&Gesture::Key(droidmux::device::Key::Back), &patience()).await.expect("pressed");
    let home = step(device, Gesture::Key(droidmux::device::Key::Home)).await;
    device.perform(&Gesture::Type(beside, "é".into()), &patience()).await.expect("nothing to type in");
    let still = device.observe(&Manner::Strict, 10, &patience()).await.expect("observed");
    assert_eq!(still.settled.layout.hash(), home.settled.layout.hash());
    assert!(phone.has_agent());
    assert_eq!(device.remarks(), [] as [&str; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_dies_is_started_again() {
    let (stage, main) = Stage::equipped().await;
    let (device, phone) = (&stage.device, &stage.phone);
    for _ in 0..2 {
        assert!(phone.kill_agent());
        let observed = device.observe(&Manner::Strict, 10, &patience()).await.expect("observed");
        assert!(observed.settled.settling.is_settled());
        assert_eq!(observed.settled.layout.hash(), main.hash());
        assert!(phone.has_agent(), "it runs again");
    }
    let pushed = phone.file("/data/local/tmp/u2.jar").expect("a jar");
    assert_eq!(pushed, b"PK\x03\x04 no classes"[..]);
    device.restore(&patience()).await.expect("restored");
    assert!(!phone.has_agent());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_line_to_the_agent_stays_open() {
    let (stage, _) = Stage::equipped().await;
    let (device, phone) = (&stage.device, &stage.phone);
    let before = phone.agent_connections();
    for _ in 0..10 {
        device.observe(&Manner::Strict, 10, &patience()).await.expect("observed");
    }
    assert_eq!(phone.agent_connections(), before);
    // The agent's server hangs up after 5 s without a request.
    tokio::time::sleep(Duration::from_millis(5_200)).await;
    device.observe(&Manner::Strict, 10, &patience()).await.expect("observed on a new one");
    assert_eq!(phone.agent_connections(), before + 1);
    assert_eq!(device.remarks(), [] as [&str; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_with_dumps_goes_wrong_with_the_agents() {
    let (stage, main) = Stage::equipped().await;
    let (device, phone) = (&stage.device, &stage.phone);
    let cases = [
        (Fault::DumpNullRoot, true, ""),
        (Fault::DumpNoIdle, true, ""),
        (Fault::DumpCut(200), true, ""),
        (Fault::DumpKilled, true, "the agent was started again"),
        (Fault::DumpNeverSettles, false, ""),
    ];
    for (fault, settles, said) in cases {
        phone.inject(fault.clone(), if settles { Some(1) } else { None });
        let settled = device.layout(6, &patience()).await.expect("a layout");
        assert_eq!(settled.settling.is_settled(), settles, "{fault:?}");
        assert_eq!(settled.layout.hash() == main.hash(), settles, "{fault:?}");
        let remarks = device.remarks().join("; ");
        assert!(remarks.contains(said) && remarks.is_empty() == said.is_empty(), "{fault:?}: {remarks}");
        phone.heal();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_for_the_agent_can_be_given_up() {
    let stage = Stage::new(Latency { resident: Duration::from_secs(20), ..Latency::ZERO }).await;
    let device = &stage.device;
    device.start(PACKAGE, &patience()).await.expect("started");
    stage.equip().await;
    let impatient = Patience::of(Duration::from_millis(300));
    let late = device.observe(&Manner::Strict, 2, &impatient).await.expect_err("no dump yet").kind;
    assert!(matches!(late, DeviceErrorKind::TimedOut(_)), "{late}");
    let cancelled = patience();
    cancelled.cancel.cancel();
    let stopped = device.observe(&Manner::Strict, 2, &cancelled).await.expect_err("nobody waits").kind;
    assert_eq!(stopped, DeviceErrorKind::Cancelled);
    device.restore(&patience()).await.expect("restored");
    assert!(!stage.phone.has_agent());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_cannot_start_again_gives_way() {
    let (stage, main) = Stage::equipped().await;
    let (device, phone) = (&stage.device, &stage.phone);
    let jar =
        std::fs::read_dir(stage.installation.path().join("lib/python3.11/site-packages/uiautomator2/assets"));
    for file in jar.expect("a folder") {
        std::fs::remove_file(file.expect("a file").path()).expect("removed");
    }
    assert!(phone.kill_agent());
    for _ in 0..2 {
        let observed =
            device.observe(&Manner::Strict, 10, &patience()).await.expect("observed by uiautomator");
        assert_eq!(observed.settled.layout.hash(), main.hash());
    }
    let remarks = device.remarks();
    let [remark] = remarks.as_slice() else { panic!("{remarks:?}") };
    for part in
        ["dumping by uiautomator, since the agent failed", "u2.jar: No such file", "tried again in 60 s"]
    {
        assert!(remark.contains(part), "{remark}");
    }
    let at = widget(&main, "name").bounds().center();
    let refused =
        device.perform(&Gesture::Type(at, "é".into()), &patience()).await.expect_err("no agent").kind;
    assert!(matches!(refused, DeviceErrorKind::Untypable(_)), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_programs_agent_is_used_and_left_running() {
    let (stage, main) = Stage::equipped().await;
    let (second, phone) = (device(&stage.lab), &stage.phone);
    // Meanwhile `uiautomator` cannot dump, and says why.
    let excluded = second.layout(1, &patience()).await.expect_err("one connection only").kind;
    assert!(excluded.to_string().contains("already registered"), "{excluded}");
    equip(&second, &equipment(stage.installation.path(), DumpChoice::Agent)).await;
    let settled = second.layout(10, &patience()).await.expect("a layout");
    assert_eq!(settled.layout.hash(), main.hash());
    second.restore(&patience()).await.expect("restored");
    assert!(phone.has_agent(), "it is not the second's");
    // Pulling the plug ends it; the next client starts a new one.
    phone.unplug();
    phone.replug();
    assert!(second.layout(10, &patience()).await.is_ok(), "by uiautomator");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_faster_one_is_chosen() {
    let installation = Installation::new();
    let auto = equipment(installation.path(), DumpChoice::Auto);
    let ms = Duration::from_millis;
    let slow_stock = Latency { dump: ms(300), ..Latency::ZERO };
    let slow_agent = Latency { resident: ms(300), ..Latency::ZERO };
    for (latency, by_agent) in [(slow_stock, true), (slow_agent, false)] {
        let lab = lab(latency, false).await;
        let device = device(&lab);
        fresh(&device).await;
        let said = equip(&device, &auto).await;
        let name = if by_agent { "dumps: by the agent (" } else { "dumps: by uiautomator (" };
        assert!(said.starts_with(name) && said.contains("medians of 3: agent "), "{said}");
        assert!(!said.contains("differ"), "{said}");
        assert_eq!(lab.device("sim-1").expect("a device").has_agent(), by_agent);
        device.layout(10, &patience()).await.expect("a layout");
    }
    let nothing = lab(Latency::ZERO, false).await;
    let said = equip(&device(&nothing), &equipment(Path::new("/nowhere/u2.jar"), DumpChoice::Auto)).await;
    assert!(said.starts_with("dumps: by uiautomator, since there is no agent: /nowhere/u2.jar"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_the_same_either_way() {
    let ms = Duration::from_millis;
    let mut pictures = Vec::new();
    for (png, raw, name) in [(2_500, 0, "pictures: raw"), (0, 2_500, "pictures: PNG")] {
        let latency = Latency { png: ms(png), raw_screen: ms(raw), ..Latency::ZERO };
        let lab = lab(latency, false).await;
        let device = device(&lab);
        fresh(&device).await;
        let said = equip(&device, &Equipment { pictures: true, ..Equipment::default() }).await;
        assert!(said.contains(name), "{said}");
        let picture = device.screenshot(&patience()).await.expect("a picture");
        assert_eq!(matches!(picture, Screenshot::Raw(_)), name == "pictures: raw");
        pictures.push(picture.into_png().expect("a PNG"));
    }
    assert_eq!(pictures[0], pictures[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_on_when_its_agents_are_killed() {
    let installation = Installation::new();
    let mut definition = session("notes-monkey.toml");
    definition.run.max_events = 60;
    definition.run.screens = ScreenPolicy::Never;
    let mut seen: Vec<Vec<LayoutHash>> = Vec::new();
    for agent in [None, Some(PathBuf::from(installation.path()))] {
        let bench = Arc::new(
            Bench::new(SimOptions { devices: 2, steady: true, ..SimOptions::with_apps(apps::all()) }).await,
        );
        definition.lab.agent = agent.clone();
        definition.lab.dumps = if agent.is_some() { DumpChoice::Agent } else { DumpChoice::Uiautomator };
        let (watched, killed) = (bench.clone(), Arc::new(AtomicUsize::new(0)));
        let count = killed.clone();
        let killer = tokio::spawn(async move {
            for steps in (12..).step_by(12) {
                while watched.lab.hub().steps(SessionId(1)) < steps {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
                let ended = watched.sim.devices().iter().filter(|device| device.kill_agent()).count();
                count.fetch_add(ended, Ordering::Relaxed);
            }
        });
        let (outcome, runs) = bench.run(&definition, 3).await;
        killer.abort();
        assert_eq!(killed.load(Ordering::Relaxed) > 0, agent.is_some(), "agents were there to be killed");
        assert_eq!(outcome.end, SessionEnd::Complete);
        assert!(bench.sim.devices().iter().all(|device| !device.has_agent()), "given back without it");
        let layouts = runs.iter().flat_map(|run| &run.turns).filter_map(|turn| match &turn.observation {
            Observation::Seen(seen) => Some(seen.screen.layout),
            _ => None,
        });
        seen.push(layouts.collect());
    }
    assert!(seen[0].len() > 40);
    assert_eq!(seen[0], seen[1], "the same screens, whoever dumped them");
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_an_agent_does_a_swift_session_loses_no_step() {
    let installation = Installation::new();
    let mut definition = session("notes-monkey.toml");
    definition.run.max_events = 60;
    definition.run.screens = ScreenPolicy::Never;
    definition.lab.agent = Some(PathBuf::from(installation.path()));
    definition.lab.dumps = DumpChoice::Agent;
    // What goes wrong from the tenth step on, how often, and what the log says then.
    let cases = [
        (None, None, ""),
        (Some(Fault::AgentDies), Some(1), "the agent was started again"),
        (Some(Fault::AgentSlow(Duration::from_millis(3))), None, ""),
        (
            Some(Fault::AgentLacks("waitForWindowUpdate".into())),
            None,
            "the agent has no waitForWindowUpdate: done without it",
        ),
        (
            Some(Fault::AgentLacks("injectInputEvent".into())),
            None,
            "the agent has no injectInputEvent: done without it",
        ),
        (Some(Fault::AgentLies), None, "the agent says that"),
    ];
    let definition = &definition;
    let sessions = cases.into_iter().map(|(fault, times, said)| async move {
        let bench =
            Arc::new(Bench::new(SimOptions { steady: true, ..SimOptions::with_apps(apps::all()) }).await);
        let (watched, injected) = (bench.clone(), fault.clone());
        let injector = tokio::spawn(async move {
            while watched.lab.hub().steps(SessionId(1)) < 10 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            if let Some(fault) = injected {
                watched.sim.devices().iter().for_each(|device| device.inject(fault.clone(), times));
            }
        });
        let (outcome, runs) = bench.run(definition, 3).await;
        injector.await.expect("injected");
        assert_eq!(outcome.end, SessionEnd::Complete, "{fault:?}");
        assert!(outcome.looks.swift > 10, "{fault:?}: {:?}", outcome.looks);
        let log: Vec<String> = bench.lab.hub().log().into_iter().map(|row| row.line.text).collect();
        assert!(log.iter().any(|line| line.contains(said)), "{fault:?}: {log:?}");
        (fault, crate::sessions::acts(&runs))
    });
    let acts = futures_util::future::join_all(sessions).await;
    for (fault, acts_then) in &acts {
        assert_eq!(acts_then, &acts[0].1, "{fault:?}: the same acts as without it");
    }
}

/// The cost of an observation each way, for `docs/agent.md`. Takes a while, and measures nothing but the given latency:
/// for people, with `--ignored --nocapture`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn what_an_observation_costs() {
    const TIMES: u32 = 20;
    let installation = Installation::new();
    for (name, latency) in [("none", Latency::ZERO), ("typical", Latency::TYPICAL)] {
        for dumps in [DumpChoice::Uiautomator, DumpChoice::Agent] {
            let lab = lab(latency, true).await;
            let device = device(&lab);
            fresh(&device).await;
            equip(&device, &equipment(installation.path(), dumps)).await;
            let began = Instant::now();
            for _ in 0..TIMES {
                device.observe(&Manner::Strict, 10, &patience()).await.expect("observed");
            }
            println!("latency {name}, {dumps:?}: {:?} an observation", began.elapsed() / TIMES);
        }
        let lab = lab(latency, true).await;
        let wanted = Equipment { pictures: true, ..equipment(installation.path(), DumpChoice::Auto) };
        println!("latency {name}:\n{}", equip(&device(&lab), &wanted).await);
    }
}
