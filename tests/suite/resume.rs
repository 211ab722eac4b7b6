//! `kill -9` of the running program, again and again: the session continues as if nothing had happened.
//!
//! The devices are simulated by a process of their own, so that they outlive the program. A few
//! kills are part of every test run; fifty of them over all techniques are
//!
//! ```text
//! cargo test --test suite -- --ignored fifty_kills
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use droidmux::lab::rederive;
use droidmux::record::{Act, JobRun, SessionId, SessionRecord, Slot, Turn};
use droidmux::store::{Store, StoreOptions};
use droidmux::technique;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::program::json_lines;

/// What is run: a shortened session file of the repository.
#[derive(Clone, Copy)]
struct Case {
    file: &'static str,
    max_events: u64,
    /// Replacements for values of the file: name and value.
    changed: &'static [(&'static str, &'static str)],
    steady: bool,
}

const GENIE: Case = Case {
    file: "diary-genie.toml",
    max_events: 300,
    changed: &[("mine-events", "90"), ("seeds", "2")],
    steady: true,
};
const MONKEY: Case = Case { file: "notes-monkey.toml", max_events: 400, changed: &[], steady: true };
const ODIN: Case = Case {
    file: "diary-odin.toml",
    max_events: 350,
    changed: &[("explore-events", "100"), ("inputs", "8")],
    steady: true,
};
const CARDS: &[(&str, &str)] = &[
    ("app", "\"org.droidmux.cards\""),
    ("spec", "\"specs/cards.json\""),
    ("keyviews", "\"specs/cards-keyviews.json\""),
];
const PLAYER: &[(&str, &str)] = &[
    ("app", "\"org.droidmux.player\""),
    ("spec", "\"specs/player.json\""),
    ("keyviews", "\"specs/player-keyviews.json\""),
];
const PBFDROID: Case = Case { file: "notes-pbfdroid.toml", max_events: 700, changed: CARDS, steady: true };
const VOLATILE: [Case; 2] = [
    Case { file: "notes-pbfdroid.toml", max_events: 900, changed: CARDS, steady: false },
    Case { file: "notes-pbfdroid.toml", max_events: 900, changed: PLAYER, steady: false },
];

/// A process that ends with the test, whichever way that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Simulated devices in a process of their own, and a folder for stores.
struct Site {
    _sim: Running,
    port: u64,
    folder: tempfile::TempDir,
    case: Case,
}

/// The session of a store as a kill left it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stand {
    session: SessionId,
    steps: u64,
    over: bool,
}

/// What a run printed, without `t` and `device`.
struct Told {
    lines: Vec<Value>,
    code: Option<i32>,
}

