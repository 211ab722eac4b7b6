//! Session definitions: the content of a session file. Reading and checking the file is done in `cli::session_file`;
//! this module has the settings with units, ranges and defaults.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{
    AppPlace, FindingId, HostsChoice, IgnoreRule, LlmSettings, PermissionAnswer, ResetChoice, ServerName,
    Settings, SettlingChoice, ShrinkSettings, StartAt, StepSettings, Technique, Test,
};

/// A whole session file. In formats for people, the tables of techniques stand beside the others (`[genie]`); whether
/// there are such tables is for the reader to check, who knows the techniques.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionDefinition {
    /// How it looks for bugs: determines which of the settings below apply.
    pub technique: Technique,
    /// Package of the app under test.
    pub app: String,
    /// Where it is run, as far as that is chosen: in files, `app` is then a table.
    pub place: AppPlace,
    /// `[lab]`: on which devices.
    pub lab: LabChoice,
    /// `[run]`: what applies to every technique.
    pub run: RunSettings,
    /// `[llm]`: the models to ask, and what they may cost.
    pub llm: LlmSettings,
    /// Widgets and pages no oracle looks at.
    pub ignore: Vec<IgnoreRule>,
    /// Rules carried out after every reset, in order.
    pub setup: Vec<SetupRule>,
    /// Only in the sessions that `droidmux replay` makes, not in files.
    pub replay: Option<ReplaySettings>,
    /// Only in the sessions that `droidmux shrink` makes, not in files.
    pub shrink: Option<ShrinkSettings>,
    /// Only in the sessions that `droidmux step` makes, not in files.
    pub step: Option<StepSettings>,
    /// Widgets and pages that are never touched.
    pub avoid: Vec<IgnoreRule>,
    /// If there are any: the only widgets and pages that are touched.
    pub only: Vec<IgnoreRule>,
    /// What happens with permissions.
    pub permissions: PermissionAnswer,
    /// The tables of techniques, such as `[genie]`.
    pub settings: Settings,
}

/// The tests of a finding, to be run again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplaySettings {
    /// The finding to reproduce, from an earlier session.
    pub finding: FindingId,
    /// The canonical key of its violation.
    pub key: String,
    /// Replays, one job each.
    pub times: u32,
    /// What to run each time: the finding's recipe.
    pub tests: Vec<Test>,
}

/// Which devices a session runs on. In the store, its servers and hosts are kept elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabChoice {
    /// Real devices or simulated ones.
    pub kind: LabKind,
    /// The ADB servers whose devices it uses with `adb`; empty means those of the lab it runs in. The store keeps it among
    /// the tables of techniques: see [`SessionDefinition`].
    pub servers: Vec<ServerName>,
    /// Simulated devices to start (1 to 64); unused with `adb`.
    pub devices: u32,
    /// Serials to use with `adb`; empty means every healthy device.
    pub serials: Vec<String>,
    /// The resident agent: its `u2.jar`, or a Python installation that holds it.
    pub agent: Option<PathBuf>,
    /// The agent, `uiautomator`, or whichever is faster.
    pub dumps: DumpChoice,
    /// Percent: a device with less rests until it is charged to 5 more (0 to 95; 0 is no limit).
    pub min_battery: u32,
    /// °C of battery or skin: a hotter device rests until it is 3 cooler (30 to 90; 0 is no limit).
    pub max_temperature: u32,
    /// MiB free on the data partition: a fuller device rests until there are 20 more (0 to 100,000;
    /// 0 is no limit).
    pub min_space: u32,
    /// The app's APKs with `apk`: a single one, a base and its splits, or an archive of them.
    pub apk: Vec<PathBuf>,
    /// A folder whose files, pictures and contacts are put on each device that the session takes.
    pub fixtures: Option<PathBuf>,
    /// Its code may use the network, with `apk`.
    pub network: bool,
    /// What the clocks of its devices are set to when it takes them.
    pub start_at: Option<StartAt>,
    /// Whose devices it runs on with `hosts`.
    pub hosts: HostsChoice,
}

/// What dumps the screens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DumpChoice {
    /// Whichever is faster, measured on each device when a session takes it.
    #[default]
    Auto,
    /// The resident agent, as long as it works.
    Agent,
    /// `uiautomator dump`, never the agent.
    Uiautomator,
}

/// Where a session's devices come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabKind {
    /// The devices of the ADB server.
    #[default]
    Adb,
    /// A simulated lab started for this run.
    Sim,
    /// The framework lab, started for this run: devices that hold the app in these APKs.
    Apk,
    /// The devices of other hosts, through NATS.
    Hosts,
}

