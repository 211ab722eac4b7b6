//! `kill -9` of a process that appends: nothing acknowledged is lost.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use droidmux::record::{BlobHash, Slot};
use droidmux::store::Store;

use super::fixture::*;

const ROUNDS: u64 = 10;
const FOLDER: &str = "DROIDMUX_TEST_KILLED_STORE";
const SLOT: &str = "DROIDMUX_TEST_KILLED_SLOT";

/// The process that is killed: appends to two jobs and prints a line for everything acknowledged. Run as a test on its
/// own, it has nothing to do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child_that_appends() {
    let (Ok(folder), Ok(slot)) = (std::env::var(FOLDER), std::env::var(SLOT)) else { return };
    let slot: u64 = slot.parse().unwrap();
    let store = Store::open(&PathBuf::from(folder), options()).unwrap();
    let id = store.sessions().unwrap()[0].0;
    let appending = [slot, slot + 1].map(|slot| {
        let store = store.clone();
        tokio::spawn(async move {
            store.put_job(id, &job(slot)).unwrap();
            for number in 0.. {
                let layout = layout(&format!("{slot} {number}"));
                let picture = format!("{slot} {number}").into_bytes();
                let mut append =
                    append(id, slot, number, vec![turn(droidmux::record::Act::Reset, &layout, "a")]);
                append.layouts = vec![layout];
                append.screenshots = vec![(BlobHash::of(&picture), picture)];
                store.append(append).await.unwrap();
                let mut out = std::io::stdout().lock();
                writeln!(out, "stored {slot} {number}").and_then(|()| out.flush()).unwrap();
            }
        })
    });
    for task in appending {
        task.await.unwrap();
    }
}

#[test]
fn nothing_acknowledged_is_lost_by_kill() {
    let folder = tempfile::tempdir().unwrap();
    let id = Store::open(folder.path(), options()).unwrap().create_session(&session()).unwrap();
    let mut acknowledged: Vec<(u64, u32)> = Vec::new();
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::kill::child_that_appends", "--nocapture", "--test-threads", "1"])
            .env(FOLDER, folder.path())
            .env(SLOT, (10 * round).to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (appends, appended) = std::sync::mpsc::channel();
        let reader = std::thread::spawn(move || {
            let line = |line: String| {
                let mut words = line.strip_prefix("stored ")?.split(' ').map(str::parse::<u64>);
                Some((words.next()?.ok()?, u32::try_from(words.next()?.ok()?).ok()?))
            };
            for append in output.lines().map_while(Result::ok).filter_map(line) {
                appends.send(append).unwrap();
            }
        });
        let first = appended.recv_timeout(Duration::from_secs(60));
        acknowledged.push(first.expect("an append within a minute"));
        std::thread::sleep(Duration::from_millis(37 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        reader.join().unwrap();
        acknowledged.extend(appended);

        let store = Store::open(folder.path(), options()).unwrap();
        for (slot, number) in &acknowledged {
            let turn = store.turn(id, Slot(*slot), 1, *number).unwrap();
            assert!(turn.is_some(), "round {round}: j{slot} turn {number} was acknowledged and is lost");
        }
        assert_eq!(store.verify().unwrap().problems, [], "round {round}");
    }
    println!("{} acknowledged appends over {ROUNDS} kills", acknowledged.len());
}
