//! What goes over the wire between a lab and a host.

use std::time::Duration;

use async_nats::{Client, Message, Subscriber};
use droidmux::device::remote::{Choice, Hosts, Waits, Way};
use droidmux::device::{Device, Gesture, Key, Manner, Patience};
use futures_util::{FutureExt, StreamExt};

use super::{HostProcess, NatsServer, is_installed};

/// Messages between a lab and the host `left`, as somebody else hears them.
struct Tap {
    client: Client,
    asked: Subscriber,
    answered: Subscriber,
}

impl Tap {
    async fn on(server: &NatsServer) -> Self {
        let client = async_nats::connect(server.url()).await.unwrap();
        let asked = client.subscribe("droidmux.host.left").await.unwrap();
        let answered = client.subscribe("droidmux.reply.>").await.unwrap();
        let mut tap = Self { client, asked, answered };
        // Flushing sends the subscriptions; only an answer tells that the server has taken them.
        tap.heard().await;
        tap
    }

    /// All since the last time: requests, and replies.
    async fn heard(&mut self) -> (Vec<Message>, Vec<Message>) {
        // What the server has taken before this was sent out before its own answer.
        let own = self.client.new_inbox();
        let mut marker = self.client.subscribe(own.clone()).await.unwrap();
        self.client.publish(own, "".into()).await.unwrap();
        self.client.flush().await.unwrap();
        marker.next().await.unwrap();
        let drain = |subscriber: &mut Subscriber| {
            std::iter::from_fn(|| subscriber.next().now_or_never().flatten()).collect::<Vec<_>>()
        };
        (drain(&mut self.asked), drain(&mut self.answered))
    }
}

async fn lab(server: &NatsServer) -> Hosts {
    let way = Way { url: server.url(), ..Way::default() };
    Hosts::connect(&way, Choice::default(), None, env!("CARGO_PKG_VERSION"), Waits::default()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_works_says_so_unasked() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let host = HostProcess::start(&server, "left", 1, &[]).await;
    host.says("is offered").await;
    let hosts = lab(&server).await;
    let device = hosts.device("left-1@left");
    let patience = Patience::of(Duration::from_secs(60));
    device.info(&patience).await.unwrap();
    let mut tap = Tap::on(&server).await;
    device.perform(&Gesture::Wait(7), &patience).await.unwrap();
    let (asked, answered) = tap.heard().await;
    // Asked once, though that took longer than a lab waits before it asks again.
    assert!(Waits::default().again < Duration::from_secs(3));
    assert_eq!(asked.len(), 1);
    assert!((3..8).contains(&answered.len()), "{} replies", answered.len());
    hosts.close();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_that_was_seen_before_is_not_sent_again() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let host = HostProcess::start(&server, "left", 1, &[]).await;
    host.says("is offered").await;
    let patience = Patience::of(Duration::from_secs(60));
    let mut tap = Tap::on(&server).await;
    let mut sizes = Vec::new();
    let mut hashes = Vec::new();
    let hosts = lab(&server).await;
    let device = hosts.device("left-1@left");
    device.start("org.droidmux.notes", &patience).await.unwrap();
    for _ in 0..2 {
        tap.heard().await;
        let seen = device.observe(&Manner::Strict, 5, &patience).await.unwrap();
        sizes.push(tap.heard().await.1.iter().map(|message| message.payload.len()).max().unwrap());
        hashes.push(seen.settled.layout.hash());
    }
    assert!(hashes[0] == hashes[1] && sizes[1] * 2 < sizes[0], "{sizes:?}");
    // Another one, and back: it is still known.
    device.perform(&Gesture::Key(Key::Home), &patience).await.unwrap();
    assert_ne!(device.observe(&Manner::Strict, 5, &patience).await.unwrap().settled.layout.hash(), hashes[0]);
    device.start("org.droidmux.notes", &patience).await.unwrap();
    tap.heard().await;
    let seen = device.observe(&Manner::Strict, 5, &patience).await.unwrap();
    let size = tap.heard().await.1.iter().map(|message| message.payload.len()).max().unwrap();
    assert!(seen.settled.layout.hash() == hashes[0] && size * 2 < sizes[0], "{size}, {sizes:?}");
    hosts.close();
}