impl Site {
    fn new(case: Case) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
        command.args(["sim", "--devices", "4", "--no-adbd", "--json"]);
        if case.steady {
            command.arg("--steady");
        }
        let sim = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut sim = Running(sim.expect("the simulated lab runs"));
        let mut line = String::new();
        let stdout = sim.0.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let doors: Value = serde_json::from_str(&line).expect("JSON");
        let address = doors["server"].as_str().expect("an address");
        let port = address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        Self { _sim: sim, port, folder: tempfile::tempdir().expect("a folder"), case }
    }

    /// The session file, shortened.
    fn file(&self) -> PathBuf {
        let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions");
        let text = std::fs::read_to_string(sessions.join(self.case.file)).expect("a session file");
        let line = |line: &str| {
            let name = line.split('=').next().unwrap_or_default().trim();
            let changed = self.case.changed.iter().find(|(changed, _)| *changed == name);
            changed.map_or_else(|| line.to_owned(), |(name, value)| format!("{name} = {value}"))
        };
        let text: Vec<String> = text.lines().map(line).collect();
        let specs = sessions.join("specs").display().to_string();
        let path = self.folder.path().join(self.case.file);
        std::fs::write(&path, text.join("\n").replace("\"specs", &format!("\"{specs}"))).expect("written");
        path
    }

    fn store(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program on a store: a new session, or one that is continued.
    fn program(&self, store: &str, seed: u64, resume: Option<SessionId>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
        command.args(["run", "--json", "--store"]).arg(self.store(store));
        match resume {
            Some(session) => command.args(["--resume", &session.to_string()]),
            None => command.arg(self.file()).args([
                "--lab",
                "adb",
                "--seed",
                &seed.to_string(),
                "--max-events",
                &self.case.max_events.to_string(),
            ]),
        };
        for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, self.folder.path());
        }
        command.env("ANDROID_ADB_SERVER_PORT", self.port.to_string());
        command.env_remove("ANDROID_ADB_SERVER_ADDRESS").env_remove("ADB_SERVER_SOCKET");
        command
    }

    /// Runs it to its end, or kills it after this long: `None`.
    fn run(&self, mut command: Command, limit: Option<Duration>) -> Option<Told> {
        let (out, err) = (self.folder.path().join("out"), self.folder.path().join("err"));
        command.stdout(File::create(&out).expect("a file")).stderr(File::create(&err).expect("a file"));
        let mut running = Running(command.spawn().expect("droidmux runs"));
        let status = wait(&mut running.0, limit)?;
        let said = std::fs::read_to_string(&err).expect("its messages");
        // With so few events, there may be none to judge.
        let ran =
            matches!(status.code(), Some(0 | 1)) || said.contains("was in vain: there was nothing to judge");
        assert!(ran, "{command:?} ended with {status}: {said}");
        let mut lines = json_lines(&std::fs::read_to_string(&out).expect("its lines"));
        for line in &mut lines {
            strip(line);
        }
        Some(Told { lines, code: status.code() })
    }

    /// Runs a session with kills at random moments until it ends; returns how many there were. A process lives
    /// `longest` at most, and longer when that is too short to get anywhere.
    fn run_killed(&self, seed: u64, mut longest: Duration, rng: &mut ChaCha8Rng) -> (Told, usize) {
        let mut finished = BTreeMap::new();
        let mut stood = None;
        for kills in 0.. {
            let mut stands = self.check("killed", &mut finished);
            if stands.is_some_and(|stands| stands.over) {
                // Killed while reporting how it had ended: there is nothing left to continue, and nothing to compare.
                std::fs::remove_dir_all(self.store("killed")).expect("a store");
                finished.clear();
                stands = None;
            }
            if stands == stood {
                longest = longest.mul_f64(1.3);
            }
            stood = stands;
            let limit = longest.mul_f64(rng.random_range(0.0..1.0));
            let program = self.program("killed", seed, stands.map(|stands| stands.session));
            if let Some(told) = self.run(program, Some(limit)) {
                let steps = |stands: Option<Stand>| stands.map(|stands| stands.steps);
                assert!(steps(self.check("killed", &mut finished)) >= steps(stood));
                return (told, kills);
            }
        }
        unreachable!("the session ends");
    }

    /// Checks the store after a kill: everything resolves and can be rederived, runs that were finished are unchanged,
    /// and no job was finished twice. Returns the session, if there is one, and its steps.
    fn check(&self, store: &str, finished: &mut BTreeMap<Slot, JobRun>) -> Option<Stand> {
        let store = Store::open(&self.store(store), StoreOptions::default()).expect("the store opens");
        assert_eq!(store.verify().expect("checked").problems, []);
        let make = |record: &SessionRecord, id| technique::planner(&record.definition, id, record.rng);
        let report = rederive(&store, &make).expect("derived");
        assert!(report.is_clean(), "{:?}", report.problems);
        let (session, over) =
            store.sessions().expect("sessions").first().map(|(id, record)| (*id, record.over))?;
        for (slot, before) in finished.iter() {
            assert_eq!(store.run(session, *slot).expect("a run").as_ref(), Some(before), "{slot}");
        }
        for run in store.runs(session) {
            let run = run.expect("a run");
            finished.insert(run.job.slot, run);
        }
        check_attempts(&store, session);
        Some(Stand { session, steps: store.step_count(session).expect("steps"), over })
    }
}

