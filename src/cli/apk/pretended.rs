//! The framework's methods that an app calls and the lab only pretends, by what they are for.
//!
//! In: what the translator has counted, by its table of such methods, which the lab's build makes. Out: groups, the one
//! that is called most first, and within each its methods in the same order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use droidmux_sim::{Pretence, PretendedMethod, TranslatedApp};

/// Methods of a group that are named.
const NAMED: usize = 3;

/// A method that the lab only pretends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Called {
    /// E.g. `Vibrator.vibrate`.
    pub(super) name: String,
    pub(super) how: Pretence,
    /// Places in the code that call it.
    pub(super) calls: u64,
}

/// Methods that are for the same thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// What for, or their package.
    pub(super) name: String,
    /// The most called first.
    pub(super) methods: Vec<Called>,
}

impl Group {
    /// Places in the code that call one of its methods.
    pub(super) fn calls(&self) -> u64 {
        self.methods.iter().map(|method| method.calls).fold(0, u64::saturating_add)
    }

    /// What the lab does instead, whichever method it is.
    pub(super) fn words(&self) -> String {
        let is = |how: &[Pretence]| self.methods.iter().any(|method| how.contains(&method.how));
        let mut words = Vec::new();
        if is(&[Pretence::Nothing, Pretence::Noted]) {
            words.push("nothing happens");
        }
        if is(&[Pretence::Constant]) {
            words.push("answers are always the same");
        }
        if is(&[Pretence::Native, Pretence::Service]) {
            words.push("there is nothing behind it");
        }
        if is(&[Pretence::Fails]) {
            words.push("it fails");
        }
        if words.is_empty() {
            words.push("it does not what it does on a phone");
        }
        words.join(", ")
    }
}

/// What this app calls, the group that is called most first.
pub(super) fn groups(app: &TranslatedApp) -> Vec<Group> {
    let mut by_name: BTreeMap<&str, BTreeMap<String, Called>> = BTreeMap::new();
    for PretendedMethod { group, class, method, how, calls } in &app.pretended {
        let class = class.rsplit('.').next().unwrap_or(class).replace('$', ".");
        let name = format!("{class}.{method}");
        let one = Called { name: name.clone(), how: *how, calls: 0 };
        let known = by_name.entry(group).or_default().entry(name).or_insert(one);
        known.calls = known.calls.saturating_add(*calls);
        known.how = known.how.max(*how);
    }
    let mut groups: Vec<Group> = by_name
        .into_iter()
        .map(|(name, methods)| {
            let mut methods: Vec<Called> = methods.into_values().collect();
            methods.sort_by_key(|method| Reverse(method.calls));
            Group { name: name.to_owned(), methods }
        })
        .collect();
    groups.sort_by_key(|group| Reverse(group.calls()));
    groups
}

/// The first methods by their names, and how many more there are.
pub(super) fn named(methods: &[Called]) -> String {
    let shown: Vec<&str> = methods.iter().take(NAMED).map(|method| method.name.as_str()).collect();
    match methods.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(group: &str, name: &str, how: Pretence, calls: u64) -> PretendedMethod {
        let (class, method) = name.rsplit_once('.').expect("a class and a method");
        PretendedMethod { group: group.into(), class: class.into(), method: method.into(), how, calls }
    }

    #[test]
    fn what_is_called_most_comes_first_and_overloads_count_together() {
        let pretended = vec![
            method("android.os", "android.os.Vibrator.cancel", Pretence::Nothing, 1),
            method("location", "android.location.LocationManager.a", Pretence::Constant, 5),
            method("android.os", "android.os.Vibrator.vibrate", Pretence::Nothing, 4),
            method("android.os", "android.os.Vibrator.vibrate", Pretence::Service, 3),
            method("android.os", "android.os.PowerManager$WakeLock.x", Pretence::Noted, 1),
            method("android.os", "android.os.Vibrator.hasVibrator", Pretence::Constant, 1),
        ];
        let app = TranslatedApp { pretended, ..TranslatedApp::default() };
        let groups = groups(&app);
        let told: Vec<_> = groups.iter().map(|group| (group.name.as_str(), group.calls())).collect();
        assert_eq!(told, [("android.os", 10), ("location", 5)]);
        assert_eq!(
            named(&groups[0].methods),
            "Vibrator.vibrate, PowerManager.WakeLock.x, Vibrator.cancel and 1 more"
        );
        let words = "nothing happens, answers are always the same, there is nothing behind it";
        assert_eq!(groups[0].words(), words);
        assert_eq!(groups[1].words(), "answers are always the same");
        assert_eq!(named(&groups[1].methods), "LocationManager.a");
    }
}
