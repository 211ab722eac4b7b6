//! Both doors of the simulated lab as a hostile or careless client meets them.

use std::time::Duration;

use droidmux::sim::{Fault, LinkState, SimLab, SimOptions, apps};
use proptest::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const WITHIN: Duration = Duration::from_secs(30);

async fn lab(devices: u16) -> SimLab {
    let options = SimOptions { devices, adbd: true, strict: true, ..SimOptions::with_apps(apps::all()) };
    SimLab::start(options).await.expect("a lab")
}

fn request(name: &str) -> Vec<u8> {
    format!("{:04x}{name}", name.len()).into_bytes()
}

/// Sends requests on one connection and returns everything that comes back.
async fn ask(lab: &SimLab, requests: &[&str]) -> String {
    let mut stream = TcpStream::connect(lab.server_addr()).await.expect("the server door");
    for name in requests {
        // A refused request closes the connection before the next is sent.
        let _ = stream.write_all(&request(name)).await;
    }
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    let _ = tokio::time::timeout(WITHIN, read).await.expect("an answer in time");
    String::from_utf8_lossy(&answer).into_owned()
}

fn okay(text: &str) -> String {
    format!("OKAY{:04x}{text}", text.len())
}

fn fail(text: &str) -> String {
    format!("FAIL{:04x}{text}", text.len())
}

#[tokio::test]
async fn the_server_answers_as_a_genuine_one() {
    let lab = lab(2).await;
    lab.devices()[1].set_state(LinkState::Offline);
    let features = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir,apex,abb_exec";
    let adbd = lab.adbd_addrs()[0];
    let known = format!("already connected to {adbd}");
    for (requests, expected) in [
        (vec!["host:version"], okay("0029")),
        (vec!["host:devices"], okay("sim-1\tdevice\nsim-2\toffline\n")),
        (vec!["host-serial:sim-1:get-state"], okay("device")),
        (vec!["host-serial:sim-2:get-state"], okay("offline")),
        (vec!["host-serial:x:get-state"], fail("device 'x' not found")),
        (vec!["host-serial:sim-1:features"], okay(features)),
        (vec!["host:kill"], "OKAY".to_owned()),
        (vec!["host:nonsense"], fail("unknown host service")),
        (vec!["host:transport:sim-2"], fail("device offline")),
        (vec!["host:transport-any"], fail("more than one device/emulator")),
        (vec!["host:transport:sim-1", "shell:echo hi"], "OKAYOKAYhi\n".to_owned()),
        (vec!["host:transport-id:1", "exec:echo hi"], "OKAYOKAYhi\n".to_owned()),
        (vec!["host:tport:serial:sim-1", "exec:echo hi"], "OKAY\u{1}\0\0\0\0\0\0\0OKAYhi\n".to_owned()),
        (vec!["host:transport:sim-1", "nosuch:x"], "OKAYFAIL0006closed".to_owned()),
        (vec!["shell:echo"], fail("device offline (no transport)")),
        (vec!["host:connect:1.2.3.4:5"], okay("failed to connect to 1.2.3.4:5")),
        (vec![&format!("host:connect:{adbd}")], okay(&known)),
        (vec!["host-serial:sim-1:wait-for-any-device"], "OKAYOKAY".to_owned()),
        (vec!["zzzz"], fail("device offline (no transport)")),
    ] {
        assert_eq!(ask(&lab, &requests).await, expected, "{requests:?}");
    }
}

#[tokio::test]
async fn a_tracker_sees_devices_come_and_go() {
    let lab = lab(1).await;
    let mut stream = TcpStream::connect(lab.server_addr()).await.expect("the server door");
    stream.write_all(&request("host:track-devices")).await.expect("a request");
    let mut okay = [0; 4];
    stream.read_exact(&mut okay).await.expect("OKAY");
    let mut next = async || {
        let mut length = [0; 4];
        tokio::time::timeout(WITHIN, stream.read_exact(&mut length)).await.expect("in time").expect("a list");
        let length = usize::from_str_radix(&String::from_utf8_lossy(&length), 16).expect("a length");
        let mut text = vec![0; length];
        stream.read_exact(&mut text).await.expect("the list");
        String::from_utf8_lossy(&text).into_owned()
    };
    assert_eq!(next().await, "sim-1\tdevice\n");
    let device = &lab.devices()[0];
    device.unplug();
    assert_eq!(next().await, "");
    device.set_state(LinkState::Unauthorized);
    assert_eq!(next().await, "sim-1\tunauthorized\n");
    device.replug();
    assert_eq!(next().await, "sim-1\tdevice\n");
}

#[tokio::test]
async fn an_unplugged_device_ends_its_streams() {
    let lab = lab(1).await;
    let waiting = ask(&lab, &["host:transport:sim-1", "shell,v2,raw:sleep 100"]);
    let unplug = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        lab.devices()[0].unplug();
    };
    let (answer, ()) = tokio::join!(waiting, unplug);
    assert_eq!(answer, "OKAYOKAY", "no exit code");
    assert_eq!(ask(&lab, &["host:transport:sim-1"]).await, "FAIL0018device 'sim-1' not found");
}

