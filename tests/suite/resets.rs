//! With which data tests begin: none, the last test's, or a copy.

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Began, Beginning, Device, Gesture, Manner, TestData};
use droidmux::lab::SessionEnd;
use droidmux::record::{Act, Layouts, Observation, ResetChoice, ScreenPolicy, SessionDefinition, SetupRule};
use droidmux::sim::toolkit::{ActivityState, App, Ctx, Env, Input, Manifest, Screen, Throwable, View};
use droidmux::sim::{SimApp, SimLab, SimOptions};
use droidmux::technique::GenieSettings;

use crate::device::{patience, step, widget};
use crate::sessions::{Bench, session};

const PACKAGE: &str = "com.example.heap";

/// More than this the app cannot bear: it crashes at each start.
const TOO_MANY: u32 = 20;

/// Greets once, then counts.
#[derive(Clone, Default)]
struct Heap {
    greeted: bool,
    stones: u32,
}

#[derive(Clone)]
enum Action {
    Begin,
    Add,
}

impl App for Heap {
    type Action = Action;

    fn view(&self, _page: &ActivityState, _env: &Env) -> Screen<Action> {
        let body =
            match self.greeted {
                false => View::column().child(View::button("begin", "Begin", Action::Begin)),
                true => View::column()
                    .child(View::label("stones", self.stones.to_string()))
                    .child(View::button("add", "Add", Action::Add)),
            };
        Screen::new("Heap", body)
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Opened { .. } if self.stones > TOO_MANY => ctx.crash(Throwable {
                class: "java.lang.IllegalStateException",
                message: "too many".into(),
                frames: vec!["com.example.heap.MainActivity.onCreate(MainActivity.java:3)"],
            }),
            Input::Act(Action::Begin) => self.greeted = true,
            Input::Act(Action::Add) => self.stones += 1,
            _ => {}
        }
    }
}

fn app() -> SimApp {
    let manifest = Manifest {
        package: PACKAGE,
        label: "Heap",
        version_name: "1",
        version_code: 1,
        activities: &["MainActivity"],
        permissions: &[],
    };
    SimApp::new(manifest, &[], |_| Heap::default())
}

fn options(root: bool) -> SimOptions {
    SimOptions { root, steady: true, strict: true, ..SimOptions::with_apps(vec![app()]) }
}

/// What the app shows: its greeting, or how many stones there are.
async fn shown(device: &AdbDevice) -> String {
    let observed = device.observe(&Manner::Strict, 10, &patience()).await.expect("observed");
    let layout = observed.settled.layout;
    let found = ["begin", "stones"].into_iter().find_map(|id| layout.widgets().find(|w| w.short_id() == id));
    found.map(|widget| widget.text().to_owned()).unwrap_or_default()
}

async fn touch(device: &AdbDevice, id: &str) {
    let layout = device.layout(10, &patience()).await.expect("a layout").layout;
    step(device, Gesture::Tap(widget(&layout, id).bounds().center())).await;
}

async fn begin(device: &AdbDevice, data: TestData) -> Began {
    let beginning = Beginning { data, grant: true };
    device.begin(PACKAGE, beginning, &patience()).await.expect("begun")
}

