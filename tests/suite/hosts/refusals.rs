//! What is refused in words: credentials, names, garbage, packages that a host does not allow.

use std::time::Duration;

use droidmux::device::remote::{Choice, Credentials, Hosts, LinkError, Waits, Way};
use droidmux::device::{Beginning, Device, DeviceErrorKind, Gesture, Patience};

use super::{HostProcess, NatsServer, Night, is_installed, odd_host, quick};

const USERS: &str = "authorization { users: [ { user: ann, password: right } ] }";

#[tokio::test(flavor = "multi_thread")]
async fn wrong_credentials_are_refused_in_words() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::with(USERS);
    let connect = async |credentials: Credentials| {
        let way = Way { url: server.url(), credentials, ca: None };
        Hosts::connect(&way, Choice::default(), None, "0", Waits::default()).await.map(drop)
    };
    let wrong = connect(Credentials::Password("ann".into(), "wrong".into())).await;
    assert_eq!(wrong, Err(LinkError::Credentials(server.url())));
    assert_eq!(connect(Credentials::Password("ann".into(), "right".into())).await, Ok(()));
    let missing = connect(Credentials::Creds("/nowhere/a.creds".into())).await;
    assert!(matches!(missing, Err(LinkError::File { .. })), "{missing:?}");
    let mut host = HostProcess::start(&server, "left", 1, &[]).await;
    assert_eq!(host.code(), Some(3));
    assert!(host.said().contains("refuses these credentials"), "{}", host.said());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_taken_once() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let _first = HostProcess::start(&server, "left", 1, &[]).await;
    let _night = Night::begin(&server, 1).await;
    let mut second = HostProcess::start(&server, "left", 1, &[]).await;
    assert_eq!(second.code(), Some(3));
    assert!(second.said().contains("another host is called left already"), "{}", second.said());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_does_only_what_it_allows() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let _host = HostProcess::start(&server, "left", 1, &["--allow", "org.droidmux.notes"]).await;
    let night = Night::begin(&server, 1).await;
    let device = night.hosts.device("left-1@left");
    let patience = Patience::of(Duration::from_secs(20));
    assert_eq!(device.info(&patience).await.unwrap().serial, "left-1@left");
    device.begin("org.droidmux.notes", Beginning::default(), &patience).await.unwrap();
    let error = device.begin("org.droidmux.diary", Beginning::default(), &patience).await.unwrap_err();
    assert!(matches!(error.kind, DeviceErrorKind::Refused { .. }), "{error}");
    assert!(error.to_string().contains("`--allow org.droidmux.diary`"), "{error}");
    let error = device.perform(&Gesture::Kill("a; reboot".into()), &patience).await.unwrap_err();
    assert!(error.to_string().contains("does not take"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_of_another_version_is_refused_with_both_versions() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let left = HostProcess::start(&server, "left", 1, &[]).await;
    let _odd = odd_host(&server, left.sim().server_addr()).await;
    let night = Night::begin(&server, 1).await;
    night
        .waits_for("odd: refused: host odd has droidmux 9.9 with version 2 of the wire, this is 0.1.0 with 1")
        .await;
    let patience = Patience::of(Duration::from_secs(20));
    let error = night.hosts.device("left-1@odd").info(&patience).await.unwrap_err();
    let words = "host odd has droidmux 9.9 with version 2 of the wire, this is version 1";
    assert!(error.to_string().contains(words), "{error}");
    assert!(night.hosts.device("left-1@left").info(&patience).await.is_ok());
    assert!(night.hosts.listed().iter().all(|phone| phone.host == "left"), "{:?}", night.hosts.listed());
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_disturbs_nothing() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let host = HostProcess::start(&server, "left", 1, &[]).await;
    let night = Night::begin(&server, 1).await;
    let client = async_nats::connect(server.url()).await.unwrap();
    for bytes in [vec![], b"hello".to_vec(), vec![0xff; 100_000], b"DMXN\x01\x00\x00".to_vec()] {
        client.publish("droidmux.host.left", bytes.clone().into()).await.unwrap();
        client.publish_with_reply("droidmux.host.left", "elsewhere", bytes.clone().into()).await.unwrap();
        client.publish("$KV.droidmux-hosts.left", bytes.clone().into()).await.unwrap();
        client.publish("$KV.droidmux-hosts.other", bytes.into()).await.unwrap();
    }
    client.flush().await.unwrap();
    let device = night.hosts.device("left-1@left");
    let info = device.info(&Patience::of(Duration::from_secs(20))).await.unwrap();
    assert_eq!(info.serial, "left-1@left");
    host.says("are ignored").await;
    assert_eq!(night.hosts.seen().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_not_there_is_told() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let night = Night::begin(&server, 0).await;
    let error =
        night.hosts.device("x@nowhere").info(&Patience::of(Duration::from_secs(20))).await.unwrap_err();
    assert_eq!(error.serial, "x@nowhere");
    assert!(error.kind.is_serverless(), "{error}");
    assert!(error.to_string().contains("nobody listens for host nowhere"), "{error}");
    assert!(quick().nobody < Duration::from_secs(2));
}
