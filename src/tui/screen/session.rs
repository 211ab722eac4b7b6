//! The Session screen.
//!
//! ```text
//!  s1 genie org.diary  ▶ running  running mutants  ██████░░░░  62 %  124 of 200 tests
//!  34.2 steps/min │ 12:04 gone │ 6:10 left │ 1,204 steps
//!  seeds 20 → mutants 412 → run 124 → violations 8 → distinct 5 → confirmed 1
//! ╭ Layout after step 1,203 ─╮╭ Screen ────────╮┏ Trace ━━━━━━━━━━━━━━━━━━━━━ 1,204/1,204 following ┓
//! │ FrameLayout              ││                │┃ step   test     event   receiver    found      ┃
//! │ ├ TextView #title “Diary”││   screenshot,  │┃ 1,202  j12/3  + click   Button #a   exact      ┃
//! │▌├ Button #save “Save”    ││   the selected │┃▌1,203  j12/3    back                           ┃
//! │ ╰ …                      ││   widget boxed │┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
//! │──────────────────────────││                │╭ Verdicts ───────────────────────────────── 1/8 ╮
//! │ class  android.widget.…  ││                ││▌✗ violation  j12/3  genie  Deleted …           │
//! ╰──────────────────────────╯╰────────────────╯╰─────────────────────────────────────────────────╯
//! ```
//!
//! Under 100 columns the screenshot gives way unless the tree is hidden. Sessions that ask a language
//! model have its transcript between trace and verdicts; Enter leads from there to the Transcripts screen.

use ratatui::layout::Rect;

use crate::app::{App, ShownPanes};
use crate::paint::Painter;
use crate::pane::{Pane, stages, tile};
use crate::theme::Role;
use droidmux_record::Use;

/// Width from which tree and screenshot stand side by side, and from which there is one at all.
const WIDE: u16 = 150;
const MEDIUM: u16 = 100;

/// The screen below its summary.
pub fn below_summary(app: &App, body: Rect) -> Rect {
    let used = summary_height(app, body);
    Rect { y: body.y + used, height: body.height - used, ..body }
}

fn summary_height(app: &App, body: Rect) -> u16 {
    let tells_uses = app.current_session().is_some_and(|session| !session.progress.uses.is_empty());
    match body.height {
        0..26 => 1,
        26..40 => 2,
        46.. if tells_uses => 4,
        _ => 3,
    }
}

pub fn draw_summary(app: &App, painter: &mut Painter<'_>) {
    let body = super::body(app);
    let line = |n: u16| Rect { x: body.x + 1, y: body.y + n, width: body.width.saturating_sub(2), height: 1 };
    let Some(session) = app.current_session() else {
        painter.text(body.x + 1, body.y, body.width, "no session", Role::Dim);
        return;
    };
    let name = format!("{} {} {}  ", session.id, session.technique.name(), session.app);
    let first = line(0);
    let used = painter.text(first.x, first.y, first.width / 3, &name, Role::Strong);
    let rest = Rect { x: first.x + used, width: first.width - used, ..first };
    tile::summary(app, painter, rest, session);
    let height = summary_height(app, body);
    if height > 1 {
        let whole = line(1);
        let figures = Rect { width: whole.width * 3 / 5, ..whole };
        tile::figures(painter, figures, session);
        let x = figures.right() + 2;
        tile::model(painter, Rect { x, width: whole.right().saturating_sub(x), ..whole }, session);
    }
    if height > 2 {
        let half = Rect { width: body.width * 3 / 5, ..line(2) };
        if stages::any(session) {
            stages::draw(painter, half, session);
        }
        let x = half.right() + 2;
        let rest = Rect { x, width: body.right().saturating_sub(x + 1), ..half };
        tile::findings(painter, rest, session);
    }
    if height > 3 {
        let Rect { x, y, width, .. } = line(3);
        let told = [Use::words(&session.progress.uses), session.looks.words().unwrap_or_default()];
        let told: Vec<&str> = told.iter().map(String::as_str).filter(|words| !words.is_empty()).collect();
        painter.text(x, y, width, &told.join(" · "), Role::Dim);
    }
}

