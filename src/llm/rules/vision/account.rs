//! Reading the account of steps.

use super::line::{Named, split, unquoted};

/// A step, as the account describes it.
#[derive(Clone, Debug, Default)]
pub struct Step {
    pub number: usize,
    /// `click`, `long-click`, `type`, `back`, `scroll-down` …
    pub action: String,
    /// The widget acted on; empty for a step on none.
    pub on: Named,
    /// The text typed.
    pub text: String,
    /// The page it was done on.
    pub page: usize,
    pub after: After,
}

/// The outcome of a step.
#[derive(Clone, Debug, Default)]
pub struct After {
    /// The page afterwards; 0 outside the app.
    pub page: usize,
    pub stayed: bool,
    pub dialog: bool,
    /// The step after which the page was seen before; all changes are relative to that.
    pub seen_after: Option<usize>,
    pub failed: bool,
    pub nothing: bool,
    pub gone: Vec<Named>,
    pub new: Vec<Named>,
    /// A widget, its text before and after.
    pub changed: Vec<(Named, String, String)>,
    /// Switches whose state has changed.
    pub switched: Vec<Named>,
    /// A list, its rows before and after.
    pub rows: Vec<(String, usize, usize)>,
    /// Typed texts that are shown, and how often.
    pub shown: Vec<(String, usize)>,
    /// The step changed more than the account says of it.
    pub cut: bool,
}

/// The steps of an account.
pub fn read(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("step ") {
            let Some((number, words)) = rest.split_once(": ") else { continue };
            let Ok(number) = number.parse() else { continue };
            steps.push(step(number, words));
        } else if let (Some(line), Some(step)) = (line.strip_prefix("  "), steps.last_mut()) {
            step.after.read(line);
        }
    }
    steps
}

fn step(number: usize, words: &str) -> Step {
    // A brief account has the outcome after an arrow.
    let mut halves = split(words, " -> ").into_iter();
    let words = halves.next().unwrap_or_default();
    let mut after = After::default();
    halves.for_each(|outcome| after.read(outcome));
    let (words, page) = words.rsplit_once(" on page ").unwrap_or((words, "0"));
    let (action, rest) = words.split_once(' ').unwrap_or((words, ""));
    let mut parts = split(rest, " into ").into_iter();
    let (text, on) = match (action, parts.next(), parts.next()) {
        ("type", Some(text), Some(on)) => (unquoted(text), on),
        (_, first, _) => (String::new(), first.unwrap_or_default()),
    };
    Step {
        number,
        action: action.to_owned(),
        on: Named::read(on),
        text: if text == "a password" { String::new() } else { text },
        page: page.trim().parse().unwrap_or(0),
        after,
    }
}

impl After {
    fn read(&mut self, line: &str) {
        let page = |rest: &str| rest.split([',', ' ']).next().and_then(|page| page.parse().ok()).unwrap_or(0);
        if let Some(rest) = line.strip_prefix("stayed on page ") {
            (self.stayed, self.page) = (true, page(rest));
        } else if let Some(rest) = line.strip_prefix("came to page ") {
            self.page = page(rest);
            self.dialog = rest.contains(" dialog of ");
            let seen = rest.rsplit_once(" seen after step ");
            self.seen_after = seen.and_then(|(_, step)| step.parse().ok());
        } else if line.starts_with("not done") {
            self.failed = true;
        } else if ["nothing changed", "as it was then"].contains(&line)
            || line.starts_with("no text and no widget")
        {
            self.nothing = true;
        } else if line.starts_with("and ") && line.ends_with(" more") {
            self.cut = true;
        } else if let Some(rest) = line.strip_prefix("typed text ") {
            let counted = rest.rsplit_once(" is shown ");
            let times = |times: &str| times.trim_end_matches(" times").parse().ok();
            self.shown.extend(counted.and_then(|(text, n)| Some((unquoted(text), times(n)?))));
        } else if let Some(rest) = line.strip_prefix("rows:") {
            self.read_rows(rest);
        } else if let Some((what, rest)) = line.split_once(": ") {
            self.read_change(what, rest);
        }
    }

    fn read_change(&mut self, what: &str, rest: &str) {
        match what {
            "gone" => self.gone.push(Named::read(rest)),
            "new" => self.new.push(Named::read(rest)),
            "checked" | "unchecked" => self.switched.push(Named::read(rest)),
            "changed" => {
                // `TextView #title "old" -> "new" | row 1 of 2 in #list`
                let halves = split(rest, " -> ");
                if let [before, after] = halves.as_slice() {
                    let (old, mut widget) = (Named::read(before).label, Named::read(before));
                    let mut behind = split(after, " | ").into_iter();
                    let new = behind.next().map(unquoted).unwrap_or_default();
                    let place: Vec<&str> = behind.collect();
                    widget.row = Named::read(&format!("x | {}", place.join(" | "))).row;
                    self.changed.push((widget, old, new));
                }
            }
            _ => {}
        }
    }

    /// `#list 3 -> 4`
    fn read_rows(&mut self, rest: &str) {
        let Some((before, after)) = rest.split_once(" -> ") else { return };
        let Some((list, before)) = before.trim().rsplit_once(' ') else { return };
        if let (Ok(before), Ok(after)) = (before.parse(), after.trim().parse()) {
            self.rows.push((list.trim().to_owned(), before, after));
        }
    }

    /// True if a typed text is shown.
    pub fn shows(&self, text: &str) -> bool {
        self.shown.iter().any(|(shown, _)| shown == text)
    }

    /// How many widgets of a list show a different text.
    pub fn changes_in(&self, list: &str) -> usize {
        self.changed
            .iter()
            .filter(|(named, _, _)| named.row.as_ref().is_some_and(|(_, _, of)| of == list))
            .count()
    }

    /// The rows of a list, by number, of which something is gone.
    pub fn gone_rows(&self, list: &str) -> Vec<usize> {
        let of_list =
            |named: &Named| named.row.clone().filter(|(_, _, of)| of == list).map(|(number, _, _)| number);
        let mut rows: Vec<usize> = self.gone.iter().filter_map(of_list).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}
