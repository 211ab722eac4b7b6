//! Steps of a test in the words of the account, in full and in one line each.

use super::chronicle::Chronicle;
use super::step::Step;
use droidmux_account::Told;
use droidmux_words::shortened;

/// Lines of one screen; of longer ones the rest is counted.
const MOST_LINES: usize = 60;

/// Differences told in a step's single line, and the characters of that line.
const MOST_DIFFERENCES: usize = 2;
const LONGEST: usize = 240;

/// Characters of one action in a list of actions, and actions told of its beginning and of its end.
const LONGEST_ACTION: usize = 60;
const ENDS: usize = 2;

impl Chronicle {
    /// The steps with these numbers, from 1, with all that they changed.
    pub fn told(&self, steps: impl IntoIterator<Item = usize>) -> String {
        let steps = steps.into_iter().filter_map(|number| Some((number, self.numbered(number)?)));
        steps.map(|(number, step)| self.in_full(number, step, true)).collect::<Vec<_>>().join("\n")
    }

    /// The same without the screen now, which stands elsewhere.
    pub fn told_to_now(&self, steps: impl IntoIterator<Item = usize>) -> String {
        let last = self.steps.len();
        let steps = steps.into_iter().filter_map(|number| Some((number, self.numbered(number)?)));
        steps.map(|(number, step)| self.in_full(number, step, number != last)).collect::<Vec<_>>().join("\n")
    }

    /// The same with one line per step.
    pub fn told_briefly(&self, steps: impl IntoIterator<Item = usize>) -> String {
        let line = |number: usize| Some(format!("step {number}: {}", brief(self.numbered(number)?)));
        steps.into_iter().filter_map(line).collect::<Vec<_>>().join("\n")
    }

    /// The screen after a step, 0 for the first one; empty where it is not known.
    pub fn screen(&self, step: usize) -> String {
        let told = self.sights.get(step).and_then(|sight| sight.told.as_ref());
        told.map(|told| screen_lines(told).join("\n")).unwrap_or_default()
    }

    /// The actions of a function in one line, the first and the last ones.
    pub fn actions(&self, first: usize, last: usize) -> String {
        let steps = self.steps.get(first.saturating_sub(1)..last).unwrap_or_default();
        let told: Vec<String> =
            steps.iter().map(|step| shortened(&step.told.event, LONGEST_ACTION).into_owned()).collect();
        let left_out = told.len().saturating_sub(2 * ENDS);
        if left_out < 2 {
            return told.join("; ");
        }
        let (start, end) = (told.get(..ENDS), told.get(ENDS + left_out..));
        let (start, end) = (start.unwrap_or_default(), end.unwrap_or_default());
        format!("{}; … {left_out} more …; {}", start.join("; "), end.join("; "))
    }

    fn numbered(&self, number: usize) -> Option<&Step> {
        self.steps.get(number.checked_sub(1)?)
    }

    fn in_full(&self, number: usize, step: &Step, with_screen: bool) -> String {
        let told = &step.told;
        let mut lines = vec![format!("step {number}: {}", told.event)];
        lines.extend(told.changes.iter().map(|line| format!("  {line}")));
        if let Some(turn) = told.since {
            let earlier = self.steps.iter().position(|step| step.turn == turn).map_or(0, |at| at + 1);
            lines.push(format!("  compared with how it was after step {earlier}:"));
        }
        lines.extend(told.differences.iter().map(|line| format!("  {line}")));
        match &told.screen {
            Some(screen) if told.whole && with_screen => {
                lines.extend(screen_lines(screen).into_iter().map(|line| format!("  {line}")));
            }
            Some(screen) if told.whole => {
                lines.push(format!("  {}{}, told below", screen.page, screen.state))
            }
            _ => {}
        }
        lines.join("\n")
    }
}

fn screen_lines(told: &Told) -> Vec<String> {
    let mut lines = vec![format!("{}{}", told.page, told.state)];
    lines.extend(told.told().into_iter().map(|line| format!("  {line}")));
    let more = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    if more > 1 {
        lines.push(format!("  (and {more} more lines)"));
    }
    lines
}

fn brief(step: &Step) -> String {
    let told = &step.told;
    let mut said = told.changes.clone();
    if let Some(screen) = told.screen.as_ref().filter(|_| told.whole) {
        said.push(screen.page.clone());
    }
    said.extend(told.differences.iter().take(MOST_DIFFERENCES).map(ToString::to_string));
    let more = told.differences.len().saturating_sub(MOST_DIFFERENCES);
    if more > 0 {
        said.push(format!("and {more} more"));
    }
    let outcome = if said.is_empty() { String::new() } else { format!(" -> {}", said.join("; ")) };
    shortened(&format!("{}{outcome}", told.event), LONGEST).into_owned()
}
