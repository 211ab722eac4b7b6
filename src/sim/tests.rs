//! What the unit tests of the wire share: a device without doors, and a client of its services.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::device::Journal;
use super::fault::Faults;
use super::service::Service;
use super::{DefectSwitches, Latency, Phone, PhoneOptions, SimApp, SimDevice};

/// A device without apps, doors or latency.
pub(super) fn device() -> Arc<SimDevice> {
    device_with(&[])
}

/// The same with these apps, sound.
pub(super) fn device_with(apps: &[SimApp]) -> Arc<SimDevice> {
    let shared = (watch::channel(0).0, Arc::new(Journal::default()), CancellationToken::new());
    let phone = Phone::new(PhoneOptions::default(), apps, &DefectSwitches::none());
    Arc::new(SimDevice::new("sim-1".to_owned(), 1, Latency::ZERO, phone, Faults::default(), shared))
}

/// Opens a service, sends `input`, closes, and gives all that came back.
pub(super) async fn talk(device: &Arc<SimDevice>, service: &str, input: &[u8]) -> Vec<u8> {
    let service = Service::parse(service).expect("a known service");
    let (mut near, far) = tokio::io::duplex(1 << 16);
    let serving = tokio::spawn(service.run(Arc::clone(device), Box::new(far)));
    let mut answer = Vec::new();
    let (mut read, mut write) = tokio::io::split(&mut near);
    let sending = async {
        let _ = write.write_all(input).await;
        let _ = write.shutdown().await;
    };
    let both = async { tokio::join!(sending, read.read_to_end(&mut answer)).1 };
    let ended = tokio::time::timeout(Duration::from_secs(10), both).await;
    assert!(ended.is_ok(), "the service hangs");
    drop(near);
    assert!(serving.await.is_ok(), "the service panicked");
    answer
}

/// What a script printed on both outputs, and its exit code when there is one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Ran {
    pub(super) out: String,
    pub(super) err: String,
    pub(super) code: Option<u8>,
}

/// Runs a script by shell protocol version 2 with this text as its input.
pub(super) async fn shell(device: &Arc<SimDevice>, script: &str, input: &str) -> Ran {
    let mut bytes = vec![0];
    bytes.extend(u32::try_from(input.len()).unwrap_or(0).to_le_bytes());
    bytes.extend(input.as_bytes());
    bytes.extend([4, 0, 0, 0, 0]);
    let answer = talk(device, &format!("shell,v2,raw:{script}"), &bytes).await;
    let mut ran = Ran::default();
    let mut rest = answer.as_slice();
    while let [id, a, b, c, d, more @ ..] = rest {
        let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
        let (payload, after) = more.split_at(length);
        match id {
            1 => ran.out += &String::from_utf8_lossy(payload),
            2 => ran.err += &String::from_utf8_lossy(payload),
            _ => ran.code = payload.first().copied(),
        }
        rest = after;
    }
    ran
}
