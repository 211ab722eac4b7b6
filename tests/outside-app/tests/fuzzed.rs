//! The app of this crate, served over ADB and fuzzed.

use std::sync::Arc;

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::lab::{Lab, SessionOptions};
use droidmux::record::SessionDefinition;
use droidmux::sim::{DefectSwitches, SimLab, SimOptions};
use droidmux::store::{Store, StoreOptions};
use outside_app::tally::{PACKAGE, app};

/// Titles of the confirmed findings of a short session.
async fn found(defects: DefectSwitches) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let options =
        SimOptions { apps: vec![app()], defects, steady: true, strict: true, ..SimOptions::default() };
    let sim = SimLab::start(options).await.unwrap();
    let lab =
        Lab::new("outside", Store::open(&folder.path().join("store"), StoreOptions::default()).unwrap());
    let server = Server::at(sim.server_addr());
    let listed = [(sim.devices()[0].serial().to_owned(), "device".to_owned())];
    lab.roster().update(&listed, |serial| Arc::new(AdbDevice::new(server.clone(), serial)));
    let definition: SessionDefinition = toml::from_str(&format!(
        "technique = \"genie\"\napp = \"{PACKAGE}\"\n[run]\nmax-events = 400\nscreens = \"verdicts\"\n[genie]\nseeds = 3"
    ))
    .unwrap();
    let outcome = lab.run(definition, SessionOptions { rng: 7, ..SessionOptions::default() }).await.unwrap();
    lab.close();
    let confirmed = outcome.findings.iter().filter(|finding| finding.confirmation.is_confirmed());
    confirmed.map(|finding| finding.verdict.title.clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn its_crash_is_found_and_only_when_it_is_there() {
    let with = found(DefectSwitches::all()).await;
    assert!(with.iter().any(|title| title.contains("ArithmeticException")), "{with:?}");
    let without = found(DefectSwitches::none()).await;
    assert!(!without.iter().any(|title| title.contains("ArithmeticException")), "{without:?}");
}
