//! The rules of one device at work.

use std::sync::Arc;

use super::{Fault, FaultLog, FaultPlan, FaultRule, Injected, Occasion, Refusal};
use droidmux_sim_toolkit::platform::scramble;
use droidmux_words::number;

/// A fault that strikes, with a number drawn for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Struck {
    pub(crate) fault: Fault,
    pub(crate) draw: u64,
}

/// The faults of one device or of the server.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    device: String,
    seed: u64,
    /// Tells the draws of devices apart.
    salt: u64,
    rules: Vec<Active>,
    /// How many rules there have been, to number those that are injected.
    known: usize,
    requests: u64,
    dumps: u64,
    calls: u64,
    commands: u64,
    starts: u64,
    connections: u64,
    struck: u64,
    /// Bytes that still get out before the device is lost.
    lose: Option<usize>,
    log: Arc<FaultLog>,
}

#[derive(Debug)]
struct Active {
    number: usize,
    rule: FaultRule,
    struck: u32,
}

impl Faults {
    /// Those of the plan for this device; `number` is the device's own, 0 for the server.
    pub(crate) fn new(plan: &FaultPlan, device: &str, number: u64, log: Arc<FaultLog>) -> Faults {
        let ours = |rule: &FaultRule| match rule.fault.occasion() {
            Occasion::Connection => number == 0,
            _ => number != 0 && (rule.devices.is_empty() || rule.devices.iter().any(|name| name == device)),
        };
        let rules = plan.rules.iter().enumerate().filter(|(_, rule)| ours(rule));
        Faults {
            device: device.to_owned(),
            seed: plan.seed,
            salt: scramble(number),
            rules: rules.map(|(n, rule)| Active { number: n + 1, rule: rule.clone(), struck: 0 }).collect(),
            known: plan.rules.len(),
            log,
            ..Faults::default()
        }
    }

    pub(crate) fn add(&mut self, rule: FaultRule) {
        self.known += 1;
        self.rules.push(Active { number: self.known, rule, struck: 0 });
    }

    pub(crate) fn clear(&mut self) {
        self.rules.clear();
        self.lose = None;
    }

    /// Counts an occasion and returns what strikes at it; for dumps, only the first.
    pub(crate) fn at(&mut self, occasion: Occasion) -> Vec<Struck> {
        self.at_where(occasion, |_| true)
    }

    /// What a command that is run meets, if a rule names it: the first refusal that strikes.
    pub(crate) fn refusal(&mut self, words: &[String]) -> Option<Refusal> {
        let names = |fault: &Fault| matches!(fault, Fault::Refuses(refusal) if refusal.is_of(words));
        if !self.rules.iter().any(|active| names(&active.rule.fault)) {
            return None;
        }
        self.at_where(Occasion::Command, names).into_iter().find_map(|struck| match struck.fault {
            Fault::Refuses(refusal) => Some(refusal),
            _ => None,
        })
    }

    fn at_where(&mut self, occasion: Occasion, applies: impl Fn(&Fault) -> bool) -> Vec<Struck> {
        let count = match occasion {
            Occasion::Request => &mut self.requests,
            Occasion::Dump => &mut self.dumps,
            Occasion::Call => &mut self.calls,
            Occasion::Command => &mut self.commands,
            Occasion::Start => &mut self.starts,
            Occasion::Connection => &mut self.connections,
        };
        *count += 1;
        let at = *count;
        let mut all = Vec::new();
        for active in &mut self.rules {
            let rule = &active.rule;
            let due = rule.fault.occasion() == occasion
                && applies(&rule.fault)
                && at > rule.after
                && rule.until.is_none_or(|last| at <= last)
                && rule.times.is_none_or(|times| active.struck < times);
            let draw = scramble(scramble(self.seed ^ self.salt ^ active.number as u64) ^ at);
            if !due || share(draw) >= rule.probability {
                continue;
            }
            active.struck = active.struck.saturating_add(1);
            let struck = Struck { fault: rule.fault.clone(), draw: scramble(draw) };
            if let Fault::LoseAfter(bytes) = struck.fault {
                self.lose.get_or_insert(bytes);
            }
            self.struck += 1;
            self.log.add(Injected {
                device: self.device.clone(),
                number: self.struck,
                fault: struck.fault.name(),
                rule: active.number,
                occasion,
                at,
                seed: self.seed,
            });
            all.push(struck);
            if occasion == Occasion::Dump {
                break;
            }
        }
        all
    }

    /// Whether a fault without an occasion of its own holds at the present request.
    pub(crate) fn has(&self, fault: &Fault) -> bool {
        let holds = |rule: &FaultRule| {
            self.requests > rule.after && rule.until.is_none_or(|last| self.requests <= last)
        };
        self.rules.iter().any(|active| active.rule.fault == *fault && holds(&active.rule))
    }

