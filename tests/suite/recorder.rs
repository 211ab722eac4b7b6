//! A person records a function over the wire, as a cockpit does it: by requests to the lab.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use droidmux::device::adb::Server;
use droidmux::gui::WidgetId;
use droidmux::lab::{Lab, track};
use droidmux::proto::{
    DeviceHealth, RecorderOpening, RecorderOrder, RecorderPhase, RecorderView, Reply, Request, ViewerEnd,
};
use droidmux::record::{DmfAction, Operation};
use droidmux::sim::{SimLab, SimOptions, apps};
use droidmux::store::Store;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::care::ward::brisk;
use crate::store::fixture::options;

const WITHIN: Duration = Duration::from_secs(60);

/// A lab of simulated devices, with a person at a viewer.
struct Booth {
    lab: Lab,
    sim: SimLab,
    viewer: ViewerEnd,
    _tracking: DropGuard,
}

impl Booth {
    async fn new(folder: &Path, devices: u16) -> Self {
        let sim = SimOptions { devices, steady: true, strict: true, ..SimOptions::with_apps(apps::all()) };
        let sim = SimLab::start(sim).await.unwrap();
        let lab = Lab::with_terms("booth", Store::open(&folder.join("store"), options()).unwrap(), brisk());
        let stop = CancellationToken::new();
        tokio::spawn(track(lab.roster().clone(), Server::at(sim.server_addr()), true, stop.clone()));
        let viewer = lab.viewer();
        let mut booth = Self { lab, sim, viewer, _tracking: stop.drop_guard() };
        booth.all_free(usize::from(devices)).await;
        booth
    }

    /// Waits until this many devices are free.
    async fn all_free(&mut self, devices: usize) {
        let free = |view: &std::sync::Arc<droidmux::proto::LabView>| {
            let idle = view.devices.iter().filter(|device| device.health == DeviceHealth::Idle);
            idle.filter(|device| device.lease.is_none()).count() == devices
        };
        let found = self.viewer.view.wait_for(free);
        drop(tokio::time::timeout(WITHIN, found).await.expect("they are free in time").unwrap());
    }

    async fn ask(&mut self, request: Request) {
        self.viewer.requests.send(request).await.unwrap();
    }

    async fn order(&mut self, order: RecorderOrder) {
        self.ask(Request::Record(order)).await;
    }

    async fn open(&mut self, app: &str, operation: Operation, datatype: &str) {
        let (app, datatype) = (app.to_owned(), datatype.to_owned());
        self.ask(Request::OpenRecorder(RecorderOpening { serial: None, app, operation, datatype })).await;
        self.recording().await;
    }

    /// The next recording that the lab reports.
    async fn recording(&mut self) -> Option<RecorderView> {
        loop {
            match self.viewer.replies.recv().await.expect("the lab is there") {
                Reply::Recorder(view) => return view.map(|view| *view),
                Reply::Refused { why, .. } => panic!("{why}"),
                _ => {}
            }
        }
    }

    /// Waits until the recording is as wanted.
    async fn until(&mut self, wanted: impl Fn(&RecorderView) -> bool) -> RecorderView {
        let mut last = None;
        let looked = async {
            loop {
                let version = self.viewer.view.borrow_and_update().recorder;
                self.viewer.requests.send(Request::Recorder).await.unwrap();
                let view = self.recording().await;
                if let Some(view) = view.as_ref().filter(|view| wanted(view)) {
                    return view.clone();
                }
                last = view;
                let news = self.viewer.view.wait_for(|view| view.recorder != version);
                drop(news.await.unwrap());
            }
        };
        let found = tokio::time::timeout(WITHIN, looked).await;
        found.unwrap_or_else(|_| panic!("it is not so in time: {last:#?}"))
    }

    async fn ready(&mut self, events: usize) -> RecorderView {
        self.until(|view| view.phase == RecorderPhase::Ready && view.events.len() == events).await
    }

    /// Performs an event on the current screen; returns the recording after it.
    async fn perform(&mut self, action: DmfAction, widget: u32, text: Option<&str>) -> RecorderView {
        let before = self.until(|view| view.phase == RecorderPhase::Ready).await;
        let (widget, text) = (Some(WidgetId(widget)), text.map(str::to_owned));
        let seen = before.live.expect("the app has started");
        self.order(RecorderOrder::Do { action, widget, text, seen }).await;
        self.ready(before.events.len() + 1).await
    }

    /// Why the lab refuses this.
    async fn refusal(&mut self, request: Request) -> String {
        self.ask(request).await;
        let refused = async {
            loop {
                if let Reply::Refused { why, .. } = self.viewer.replies.recv().await.expect("the lab") {
                    return why;
                }
            }
        };
        tokio::time::timeout(WITHIN, refused).await.expect("a refusal in time")
    }
}

/// The numbers of the widgets of the to-do list on its first start, as in `specification_commands`.
const NEW: u32 = 35;
const TITLE: u32 = 16;
const SAVE: u32 = 11;
const TODO: &str = "org.droidmux.todo";

