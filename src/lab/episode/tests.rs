use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};

use tokio_util::sync::CancellationToken;

use super::*;
use crate::device::adb::{AdbDevice, Server};
use crate::lab::Lab;
use crate::record::{
    AppBuild, Batch, DeviceInfo, Ending, Layouts, Purpose, SessionRecord, Slot, Spent, Technique,
};
use crate::store::StoreOptions;

/// A driver that decides when another task of the runtime has had its say, as one that reads from a
/// slow disk does.
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

/// On a runtime of one thread, which a driver would stop.
#[tokio::test]
async fn drivers_decide_off_the_async_workers() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("store"), StoreOptions::default()).expect("a store");
    let lab = Lab::new("one", store.clone());
    let definition = SessionDefinition::new(Technique::Monkey, "org.example");
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
    // Never asked: the driver is done at once.
    let device = AdbDevice::new(Server::at(([127, 0, 0, 1], 9).into()), "none");
    let episode = Episode {
        device: &device,
        store: &store,
        hub: lab.hub(),
        gate: &gate,
        desk: &desk,
        definition: &definition,
        session,
        job: &job,
        attempt: 1,
        looks: Looks::of(&DeviceInfo::default(), &AppBuild::default()),
        restarts: AtomicU32::new(0),
    };
    let (say, hear) = channel();
    tokio::spawn(async move { say.send(()) });
    let turns = episode.run(Box::new(Slow(Mutex::new(hear)))).await.expect("its turns");
    assert_eq!(turns.len(), 1);
}
