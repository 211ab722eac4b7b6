//! From tests to bugs: how many of each, in the order in which a technique goes from one to the
//! next.

use ratatui::layout::Rect;

use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use droidmux_proto::SessionView;
use droidmux_record::FunnelStage;
use droidmux_words::figure::thousands;

/// False as long as there is nothing to count.
pub fn any(session: &SessionView) -> bool {
    session.progress.stages.iter().any(|stage| stage.number > 0)
}

/// The stages over as many lines as the area has.
pub fn draw(painter: &mut Painter<'_>, area: Rect, session: &SessionView) {
    let mut shown: Vec<&FunnelStage> = session.progress.stages.iter().collect();
    let arrow = format!(" {} ", painter.glyphs.arrow);
    while break_lines(&shown, &arrow, area.width).len() > usize::from(area.height) {
        let spare = shown.iter().enumerate().filter_map(|(at, stage)| Some((stage.spare?, at))).min();
        let Some((_, at)) = spare else { break };
        shown.remove(at);
    }
    for (y, stages) in (area.top()..area.bottom()).zip(break_lines(&shown, &arrow, area.width)) {
        let mut x = area.x;
        for stage in stages {
            let (name, value) = (stage.name.as_ref(), thousands(stage.number));
            let role = if stage.number > 0 { Role::Strong } else { Role::Dim };
            let is_last = shown.last().is_some_and(|last| last.name == stage.name);
            let arrow = if is_last { "" } else { arrow.as_str() };
            let pieces = [(name, Role::Dim), (" ", Role::Dim), (value.as_str(), role), (arrow, Role::Dim)];
            x += painter.pieces(x, y, area.right().saturating_sub(x), &pieces);
        }
    }
}

/// The stages as they fall into lines of this width.
fn break_lines<'a>(stages: &[&'a FunnelStage], arrow: &str, width: u16) -> Vec<Vec<&'a FunnelStage>> {
    let mut lines: Vec<Vec<_>> = Vec::new();
    let mut used = 0;
    for &stage in stages {
        let needed = text::width(&stage.name) + 1 + thousands(stage.number).len() + text::width(arrow);
        match lines.last_mut() {
            Some(line) if used + needed <= usize::from(width) => line.push(stage),
            _ => {
                lines.push(vec![stage]);
                used = 0;
            }
        }
        used += needed;
    }
    lines
}