/// No job is run again if its last attempt came to its end, unless nothing had been finished on that device before:
/// then the store does not say what it is.
fn check_attempts(store: &Store, session: SessionId) {
    let ended = |turns: &[Turn]| turns.last().map_or(0, |turn| turn.at_ms);
    let mut first_finished: BTreeMap<String, u64> = BTreeMap::new();
    for run in store.runs(session).map(|run| run.expect("a run")) {
        let first = first_finished.entry(run.device.serial.clone()).or_insert(u64::MAX);
        *first = (*first).min(ended(&run.turns));
    }
    let places = store.steps(session, 0, u32::MAX).expect("the log");
    for run in store.runs(session).map(|run| run.expect("a run")) {
        let slot = run.job.slot;
        for attempt in store.attempts(session, slot).expect("attempts") {
            let turns = store.turns(session, slot, attempt).expect("turns");
            let whole = turns.iter().any(|turn| matches!(turn.act, Act::Finish(_)));
            let place = places.iter().find(|(_, place)| (place.slot, place.attempt) == (slot, attempt));
            let known = place.and_then(|(_, place)| first_finished.get(&place.device));
            if attempt != run.attempt && whole && known.is_some_and(|first| *first < ended(&turns)) {
                panic!("{slot} was finished twice, by attempts {attempt} and {}", run.attempt);
            }
        }
    }
}

fn wait(child: &mut Child, limit: Option<Duration>) -> Option<ExitStatus> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("waited") {
            return Some(status);
        }
        if limit.is_some_and(|limit| began.elapsed() >= limit) {
            child.kill().expect("killed");
            child.wait().expect("ended");
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Drops what varies from run to run.
fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "t" && name != "device");
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

/// The canonical keys of the confirmed findings.
fn confirmed(told: &Told) -> BTreeSet<String> {
    let summary = told.lines.last().expect("a summary");
    let findings = summary["findings"].as_array().expect("findings");
    let confirmed = findings.iter().filter(|finding| finding["confirmed"] == true);
    confirmed.map(|finding| finding["key"].as_str().expect("a key").to_owned()).collect()
}

/// The result of a case, the same with kills as without.
struct Compared {
    kills: usize,
    confirmed: usize,
}

/// Runs a case undisturbed and with kills; `longest` is passed to [`Site::run_killed`].
fn compare(case: Case, seed: u64, longest: Duration) -> Compared {
    let site = Site::new(case);
    let undisturbed = site.run(site.program("undisturbed", seed, None), None).expect("it ends");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (killed, kills) = site.run_killed(seed, longest, &mut rng);
    if case.steady {
        for (number, (a, b)) in undisturbed.lines.iter().zip(&killed.lines).enumerate() {
            assert_eq!(a, b, "{}: line {number} after {kills} kills", case.file);
        }
        assert_eq!(undisturbed.lines.len(), killed.lines.len(), "{}", case.file);
        assert_eq!(undisturbed.code, killed.code, "{}", case.file);
    } else {
        assert_eq!(confirmed(&undisturbed), confirmed(&killed), "{} after {kills} kills", case.file);
    }
    let confirmed = confirmed(&killed).len();
    let (file, steady, lines) = (case.file, case.steady, killed.lines.len());
    println!("{file} seed {seed}, steady {steady}: {kills} kills, {lines} lines, {confirmed} confirmed");
    Compared { kills, confirmed }
}

#[test]
fn a_killed_session_goes_on_as_if_nothing_had_been() {
    let short = Case { max_events: 150, changed: &[("mine-events", "60"), ("seeds", "2")], ..GENIE };
    let compared = compare(short, 5, Duration::from_millis(4_000));
    assert!(compared.kills > 0, "it ended before it could be killed");
}

/// Ten and more for every technique, and more on devices with volatile content.
#[test]
#[ignore = "takes minutes; its command is above"]
fn fifty_kills() {
    let (mut all, mut confirmed) = (0, 0);
    for case in [GENIE, ODIN, PBFDROID, MONKEY].into_iter().chain(VOLATILE) {
        let mut kills = 0;
        for seed in 1.. {
            let compared = compare(case, seed, Duration::from_millis(1_500));
            kills += compared.kills;
            confirmed += compared.confirmed;
            if kills >= 10 {
                break;
            }
        }
        all += kills;
    }
    println!("{all} kills in all, {confirmed} findings confirmed with and without them");
    assert!(all >= 50 && confirmed > 0);
}