#[tokio::test]
async fn an_app_can_be_missing() {
    let lab = lab(1).await;
    let device = &lab.devices()[0];
    let app =
        device.with_phone(|phone| phone.packages()).into_iter().find(|p| !p.system).expect("an app").name;
    device.inject(Fault::AppMissing(app.clone()), None);
    let answer =
        ask(&lab, &["host:transport:sim-1", &format!("shell:dumpsys package {app}; pm path {app}; echo $?")])
            .await;
    assert_eq!(answer, format!("OKAYOKAYUnable to find package: {app}\n1\n"));
    device.heal();
    let answer = ask(&lab, &["host:transport:sim-1", &format!("shell:pm path {app}")]).await;
    assert!(answer.starts_with("OKAYOKAYpackage:/data/app/"), "{answer}");
}

/// Writes bytes to an address, closes that side, and reads until the other ends.
async fn pour(address: std::net::SocketAddr, bytes: &[u8]) {
    let mut stream = TcpStream::connect(address).await.expect("a door");
    let _ = stream.write_all(bytes).await;
    let _ = stream.shutdown().await;
    let mut sink = Vec::new();
    let read = stream.read_to_end(&mut sink);
    let _ = tokio::time::timeout(WITHIN, read).await.expect("the door lets go");
}

fn packet(command: &[u8; 4], arg0: u32, arg1: u32, payload: &[u8]) -> Vec<u8> {
    let word = u32::from_le_bytes(*command);
    let length = u32::try_from(payload.len()).unwrap_or(0);
    let words = [word, arg0, arg1, length, 0, word ^ u32::MAX];
    let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    bytes.extend(payload);
    bytes
}

#[test]
fn hostile_bytes_never_hang_a_door() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let lab = runtime.block_on(lab(1));
    let command = prop_oneof![
        Just(*b"OPEN"),
        Just(*b"WRTE"),
        Just(*b"OKAY"),
        Just(*b"CLSE"),
        Just(*b"CNXN"),
        Just(*b"AUTH")
    ];
    let payload = prop_oneof![
        Just(b"shell:cat\0".to_vec()),
        Just(b"sync:\0".to_vec()),
        Just(b"shell,v2:\0".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..40),
    ];
    let packets = proptest::collection::vec((command, 0..4_u32, 0..4_u32, payload), 0..12);
    let garbage = proptest::collection::vec(any::<u8>(), 0..200);
    let requests = proptest::collection::vec(
        "(host:|host-serial:sim-1:|sync:|exec:|reverse:|framebuffer:|tport:)?[a-z:;,0-9-]{0,20}",
        0..4,
    );
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(100));
    let outcome = runner.run(&(garbage, packets, requests), |(garbage, packets, requests)| {
        let mut talk = packet(b"CNXN", 0x0100_0001, 1 << 20, b"host::");
        for (command, arg0, arg1, payload) in &packets {
            talk.extend(packet(command, *arg0, *arg1, payload));
        }
        let mut asked: Vec<u8> = request("host:transport:sim-1");
        for name in requests.iter().filter(|name| !name.contains("track") && !name.contains("wait")) {
            asked.extend(request(name));
        }
        runtime.block_on(async {
            for address in [lab.server_addr(), lab.adbd_addrs()[0]] {
                pour(address, &garbage).await;
            }
            pour(lab.adbd_addrs()[0], &[&talk[..], &garbage[..]].concat()).await;
            pour(lab.server_addr(), &[&asked[..], &garbage[..]].concat()).await;
        });
        Ok(())
    });
    lab.take_unknown_commands();
    assert!(outcome.is_ok(), "{outcome:?}");
    assert_eq!(runtime.block_on(ask(&lab, &["host:transport:sim-1", "exec:echo alive"])), "OKAYOKAYalive\n");
}

/// A stream's host may close it right after its last bytes: what a service has not read yet still belongs to it.
#[tokio::test]
async fn what_was_sent_before_a_close_arrives() {
    let lab = lab(1).await;
    let address = *lab.adbd_addrs().first().expect("a door");
    let mut host = TcpStream::connect(address).await.expect("the adbd door");
    let packet = |command: &[u8; 4], arg0: u32, arg1: u32, payload: &[u8]| {
        let word = u32::from_le_bytes(*command);
        let length = u32::try_from(payload.len()).expect("short");
        let sum = payload.iter().fold(0_u32, |sum, byte| sum.wrapping_add(u32::from(*byte)));
        let head = [word, arg0, arg1, length, sum, word ^ u32::MAX];
        [head.into_iter().flat_map(u32::to_le_bytes).collect(), payload.to_vec()].concat()
    };
    let sent: Vec<u8> = (0..200_000_u32).map(|n| (n % 251) as u8).collect();
    let mut all: Vec<u8> = packet(b"CNXN", 0x0100_0001, 1 << 20, b"host::\0");
    all.extend(packet(b"OPEN", 7, 0, b"exec:cat > /sdcard/kept\0"));
    all.extend(packet(b"WRTE", 7, 1, &sent));
    all.extend(packet(b"CLSE", 7, 1, b""));
    host.write_all(&all).await.expect("sent");
    // The device closes its side when the service is done.
    let mut answer = Vec::new();
    let closed = async {
        let mut buffer = vec![0; 4_096];
        while !answer.windows(4).any(|four| four == b"CLSE") {
            let read = host.read(&mut buffer).await.expect("the connection lives");
            assert_ne!(read, 0, "the device hung up");
            answer.extend_from_slice(&buffer[..read]);
        }
    };
    tokio::time::timeout(WITHIN, closed).await.expect("the stream is closed");
    let kept = lab.devices()[0].file("/sdcard/kept").expect("the file");
    assert!(kept == sent.as_slice(), "{} of {} bytes", kept.len(), sent.len());
}
