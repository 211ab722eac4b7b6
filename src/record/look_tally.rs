//! What looking at screens cost, and how often a swift look was premature.

use serde::{Deserialize, Serialize};

use super::{Act, Turn};

/// Counts of looks after events and resets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookTally {
    /// Screens that were looked at.
    pub looks: u64,
    /// Dumps that this took.
    pub dumps: u64,
    /// Looks that did not wait strictly for the screen to come to rest, and were not checked.
    pub swift: u64,
    /// Swift looks that a strict one checked.
    pub checked: u64,
    /// Those of them that had shown something else.
    pub premature: u64,
    /// The checked ones by the activity on which the event was made.
    pub by_activity: Vec<ActivityLooks>,
}

/// Checked looks after events on one activity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityLooks {
    /// Full class name; empty for starts of the app.
    pub activity: String,
    /// Swift looks that a strict one checked.
    pub checked: u64,
    /// Those of them that had shown something else.
    pub premature: u64,
}

impl LookTally {
    /// Counts the turns of one job, in their order.
    pub fn count(&mut self, turns: &[Turn]) {
        let mut activity = "";
        for turn in turns {
            let Some(seen) = turn.observation.seen() else { continue };
            if turn.act == Act::Reset {
                activity = "";
            }
            self.looks += 1;
            self.dumps += u64::from(seen.dumps);
            self.swift += u64::from(seen.settling.is_swift());
            if let Some(premature) = seen.settling.checked() {
                self.checked += 1;
                self.premature += u64::from(premature);
                let looks = self.on(activity);
                looks.checked += 1;
                looks.premature += u64::from(premature);
            }
            activity = &seen.screen.activity;
        }
    }

    fn on(&mut self, activity: &str) -> &mut ActivityLooks {
        let place =
            self.by_activity.iter().position(|looks| looks.activity == activity).unwrap_or_else(|| {
                self.by_activity
                    .push(ActivityLooks { activity: activity.to_owned(), ..ActivityLooks::default() });
                self.by_activity.len() - 1
            });
        &mut self.by_activity[place]
    }

    /// How often swift looks were premature, if any was.
    pub fn premature_words(&self) -> Option<String> {
        (self.premature > 0).then(|| format!("{} of {} looks premature", self.premature, self.checked))
    }

    /// In one line, with the activities on which looks were premature; nothing when nothing was dumped.
    pub fn words(&self) -> Option<String> {
        if self.dumps == 0 {
            return None;
        }
        let tenths = (self.dumps * 10 + self.looks / 2) / self.looks.max(1);
        let mut words = format!("looks: {}.{} dumps a step", tenths / 10, tenths % 10);
        if self.swift + self.checked > 0 {
            let percent = (self.swift + self.checked) * 100 / self.looks.max(1);
            words += &format!(
                ", {percent} % swift, {} of {} checked were premature",
                self.premature, self.checked
            );
        }
        let hasty = self.by_activity.iter().filter(|looks| looks.premature > 0);
        let hasty: Vec<String> = hasty
            .map(|ActivityLooks { activity, checked, premature }| {
                let activity = if activity.is_empty() { "the start" } else { short_name(activity) };
                format!("{activity} {premature} of {checked}")
            })
            .collect();
        if !hasty.is_empty() {
            words += &format!(" ({})", hasty.join(", "));
        }
        Some(words)
    }
}

/// The class without its package.
fn short_name(activity: &str) -> &str {
    activity.rsplit('.').next().unwrap_or(activity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Observation, Screen, Seen, Settling};
    use droidmux_gui::{Event, EventKind, LayoutBuilder};

    fn turn(act: Act, activity: &str, settling: Settling, dumps: u32) -> Turn {
        let screen = Screen {
            layout: LayoutBuilder::new().finish().hash(),
            package: "org.notes".into(),
            activity: activity.into(),
            in_app: true,
            rotation: 0,
            keyboard: false,
        };
        let seen = Seen {
            screen,
            settling,
            dumps,
            resolution: None,
            signals: Vec::new(),
            toast: None,
            hears_toasts: false,
            setup: Vec::new(),
            dialogs: Vec::new(),
            screenshot: None,
        };
        Turn { act, observation: Observation::Seen(Box::new(seen)), at_ms: 0, took_ms: 0 }
    }

    #[test]
    fn looks_are_told_by_what_they_cost_and_where_they_were_premature() {
        assert_eq!(LookTally::default().words(), None, "imported sessions dumped nothing");
        let back = || Act::Perform(Event::global(EventKind::Back));
        let mut tally = LookTally::default();
        tally.count(&[turn(Act::Reset, "org.notes.Main", Settling::Strict, 2)]);
        assert_eq!(tally.words().as_deref(), Some("looks: 2.0 dumps a step"));
        tally.count(&[
            turn(Act::Reset, "org.notes.Main", Settling::Expected, 1),
            turn(back(), "org.notes.List", Settling::Quiet, 1),
            turn(back(), "org.notes.Main", Settling::Premature, 3),
            turn(back(), "org.notes.Main", Settling::Verified, 3),
        ]);
        assert_eq!(
            tally.words().as_deref(),
            Some("looks: 2.0 dumps a step, 80 % swift, 1 of 2 checked were premature (List 1 of 1)")
        );
    }
}