/// Settings of every technique.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct RunSettings {
    /// The most events, not counting resets (1 to 1,000,000,000,000).
    pub max_events: u64,
    /// W: job n depends only on traces up to n − W (1 to 64).
    pub window: u32,
    /// When screenshots are taken.
    pub screens: ScreenPolicy,
    /// Seconds one test may take.
    pub test_timeout: u32,
    /// Times a test that timed out is run again.
    pub retries: u32,
    /// The most dumps until two in a row are equal.
    pub dump_tries: u32,
    /// Seconds to wait for a device when none is left, and for disk space when it is low, before
    /// the session gives up.
    pub patience: u32,
    /// The number of fresh replays that must show a violation.
    pub confirm: u32,
    /// The most fresh replays.
    pub confirm_of: u32,
    /// What is typed when a technique chooses an edit at random.
    pub text: TextSource,
    /// Seconds that the session has, if its events last longer; 0 is no limit. Phases follow whichever limit comes first.
    pub time: u32,
    /// Seconds that tests under way may continue when the session's time is up (0 to 3,600).
    pub grace: u32,
    /// The percentage of the events that experiments on confirmed findings and the shrinking of their tests may take
    /// together (0 to 50).
    pub experiments: u32,
    /// The relations between screens by which every trace is judged, by name; all of them if this is left out, none for
    /// an empty list.
    pub relations: Option<Vec<String>>,
    /// The percentage of the events for random exploration that changes data, in techniques without a specification (0
    /// to 90).
    pub explore_share: u32,
    /// The percentage of the explorations and seeds that end by starting the app again and looking for what was typed
    /// (0 to 100).
    pub revisit_share: u32,
    /// How long an event waits for the screen to come to rest.
    pub settling: SettlingChoice,
    /// With which data tests begin.
    pub reset: ResetChoice,
}

/// Where the texts of edits come from, in techniques that choose events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextSource {
    /// The technique's own.
    #[default]
    Own,
    /// InputBlaster's generators, asked once for every form that is met.
    Inputblaster,
}

/// When screenshots are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScreenPolicy {
    /// Once for every layout not seen before in the session, unless a few texts alone tell it from one that was
    /// photographed, and after every step of a replay for confirmation.
    #[default]
    Changed,
    /// Only while a violation is replayed for confirmation.
    Verdicts,
    /// After every step.
    All,
    /// No screenshot at all.
    Never,
}

/// A folder with a recording, as `droidmux check` reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RecordedFolder {
    /// On the lab's machine; a relative path begins at its working folder.
    pub path: String,
    /// Which tool left it.
    pub format: RecordingFormat,
}

/// The tool that a recording is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordingFormat {
    /// Genie's output folder.
    Genie,
    /// DroidBot's output folder, or Kea's.
    Droidbot,
    /// UI dumps (`*.xml`) in numerical order, with `events.json` beside them.
    Uiautomator,
}

/// One step of the set-up: when a widget matches, do something to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SetupRule {
    /// The widget to look for, with the wildcards of [`IgnoreRule`].
    pub find: IgnoreRule,
    /// `do` in the file: the gesture on the widget that was found.
    #[serde(rename = "do")]
    pub action: SetupAction,
    /// The text for `edit`.
    #[serde(default)]
    pub text: String,
    /// The environment variable that holds the text instead: passwords are not stored.
    #[serde(default)]
    pub text_env: String,
    /// An absent widget is not reported as a failure.
    #[serde(default)]
    pub optional: bool,
}

/// What a set-up rule does once its widget has been found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetupAction {
    /// A tap on its middle.
    Click,
    /// A tap that is held on its middle.
    LongClick,
    /// Replaces its text by that of the rule.
    Edit,
    /// The back key; the widget itself is not touched.
    Back,
}

impl SessionDefinition {
    /// What a session file may have besides the tables of techniques.
    pub const KEYS: [&'static str; 13] = [
        "technique",
        "app",
        "lab",
        "run",
        "llm",
        "ignore",
        "setup",
        "replay",
        "shrink",
        "step",
        "avoid",
        "only",
        "permissions",
    ];

    /// A session that knows nothing about its app except the package, with every setting at its default.
    pub fn new(technique: Technique, app: &str) -> Self {
        Self {
            technique,
            app: app.to_owned(),
            place: AppPlace::default(),
            lab: LabChoice::default(),
            run: RunSettings::default(),
            llm: LlmSettings::default(),
            ignore: Vec::new(),
            setup: Vec::new(),
            replay: None,
            shrink: None,
            step: None,
            avoid: Vec::new(),
            only: Vec::new(),
            permissions: PermissionAnswer::Allow,
            settings: Settings::default(),
        }
    }

    /// The finding that a session replays, shrinks or steps through; `None` for one that searches.
    pub fn replayed(&self) -> Option<&FindingId> {
        let shrunk = self.shrink.as_ref().map(|shrink| &shrink.finding);
        let stepped = self.step.as_ref().map(|step| &step.finding);
        self.replay.as_ref().map(|replay| &replay.finding).or(shrunk).or(stepped)
    }
}

impl Default for LabChoice {
    fn default() -> Self {
        Self {
            kind: LabKind::Adb,
            servers: Vec::new(),
            devices: 4,
            serials: Vec::new(),
            agent: None,
            dumps: DumpChoice::Auto,
            min_battery: 15,
            max_temperature: 45,
            min_space: 100,
            apk: Vec::new(),
            fixtures: None,
            network: false,
            start_at: None,
            hosts: HostsChoice::default(),
        }
    }
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            max_events: 20_000,
            window: 8,
            screens: ScreenPolicy::Changed,
            test_timeout: 300,
            retries: 1,
            dump_tries: 10,
            patience: 120,
            confirm: 2,
            confirm_of: 3,
            text: TextSource::Own,
            time: 0,
            grace: 30,
            experiments: 10,
            relations: None,
            explore_share: 33,
            revisit_share: 10,
            settling: SettlingChoice::Swift,
            reset: ResetChoice::Clear,
        }
    }
}