/// By whom root is had makes no difference; a phone without it clears.
#[tokio::test(flavor = "multi_thread")]
async fn tests_begin_with_the_data_that_is_asked_for() {
    for root in [true, false] {
        let lab = SimLab::start(options(root)).await.expect("a lab");
        let device = AdbDevice::new(Server::at(lab.server_addr()), "sim-1");
        device.prepare(&patience()).await.expect("prepared");
        assert_eq!(begin(&device, TestData::Last).await, Began::Afresh, "nobody began before");
        touch(&device, "begin").await;
        touch(&device, "add").await;
        assert_eq!(begin(&device, TestData::Last).await, Began::WithData);
        assert_eq!(shown(&device).await, "1");
        assert_eq!(device.keep(PACKAGE, &patience()).await.expect("an answer"), root);
        for _ in 0..2 {
            let began = begin(&device, TestData::Kept).await;
            let (expected, text) = if root { (Began::WithData, "1") } else { (Began::Afresh, "Begin") };
            assert_eq!((began, shown(&device).await.as_str()), (expected, text), "root: {root}");
            if root {
                touch(&device, "add").await;
                assert_eq!(shown(&device).await, "2");
            }
        }
        let remarks = device.remarks().join("\n");
        assert_eq!(remarks.contains("neither the shell nor `su` gives root"), !root, "{remarks}");
        if root {
            let damage = "su 0 rm -rf /data/local/tmp/droidmux-kept/com.example.heap/0/files";
            device.shell(damage, &patience()).await.expect("damaged");
            assert_eq!(begin(&device, TestData::Kept).await, Began::Afresh, "what is not whole is not used");
            assert!(device.remarks().join("\n").contains("did not come back as it was"));
            assert_eq!(shown(&device).await, "Begin");
        }
        assert_eq!(begin(&device, TestData::Cleared).await, Began::Afresh);
        for ends_well in [false, true] {
            let run = AdbDevice::new(Server::at(lab.server_addr()), "sim-1");
            run.prepare(&patience()).await.expect("prepared");
            let left = device.shell("ls /data/local/tmp", &patience()).await.expect("listed");
            assert!(
                !left.text().contains("droidmux-kept"),
                "what one that died left is removed: {}",
                left.text()
            );
            run.keep(PACKAGE, &patience()).await.expect("an answer");
            if ends_well {
                run.restore(&patience()).await.expect("restored");
            }
        }
        device.restore(&patience()).await.expect("restored");
        let left = device.shell("ls /data/local/tmp", &patience()).await.expect("listed");
        assert!(!left.text().contains("droidmux-kept"), "{}", left.text());
        device.prepare(&patience()).await.expect("prepared");
        assert_eq!(begin(&device, TestData::Last).await, Began::Afresh, "a new session begins afresh");
    }
}

fn definition(reset: ResetChoice) -> SessionDefinition {
    let mut definition = session("notes-monkey.toml");
    definition.app = PACKAGE.into();
    definition.run.max_events = 80;
    definition.run.screens = ScreenPolicy::Never;
    definition.run.reset = reset;
    definition.settings.change(|genie: &mut GenieSettings| genie.episode_events = 10);
    let rule = "find = { text = \"Begin\" }\ndo = \"click\"\noptional = true";
    definition.setup = vec![toml::from_str::<SetupRule>(rule).expect("a rule")];
    definition
}

/// What tests began with: how often the set-up rule ran, and whether any test began with more than no stones.
#[tokio::test(flavor = "multi_thread")]
async fn sessions_begin_their_tests_as_they_say() {
    let cases = [
        (ResetChoice::Clear, true, "each", false),
        (ResetChoice::Restart, true, "some", true),
        (ResetChoice::Snapshot, true, "once", false),
        (ResetChoice::Snapshot, false, "each", false),
    ];
    for (reset, root, set_up, stones) in cases {
        let bench = Bench::new(SimOptions { devices: 1, ..options(root) }).await;
        let (outcome, runs) = bench.run(&definition(reset), 3).await;
        assert_eq!(outcome.end, SessionEnd::Complete, "{reset:?}");
        let store = bench.lab.store();
        let (mut begun, mut rules, mut loaded) = (0, 0, 0);
        for turn in runs.iter().flat_map(|run| &run.turns).filter(|turn| turn.act == Act::Reset) {
            let Observation::Seen(seen) = &turn.observation else { continue };
            begun += 1;
            rules += usize::from(!seen.setup.is_empty());
            let layout = store.layout(seen.screen.layout).expect("a layout");
            let label = layout.widgets().find(|widget| widget.short_id() == "stones");
            loaded += usize::from(label.is_some_and(|label| label.text() != "0"));
        }
        assert!(begun > 2, "{reset:?}: {begun} tests");
        let expected = match set_up {
            "each" => rules == begun,
            "once" => rules == 1,
            _ => rules < begun,
        };
        assert!(expected, "{reset:?}, root {root}: {rules} of {begun}");
        assert_eq!(loaded > 0, stones, "{reset:?}, root {root}: {loaded} of {begun}");
    }
}