pub fn frames(app: &App, area: Rect) -> Vec<(Pane, Rect)> {
    let shown = app.shown_panes();
    if app.difference.shown {
        return compared_frames(area, shown);
    }
    let picture = shown.picture && (area.width >= MEDIUM || !shown.tree);
    let has_left = shown.tree || picture;
    let has_right = shown.trace || shown.verdicts || shown.talk;
    let (left, right) = match (has_left, has_right) {
        (true, true) => {
            let share = if area.width >= WIDE && shown.tree && picture { 51 } else { 45 };
            split_width(area, u16::try_from(u32::from(area.width) * share / 100).unwrap_or(area.width))
        }
        (true, false) => (area, Rect::default()),
        (false, _) => (Rect::default(), area),
    };
    let mut frames = left_frames(left, shown.tree, picture);
    frames.extend(right_frames(right, shown));
    frames
}

/// The differences between two steps, beside the trace and its verdicts, or above them if there is little room.
fn compared_frames(area: Rect, shown: ShownPanes) -> Vec<(Pane, Rect)> {
    let shown = ShownPanes { trace: true, ..shown };
    let (difference, rest) = match area.width >= MEDIUM {
        true => split_width(area, area.width * 3 / 5),
        false => {
            let above = Rect { height: area.height / 2, ..area };
            (above, Rect { y: above.bottom(), height: area.height - above.height, ..area })
        }
    };
    let mut frames = vec![(Pane::Difference, difference)];
    frames.extend(right_frames(rest, shown));
    frames
}

/// Trace, transcript and verdicts, one below the other: the first of them takes what the others leave.
fn right_frames(right: Rect, shown: ShownPanes) -> Vec<(Pane, Rect)> {
    let all = [
        (shown.trace, Pane::Trace, right.height),
        // Under 30 lines no more than the last exchange and the open question.
        (shown.talk, Pane::Talk, (right.height / 5).clamp(4, 14)),
        (shown.verdicts, Pane::Verdicts, (right.height / 4).clamp(5, 18)),
    ];
    let mut shown = all.into_iter().filter(|(shown, ..)| *shown).map(|(_, pane, height)| (pane, height));
    let Some((first, _)) = shown.next() else { return Vec::new() };
    let mut rest = right;
    let mut frames = Vec::new();
    for (pane, height) in shown.rev() {
        let height = height.min(rest.height);
        rest.height -= height;
        frames.push((pane, Rect { y: rest.bottom(), height, ..right }));
    }
    frames.push((first, rest));
    frames.reverse();
    frames
}

fn left_frames(left: Rect, tree: bool, picture: bool) -> Vec<(Pane, Rect)> {
    match (tree, picture) {
        (true, true) if left.width >= 90 => {
            // A phone's screen is about 9 by 20; a cell is about 1 by 2.
            let width = ((left.height.saturating_sub(2)) * 9 / 10 + 2).clamp(20, left.width * 4 / 9);
            let (tree, picture) = split_width(left, left.width - width);
            vec![(Pane::Tree, tree), (Pane::Picture, picture)]
        }
        (true, true) if left.height >= 34 => {
            let height = left.height / 2;
            let tree = Rect { height, ..left };
            vec![
                (Pane::Tree, tree),
                (Pane::Picture, Rect { y: tree.bottom(), height: left.height - height, ..left }),
            ]
        }
        (true, _) => vec![(Pane::Tree, left)],
        (false, true) => vec![(Pane::Picture, left)],
        (false, false) => Vec::new(),
    }
}

fn split_width(area: Rect, left: u16) -> (Rect, Rect) {
    let left = left.min(area.width);
    (Rect { width: left, ..area }, Rect { x: area.x + left, width: area.width - left, ..area })
}

pub fn focus_order(app: &App) -> Vec<Pane> {
    let shown = app.shown_panes();
    let compares = app.difference.shown;
    let panes = [
        (shown.tree && !compares, Pane::Tree),
        (compares, Pane::Difference),
        (shown.trace || compares, Pane::Trace),
        (shown.talk, Pane::Talk),
        (shown.verdicts, Pane::Verdicts),
    ];
    panes.into_iter().filter(|(shown, _)| *shown).map(|(_, pane)| pane).collect()
}
