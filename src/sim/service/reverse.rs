//! `reverse:`: the device keeps the list; nothing on a simulated phone ever connects.

use std::io;
use std::sync::Arc;

use tokio::io::AsyncWriteExt;

use super::Duplex;
use crate::SimDevice;
use crate::device::lock;

/// Most reversed sockets of one device.
const MAX: usize = 256;

/// Answers one request and ends.
pub(super) async fn serve(
    device: &Arc<SimDevice>,
    stream: &mut Box<dyn Duplex>,
    request: &str,
) -> io::Result<()> {
    let answer = answer(device, request);
    stream.write_all(answer.as_bytes()).await
}

fn answer(device: &SimDevice, request: &str) -> String {
    let mut reversed = lock(&device.reversed);
    if let Some(pair) = request.strip_prefix("forward:") {
        let pair = pair.strip_prefix("norebind:").unwrap_or(pair);
        let Some((local, remote)) = pair.split_once(';') else { return fail("bad forward") };
        let known = reversed.iter().position(|(at, _)| at == local);
        if known.is_some() && request.starts_with("forward:norebind:") {
            return fail("cannot rebind existing socket");
        }
        if let Some(known) = known {
            reversed.remove(known);
        }
        if reversed.len() >= MAX {
            return fail("too many reversed sockets");
        }
        // The kernel's choice for port 0; only reported, never listened on.
        let port = (local == "tcp:0").then(|| (40_000 + reversed.len()).to_string());
        let local = port.as_ref().map_or_else(|| local.to_owned(), |port| format!("tcp:{port}"));
        reversed.push((local, remote.to_owned()));
        return format!("OKAY{}", port.map(|port| counted(&port)).unwrap_or_default());
    }
    if let Some(local) = request.strip_prefix("killforward:") {
        let before = reversed.len();
        reversed.retain(|(at, _)| at != local);
        let missing = || fail(&format!("listener '{local}' not found"));
        return if reversed.len() < before { "OKAY".to_owned() } else { missing() };
    }
    match request {
        "killforward-all" => {
            reversed.clear();
            "OKAY".to_owned()
        }
        "list-forward" => {
            let lines = reversed.iter().map(|(local, remote)| format!("host {local} {remote}\n"));
            counted(&lines.collect::<String>())
        }
        _ => fail("unknown reverse request"),
    }
}

fn counted(text: &str) -> String {
    format!("{:04x}{text}", text.len())
}

fn fail(text: &str) -> String {
    format!("FAIL{}", counted(text))
}
