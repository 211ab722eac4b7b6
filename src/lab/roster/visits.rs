//! The attendant's side of the roster: which devices are to be looked at, and what a look changes.

use std::time::{Duration, Instant};

use super::Roster;
use super::unit::{Fitness, Out, Unit, in_words};
use crate::care::attendant::Visit;
use crate::care::look::Found;
use crate::journal::now_ms;
use droidmux_device::LeaseNote;

impl Roster {
    /// The devices to be looked at now; each counts as being looked at until [`Roster::found`].
    pub(crate) fn due(&self, now: Instant) -> Vec<Visit> {
        let mut units = self.units();
        let due =
            units.iter_mut().filter(|(_, unit)| is_open(unit) && unit.visit.is_some_and(|at| at <= now));
        due.map(|(serial, unit)| {
            unit.visited = true;
            unit.visit = None;
            Visit { serial: serial.clone(), device: unit.device.clone(), known: unit.known() }
        })
        .collect()
    }

    /// When the next look is due.
    pub(crate) fn next_visit(&self) -> Option<Instant> {
        self.units().values().filter(|unit| is_open(unit)).filter_map(|unit| unit.visit).min()
    }

    /// Takes in what a look found.
    pub(crate) fn found(&self, serial: &str, found: Found) {
        let terms = *self.terms();
        self.change(serial, |unit| {
            unit.visited = false;
            // What came in between is newer than the look.
            if unit.visit.is_some() || unit.owner.is_some() {
                return;
            }
            if !matches!(found, Found::Stale { .. }) {
                unit.stale = None;
            }
            if let Some(why) = unit.suspected.take().filter(|_| !matches!(found, Found::NoServer))
                && let Some(time) = unit.trouble.add(&terms)
            {
                return self.quarantine(serial, unit, &why, time);
            }
            match found {
                Found::Fit { boot } => self.fit(serial, unit, boot),
                Found::Starting => {
                    self.once(serial, unit, "its system is still starting; waiting for it");
                    unit.unproven("starting", terms.soon);
                }
                Found::NoServer => unit.unproven("no ADB server", terms.soon),
                Found::Held { note, left } => self.held(serial, unit, &note, left),
                Found::Stale { note, text } => self.stale(serial, unit, &note, text),
                Found::Resting(rest) => {
                    if let Fitness::Out(Out::Resting { limits, .. }) = unit.fitness {
                        unit.out(Out::Resting { why: rest.why, limits, passes: rest.passes }, terms.rest);
                    }
                }
                Found::Locked(why) => {
                    self.once(serial, unit, &why);
                    unit.out(Out::Sick(why), terms.rest);
                }
                Found::Refuses(why) => {
                    self.once(serial, unit, &why);
                    unit.out(Out::Refuses(why), terms.rest);
                }
                Found::Sick(why) => self.trouble(serial, unit, &why),
            }
        });
    }

    /// Notes that others have the device, for `left` seconds more.
    fn held(&self, serial: &str, unit: &mut Unit, note: &LeaseNote, left: u64) {
        let whose = note.whose();
        let known = match &unit.fitness {
            Fitness::Out(Out::Elsewhere { whose: known, .. }) => *known == whose,
            _ => false,
        };
        if !known {
            self.hub().info(serial, &format!("leased by {whose}; left alone until it is given back"));
        }
        let age = note.age(note.expires.saturating_sub(left));
        let since_ms = now_ms().saturating_sub(age.saturating_mul(1_000));
        let again = self.terms().rest.min(Duration::from_secs(left.max(1)));
        unit.out(Out::Elsewhere { whose, since_ms }, again);
    }

    /// The lease of others ran out: how long it has stood unchanged counts.
    fn stale(&self, serial: &str, unit: &mut Unit, note: &LeaseNote, text: String) {
        let whose = note.whose();
        let since = match unit.stale.take() {
            Some((known, since)) if known == text => since,
            Some(_) => Instant::now(),
            None => {
                let words = format!("the lease of {whose} ran out; watching whether it is renewed");
                self.hub().info(serial, &words);
                Instant::now()
            }
        };
        unit.stale = Some((text, since));
        let again = self.terms().rest.min(self.terms().renewal);
        unit.out(Out::Elsewhere { whose, since_ms: now_ms() }, again);
    }

    /// Counts trouble; the device is looked at again, soon or after a quarantine.
    pub(super) fn trouble(&self, serial: &str, unit: &mut Unit, why: &str) {
        let terms = self.terms();
        match unit.trouble.add(terms) {
            Some(time) => self.quarantine(serial, unit, why, time),
            None => {
                self.once(serial, unit, &format!("sick: {why}"));
                unit.out(Out::Sick(why.to_owned()), terms.soon);
            }
        }
    }

    fn quarantine(&self, serial: &str, unit: &mut Unit, why: &str, time: Duration) {
        self.hub().error(serial, &format!("quarantined for {}: {why}", in_words(time)));
        unit.quarantine(why, time);
    }

    fn fit(&self, serial: &str, unit: &mut Unit, boot: String) {
        if !boot.is_empty() {
            let before = std::mem::replace(&mut unit.boot, boot);
            if !before.is_empty() && before != unit.boot {
                self.hub().warn(serial, "it was restarted");
            }
        }
        match &unit.fitness {
            Fitness::Out(Out::Quarantined { .. }) => {
                self.hub().info(serial, "out of quarantine: it answers and dumps again");
            }
            Fitness::Out(Out::Sick(_) | Out::Refuses(_)) => {
                self.hub().info(serial, "well again: it answers and dumps")
            }
            Fitness::Out(Out::Resting { .. }) => self.hub().info(serial, "rested, fit for work"),
            Fitness::Out(Out::Elsewhere { .. }) => self.hub().info(serial, "free again"),
            Fitness::Unproven(_) | Fitness::Fit => {}
        }
        unit.trouble.released();
        unit.fitness = Fitness::Fit;
        unit.visit = Some(Instant::now() + self.terms().idle);
    }

    /// Logs a reason, unless the device is kept out for it already.
    fn once(&self, serial: &str, unit: &Unit, words: &str) {
        let known = match &unit.fitness {
            Fitness::Unproven(why) => words.contains("starting") && why == "starting",
            Fitness::Out(Out::Sick(why) | Out::Refuses(why)) => words.ends_with(why.as_str()),
            _ => false,
        };
        if !known {
            self.hub().warn(serial, words);
        }
    }
}

/// Whether a device can be looked at: nobody works on it or looks at it, and ADB reaches it.
fn is_open(unit: &Unit) -> bool {
    unit.is_ready() && unit.owner.is_none() && !unit.visited
}
