//! A defect with the shortest trigger that its author knows, and a trap with what shows it.

use super::Probe;
use droidmux_sim::{PhoneOptions, UnknownDefect};
use droidmux_sim_toolkit::{DefectSwitches, SimApp};

/// A defect, its app, how to trigger it, and whether the app then behaved as it should.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The id of the defect.
    pub id: &'static str,
    /// The package of its app.
    pub package: &'static str,
    /// The different functions that have to be interleaved for the defect to show, counted from the
    /// app as it is installed; turning the screen counts as one, looking at a list does not.
    pub functions: &'static [&'static str],
    /// What a person does, from the first page of the app as it is installed.
    pub trigger: fn(&mut Probe),
    /// True of a correct app afterwards, false of the wrong one.
    pub is_right: fn(&Probe) -> bool,
}

/// A trap, and whether a correct app shows it.
#[derive(Clone, Copy, Debug)]
pub struct TrapCase {
    /// The id of the trap.
    pub id: &'static str,
    /// The package of its app.
    pub package: &'static str,
    /// False for one that is about volatile content.
    pub steady: bool,
    /// What a person does; true when the app then did what looks like a violation.
    pub show: fn(&mut Probe) -> bool,
}

impl Case {
    /// What is wrong with the case among these apps, in words: the app must be right with the defect off and wrong
    /// with it on, and the trigger must set the defect off, as the app counts it. Empty when all is well.
    ///
    /// # Panics
    /// When the trigger looks for a widget that is not there.
    pub fn check(&self, apps: &[SimApp]) -> Vec<String> {
        let mut wrong = Vec::new();
        for on in [false, true] {
            let switches = match DefectSwitches::only(on.then_some(self.id), apps) {
                Ok(switches) => switches,
                Err(UnknownDefect { id, .. }) => return vec![format!("no app has a defect {id}")],
            };
            let mut probe = Probe::start(self.package, apps, &switches, PhoneOptions::default());
            (self.trigger)(&mut probe);
            let state = if on { "on" } else { "off" };
            if (self.is_right)(&probe) == on {
                let is = if on { "right" } else { "wrong" };
                wrong.push(format!("{}: the app is {is} with it {state}", self.id));
            }
            let counted = probe.phone.set_off(self.package).contains_key(self.id);
            if counted != on {
                let did = if counted { "counted" } else { "not counted" };
                wrong.push(format!("{}: the difference it makes is {did} with it {state}", self.id));
            }
        }
        wrong
    }
}

impl TrapCase {
    /// Whether the app shows the trap with all defects off.
    ///
    /// # Panics
    /// When the app is not among these, or a widget that is looked for is not there.
    pub fn shows(&self, apps: &[SimApp]) -> bool {
        let options = PhoneOptions { steady: self.steady, ..PhoneOptions::default() };
        (self.show)(&mut Probe::start(self.package, apps, &DefectSwitches::none(), options))
    }
}
