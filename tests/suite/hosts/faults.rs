//! What goes wrong between a lab and its hosts: nothing stored is lost, and jobs under way run again elsewhere.

use std::time::Duration;

use droidmux::device::{Device, Patience};
use droidmux::lab::SessionEnd;

use super::lab::on_hosts;
use super::{HostProcess, NatsServer, Night, is_installed};
use crate::care::ward::small;

async fn two(server: &NatsServer) -> [HostProcess; 2] {
    [HostProcess::start(server, "left", 2, &[]).await, HostProcess::start(server, "right", 2, &[]).await]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_killed_costs_no_step() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let [mut left, _right] = two(&server).await;
    let night = Night::begin(&server, 4).await;
    let faults = async {
        for round in 0..3 {
            night.steps(40 * (round + 1)).await;
            left.kill();
            let steps = night.lab.hub().steps(droidmux::record::SessionId(1));
            // It goes on without it.
            night.steps(steps + 20).await;
            left.begin();
        }
    };
    let outcome = night.run(&on_hosts(small(400), &server.url()), faults).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(night.says("host left"), "{}", night.log().join("\n"));
    assert!(!night.says("quarantined"), "{}", night.log().join("\n"));
    night.rederives();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_cut_off_is_missed_and_comes_back() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let [left, _right] = two(&server).await;
    let night = Night::begin(&server, 4).await;
    let faults = async {
        night.steps(40).await;
        left.freeze(true);
        night.waits_for("no word from host left").await;
        left.freeze(false);
        night.waits_for("host back").await;
    };
    let outcome = night.run(&on_hosts(small(500), &server.url()), faults).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(!night.says("quarantined"), "{}", night.log().join("\n"));
    night.rederives();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_nats_server_may_die_with_and_without_its_files() {
    if !is_installed() {
        return;
    }
    let mut server = NatsServer::start();
    let _hosts = two(&server).await;
    let night = Night::begin(&server, 4).await;
    let url = server.url();
    let faults = async {
        for (round, keeps_files) in [(1, true), (2, false), (3, true), (4, false)] {
            night.steps(30 * round).await;
            server.kill();
            tokio::time::sleep(Duration::from_millis(300 * round)).await;
            server.again(keeps_files);
        }
    };
    let outcome = night.run(&on_hosts(small(400), &url), faults).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(!night.says("quarantined"), "{}", night.log().join("\n"));
    night.rederives();
    // The buckets were made again.
    assert_eq!(night.hosts.seen().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lab_that_dies_gets_its_phones_back_and_another_one_waits() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let host = HostProcess::start(&server, "left", 1, &[]).await;
    let first = Night::begin(&server, 1).await;
    let second = Night::begin(&server, 1).await;
    let definition = on_hosts(small(120), &server.url());
    let others = on_hosts(small(40), &server.url());
    let (ended, other) = tokio::join!(first.run(&definition, async {}), async {
        first.steps(20).await;
        // Both want the phone: this one waits until the other is done.
        let outcome = second.run(&others, async {}).await;
        assert!(second.says("leased by"), "{}", second.log().join("\n"));
        outcome
    });
    assert_eq!((ended.end, other.end), (SessionEnd::Complete, SessionEnd::Complete));
    // What lies on the phone is what a third lab sees over plain ADB.
    let device = crate::care::ward::client(host.sim(), "left-1");
    let noted = device.noted(&Patience::default()).await.unwrap();
    assert_eq!(noted.text, "", "the note was taken away");
    first.rederives();
    second.rederives();
}