#[tokio::test(flavor = "multi_thread")]
async fn a_function_is_recorded_rehearsed_written_and_linted() {
    let folder = tempfile::tempdir().unwrap();
    let mut booth = Booth::new(folder.path(), 1).await;
    let nothing = booth.refusal(Request::Record(RecorderOrder::Undo)).await;
    assert_eq!(nothing, "nothing is recorded");

    booth.open(TODO, Operation::Add, "task").await;
    let begun = booth.ready(0).await;
    assert_eq!((begun.name.as_str(), begun.app.as_str()), ("add task", TODO));
    let layout = begun.live.expect("the app has started");
    booth.ask(Request::Layout(layout)).await;
    let shown = loop {
        match booth.viewer.replies.recv().await.expect("the lab") {
            Reply::Layout(_, layout) => break layout,
            _ => continue,
        }
    };
    assert!(shown.is_some_and(|shown| shown.hash() == layout), "viewers see the screen");
    let lease = booth.viewer.view.borrow().devices[0].lease.clone();
    assert_eq!(lease.as_deref(), Some("recorder"));
    let other = RecorderOpening {
        serial: None,
        app: TODO.into(),
        operation: Operation::Delete,
        datatype: "task".into(),
    };
    let taken = booth.refusal(Request::OpenRecorder(other)).await;
    assert!(taken.contains("`add task` of org.droidmux.todo is being recorded"), "{taken}");

    // A mistake leads nowhere: an event chosen on a screen other than the current one is refused.
    let first = booth.perform(DmfAction::Click, NEW, Some("")).await;
    assert!(first.text.contains("\"name\": \"add task\"") && !first.lacks.is_empty(), "{first:#?}");
    let stale = RecorderOrder::Do { action: DmfAction::Back, widget: None, text: None, seen: layout };
    let refused = booth.refusal(Request::Record(stale)).await;
    assert!(refused.contains("the screen has changed since"), "{refused}");

    booth.perform(DmfAction::Edit, TITLE, Some("Buy milk")).await;
    let whole = booth.perform(DmfAction::Click, SAVE, Some("")).await;
    assert_eq!((whole.after.as_str(), whole.lacks.as_str()), ("Buy milk", ""), "what was typed is the data");
    assert_eq!(whole.remarks, [] as [String; 0]);

    booth.order(RecorderOrder::Undo).await;
    let undone = booth.ready(2).await;
    assert_eq!(undone.events, whole.events[..2]);
    assert_eq!((undone.trouble.as_str(), undone.after.as_str()), ("", "Buy milk"));
    booth.order(RecorderOrder::After("Nobody".into())).await;
    let marked = booth.until(|view| view.after == "Nobody").await;
    assert!(marked.lacks.contains("Nobody"), "{}", marked.lacks);
    booth.ready(2).await;
    booth.order(RecorderOrder::After("Buy milk".into())).await;
    booth.until(|view| view.after == "Buy milk" && view.phase == RecorderPhase::Ready).await;
    booth.perform(DmfAction::Click, SAVE, Some("")).await;

    booth.order(RecorderOrder::Rehearse).await;
    let rehearsed = booth.until(|view| view.rehearsal.is_some()).await;
    let rehearsal = rehearsed.rehearsal.expect("it was rehearsed");
    assert!(rehearsal.good, "{:#?}", rehearsal.lines);
    assert!(rehearsal.lines.iter().any(|line| line.starts_with("holds: ")), "{:#?}", rehearsal.lines);

    let file = folder.path().join("todo.json");
    booth.ready(3).await;
    booth.order(RecorderOrder::Save(file.to_string_lossy().into_owned())).await;
    let saved = booth.until(|view| !view.saved.is_empty()).await;
    assert_eq!(Path::new(&saved.saved), file);
    let lint =
        Command::new(env!("CARGO_BIN_EXE_droidmux")).args(["dmf", "lint"]).arg(&file).output().unwrap();
    let said = String::from_utf8_lossy(&lint.stdout);
    assert!(lint.status.success() && said.contains("1 function, 0 that cannot be used, 0 notes"), "{said}");

    booth.order(RecorderOrder::Leave).await;
    booth.all_free(1).await;
    assert!(booth.lab.recorder().is_none());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), saved.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_outlives_its_device_and_gives_devices_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut booth = Booth::new(folder.path(), 2).await;
    // An app that does not exist costs nothing but a message.
    booth.open("org.nowhere.app", Operation::Add, "task").await;
    let failed = booth.until(|view| matches!(view.phase, RecorderPhase::Lost(_))).await;
    assert!(format!("{:?}", failed.phase).contains("org.nowhere.app is not installed"), "{failed:#?}");
    booth.all_free(2).await;

    booth.open(TODO, Operation::Add, "task").await;
    booth.ready(0).await;
    booth.perform(DmfAction::Click, NEW, Some("")).await;
    let before = booth.perform(DmfAction::Edit, TITLE, None).await;
    booth.sim.device(&before.device).expect("the device").unplug();
    let lost = booth.until(|view| matches!(view.phase, RecorderPhase::Lost(_))).await;
    assert!(format!("{:?}", lost.phase).contains(&before.device), "{:?}", lost.phase);
    assert_eq!(lost.events, before.events, "nothing that was recorded is lost");

    booth.order(RecorderOrder::Rehearse).await;
    let told = booth.until(|view| !view.trouble.is_empty()).await;
    assert!(told.trouble.contains("no device"), "{}", told.trouble);
    booth.order(RecorderOrder::Resume(None)).await;
    let resumed = booth.ready(2).await;
    assert_ne!(resumed.device, before.device);
    assert_eq!((resumed.live, &resumed.events), (before.live, &before.events), "the same, elsewhere");

    // A lab that stops gives the device back.
    assert!(booth.lab.halt(Duration::from_secs(20)).await, "it ends in time");
    booth.all_free(1).await;
    assert!(booth.lab.recorder().is_none());
}
