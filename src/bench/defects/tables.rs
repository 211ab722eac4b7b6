//! The tables of a bench, for people and for documents.

use super::cells::{counts, grouped, none, ratios, seconds, shares, thousands, three, wrapped};
use super::figures::{
    DefectFigures, FalseReports, Lines, Rulings, ScopeFigures, SetFigures, TechniqueFigures, UnionFigures,
};
use super::spread::Spread;
use super::table::Table;
use super::{Figures, Judged, Scope};
use crate::apps::RealApp;
use droidmux_record::Tier;

/// Figures as Markdown tables of at most 100 columns.
pub fn tables(figures: &Figures) -> String {
    let parts = [
        head(figures),
        believed(figures),
        found(figures),
        tiers(figures),
        oracles(figures),
        explanations(figures),
        reviewer(figures),
        correct(figures),
        own(figures),
        kinds(figures),
        cost(figures),
        defects(figures),
        set_off(figures),
        figures.unions.iter().map(union).collect::<Vec<_>>().join("\n"),
        figures.sets.iter().map(set).collect::<Vec<_>>().join("\n"),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

fn head(figures: &Figures) -> String {
    let Figures { apps, finished, trials, seeds, max_events, planted_only, .. } = figures;
    let off = if *planted_only { "" } else { " and with all off" };
    let missing = match trials.saturating_sub(*finished) {
        0 => String::new(),
        missing => format!("Not finished: {missing} of {trials} sessions are missing below.\n"),
    };
    let text = format!(
        "{trials} sessions: {} apps, {seeds} RNG seeds, at most {max_events} events each, with all defects on{off}. \
         Figures are sums over the apps for each seed: median (least–most). Rules are made on the \
         apps of group A and tried on those of group B.",
        apps.len()
    );
    wrapped(&text) + "\n" + &missing
}

/// The groups of apps that some technique has figures of.
fn scopes(figures: &Figures) -> Vec<Scope> {
    let has = |scope: &Scope| figures.techniques.iter().any(|technique| technique.on(*scope).is_some());
    let all: Vec<Scope> = Scope::EACH.into_iter().filter(has).collect();
    // If there is only one group, that is all there is.
    match all.as_slice() {
        [_, Scope::All] => vec![Scope::All],
        _ => all,
    }
}

/// A row for each technique, with cells for each group of apps.
fn by_scope(figures: &Figures, columns: &[&str], cells: impl Fn(&ScopeFigures) -> Vec<String>) -> Table {
    let scopes = scopes(figures);
    let mut head = vec!["technique".to_owned()];
    for column in columns {
        head.extend(scopes.iter().map(|scope| match scopes.len() {
            1 => (*column).to_owned(),
            _ => format!("{column} {}", scope.name()),
        }));
    }
    let mut table = Table::new(head);
    for technique in &figures.techniques {
        if technique.scopes.is_empty() {
            table.row([technique.technique.as_str(), "does not apply"]);
            continue;
        }
        let by: Vec<Vec<String>> = (scopes.iter())
            .map(|scope| technique.on(*scope).map_or_else(|| vec![none(); columns.len()], &cells))
            .collect();
        let row = (0..columns.len()).flat_map(|column| by.iter().map(move |cells| (column, cells)));
        let row = row.map(|(column, cells)| cells.get(column).cloned().unwrap_or_default());
        table.row(std::iter::once(technique.technique.clone()).chain(row));
    }
    table
}

/// What people can believe: reported findings only.
fn believed(figures: &Figures) -> String {
    let table = by_scope(figures, &["precision", "all seeds", "first five", "read"], |scope| {
        let reported = scope.tier(Tier::Reported);
        vec![
            shares(reported.and_then(|tier| tier.clusters.precision)),
            reported.map_or_else(none, |tier| of_all_seeds(&tier.clusters)),
            shares(scope.first_five),
            ratios(reported.and_then(|tier| tier.clusters.read_per_defect)),
        ]
    });
    let caption = "What is reported, one finding for each cluster: the share of true ones, the same over all seeds (true \
                   ones of the decided), the same of the first five lines of each session, and how many a person reads \
                   for each defect that they find:";
    format!("{}\n\n{}", wrapped(caption), table.text())
}

/// `0.62 (31/50)`.
fn of_all_seeds(rulings: &Rulings) -> String {
    let Lines { true_ones, false_alarms, .. } = rulings.all_seeds;
    let told = |share: f64| format!("{share:.2} ({true_ones}/{})", true_ones + false_alarms);
    rulings.precision_of_all_seeds.map_or_else(none, told)
}

/// What was found out of what there was.
fn found(figures: &Figures) -> String {
    let columns = ["found", "ever", "reported", "clusters", "set off", "set off ever"];
    let table = by_scope(figures, &columns, |scope| {
        vec![
            format!("{} of {}", counts(scope.found), scope.present),
            scope.found_ever.to_string(),
            counts(scope.reported),
            counts(scope.found_by_clusters),
            counts(scope.set_off),
            scope.set_off_ever.to_string(),
        ]
    });
    let caption = "Defects found by reported and suspicious findings (ever: with any of the seeds), by reported ones \
                   alone, and by those alone that stand for their cluster; defects that some event set off:";
    format!("{}\n\n{}", wrapped(caption), table.text())
}

/// All rulings, by tier.
fn tiers(figures: &Figures) -> String {
    let head = ["technique, tier", "findings", "precision", "clusters", "precision", "mutants", "precision"];
    let mut table = Table::new(head);
    for technique in &figures.techniques {
        let Some(all) = technique.on(Scope::All) else { continue };
        for tier in &all.tiers {
            let cells = [&tier.findings, &tier.clusters, &tier.mutants];
            let cells = cells.into_iter().flat_map(|rulings| [three(rulings), shares(rulings.precision)]);
            let name = format!("{}, {}", technique.technique, tier_name(tier.tier));
            table.row(std::iter::once(name).chain(cells));
        }
    }
    let caption = "All that was found on all apps (true / false alarms / undecided, medians), by finding, by cluster, \
                   and by the tests that showed it:";
    format!("{}\n\n{}", wrapped(caption), table.text())
}

/// What keeps findings from being reported.
fn explanations(figures: &Figures) -> String {
    if figures.explanations.is_empty() {
        return String::new();
    }
    let mut table = Table::new(["held back by", "A", "precision", "all", "precision", "all off", "lost"]);
    for of in &figures.explanations {
        let cells = [of.a, of.all].into_iter().flat_map(|lines| {
            let Lines { true_ones, false_alarms, undecided } = lines;
            let precision = lines.precision().map_or_else(none, |share| format!("{share:.2}"));
            [format!("{true_ones} / {false_alarms} / {undecided}"), precision]
        });
        let ends = [of.off.to_string(), of.lost.len().to_string()];
        table.row(std::iter::once(of.name.clone()).chain(cells).chain(ends));
    }
    let lost = figures.explanations.iter().filter(|of| !of.lost.is_empty());
    let lost: Vec<String> = lost.map(|of| format!("{} ({})", of.name, of.lost.join(", "))).collect();
    let caption = "What keeps findings from being reported, by name, over all techniques and seeds: true ones, false \
                   alarms and undecided ones that it took away with defects on, false ones with all defects off, and \
                   defects that no reported finding names:";
    let lost = match lost.as_slice() {
        [] => String::new(),
        lost => format!("\n{}", wrapped(&format!("Lost to: {}.", lost.join("; ")))),
    };
    format!("{}\n\n{}{lost}", wrapped(caption), table.text())
}

/// What the reviewer's opinions changed about the lines that people read.
fn reviewer(figures: &Figures) -> String {
    let told =
        figures.techniques.iter().filter_map(|technique| Some((technique, technique.reviewer.as_ref()?)));
    let mut table = Table::new(
        ["technique", "opinions", "reported before", "after", "promoted", "explained"]
            .map(str::to_owned)
            .to_vec(),
    );
    let mut rows = 0;
    for (technique, of) in told {
        let lines = |lines: Lines| {
            let precision = lines.precision().map_or_else(String::new, |share| format!(", {share:.2}"));
            let Lines { true_ones, false_alarms, undecided } = lines;
            format!("{true_ones} true {false_alarms} false {undecided} open{precision}")
        };
        let cells = [of.before, of.after, of.promoted, of.explained].map(lines);
        let head = [technique.technique.clone(), of.opinions.to_string()];
        table.row(head.into_iter().chain(cells));
        rows += 1;
    }
    if rows == 0 {
        return String::new();
    }
    let text = "Second opinions: lines that are reported without and with the reviewer's word, over all apps and \
                seeds, with their precision; those that it had reported, and those that it explained.";
    format!("{}\n\n{}", wrapped(text), table.text())
}

fn oracles(figures: &Figures) -> String {
    let mut table =
        Table::new(["technique, oracle", "found", "ever", "alone", "reported", "precision", "suspicious"]);
    let several = figures.techniques.iter().filter(|technique| technique.oracles.len() > 1);
    let mut any = false;
    for (technique, oracle) in several.flat_map(|t| t.oracles.iter().map(move |oracle| (t, oracle))) {
        any = true;
        table.row([
            format!("{}, {}", technique.technique, oracle.oracle),
            counts(oracle.found),
            oracle.found_ever.to_string(),
            oracle.found_alone.len().to_string(),
            three(&oracle.reported),
            shares(oracle.reported.precision),
            three(&oracle.suspicious),
        ]);
    }
    if !any {
        return String::new();
    }
    let caption = "What each oracle contributes: defects found by its reported and suspicious findings, those that no \
                   other oracle of the technique found with any seed, and how its findings were ruled on:";
    format!("{}\n\n{}", wrapped(caption), table.text())
}

/// With all defects off, everything that is reported is wrong.
fn correct(figures: &Figures) -> String {
    if figures.planted_only {
        return String::new();
    }
    let codes = figures.techniques.iter().map(|t| t.code.clone());
    let mut table = Table::new(std::iter::once("all off".to_owned()).chain(codes));
    for app in &figures.correct {
        let group = app.group.map_or_else(String::new, |group| format!(" ({})", group.name()));
        let last = app.app.rsplit('.').next().unwrap_or_default();
        let name = RealApp::of_package(&app.app).map_or(last, |real| real.name);
        let cells = figures.techniques.iter().map(|technique| {
            let by = app.by.iter().find(|by| by.technique == technique.technique);
            by.map_or_else(none, seed_by_seed)
        });
        table.row(std::iter::once(format!("{name}{group}")).chain(cells));
    }
    let caption = match figures.kinds.is_empty() {
        true => {
            "Reported with all defects off, which are false alarms all: of each seed the findings, and the clusters \
             where they are fewer:"
        }
        false => {
            "Reported on the apps as they are: of each seed the findings, and the clusters where they are fewer:"
        }
    };
    format!("{}\n\n{}", wrapped(caption), table.text())
}

/// What real apps show by themselves, and what somebody who read them says of it.
fn own(figures: &Figures) -> String {
    if figures.own.is_empty() {
        return String::new();
    }
    let lines = figures.own.iter().map(|line| {
        let judged = match (line.judged, &line.reason) {
            (Some(Judged::Bug), Some(reason)) => format!("a bug: {reason}"),
            (Some(Judged::FalseAlarm), Some(reason)) => format!("false: {reason}"),
            _ => "not judged yet, counted as false".to_owned(),
        };
        let by = line.techniques.join(", ");
        wrapped(&format!("- {}: {} ({by}; {} sessions): {judged}", line.name, line.title, line.sessions))
    });
    let caption = "What is reported on the apps as they are, each judged once by reading the app:";
    format!("{caption}\n\n{}\n", lines.collect::<Vec<_>>().join("\n"))
}

/// What was found of each kind of defect in real apps.
fn kinds(figures: &Figures) -> String {
    if figures.kinds.is_empty() {
        return String::new();
    }
    let scopes = scopes(figures);
    let head = scopes.iter().map(|scope| match scopes.len() {
        1 => "found of set off of all".to_owned(),
        _ => format!("found of set off of all, {}", scope.name()),
    });
    let mut table = Table::new(std::iter::once("operator".to_owned()).chain(head));
    let mut names: Vec<&str> = figures.kinds.iter().map(|kind| kind.kind.as_str()).collect();
    names.dedup();
    for name in names {
        let cells = scopes.iter().map(|scope| {
            let of = figures.kinds.iter().find(|kind| kind.kind == name && kind.scope == *scope);
            of.map_or_else(none, |kind| format!("{} of {} of {}", kind.found, kind.set_off, kind.present))
        });
        table.row(std::iter::once(name.to_owned()).chain(cells));
    }
    let sums = scopes.iter().map(|scope| {
        let of = figures.kinds.iter().filter(|kind| kind.scope == *scope);
        let (found, set_off, present) = of.fold((0, 0, 0), |(found, set_off, present), kind| {
            (found + kind.found, set_off + kind.set_off, present + kind.present)
        });
        format!("{found} of {set_off} of {present}")
    });
    table.row(std::iter::once("together".to_owned()).chain(sums));
    let caption = "By operator: defects found by reported or suspicious findings, of those that were set off, of all that \
                   were chosen; all techniques and seeds together:";
    format!("{}\n\n{}", wrapped(caption), table.text())
}

/// `0 2 1`, `0 2:1 1` if two findings are one cluster.
fn seed_by_seed(by: &FalseReports) -> String {
    let cell = |(findings, clusters): (&u64, &u64)| match findings == clusters {
        true => findings.to_string(),
        false => format!("{findings}:{clusters}"),
    };
    by.reported.iter().zip(&by.reported_clusters).map(cell).collect::<Vec<_>>().join(" ")
}

/// The cost.
fn cost(figures: &Figures) -> String {
    let mut table = Table::new(["technique", "first detection", "worst", "events", "time"]);
    for t in figures.techniques.iter().filter(|t| !t.scopes.is_empty()) {
        let middle = |spread: Option<Spread>| spread.map_or_else(none, |s| grouped(s.median));
        table.row([
            t.technique.clone(),
            middle(t.first_detection),
            t.first_detection.map_or_else(none, |s| grouped(s.most)),
            middle(t.events),
            t.seconds.map_or_else(none, |s| seconds(s.median)),
        ]);
    }
    let caption = "Events until a defect was first seen (median and worst over defects and seeds), events and \
                   time of a session (medians):";
    format!("{}\n\n{}", wrapped(caption), table.text())
}

/// Which technique found which defect: with how many seeds, after how many events.
fn defects(figures: &Figures) -> String {
    let table = by_defect(figures, |defect, technique| {
        let Some(detection) = defect.by.iter().find(|by| by.technique == technique.technique) else {
            return none();
        };
        match detection.events {
            None => "0".into(),
            Some(events) => format!("{} · {}", detection.seeds, thousands(events.median)),
        }
    });
    let legend = figures.techniques.iter().map(|t| format!("{} {}", t.code, t.technique));
    let legend = wrapped(&legend.collect::<Vec<_>>().join(", "));
    format!(
        "With how many seeds each defect was found, and after how many events (median):\n{legend}\n\n{}",
        table.text()
    )
}

/// Which technique triggered which defect: with how many seeds, by how many events.
fn set_off(figures: &Figures) -> String {
    let table = by_defect(figures, |defect, technique| {
        let Some(detection) = defect.by.iter().find(|by| by.technique == technique.technique) else {
            return none();
        };
        match detection.set_off_events {
            None => "0".into(),
            Some(events) => format!("{} × {}", detection.set_off, thousands(events.median)),
        }
    });
    let caption = "With how many seeds each defect was set off, by how many events of each of these sessions \
                   (median). What was never set off could not be found:";
    format!("{}\n\n{}", wrapped(caption), table.text())
}

fn by_defect(figures: &Figures, cell: impl Fn(&DefectFigures, &TechniqueFigures) -> String) -> Table {
    let codes = figures.techniques.iter().map(|t| t.code.clone());
    let mut table = Table::new(std::iter::once("defect".to_owned()).chain(codes));
    for defect in &figures.defects {
        let cells = figures.techniques.iter().map(|technique| cell(defect, technique));
        table.row(std::iter::once(defect.id.clone()).chain(cells));
    }
    table
}

fn union(union: &UnionFigures) -> String {
    let mut lines = Vec::new();
    let of = capital(&union.of);
    for scope in union.scopes.iter().filter(|scope| scope.present > 0) {
        let place = match scope.scope {
            Scope::All => "On all apps".to_owned(),
            group => format!("On the apps of group {}", group.name()),
        };
        lines.push(wrapped(&format!(
            "{place} {} together find {} of {} with one seed and {} with all; they set off {} with one seed and {} \
             with all. The best single one finds {} with one seed, so together they find {} more.",
            union.of,
            counts(scope.found),
            scope.present,
            scope.found_ever,
            counts(scope.set_off),
            scope.set_off_ever,
            counts(scope.best),
            counts(scope.gain),
        )));
    }
    let list = |ids: &[String]| if ids.is_empty() { "none".into() } else { ids.join(", ") };
    if let Some(best) = &union.best_technique {
        lines.push(wrapped(&format!(
            "{of}: found with some seed, but never by {best}: {}",
            list(&union.beyond_best)
        )));
    }
    lines.push(wrapped(&format!("{of}: set off and never found: {}", list(&union.unseen))));
    lines.push(wrapped(&format!("{of}: never set off: {}", list(&union.unreached))));
    lines.join("\n\n") + "\n"
}

/// What is found of a set of defects.
fn set(set: &SetFigures) -> String {
    let mut table = Table::new(["technique", "found", "ever", "which"].map(str::to_owned).to_vec());
    for by in set.by.iter().chain([&set.together]) {
        let ever = by.found_ever.len().to_string();
        table.row([by.of.clone(), counts(by.found), ever, shortened(&by.found_ever)]);
    }
    let text = format!(
        "Of the {} defects {}: found with one seed (median, least–most), with any of the seeds, and which; by no \
         technique: {}.",
        set.defects.len(),
        set.of,
        if set.missed.is_empty() { "none".to_owned() } else { set.missed.join(", ") }
    );
    format!("{}\n\n{}", wrapped(&text), table.text())
}

/// The first ids, and how many more there are; `--json` has all.
fn shortened(ids: &[String]) -> String {
    const SHOWN: usize = 2;
    let shown = ids.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match ids.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::Reported => "reported",
        Tier::Suspicious => "suspicious",
        Tier::Explained => "explained",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defects::DefectSet;
    use crate::defects::fixture::{plan, records};
    use crate::defects::table::WIDTH;

    #[test]
    fn tables_read_well_and_fit_a_page() {
        let plan = plan();
        let mut records = records(&plan);
        let set = DefectSet::read("notes.*", &plan).expect("a set");
        let text = tables(&Figures::with_sets(&plan, &records, &[set]));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        insta::assert_snapshot!("all", text);
        records.truncate(3);
        insta::assert_snapshot!("in_part", tables(&Figures::of(&plan, &records)));
    }

    #[test]
    fn a_bench_without_sessions_with_all_off_does_not_speak_of_them() {
        let mut plan = plan();
        plan.options.planted_only = true;
        let text = tables(&Figures::of(&plan, &[])).replace('\n', " ");
        assert!(text.contains("with all defects on. Figures") && !text.contains("all off"), "{text}");
    }
}
