//! `sync:`: push, pull, stat and list, in both versions of stat and list.
//!
//! A request is a four-byte id, a length (u32 LE) and that many bytes of path; what follows
//! depends on the id. Source: AOSP `packages/modules/adb/SYNC.TXT` and `file_sync_protocol.h`.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use tokio::io::AsyncWriteExt;

use super::{Duplex, read_array, read_vec};
use crate::SimDevice;
use crate::files::{FileError, MTIME, Node};

const MAX_PATH: usize = 1_024;
const MAX_CHUNK: usize = 64 << 10;
/// The largest file that can be pushed.
const MAX_FILE: usize = 192 << 20;

/// Serves requests until `QUIT`, the end of the stream or nonsense.
pub(super) async fn serve(device: &Arc<SimDevice>, stream: &mut Box<dyn Duplex>) -> io::Result<()> {
    while let Some(head) = read_array::<8>(stream).await? {
        let (id, length) = split(head);
        if &id == b"QUIT" {
            return Ok(());
        }
        if length > MAX_PATH {
            fail(stream, "path too long").await?;
            return Ok(());
        }
        let path = String::from_utf8_lossy(&read_vec(stream, length).await?).into_owned();
        device.fetch(&path);
        match &id {
            b"STAT" => stat(device, stream, &path).await?,
            b"STA2" | b"LST2" => stat_v2(device, stream, id, &path).await?,
            b"LIST" => list(device, stream, &path).await?,
            b"LIS2" => list_v2(device, stream, &path).await?,
            b"RECV" => send_file(device, stream, &path).await?,
            b"SEND" => receive_file(device, stream, &path).await?,
            _ => {
                fail(stream, &format!("unknown command {}", String::from_utf8_lossy(&id).escape_default()))
                    .await?;
                return Ok(());
            }
        }
    }
    Ok(())
}

fn split(head: [u8; 8]) -> ([u8; 4], usize) {
    let [a, b, c, d, e, f, g, h] = head;
    ([a, b, c, d], u32::from_le_bytes([e, f, g, h]) as usize)
}

fn word(value: usize) -> [u8; 4] {
    u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes()
}

async fn fail(stream: &mut Box<dyn Duplex>, text: &str) -> io::Result<()> {
    let mut message = b"FAIL".to_vec();
    message.extend(word(text.len()));
    message.extend(text.as_bytes());
    stream.write_all(&message).await
}

async fn stat(device: &SimDevice, stream: &mut Box<dyn Duplex>, path: &str) -> io::Result<()> {
    let mut answer = b"STAT".to_vec();
    match device.files().get(path) {
        Ok(node) => {
            let size = u32::try_from(node.size()).unwrap_or(u32::MAX);
            answer.extend([node.mode(), size, MTIME].into_iter().flat_map(u32::to_le_bytes));
        }
        Err(_) => answer.extend([0; 12]),
    }
    stream.write_all(&answer).await
}

async fn stat_v2(
    device: &SimDevice,
    stream: &mut Box<dyn Duplex>,
    id: [u8; 4],
    path: &str,
) -> io::Result<()> {
    let mut answer = id.to_vec();
    answer.extend(details(device.files().get(path)));
    stream.write_all(&answer).await
}

/// The 68 bytes after the id of a version 2 stat: error, device, inode, mode, links, owner,
/// group, size and three times.
fn details(node: Result<&Node, FileError>) -> Vec<u8> {
    let (error, mode, size) = match node {
        Ok(node) => (0, node.mode(), node.size()),
        Err(error) => (error.errno(), 0, 0),
    };
    let time = if error == 0 { i64::from(MTIME) } else { 0 };
    let mut bytes = error.to_le_bytes().to_vec();
    bytes.extend([1_u64, 1].into_iter().flat_map(u64::to_le_bytes));
    bytes.extend([mode, 1, 0, 0].into_iter().flat_map(u32::to_le_bytes));
    bytes.extend(size.to_le_bytes());
    bytes.extend([time; 3].into_iter().flat_map(i64::to_le_bytes));
    bytes
}

async fn list(device: &SimDevice, stream: &mut Box<dyn Duplex>, path: &str) -> io::Result<()> {
    let mut answer = Vec::new();
    for (name, node) in device.files().list(path).unwrap_or_default() {
        let size = u32::try_from(node.size()).unwrap_or(u32::MAX);
        answer.extend(b"DENT");
        answer.extend([node.mode(), size, MTIME].into_iter().flat_map(u32::to_le_bytes));
        answer.extend(word(name.len()));
        answer.extend(name.as_bytes());
    }
    answer.extend(b"DONE");
    answer.extend([0; 16]);
    stream.write_all(&answer).await
}

async fn list_v2(device: &SimDevice, stream: &mut Box<dyn Duplex>, path: &str) -> io::Result<()> {
    let mut answer = Vec::new();
    for (name, node) in device.files().list(path).unwrap_or_default() {
        answer.extend(b"DNT2");
        answer.extend(details(Ok(node)));
        answer.extend(word(name.len()));
        answer.extend(name.as_bytes());
    }
    answer.extend(b"DONE");
    answer.extend([0; 72]);
    stream.write_all(&answer).await
}

