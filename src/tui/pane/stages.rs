//! From tests to bugs: how many of each, in the order in which a technique goes from one to the
//! next.

use ratatui::layout::Rect;

use crate::proto::SessionView;
use crate::record::{Progress, Technique};
use crate::tui::paint::Painter;
use crate::tui::text::{self, thousands};
use crate::tui::theme::Role;

/// A name and a number.
type Stage = (&'static str, u64);

/// False as long as there is nothing to count.
pub fn any(session: &SessionView) -> bool {
    let (stages, _) = of(session.technique, &session.progress);
    stages.iter().any(|(_, number)| *number > 0)
}

/// The stages over as many lines as the area has.
pub fn draw(painter: &mut Painter<'_>, area: Rect, session: &SessionView) {
    let (mut shown, least_telling) = of(session.technique, &session.progress);
    let arrow = format!(" {} ", painter.glyphs.arrow);
    for dropped in least_telling {
        if break_lines(&shown, &arrow, area.width).len() > usize::from(area.height) {
            shown.retain(|(name, _)| name != dropped);
        }
    }
    for (y, stages) in (area.top()..area.bottom()).zip(break_lines(&shown, &arrow, area.width)) {
        let mut x = area.x;
        for (name, number) in stages {
            let value = thousands(number);
            let role = if number > 0 { Role::Strong } else { Role::Dim };
            let is_last = shown.last().is_some_and(|(last, _)| *last == name);
            let arrow = if is_last { "" } else { arrow.as_str() };
            let pieces = [(name, Role::Dim), (" ", Role::Dim), (value.as_str(), role), (arrow, Role::Dim)];
            x += painter.pieces(x, y, area.right().saturating_sub(x), &pieces);
        }
    }
}

/// The stages of a technique, and which of them go first when room is short.
fn of(technique: Technique, progress: &Progress) -> (Vec<Stage>, &'static [&'static str]) {
    let form = &progress.form;
    let (funnel, tally, dmf, tour) = (&progress.funnel, &progress.tally, &progress.dmf, &progress.tour);
    match technique {
        Technique::Genie => (
            vec![
                ("seeds", funnel.seeds),
                ("mutants", funnel.generated),
                ("run", funnel.executed),
                ("dropped", funnel.dropped),
                ("unmasked", funnel.unmasked),
                ("violations", funnel.violations),
                ("distinct", funnel.distinct),
                ("once", funnel.once_only),
                ("confirmed", funnel.confirmed),
                ("true", funnel.marked_true),
            ],
            &["unmasked", "once", "dropped", "seeds", "true", "distinct", "confirmed"],
        ),
        Technique::Odin => (
            vec![
                ("inputs", tally.imported + tally.explored + tally.calibrated),
                ("strayed", tally.strayed),
                ("pairs", tally.pairs),
                ("behaviours", tally.reused + tally.manifested),
                ("discarded", tally.discarded),
                ("weighed", tally.weighed),
                ("too few", tally.too_few),
                ("anomalies", tally.anomalies),
                ("distinct", funnel.distinct),
                ("confirmed", funnel.confirmed),
            ],
            &["discarded", "strayed", "distinct", "pairs", "too few", "confirmed"],
        ),
        Technique::Pbfdroid => (
            vec![
                ("functions", dmf.functions),
                ("reached", dmf.reached),
                ("tests", dmf.tests),
                ("carried out", dmf.completed),
                ("failed", dmf.partial),
                ("random events", dmf.random),
                ("checked", dmf.checked),
                ("violations", dmf.violated),
                ("distinct", funnel.distinct),
                ("confirmed", funnel.confirmed),
            ],
            &["random events", "failed", "functions", "distinct", "tests", "confirmed"],
        ),
        Technique::Inputblaster | Technique::Randomtext => (
            vec![
                ("forms", form.forms),
                ("passed", form.passed),
                ("given up", form.given_up),
                ("questions", form.questions),
                ("generators", form.generators),
                ("failed", form.failures),
                ("inputs", form.inputs),
                ("untypable", form.untypable),
                ("accepted", form.accepted),
                ("refused", form.refused),
                ("distinct", funnel.distinct),
                ("confirmed", funnel.confirmed),
            ],
            &["untypable", "given up", "failed", "questions", "accepted", "refused", "confirmed"],
        ),
        Technique::Visiondroid => (
            vec![
                ("tests", tour.tests),
                ("steps", tour.steps),
                ("questions", tour.questions),
                ("in vain", tour.in_vain),
                ("functions", tour.functions),
                ("judged", tour.judged),
                ("wrong operations", tour.wrong_operations),
                ("violations", tour.mismatches),
                ("distinct", funnel.distinct),
                ("confirmed", funnel.confirmed),
            ],
            &["wrong operations", "in vain", "tests", "steps", "distinct", "confirmed"],
        ),
        Technique::Monkey => (
            vec![("crashes", funnel.distinct), ("once", funnel.once_only), ("confirmed", funnel.confirmed)],
            &[],
        ),
    }
}

/// The stages as they fall into lines of this width.
fn break_lines(stages: &[Stage], arrow: &str, width: u16) -> Vec<Vec<Stage>> {
    let mut lines: Vec<Vec<_>> = Vec::new();
    let mut used = 0;
    for &(name, number) in stages {
        let needed = text::width(name) + 1 + thousands(number).len() + text::width(arrow);
        match lines.last_mut() {
            Some(line) if used + needed <= usize::from(width) => line.push((name, number)),
            _ => {
                lines.push(vec![(name, number)]);
                used = 0;
            }
        }
        used += needed;
    }
    lines
}
