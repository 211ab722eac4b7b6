//! When a fault strikes.

use std::fmt;

use super::Fault;

/// What is counted: each kind from 1, and separately for each device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occasion {
    /// A service is opened on the device: a shell command, a file transfer, a port.
    Request,
    /// The screen is dumped.
    Dump,
    /// A method of the resident agent is called.
    Call,
    /// A command that a rule names is run.
    Command,
    /// An app that had no process is started by a command.
    Start,
    /// A client connects to the ADB server.
    Connection,
}

impl fmt::Display for Occasion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Occasion::Request => "request",
            Occasion::Dump => "dump",
            Occasion::Call => "call",
            Occasion::Command => "command",
            Occasion::Start => "start",
            Occasion::Connection => "connection",
        })
    }
}

/// A fault, and at which of its occasions it strikes.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultRule {
    /// What goes wrong.
    pub fault: Fault,
    /// Serials; empty for every device. Not for faults of the server.
    pub devices: Vec<String>,
    /// How many occasions to let pass first.
    pub after: u64,
    /// The last occasion it strikes at.
    pub until: Option<u64>,
    /// The chance at each occasion, 0.0 to 1.0.
    pub probability: f64,
    /// The most times it strikes on one device; `None` for no limit.
    pub times: Option<u32>,
}

impl FaultRule {
    /// Strikes every device: at the first occasion when it happens at one moment, else at each.
    pub fn new(fault: Fault) -> FaultRule {
        let times = fault.is_event().then_some(1);
        FaultRule { fault, devices: Vec::new(), after: 0, until: None, probability: 1.0, times }
    }

    /// Only this device, besides those already named.
    #[must_use]
    pub fn on(mut self, serial: &str) -> FaultRule {
        self.devices.push(serial.to_owned());
        self
    }

    /// Lets this many occasions pass first.
    #[must_use]
    pub fn after(mut self, occasions: u64) -> FaultRule {
        self.after = occasions;
        self
    }

    /// With this chance at each occasion, any number of times.
    #[must_use]
    pub fn chance(mut self, probability: f64) -> FaultRule {
        self.probability = probability;
        self.times = None;
        self
    }

    /// At most this many times on one device.
    #[must_use]
    pub fn times(mut self, times: u32) -> FaultRule {
        self.times = Some(times);
        self
    }
}

/// The faults of a simulated lab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultPlan {
    /// What chances and random bytes are drawn from.
    pub seed: u64,
    /// In the order of their numbers in the log, from 1.
    pub rules: Vec<FaultRule>,
}

impl FaultPlan {
    /// Nothing of it has struck yet.
    pub fn new(seed: u64, rules: Vec<FaultRule>) -> FaultPlan {
        FaultPlan { seed, rules }
    }

    /// The first thing in it that can have no effect in a lab with these serials, in words.
    pub(crate) fn complaint(&self, serials: &[String]) -> Option<String> {
        self.rules.iter().enumerate().find_map(|(n, rule)| {
            let name = format!("fault {} ({})", n + 1, rule.fault.name());
            if let Some(stranger) = rule.devices.iter().find(|serial| !serials.contains(serial)) {
                return Some(format!(
                    "{name}: there is no device {stranger:?}; the lab has {} to {}",
                    serials.first().map_or("", String::as_str),
                    serials.last().map_or("", String::as_str)
                ));
            }
            if !(0.0..=1.0).contains(&rule.probability) {
                return Some(format!("{name}: a probability goes from 0.0 to 1.0, not {}", rule.probability));
            }
            None
        })
    }
}
