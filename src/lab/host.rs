//! The door through which whoever finds devices on a host tells the lab: what is listed there, and how the host does.
//!
//! In: lists of devices, signs of life, reasons. Out: the roster's devices of this host, the host's state in the views, and
//! the host's incidents in the log, one line each, with how many devices they concern.
//!
//! ADB servers are followed through it ([`track`](super::track)); any other source of devices does the same: open a door for
//! each host, tell it what happens, and give the roster devices whose [`Device::host`] is that host.
//!
//! Invariant: what is told twice is logged once.

use std::sync::Arc;
use std::time::Duration;

use super::Roster;
use droidmux_device::Device;
use droidmux_proto::HostState;
use droidmux_words::figure::count;

/// One host, as its source sees it. Clones tell of the same host.
#[derive(Clone)]
pub struct HostDoor {
    roster: Roster,
    name: String,
}

impl HostDoor {
    /// Makes a host known, which has not answered yet; `via` says how it is reached, in a few words.
    pub fn open(roster: &Roster, name: &str, via: &str) -> Self {
        roster.hub().host(name, |host| host.via = via.to_owned());
        Self { roster: roster.clone(), name: name.to_owned() }
    }

    /// It gave a sign of life, so long ago.
    pub fn seen(&self, ago: Duration) {
        self.roster.hub().host(&self.name, |host| host.seen(ago));
    }

    /// It answers, and lists these devices: (name, state in ADB's words). Those it no longer lists are gone; `connect` makes a
    /// device the first time a name is met. When that was is told by [`seen`](Self::seen).
    pub fn lists(&self, listed: &[(String, String)], connect: impl Fn(&str) -> Arc<dyn Device>) {
        let before = self.turns(HostState::Reachable);
        if let Some((before, lasted)) = before {
            let devices = count(listed.len(), "device");
            let words = match before {
                HostState::Away(_) | HostState::Refused(_) => {
                    format!("reachable again after {}, with {devices}", in_words(lasted))
                }
                HostState::Expected | HostState::Reachable => format!("reachable, with {devices}"),
            };
            self.roster.hub().info(&self.name, &words);
        }
        self.roster.update_host(Some(&self.name), listed, connect);
    }

    /// It cannot be reached any more, or not yet, and is tried again: its devices are lost until then.
    pub fn is_away(&self, why: &str) {
        if self.turns(HostState::Away(why.to_owned())).is_some() {
            let lost = self.roster.lose_host(Some(&self.name));
            let lost = match lost {
                0 => String::new(),
                1 => "; its device is lost until it is back".to_owned(),
                lost => format!("; its {} are lost until it is back", count(lost, "device")),
            };
            self.roster.hub().error(&self.name, &format!("away: {why}{lost}"));
        }
    }

    /// It answers, and cannot be used.
    pub fn is_refused(&self, why: &str) {
        if self.turns(HostState::Refused(why.to_owned())).is_some() {
            self.roster.lose_host(Some(&self.name));
            self.roster.hub().error(&self.name, &format!("refused: {why}"));
        }
    }

    /// Notes the state; gives the one before and how long that lasted, if it was another.
    fn turns(&self, state: HostState) -> Option<(HostState, Duration)> {
        self.roster.hub().host(&self.name, |host| host.turn(state))
    }
}

fn in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds / 60),
    }
}
