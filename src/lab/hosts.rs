//! Phones of other hosts: keeps a roster at what hosts say, and tells the log what becomes of hosts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{HostDoor, Roster};
use droidmux_device::Device;
use droidmux_device_remote::{HostWords, Hosts, Seen};

/// Hosts are looked at this often even when nobody says that something has changed: more often than they say something, so
/// that their last signs of life are shown as they were.
const EVERY: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Tracking {
    known: BTreeMap<String, Known>,
}

/// A host, and which start of it was heard last.
struct Known {
    door: HostDoor,
    run: u64,
}

/// Takes in what hosts have now, and follows what they say until cancelled. A host that goes away takes its phones along;
/// when it says something again they are back.
pub(super) fn track_hosts(roster: Roster, hosts: Hosts, cancel: CancellationToken) {
    let mut tracking = Tracking::default();
    tracking.take_in(&roster, &hosts);
    tokio::spawn(tracking.follow(roster, hosts, cancel));
}

impl Tracking {
    async fn follow(mut self, roster: Roster, hosts: Hosts, cancel: CancellationToken) {
        let (mut changes, mut up) = (hosts.watch(), hosts.up());
        let mut answers = true;
        loop {
            self.take_in(&roster, &hosts);
            let now = *up.borrow_and_update();
            if now != std::mem::replace(&mut answers, now) {
                let url = hosts.url();
                match now {
                    true => roster.hub().info("nats", &format!("the NATS server at {url} answers again")),
                    false => {
                        let words =
                            format!("the NATS server at {url} does not answer; trying again until it does");
                        roster.hub().error("nats", &words);
                    }
                }
            }
            tokio::select! {
                () = cancel.cancelled() => return hosts.close(),
                _ = changes.changed() => {}
                _ = up.changed() => {}
                () = tokio::time::sleep(EVERY) => {}
            }
        }
    }

    fn take_in(&mut self, roster: &Roster, hosts: &Hosts) {
        let pools = hosts.seen().into_iter().map(|seen| (seen.words.name, seen.words.pool)).collect();
        roster.comes_from_hosts(pools);
        let mut listed: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for phone in hosts.listed() {
            listed.entry(phone.host).or_default().push((phone.name, phone.state));
        }
        for seen in hosts.seen() {
            let phones = listed.remove(&seen.words.name).unwrap_or_default();
            self.hear(roster, hosts, &seen, &phones);
        }
    }

    /// Tells the lab how a host does. One that was started again has forgotten all that it knew of its phones.
    fn hear(&mut self, roster: &Roster, hosts: &Hosts, seen: &Seen, phones: &[(String, String)]) {
        let Seen { words, trouble, ago, only_read, .. } = seen;
        let connect = |name: &str| -> Arc<dyn Device> { Arc::new(hosts.device(name)) };
        let (new, via) = (!self.known.contains_key(&words.name), via(seen, hosts));
        let known = self
            .known
            .entry(words.name.clone())
            .or_insert_with(|| Known { door: HostDoor::open(roster, &words.name, &via), run: words.run });
        if std::mem::replace(&mut known.run, words.run) != words.run {
            known.door.is_away("its host was started again");
        }
        if !only_read {
            known.door.seen(*ago);
        }
        if trouble.is_empty() {
            known.door.lists(phones, connect);
            return;
        }
        // Whoever waits for its phones is told why.
        if new {
            roster.update_host(Some(&words.name), phones, connect);
        }
        if seen.is_refused { known.door.is_refused(trouble) } else { known.door.is_away(trouble) }
    }
}

/// How a host is reached, in a few words.
fn via(seen: &Seen, hosts: &Hosts) -> String {
    let HostWords { pool, version, .. } = &seen.words;
    let pool = if pool.is_empty() { String::new() } else { format!(", pool {pool}") };
    format!("NATS {}{pool}, droidmux {version}", hosts.url())
}
