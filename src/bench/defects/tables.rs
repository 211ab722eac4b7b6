//! The tables of a bench, for people and for documents.

use super::Figures;
use super::figures::{DefectFigures, Rulings, UnionFigures};
use super::spread::Spread;
use super::table::{Table, WIDTH};

/// Figures as Markdown tables of at most 100 columns.
pub fn tables(figures: &Figures) -> String {
    let parts = [head(figures), found(figures), cost(figures), defects(figures), union(&figures.union)];
    parts.join("\n")
}

fn head(figures: &Figures) -> String {
    let Figures { apps, finished, trials, seeds, max_events, .. } = figures;
    let missing = match trials.saturating_sub(*finished) {
        0 => String::new(),
        missing => format!("Not finished: {missing} of {trials} sessions are missing below.\n"),
    };
    let text = format!(
        "{trials} sessions: {} apps, {seeds} RNG seeds, at most {max_events} events each. Figures are sums \
         over the apps for each seed: median (least–most).",
        apps.len()
    );
    wrapped(&text) + "\n" + &missing
}

/// What was found, and how much of it was right: confirmed findings only.
fn found(figures: &Figures) -> String {
    let head = ["technique", "defects found", "ever", "false alarms", "undecided", "precision"];
    let mut table = Table::new(head);
    for t in &figures.techniques {
        if t.apps.is_empty() {
            table.row([&t.technique, "does not apply"]);
            continue;
        }
        table.row([
            t.technique.clone(),
            format!("{} of {}", counts(t.found), t.present),
            t.found_ever.to_string(),
            counts(t.confirmed.false_alarms),
            counts(t.confirmed.undecided),
            t.precision.map_or_else(none, |p| told(p, |share| format!("{share:.2}"))),
        ]);
    }
    format!("Confirmed findings (ever: defects found with any of the seeds):\n\n{}", table.text())
}

/// What it took, and what was not confirmed.
fn cost(figures: &Figures) -> String {
    let head = ["technique", "first detection", "worst", "events", "time", "unconfirmed"];
    let mut table = Table::new(head);
    for t in figures.techniques.iter().filter(|t| !t.apps.is_empty()) {
        let middle = |spread: Option<Spread>| spread.map_or_else(none, |s| grouped(s.median));
        table.row([
            t.technique.clone(),
            middle(t.first_detection),
            t.first_detection.map_or_else(none, |s| grouped(s.most)),
            middle(t.events),
            t.seconds.map_or_else(none, |s| seconds(s.median)),
            unconfirmed(&t.unconfirmed),
        ]);
    }
    let caption = "Events until a defect was first seen (median and worst over defects and seeds), events and \
                   time of a session (medians), and findings that the session's own replays did not confirm \
                   (true / false alarms / undecided, medians):";
    format!("{}\n\n{}", wrapped(caption), table.text())
}

fn unconfirmed(rulings: &Rulings) -> String {
    let middle = |spread: Option<Spread>| spread.map_or_else(none, |s| count(s.median));
    let Rulings { true_findings, false_alarms, undecided, .. } = rulings;
    [*true_findings, *false_alarms, *undecided].map(middle).join(" / ")
}

/// Which technique found which defect: with how many seeds, after how many events.
fn defects(figures: &Figures) -> String {
    let codes = figures.techniques.iter().map(|t| t.code.clone());
    let mut table = Table::new(std::iter::once("defect".to_owned()).chain(codes));
    for defect in &figures.defects {
        let cells = figures.techniques.iter().map(|t| cell(defect, &t.technique));
        table.row(std::iter::once(defect.id.clone()).chain(cells));
    }
    let legend = figures.techniques.iter().map(|t| format!("{} {}", t.code, t.technique));
    let legend = wrapped(&legend.collect::<Vec<_>>().join(", "));
    format!(
        "With how many seeds each defect was found, and after how many events (median):\n{legend}\n\n{}",
        table.text()
    )
}

fn cell(defect: &DefectFigures, technique: &str) -> String {
    match defect.by.iter().find(|detection| detection.technique == technique) {
        None => "–".into(),
        Some(detection) => match detection.events {
            None => "0".into(),
            Some(events) => format!("{} · {}", detection.seeds, thousands(events.median)),
        },
    }
}

fn union(union: &UnionFigures) -> String {
    let mut lines = vec![wrapped(&format!(
        "All together find {} of {} with one seed and {} with all. The best single one finds {} with one \
         seed, so together they find {} more.",
        counts(union.found),
        union.present,
        union.found_ever,
        counts(union.best),
        counts(union.gain),
    ))];
    let list = |ids: &[String]| if ids.is_empty() { "none".into() } else { ids.join(", ") };
    if let Some(best) = &union.best_technique {
        lines.push(wrapped(&format!(
            "Found with some seed, but never by {best}: {}",
            list(&union.beyond_best)
        )));
    }
    lines.push(wrapped(&format!("Found by none with any seed: {}", list(&union.never))));
    lines.join("\n\n") + "\n"
}

fn none() -> String {
    "–".into()
}

fn counts(spread: Option<Spread>) -> String {
    spread.map_or_else(none, |spread| told(spread, count))
}

/// Median, and the spread where there is any.
fn told(spread: Spread, figure: impl Fn(f64) -> String) -> String {
    let Spread { median, least, most } = spread;
    if least.total_cmp(&most).is_eq() {
        return figure(median);
    }
    format!("{} ({}–{})", figure(median), figure(least), figure(most))
}

/// Medians of counts may end in a half.
fn count(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// `12,345`.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `640`, `1.2k`, `14k`.
fn thousands(value: f64) -> String {
    match value {
        ..999.5 => format!("{value:.0}"),
        ..9_950.0 => format!("{:.1}k", value / 1_000.0),
        _ => format!("{:.0}k", value / 1_000.0),
    }
}

/// `4.2 s`, `3 min 05 s`.
fn seconds(value: f64) -> String {
    match value {
        ..59.95 => format!("{value:.1} s"),
        _ => {
            let minutes = (value / 60.0).floor();
            format!("{minutes:.0} min {:02.0} s", (value - 60.0 * minutes).floor())
        }
    }
}

/// Words over several lines.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let fits =
            |line: &String| line.is_empty() || line.chars().count() + 1 + word.chars().count() <= WIDTH;
        match lines.last_mut().filter(|line| fits(line)) {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::defects::fixture::{plan, records};

    #[test]
    fn tables_read_well_and_fit_a_page() {
        let plan = plan();
        let mut records = records(&plan);
        let text = tables(&Figures::of(&plan, &records));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        insta::assert_snapshot!("all", text);
        records.truncate(3);
        insta::assert_snapshot!("in_part", tables(&Figures::of(&plan, &records)));
    }

    #[test]
    fn figures_are_told_in_few_letters() {
        let spread = |median, least, most| Spread { median, least, most };
        for (text, expected) in [
            (told(spread(2.0, 2.0, 2.0), count), "2"),
            (told(spread(1.5, 1.0, 2.0), count), "1.5 (1–2)"),
            (grouped(999.0), "999"),
            (grouped(1_234_567.0), "1,234,567"),
            (thousands(999.0), "999"),
            (thousands(1_234.0), "1.2k"),
            (thousands(12_345.0), "12k"),
            (seconds(4.21), "4.2 s"),
            (seconds(185.9), "3 min 05 s"),
        ] {
            assert_eq!(text, expected);
        }
    }
}
