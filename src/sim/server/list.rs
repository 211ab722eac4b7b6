//! Device lists, sent once or continuously.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Shared, counted};
use crate::LinkState;

/// The lines of `host:devices` or `host:devices-l`.
pub(super) fn devices(shared: &Shared, long: bool) -> String {
    let mut text = String::new();
    for device in &shared.devices {
        let state = device.state();
        if state == LinkState::Absent {
            continue;
        }
        let serial = device.serial();
        if !long {
            text += &format!("{serial}\t{state}\n");
            continue;
        }
        text += &format!("{serial:<22} {state}");
        if state == LinkState::Device {
            let [product, model, name] = device.identity().map(|value| plain(&value));
            text += &format!(" product:{product} model:{model} device:{name}");
        }
        text += &format!(" transport_id:{}\n", device.transport_id());
    }
    text
}

/// Sends the list now and whenever it has changed, until the client goes away.
pub(super) async fn track(mut stream: TcpStream, shared: &Arc<Shared>, long: bool) -> io::Result<()> {
    let mut changes = shared.changes.subscribe();
    stream.write_all(b"OKAY").await?;
    let mut last: Option<String> = None;
    let mut ignored = [0; 64];
    loop {
        changes.mark_unchanged();
        let now = devices(shared, long);
        if last.as_ref() != Some(&now) {
            stream.write_all(&counted(&now)).await?;
            last = Some(now);
        }
        tokio::select! {
            changed = changes.changed() => changed.map_err(io::Error::other)?,
            read = stream.read(&mut ignored) => if read? == 0 { return Ok(()) },
        }
    }
}

/// As a server writes values into its list: anything that is not a letter or digit becomes `_`.
fn plain(value: &str) -> String {
    value.chars().map(|c| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '_' }).collect()
}
