//! `host:wait-for-TRANSPORT-STATE`.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Shared, Target, fail};
use crate::LinkState;

/// Answers `OKAY` at once and again when the device is in the wanted state.
pub(super) async fn serve(
    mut stream: TcpStream,
    shared: &Arc<Shared>,
    target: &Target,
    wanted: &str,
) -> io::Result<()> {
    let mut changes = shared.changes.subscribe();
    let state = wanted.split_once('-').map_or(wanted, |(_, state)| state);
    let fits = || match (state, shared.choose(target).map(|device| device.state())) {
        ("disconnect", found) => found.is_err(),
        ("any", found) => found.is_ok(),
        ("device", found) => found == Ok(LinkState::Device),
        ("offline", found) => found == Ok(LinkState::Offline),
        ("unauthorized", found) => found == Ok(LinkState::Unauthorized),
        _ => false,
    };
    if !["disconnect", "any", "device", "offline", "unauthorized"].contains(&state) {
        return fail(&mut stream, &format!("unknown state for wait-for-: {state}")).await;
    }
    stream.write_all(b"OKAY").await?;
    let mut ignored = [0; 64];
    while !fits() {
        tokio::select! {
            changed = changes.changed() => changed.map_err(io::Error::other)?,
            read = stream.read(&mut ignored) => if read? == 0 { return Ok(()) },
        }
    }
    stream.write_all(b"OKAY").await
}
