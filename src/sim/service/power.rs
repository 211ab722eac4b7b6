//! `reboot:` and `framebuffer:`.

use std::io;
use std::sync::Arc;

use tokio::io::AsyncWriteExt;

use super::Duplex;
use crate::SimDevice;
use crate::command::SRGB;
use crate::render::{give_back, room};

/// Unplugs the device, boots the phone and plugs it in again.
pub(crate) fn reboot(device: &Arc<SimDevice>) {
    device.reboot(device.latency.launch * 40, device.latency.launch * 10);
}

/// The screen in version 2 of the frame buffer protocol: a header of 13 words, then RGBA.
pub(super) async fn framebuffer(device: &Arc<SimDevice>, stream: &mut Box<dyn Duplex>) -> io::Result<()> {
    let _room = room().await;
    let source = Arc::clone(device);
    let drawn = tokio::task::spawn_blocking(move || source.phone().screenshot());
    let screen = drawn.await.map_err(io::Error::other)?;
    let size = u32::try_from(screen.as_raw().len()).map_err(io::Error::other)?;
    let colour = [0, 8, 16, 8, 8, 8, 24, 8];
    let mut header = vec![2, 32, SRGB, size, screen.width(), screen.height()];
    header.extend(colour);
    let header: Vec<u8> = header.into_iter().flat_map(u32::to_le_bytes).collect();
    stream.write_all(&header).await?;
    stream.write_all(screen.as_raw()).await?;
    give_back(screen.into_raw());
    Ok(())
}
