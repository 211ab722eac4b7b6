use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::Lab;
use crate::session::first_view;
use droidmux_device::adb::{AdbDevice, Server};
use droidmux_device::{
    Began, Beginning, Condition, DumpTimes, Equipment, Equipped, Fixtures, Foreground, Noted, PackageFile,
    Screenshot, Settled, Trial, Vitals,
};
use droidmux_gui::{Note, read_dump};
use droidmux_proto::SessionView;
use droidmux_record::{
    AppBuild, AppPlace, Batch, BlobHash, DeviceInfo, Ending, Layouts, Progress, Purpose, ScreenPolicy,
    SessionRecord, Settling, SettlingChoice, Signal, Slot, Spent, StartAt, Technique, Work,
};
use droidmux_store::StoreOptions;

/// A driver that decides only after another task of the runtime has run, like one that reads from a slow disk.
struct Slow(Mutex<Receiver<()>>);

impl Driver for Slow {
    fn next(&mut self, _: &Observation, _: &dyn Layouts) -> Act {
        let said = self.0.get_mut().expect("one thread").recv_timeout(Duration::from_secs(30));
        said.expect("the async worker goes on meanwhile");
        Act::Finish(Ending::Complete)
    }

    fn fresh(&self) -> Box<dyn Driver> {
        unreachable!("the job is run once")
    }
}

/// On a runtime of one thread, which a driver would block.
#[tokio::test]
async fn drivers_decide_off_the_async_workers() {
    // Never asked: the driver is done at once.
    let device = AdbDevice::new(Server::at(([127, 0, 0, 1], 9).into()), "none");
    let (say, hear) = channel();
    tokio::spawn(async move { say.send(()) });
    let (turns, _) = run(&device, Box::new(Slow(Mutex::new(hear)))).await;
    assert_eq!(turns.len(), 1);
}

/// Resets the app and is done.
struct Brief(bool);

impl Driver for Brief {
    fn next(&mut self, _: &Observation, _: &dyn Layouts) -> Act {
        match std::mem::replace(&mut self.0, true) {
            false => Act::Reset,
            true => Act::Finish(Ending::Complete),
        }
    }

    fn fresh(&self) -> Box<dyn Driver> {
        unreachable!("the job is run once")
    }
}

/// What the launcher's dumps lack says nothing of the app under test.
#[tokio::test]
async fn only_screens_of_the_app_under_test_are_called_degraded() {
    let few = |widgets| Note::FewIds { widgets, named: 0 };
    let cases = [
        ("com.android.launcher", vec![few(14)], None),
        ("org.example", vec![few(9)], Some(few(9))),
        ("org.example", vec![Note::SeveralRoots { roots: 2 }], None),
    ];
    for (front, notes, expected) in cases {
        let device = Still { front, notes, pictures: Mutex::default() };
        let (_, view) = run(&device, Box::new(Brief(false))).await;
        let expected: Vec<_> = expected.iter().map(ToString::to_string).collect();
        assert_eq!(view.degraded, expected, "{front} in front");
    }
}

/// An animation of the app's goes on where its layout is at rest.
#[tokio::test(start_paused = true)]
async fn replays_told_by_pictures_wait_until_these_are_still() {
    let moving = ["a", "b", "c", "d", "e", "f", "g"];
    for (occasion, pictures, taken, left) in [
        (Occasion::Closely, vec!["a", "b", "c", "c", "d"], "c", 1),
        (Occasion::Closely, vec!["a", "a", "b"], "a", 1),
        (Occasion::Closely, moving.to_vec(), "f", 1),
        (Occasion::EachStep, vec!["a", "b"], "a", 1),
    ] {
        let told = format!("{occasion:?} {pictures:?}");
        let pictures = Mutex::new(pictures.into());
        let device = Still { front: "org.example", notes: Vec::new(), pictures };
        let (turns, _) = photographed(&device, Box::new(Brief(false)), occasion).await;
        let seen = turns.iter().find_map(|turn| turn.observation.seen()).expect("a screen");
        assert_eq!(seen.screenshot, Some(BlobHash::of(taken.as_bytes())), "{told}");
        assert_eq!(device.pictures.lock().expect("one thread").len(), left, "{told}");
    }
}

/// A device that always shows the same screen of one package, in these pictures.
struct Still {
    front: &'static str,
    notes: Vec<Note>,
    pictures: Mutex<VecDeque<&'static str>>,
}

#[async_trait]
impl Device for Still {
    fn serial(&self) -> &str {
        "still"
    }

    async fn info(&self, _: &Patience) -> Result<DeviceInfo, DeviceError> {
        Ok(DeviceInfo::default())
    }

