//! Connections that are slow, dead, of another version or not droidmux at all.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use droidmux::proto::greeting::{Hello, PROTOCOL, Purpose};
use droidmux::proto::{LogLens, Request, ToLab, ToViewer, decode, encode};

use super::fixture::{Site, steps};

/// For how long a slow viewer reads nothing.
const STALLED: Duration = Duration::from_secs(2);
/// In which it is told what it missed.
const WORD: Duration = Duration::from_secs(120);

fn socket(site: &Site) -> UnixStream {
    let folder = site.folder.path().join("droidmux/lab");
    let path: PathBuf =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).next().expect("a socket");
    let stream = UnixStream::connect(path).expect("connected");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
    stream
}

fn greeting(protocol: u32, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("short");
    [b"droidmux".as_slice(), &protocol.to_be_bytes(), &length.to_be_bytes(), body].concat()
}

/// A viewer that has sent its greeting and reads nothing.
fn viewer(site: &Site) -> UnixStream {
    let purpose = Purpose::View { read_only: false };
    let hello = Hello { droidmux: "0.1.0".into(), name: "slow".into(), purpose };
    let mut stream = socket(site);
    stream.write_all(&greeting(PROTOCOL, &postcard::to_stdvec(&hello).expect("written"))).expect("sent");
    let mut head = [0; 16];
    stream.read_exact(&mut head).expect("a welcome");
    let length = u32::from_be_bytes(head[12..].try_into().expect("four"));
    let mut body = vec![0; length as usize];
    stream.read_exact(&mut body).expect("a welcome");
    assert_eq!(body[0], 1);
    stream
}

fn send(stream: &mut UnixStream, word: &ToLab) -> std::io::Result<()> {
    let content = encode(word).expect("written");
    let length = u32::try_from(content.len()).expect("short");
    stream.write_all(&[&length.to_be_bytes(), &content[..]].concat())
}

/// Asks for something again and again, and reads nothing; false after a word that was sent in part.
fn ask_and_not_read(stream: &mut UnixStream, request: &ToLab) -> bool {
    let began = Instant::now();
    let mut taken = true;
    while taken && began.elapsed() < STALLED {
        taken = send(stream, request).is_ok();
        std::thread::sleep(Duration::from_millis(2));
    }
    // Always as long, so that steps can be compared.
    std::thread::sleep(STALLED.saturating_sub(began.elapsed()));
    taken
}

/// Steps recorded while something is done.
fn steps_in(site: &Site, done: impl FnOnce()) -> u64 {
    let before = steps(&site.sessions());
    done();
    steps(&site.sessions()) - before
}

/// Reads until the lab closes the connection.
fn closed(stream: &mut UnixStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A reset is an end as well.
    let _ = stream.read_to_end(&mut bytes);
    bytes
}

#[test]
fn the_dead_are_dropped_the_slow_resynchronised_and_the_engines_do_not_wait() {
    let site = Site::new(1);
    let mut run = site.session("notes-genie.toml", 100_000);
    site.wait_for("a session", |sessions| steps(sessions) > 5);

    // One that never speaks.
    let mut dead = viewer(&site);
    closed(&mut dead);

    // One that keeps asking, says that it is alive, and reads nothing for a while.
    let request = ToLab::Request(Request::Log { lens: LogLens::default(), from: 0, limit: 1_000 });
    let alone = steps_in(&site, || std::thread::sleep(STALLED));
    // Only now: whoever is silent for so long is dead.
    let mut slow = viewer(&site);
    slow.set_write_timeout(Some(Duration::from_millis(100))).expect("set");
    let mut taken = true;
    let during = steps_in(&site, || taken = ask_and_not_read(&mut slow, &request));
    assert!(during * 4 > alone, "{during} steps with a slow viewer, {alone} in the same time without");
    // What it finally reads tells it that answers are missing.
    let (mut told, began, mut stalled) = (false, Instant::now(), Instant::now());
    while !told {
        assert!(began.elapsed() < WORD, "no word that answers are missing");
        if stalled.elapsed() > STALLED && taken {
            // The answers were short as yet, and all of them found room.
            taken = ask_and_not_read(&mut slow, &request);
            stalled = Instant::now();
        }
        // After a word that was sent in part, nothing can be said any more.
        taken = taken && send(&mut slow, &ToLab::Alive).is_ok();
        let mut length = [0; 4];
        slow.read_exact(&mut length).expect("a frame");
        let mut content = vec![0; u32::from_be_bytes(length) as usize];
        slow.read_exact(&mut content).expect("a frame");
        told = matches!(decode(&content).expect("a message"), ToViewer::Resync(1..));
    }
    drop(slow);
    run.kill().expect("killed");
    let _ = run.wait();
}

#[test]
fn other_versions_and_strangers_are_turned_away_with_words() {
    let site = Site::new(1);
    let mut newer = socket(&site);
    newer.write_all(&greeting(PROTOCOL + 1, b"anything")).expect("sent");
    let said = closed(&mut newer);
    assert!(said.starts_with(b"droidmux"), "{said:?}");
    assert_eq!(said.get(8..12), Some(PROTOCOL.to_be_bytes().as_slice()));
    assert!(said.ends_with(env!("CARGO_PKG_VERSION").as_bytes()));
    for stranger in [b"GET / HTTP/1.1\r\n\r\n".to_vec(), vec![0xff; 4_096], greeting(PROTOCOL, &[0xff; 64])] {
        let mut stream = socket(&site);
        stream.write_all(&stranger).expect("sent");
        assert_eq!(closed(&mut stream), b"");
    }
    // A frame that claims to be larger than any viewer's.
    let mut huge = viewer(&site);
    huge.write_all(&u32::MAX.to_be_bytes()).expect("sent");
    closed(&mut huge);
    let (code, said) = site.run(&["lab", "status"]);
    assert_eq!(code, Some(0), "{said}");
}
