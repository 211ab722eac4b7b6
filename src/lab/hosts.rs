//! Phones of other hosts: keeps a roster at what hosts say, and tells the log what becomes of hosts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{Hub, Roster};
use droidmux_device::Device;
use droidmux_device_remote::{Hosts, Seen};
use droidmux_words::figure;

/// Hosts are looked at this often even when nobody says that something has changed.
const EVERY: Duration = Duration::from_secs(5);

#[derive(Default)]
struct Tracking {
    known: BTreeMap<String, Known>,
}

/// What was last said of a host.
struct Known {
    run: u64,
    trouble: String,
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
        for seen in hosts.seen() {
            self.hear(roster, &seen);
        }
        let pools = hosts.seen().into_iter().map(|seen| (seen.words.name, seen.words.pool)).collect();
        roster.comes_from_hosts(pools);
        let listed = hosts.listed().into_iter().map(|phone| (phone.name, phone.state)).collect::<Vec<_>>();
        roster.update(&listed, |name| -> Arc<dyn Device> { Arc::new(hosts.device(name)) });
    }

    /// Tells what has become of a host, and loses its phones if it is away or was started again.
    fn hear(&mut self, roster: &Roster, seen: &Seen) {
        let Seen { words, trouble, .. } = seen;
        let now = Known { run: words.run, trouble: trouble.clone() };
        let before = self.known.insert(words.name.clone(), now);
        tell(roster.hub(), seen, before.as_ref());
        let Some(before) = before else { return };
        let restarted = before.run != words.run;
        if restarted || (!trouble.is_empty() && before.trouble != *trouble) {
            let why = if trouble.is_empty() { "its host was started again" } else { trouble };
            roster.lose_host(&words.name, why);
        }
    }
}

fn tell(hub: &Hub, seen: &Seen, before: Option<&Known>) {
    let Seen { words, trouble, .. } = seen;
    let name = &words.name;
    let phones = figure::count(words.phones.len(), "phone");
    let pool = if words.pool.is_empty() { String::new() } else { format!(" of pool {}", words.pool) };
    match before {
        Some(before) if before.trouble == *trouble && before.run == words.run => {}
        _ if !trouble.is_empty() => hub.error(name, trouble),
        None => hub.info(name, &format!("host found: {phones}{pool}, droidmux {}", words.version)),
        Some(before) if before.run != words.run => {
            hub.warn(name, &format!("host started again: {phones}{pool}"));
        }
        Some(_) => hub.info(name, &format!("host back: {phones}{pool}")),
    }
}
