//! One device of the roster.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Tenant;
use crate::care::limits::Limits;
use crate::care::look::Known;
use crate::care::trouble::Trouble;
use crate::journal::now_ms;
use droidmux_device::Device;
use droidmux_proto::DeviceHealth;

/// ADB's word for a device that takes commands.
pub(super) const READY: &str = "device";

/// The state of a device that was lost with the ADB server.
const NO_SERVER: &str = "no ADB server";

pub(super) struct Unit {
    pub(super) device: Arc<dyn Device>,
    /// ADB's state.
    pub(super) state: String,
    pub(super) owner: Option<Tenant>,
    pub(super) trouble: Trouble,
    /// It was lost in the middle of something, with these words: trouble, unless the ADB server turns
    /// out to have gone.
    pub(super) suspected: Option<String>,
    pub(super) fitness: Fitness,
    /// When it is to be looked at; only while nobody leases it.
    pub(super) visit: Option<Instant>,
    pub(super) visited: bool,
    /// Identifies the current run of its system; empty before the first look.
    pub(super) boot: String,
    pub(super) stale: Option<(String, Instant)>,
    /// The way to it is gone: its host, or the server between. Its state says which.
    away: bool,
}

/// Whether a device can be leased.
#[derive(Clone, Debug)]
pub(super) enum Fitness {
    /// The device cannot be leased before it has been looked at: it is new, or was in trouble.
    Unproven(String),
    Fit,
    Out(Out),
}

/// Why a device is kept out.
#[derive(Clone, Debug)]
pub(super) enum Out {
    Sick(String),
    Quarantined {
        why: String,
        until_ms: u64,
    },
    /// It keeps the shell from what the lab needs, until a person moves a switch on it; says which.
    Refuses(String),
    /// Others have the device.
    Elsewhere {
        whose: String,
        since_ms: u64,
    },
    Resting {
        why: String,
        limits: Limits,
        passes: bool,
    },
}

impl Unit {
    pub(super) fn new(device: Arc<dyn Device>) -> Self {
        Self {
            device,
            state: String::new(),
            owner: None,
            trouble: Trouble::default(),
            suspected: None,
            fitness: Fitness::Unproven(String::new()),
            visit: None,
            visited: false,
            boot: String::new(),
            stale: None,
            away: false,
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        self.state == READY
    }

    /// The ADB server went away, which explains whatever was lost just now.
    pub(super) fn lose_server(&mut self) {
        self.lose_way(NO_SERVER);
    }

    /// The way to it is gone, which explains whatever was lost just now.
    pub(super) fn lose_way(&mut self, why: &str) {
        self.suspected = None;
        if self.is_ready() {
            self.state = why.into();
        }
        self.away = true;
    }

    /// It was listed again.
    pub(super) fn listed(&mut self, state: &str) {
        self.state = state.to_owned();
        if self.is_ready() {
            self.away = false;
        }
    }

    pub(super) fn has_server(&self) -> bool {
        self.state != NO_SERVER && !self.away
    }

    /// Why there is no way to it, other than through the ADB server of this host.
    pub(super) fn no_way(&self) -> Option<&str> {
        (self.away && self.state != NO_SERVER).then_some(self.state.as_str())
    }

    pub(super) fn is_free(&self) -> bool {
        self.is_ready() && self.owner.is_none() && matches!(self.fitness, Fitness::Fit)
    }

    /// To be looked at after this time, before anything else happens with it.
    pub(super) fn unproven(&mut self, why: &str, after: Duration) {
        self.fitness = Fitness::Unproven(why.to_owned());
        self.visit = Some(Instant::now() + after);
    }

    pub(super) fn out(&mut self, out: Out, again: Duration) {
        self.fitness = Fitness::Out(out);
        self.visit = Some(Instant::now() + again);
    }

    /// Kept out for repeated trouble.
    pub(super) fn quarantine(&mut self, why: &str, time: Duration) {
        let until_ms = now_ms().saturating_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        self.out(Out::Quarantined { why: why.to_owned(), until_ms }, time);
    }

    pub(super) fn known(&self) -> Known {
        let limits = match &self.fitness {
            Fitness::Out(Out::Resting { limits, .. }) => Some(*limits),
            _ => None,
        };
        Known { limits, stale: self.stale.clone(), fit: matches!(self.fitness, Fitness::Fit) }
    }

    pub(super) fn health(&self) -> DeviceHealth {
        if !self.is_ready() {
            return DeviceHealth::Away(self.state.clone());
        }
        match (&self.fitness, self.owner) {
            (Fitness::Out(out), _) => match out.clone() {
                Out::Sick(why) | Out::Refuses(why) => DeviceHealth::Sick(why),
                Out::Quarantined { why, until_ms } => DeviceHealth::Quarantined { why, until_ms },
                Out::Elsewhere { whose, since_ms } => DeviceHealth::Elsewhere { whose, since_ms },
                Out::Resting { why, .. } => DeviceHealth::Resting(why),
            },
            (_, Some(_)) => DeviceHealth::Busy,
            (Fitness::Unproven(why), None) => DeviceHealth::Unproven(why.clone()),
            (Fitness::Fit, None) => DeviceHealth::Idle,
        }
    }

    /// In words for errors and lists: ADB's state, or why it is kept out.
    pub(super) fn words(&self) -> String {
        match &self.fitness {
            _ if !self.is_ready() => self.state.clone(),
            Fitness::Out(Out::Sick(why)) => format!("sick: {why}"),
            Fitness::Out(Out::Refuses(why)) => why.clone(),
            Fitness::Out(Out::Quarantined { why, .. }) => format!("quarantined: {why}"),
            Fitness::Out(Out::Elsewhere { whose, since_ms }) => {
                format!("leased by {whose} since {}", since(*since_ms))
            }
            Fitness::Out(Out::Resting { why, .. }) => format!("resting: {why}"),
            Fitness::Unproven(_) | Fitness::Fit => self.state.clone(),
        }
    }
}

/// A time of day and how long ago that is: `14:02 UTC (12 min)`.
fn since(at_ms: u64) -> String {
    let minutes = at_ms / 60_000 % (24 * 60);
    let ago = Duration::from_millis(now_ms().saturating_sub(at_ms));
    format!("{:02}:{:02} UTC ({})", minutes / 60, minutes % 60, in_words(ago))
}

/// A time in one unit.
pub(super) fn in_words(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        seconds @ 1..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds / 60),
    }
}