    async fn choose_place(&self, _: &str, _: &AppPlace, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn app(&self, _: &str, _: &Patience) -> Result<AppBuild, DeviceError> {
        Ok(AppBuild::default())
    }

    async fn install(&self, _: &[PackageFile], _: &Patience) -> Result<(), DeviceError> {
        unreachable!("no session installs anything")
    }

    async fn layout(&self, _: u32, _: &Patience) -> Result<Settled, DeviceError> {
        let dump = br#"<hierarchy rotation="0"><node class="android.widget.TextView" bounds="[0,0][9,9]"/></hierarchy>"#;
        let layout = Arc::new(read_dump(dump).expect("a dump").layout);
        Ok(Settled { layout, notes: self.notes.clone(), settling: Settling::Strict, dumps: 2 })
    }

    async fn foreground(&self, _: &Patience) -> Result<Foreground, DeviceError> {
        Ok(Foreground {
            package: self.front.into(),
            activity: format!("{}.Main", self.front),
            ..Foreground::default()
        })
    }

    async fn perform(&self, _: &Gesture, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn signals(&self, _: &Patience) -> Result<Vec<Signal>, DeviceError> {
        Ok(Vec::new())
    }

    async fn screenshot(&self, _: &Patience) -> Result<Screenshot, DeviceError> {
        let next = self.pictures.lock().expect("one thread").pop_front();
        Ok(Screenshot::Png(next.expect("the session takes no more").into()))
    }

    async fn begin(&self, _: &str, _: Beginning, _: &Patience) -> Result<Began, DeviceError> {
        Ok(Began::Afresh)
    }

    async fn keep(&self, _: &str, _: &Patience) -> Result<bool, DeviceError> {
        unreachable!("the session asks for no copies")
    }

    async fn start(&self, _: &str, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn equip(&self, _: &Equipment, _: &Patience) -> Result<Equipped, DeviceError> {
        Ok(Equipped::default())
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    async fn restart(&self, _: &str, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn vitals(&self, _: &Patience) -> Result<Vitals, DeviceError> {
        Ok(Vitals::default())
    }

    async fn wake(&self, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn condition(&self, _: &Patience) -> Result<Condition, DeviceError> {
        unreachable!("the doctor asks for it")
    }

    async fn try_tools(&self, _: &Patience) -> Result<Vec<Trial>, DeviceError> {
        unreachable!("the doctor asks for it")
    }

    async fn time_dumps(&self, _: Option<&Path>, _: &Patience) -> Result<DumpTimes, DeviceError> {
        unreachable!("the doctor asks for it")
    }

    async fn noted(&self, _: &Patience) -> Result<Noted, DeviceError> {
        unreachable!("leases are the crew's")
    }

    async fn exchange_note(
        &self,
        _: Option<&str>,
        _: &str,
        _: Duration,
        _: &Patience,
    ) -> Result<Noted, DeviceError> {
        unreachable!("leases are the crew's")
    }

    async fn prepare(&self, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn furnish(&self, _: &Fixtures, _: &Patience) -> Result<(), DeviceError> {
        unreachable!("done before the first episode")
    }

    async fn set_clock(&self, _: StartAt, _: &Patience) -> Result<(), DeviceError> {
        unreachable!("done before the first episode")
    }

    async fn restore(&self, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }
}

/// Runs a driver on a device in a lab of its own; its turns, and what viewers see of the session then.
async fn run(device: &dyn Device, driver: Box<dyn Driver>) -> (Vec<Turn>, SessionView) {
    photographed(device, driver, Occasion::None).await
}

/// The same, with pictures.
async fn photographed(
    device: &dyn Device,
    driver: Box<dyn Driver>,
    occasion: Occasion,
) -> (Vec<Turn>, SessionView) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("store"), StoreOptions::default()).expect("a store");
    let lab = Lab::new("one", store.clone());
    let mut definition = SessionDefinition::new(Technique::Monkey, "org.example");
    definition.run.screens = ScreenPolicy::Never;
    let begun = SessionRecord::begun(definition.clone(), 1, 1, 0);
    let session = store.create_session(&begun).expect("a session");
    let job = Job {
        slot: Slot(0),
        rng: 1,
        work: Work::Batch(Batch { purpose: Purpose::Mutants { seed: 0 }, tests: Vec::new() }),
    };
    store.put_job(session, &job).expect("a job");
    let desk = Desk::open(&lab, &definition, Spent::default(), false).await.expect("a desk").of(session);
    let gate = Gate::new(CancellationToken::new());
    lab.hub().session_began(first_view(session, &definition, 1, Progress::default()), gate.clone());
    let episode = Episode {
        device,
        store: &store,
        hub: lab.hub(),
        gate: &gate,
        desk: &desk,
        pace: &Pace::new(SettlingChoice::Swift),
        definition: &definition,
        session,
        job: &job,
        attempt: 1,
        looks: Looks::of(&DeviceInfo::default(), &AppBuild::default()),
        occasion,
        restarts: AtomicU32::new(0),
        dark: AtomicBool::new(false),
    };
    let turns = episode.run(driver).await.expect("its turns");
    let view = lab.hub().snapshot().sessions.into_iter().next().expect("the session");
    (turns, view)
}