    /// How many of `wanted` bytes may still be sent before the device is lost; the rest of the
    /// allowance stays for the next call.
    pub(crate) fn allowance(&mut self, wanted: usize) -> Option<usize> {
        let left = self.lose?;
        if wanted < left {
            self.lose = Some(left - wanted);
            return None;
        }
        self.lose = None;
        Some(left)
    }
}

/// A drawn number as a share of 1, never 1 itself.
fn share(draw: u64) -> f64 {
    // 53 bits fill the mantissa, so the conversion is exact.
    number::share(draw >> 11, 1_u64 << 53)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(seed: u64, number: u64, rules: Vec<FaultRule>) -> Faults {
        let name = format!("sim-{number}");
        Faults::new(&FaultPlan::new(seed, rules), &name, number, Arc::default())
    }

    /// Of the first `count` occasions, those at which anything struck.
    fn strikes(faults: &mut Faults, occasion: Occasion, count: u64) -> Vec<u64> {
        (1..=count).filter(|_| !faults.at(occasion).is_empty()).collect()
    }

    #[test]
    fn a_rule_strikes_where_it_says() {
        let rule = || FaultRule::new(Fault::DumpKilled);
        let window = FaultRule { until: Some(6), ..rule().after(3) };
        for (rule, number, expected) in [
            (rule(), 1, vec![1, 2, 3, 4, 5, 6, 7, 8]),
            (rule().times(2), 1, vec![1, 2]),
            (rule().after(6), 1, vec![7, 8]),
            (window, 1, vec![4, 5, 6]),
            (rule().on("sim-2"), 1, vec![]),
            (rule().on("sim-2").times(1), 2, vec![1]),
            (rule().chance(0.0), 1, vec![]),
            (FaultRule::new(Fault::KillAdbd), 1, vec![]),
        ] {
            let said = format!("{rule:?}");
            assert_eq!(strikes(&mut faults(1, number, vec![rule]), Occasion::Dump, 8), expected, "{said}");
        }
    }

    #[test]
    fn what_happens_at_one_moment_happens_once_unless_it_is_drawn() {
        let once = FaultRule::new(Fault::KillAdbd).after(2);
        assert_eq!(strikes(&mut faults(1, 1, vec![once]), Occasion::Request, 9), [3]);
        let drawn = FaultRule::new(Fault::KillAdbd).chance(0.5);
        assert!(strikes(&mut faults(1, 1, vec![drawn]), Occasion::Request, 100).len() > 30);
    }

    #[test]
    fn draws_depend_on_seed_device_and_rule_alone() {
        let drawn = |seed, number, rules: usize| {
            let rule = FaultRule::new(Fault::HalfOpen).chance(0.3);
            let mut all = vec![FaultRule::new(Fault::DumpKilled); rules];
            all.push(rule);
            strikes(&mut faults(seed, number, all), Occasion::Request, 200)
        };
        assert_eq!(drawn(7, 1, 0), drawn(7, 1, 0));
        for other in [drawn(8, 1, 0), drawn(7, 2, 0), drawn(7, 1, 1)] {
            assert_ne!(drawn(7, 1, 0), other);
            assert!((30..=90).contains(&other.len()), "{}", other.len());
        }
    }

    #[test]
    fn the_server_and_the_devices_have_faults_of_their_own() {
        let rules = || vec![FaultRule::new(Fault::ServerHalfOpen), FaultRule::new(Fault::HalfOpen)];
        assert_eq!(strikes(&mut faults(1, 0, rules()), Occasion::Connection, 2), [1, 2]);
        assert_eq!(strikes(&mut faults(1, 0, rules()), Occasion::Request, 2), [0; 0]);
        assert_eq!(strikes(&mut faults(1, 1, rules()), Occasion::Connection, 2), [0; 0]);
        assert_eq!(strikes(&mut faults(1, 1, rules()), Occasion::Request, 2), [1, 2]);
    }

    #[test]
    fn the_allowance_is_used_up_across_writes() {
        let mut faults = faults(1, 1, vec![FaultRule::new(Fault::LoseAfter(15))]);
        assert_eq!(faults.allowance(10), None);
        faults.at(Occasion::Request);
        assert_eq!(faults.allowance(10), None);
        assert_eq!(faults.allowance(10), Some(5));
        faults.at(Occasion::Request);
        assert_eq!(faults.allowance(10), None);
    }

    #[test]
    fn what_struck_is_listed_with_number_and_seed() {
        let mut faults = faults(7, 1, vec![FaultRule::new(Fault::HalfOpen).after(1)]);
        faults.at(Occasion::Request);
        faults.add(FaultRule::new(Fault::DumpKilled));
        faults.at(Occasion::Request);
        faults.at(Occasion::Dump);
        let said: Vec<String> = faults.log.since(0).iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "fault 1 of sim-1: half-open (rule 1, request 2, seed 7)",
                "fault 2 of sim-1: dump-killed (rule 2, dump 1, seed 7)"
            ]
        );
    }
}