/// `RECV`: the host pulls a file.
async fn send_file(device: &SimDevice, stream: &mut Box<dyn Duplex>, path: &str) -> io::Result<()> {
    let read = device.files().read(path);
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(error) => return fail(stream, &format!("open failed: {error}")).await,
    };
    for chunk in bytes.chunks(MAX_CHUNK) {
        let mut message = Vec::with_capacity(chunk.len() + 8);
        message.extend(b"DATA");
        message.extend(word(chunk.len()));
        message.extend(chunk);
        if let Some(allowed) = device.allowance(chunk.len()) {
            stream.write_all(message.get(..allowed + 8).unwrap_or(&message)).await?;
            stream.flush().await?;
            device.unplug();
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        stream.write_all(&message).await?;
    }
    stream.write_all(b"DONE\0\0\0\0").await
}

/// `SEND`: the host pushes a file; `path` ends in a comma and the mode.
async fn receive_file(device: &SimDevice, stream: &mut Box<dyn Duplex>, path: &str) -> io::Result<()> {
    let (path, mode) = match path.rsplit_once(',') {
        Some((path, mode)) => (path, mode.parse::<u32>().unwrap_or(0o644)),
        None => (path, 0o644),
    };
    let mut bytes: Vec<u8> = Vec::new();
    let mut too_big = false;
    loop {
        let head = read_array::<8>(stream).await?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let (id, length) = split(head);
        match &id {
            b"DATA" if length <= MAX_CHUNK => {
                let chunk = read_vec(stream, length).await?;
                // What does not fit is read and thrown away, so that the answer is understood.
                too_big |= bytes.len() + length > MAX_FILE;
                if !too_big {
                    bytes.extend(chunk);
                }
            }
            b"DONE" => break,
            _ => {
                fail(stream, "invalid data message").await?;
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
    }
    let written = match too_big {
        true => Err(FileError::NoSpace),
        false => device.files().write(path, Bytes::from(bytes), mode, true),
    };
    match written {
        Ok(()) => stream.write_all(b"OKAY\0\0\0\0").await,
        Err(error @ FileError::NoSpace) => fail(stream, &format!("write failed: {error}")).await,
        Err(error) => fail(stream, &format!("couldn't create file: {error}")).await,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::AsyncReadExt;

    use super::*;
    use crate::tests::device;

    fn request(id: &[u8; 4], path: &str) -> Vec<u8> {
        let mut bytes = id.to_vec();
        bytes.extend(word(path.len()));
        bytes.extend(path.as_bytes());
        bytes
    }

    /// Sends `bytes`, closes, and gives what came back.
    async fn exchange(device: &Arc<SimDevice>, bytes: Vec<u8>) -> Vec<u8> {
        let (mut near, far) = tokio::io::duplex(1 << 20);
        let device = Arc::clone(device);
        let serving = tokio::spawn(async move {
            let mut far: Box<dyn Duplex> = Box::new(far);
            let _ = serve(&device, &mut far).await;
        });
        let mut answer = Vec::new();
        let talk = async {
            let _ = near.write_all(&bytes).await;
            let _ = near.shutdown().await;
            let _ = near.read_to_end(&mut answer).await;
        };
        assert!(tokio::time::timeout(Duration::from_secs(5), talk).await.is_ok(), "hangs");
        assert!(serving.await.is_ok(), "panicked");
        answer
    }

    #[tokio::test]
    async fn pushes_and_pulls() {
        let device = device();
        let mut push = request(b"SEND", "/sdcard/new/r.bin,33188");
        for chunk in [vec![7; 70_000 - MAX_CHUNK], vec![8; MAX_CHUNK]] {
            push.extend(b"DATA");
            push.extend(word(chunk.len()));
            push.extend(chunk);
        }
        push.extend(b"DONE\x01\0\0\0");
        push.extend(request(b"RECV", "/sdcard/new/r.bin"));
        let answer = exchange(&device, push).await;
        assert_eq!(answer.get(..8), Some(&b"OKAY\0\0\0\0"[..]));
        assert_eq!(answer.len(), 8 + 70_000 + 2 * 8 + 8);
        assert_eq!(device.file("/sdcard/new/r.bin").map(|bytes| bytes.len()), Some(70_000));
    }

    #[tokio::test]
    async fn missing_files_and_places_fail_in_words() {
        let device = device();
        for (bytes, expected) in [
            (request(b"RECV", "/sdcard/none"), "open failed: No such file or directory"),
            (
                [request(b"SEND", "/system/x,420"), b"DONE\0\0\0\0".to_vec()].concat(),
                "couldn't create file: Permission denied",
            ),
            (request(b"XXXX", ""), "unknown command XXXX"),
        ] {
            let answer = exchange(&device, bytes).await;
            assert_eq!(answer.get(..4), Some(&b"FAIL"[..]));
            assert_eq!(String::from_utf8_lossy(&answer[8..]), expected);
        }
    }

    #[tokio::test]
    async fn stats_have_their_fixed_sizes() {
        let device = device();
        for (id, path, length) in [
            (b"STAT", "/sdcard", 16),
            (b"STA2", "/sdcard", 72),
            (b"STA2", "/sdcard/none", 72),
            (b"LST2", "/sdcard", 72),
            (b"LIST", "/data/local", 20 + 3 + 20),
            (b"LIS2", "/data/local", 76 + 3 + 76),
            (b"LIS2", "/none", 76),
        ] {
            let answer = exchange(&device, request(id, path)).await;
            assert_eq!(answer.len(), length, "{} {path}", String::from_utf8_lossy(id));
        }
    }

    #[tokio::test]
    async fn garbage_ends_it() {
        let device = device();
        for bytes in [&b"x"[..], b"SEND\xff\xff\xff\xff", b"RECV\x05\0\0\0ab", &[0; 100], &[0xff; 100]] {
            exchange(&device, bytes.to_vec()).await;
        }
    }
}
