//! Session tiles: a session at a glance.

use ratatui::layout::Rect;

use super::{Pane, inner, stages, wireframe};
use crate::app::App;
use crate::paint::Painter;
use crate::screen;
use crate::text;
use crate::theme::Role;
use crate::words;
use droidmux_proto::{FindingView, SessionView, StepView};
use droidmux_record::Tier;
use droidmux_words::figure::{self, count, thousands};

/// Inner width from which the layout stands beside the events.
const ROOM_FOR_LAYOUT: u16 = 50;
/// How many cells wide the layout may be, among other tiles and alone.
const LAYOUT: u16 = 48;
const ZOOMED_LAYOUT: u16 = 80;

pub fn draw_all(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    if app.lab.shown.is_empty() {
        let inner = painter.pane(frame, "Sessions", note(app).trim_end(), app.focus() == Pane::Tiles);
        return painter.notice(inner, nothing(app));
    }
    for (n, area) in screen::lab::tiles(app) {
        if let Some(session) = app.session_at(n as u64) {
            let focused = app.focus() == Pane::Tiles && n as u64 == app.tiles.cursor;
            let which = format!("{}/{}", n + 1, app.lab.shown.len());
            draw(app, painter, area, session, focused, &which);
        }
    }
}

/// Why there are no sessions.
pub fn nothing(app: &App) -> &'static str {
    match (app.view.sessions.is_empty(), app.lab.filter.is_empty()) {
        (true, _) => "No session yet. `c` starts one, or `droidmux run SESSION.toml`.",
        (false, false) => "No session passes the filter. Esc takes it away.",
        (false, true) => "All sessions have ended, and those are hidden.",
    }
}

/// How the sessions are sorted and which are left out, if that is not as usual.
pub fn note(app: &App) -> String {
    let arrangement = &app.lab.arrangement;
    let sorted = match arrangement.sort_sessions {
        order if order == Default::default() => String::new(),
        order => format!("by {}  ", order.words()),
    };
    let hidden = if arrangement.hide_ended { "ended hidden  " } else { "" };
    let filtered = match app.lab.filter.as_str() {
        "" => String::new(),
        filter => format!("filter \u{201c}{filter}\u{201d}  "),
    };
    format!("{filtered}{sorted}{hidden}")
}

fn draw(app: &App, painter: &mut Painter<'_>, area: Rect, session: &SessionView, focused: bool, which: &str) {
    let cursor = if focused { painter.glyphs.cursor } else { "" };
    let title = format!("{cursor}{} {} {}", session.id, session.technique.name(), session.app);
    painter.pane(area, &title, which, focused);
    let inside = inner(area);
    let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    if inside.height < 3 || inside.width < 20 {
        return;
    }
    summary(app, painter, line(inside, 0), session);
    figures(painter, line(inside, 1), session);
    findings(painter, line(inside, 2), session);
    let funnel_rows = match inside.height {
        0..7 => 0,
        7..20 => 1,
        _ => 2,
    };
    let body = Rect { y: inside.y + 3, height: inside.height.saturating_sub(3 + funnel_rows), ..inside };
    let last = Rect { y: body.bottom(), height: funnel_rows, ..inside };
    if stages::any(session) {
        stages::draw(painter, last, session);
    } else if funnel_rows > 0 {
        model(painter, Rect { y: inside.bottom() - 1, height: 1, ..inside }, session);
    }
    let (drawing, events) = match inside.width >= ROOM_FOR_LAYOUT && body.height >= 6 {
        true => {
            // A phone is about twice as high as wide, a cell too: the drawing is widened so that
            // its texts can be read.
            let most = if app.lab.zoomed { ZOOMED_LAYOUT } else { LAYOUT };
            let width = (body.height * 2).clamp(20, (inside.width * 2 / 5).clamp(20, most));
            let drawing = Rect { width, ..body };
            let events = Rect { x: body.x + width + 2, width: body.width.saturating_sub(width + 2), ..body };
            (Some(drawing), events)
        }
        false => (None, body),
    };
    if let Some(drawing) = drawing {
        small_layout(app, painter, drawing, session);
    }
    let used = recent(painter, events, &session.recent);
    let rest = Rect { y: events.y + used, height: events.height - used, ..events };
    best_findings(app, painter, rest, session);
}

fn line(area: Rect, n: u16) -> Rect {
    Rect { y: area.y + n, height: 1, ..area }
}

/// `▶ running  running mutants  ████░░ 62 %  12,400 of 20,000 events`: the budget that is used up first.
pub fn summary(app: &App, painter: &mut Painter<'_>, line: Rect, session: &SessionView) {
    let progress = &session.progress;
    let (sign, word, role) = words::state(&session.state, painter.glyphs);
    let state = match session.priority {
        0 => format!("{sign} {word}"),
        priority => format!("{sign} {word}, priority {priority}"),
    };
    let mut x = line.x;
    x += painter.text(x, line.y, line.width.min(40), &state, role) + 2;
    if let Some(words) = stuck(app, session) {
        x += painter.text(x, line.y, line.right().saturating_sub(x), &words, Role::Warn) + 2;
    }
    if !session.state.is_over() {
        x += painter.text(x, line.y, line.right().saturating_sub(x), &progress.phase.words, Role::Text) + 2;
    }
    let Some((budget, share)) = words::binding(&session.budgets) else { return };
    let tail = format!("{:>3.0} %  {}", share * 100.0, words::budget(budget));
    let tail_width = u16::try_from(text::width(&tail)).unwrap_or(u16::MAX);
    let room = line.right().saturating_sub(x);
    if room >= tail_width + 8 {
        let bar = Rect { x, width: (room - tail_width - 2).min(60), ..line };
        painter.bar(bar, share);
        x += bar.width + 1;
    }
    painter.text(x, line.y, line.right().saturating_sub(x), &tail, Role::Text);
}

/// Says that devices of a session no longer see anything new.
pub fn stuck(app: &App, session: &SessionView) -> Option<String> {
    let own = app.view.devices.iter().filter(|device| device.session == Some(session.id));
    let (stuck, all) = own.fold((0, 0), |(stuck, all), device| (stuck + u32::from(device.stuck), all + 1));
    match (stuck, all) {
        (0, _) => None,
        (1, 1) => Some("stuck".into()),
        (stuck, all) => Some(format!("{stuck} of {all} stuck")),
    }
}

/// Rate, time and model.
pub fn figures(painter: &mut Painter<'_>, line: Rect, session: &SessionView) {
    let left = match session.left_s {
        Some(left) => format!("{} left", figure::duration(left)),
        None => "warming up".into(),
    };
    let progress = &session.progress;
    let done = format!("{} of {} {}", thousands(progress.done), thousands(progress.total), progress.unit);
    let pieces = [
        format!("{:.1} steps/min", session.steps_per_minute),
        format!("{} gone", figure::duration(session.elapsed_s)),
        if session.state.is_over() { String::new() } else { left },
        count(session.steps, "step"),
        if progress.total == 0 { String::new() } else { done },
    ];
    joined(painter, line, pieces.into_iter().map(|piece| (piece, Role::Dim)));
}

/// What was learned of the app so far.
pub fn model(painter: &mut Painter<'_>, line: Rect, session: &SessionView) {
    let progress = &session.progress;
    let pieces =
        [format!("model: {}", count(progress.states, "state")), count(progress.transitions, "transition")];
    joined(painter, line, pieces.into_iter().map(|piece| (piece, Role::Dim)));
}

/// Verdicts, findings, language models, degraded dumps and premature looks.
pub fn findings(painter: &mut Painter<'_>, line: Rect, session: &SessionView) {
    let counts = session.findings;
    let role = if counts.reported > 0 { Role::Bad } else { Role::Dim };
    let suspicious = if counts.suspicious > 0 { Role::Warn } else { Role::Dim };
    let mut pieces = vec![
        (format!("{} reported", thousands(counts.reported)), role),
        (format!("{} suspicious", thousands(counts.suspicious)), suspicious),
        (count(session.verdicts, "verdict"), Role::Dim),
    ];
    if let Some(words) = asked(session) {
        pieces.push((words, Role::Dim));
    }
    if let Some(note) = session.degraded.last() {
        pieces.push((format!("degraded: {note}"), Role::Warn));
    }
    pieces.extend(session.looks.premature_words().map(|words| (words, Role::Warn)));
    joined(painter, line, pieces.into_iter());
}

/// Who answers a session's questions, and what that cost so far.
fn asked(session: &SessionView) -> Option<String> {
    let model = &session.model;
    let cost = match model.spent.cost {
        0 => String::new(),
        cost => format!(", cost {}", figure::money(cost)),
    };
    (!model.name.is_empty())
        .then(|| format!("{}: {}{cost}", model.name, count(model.spent.calls, "question")))
}

fn small_layout(app: &App, painter: &mut Painter<'_>, area: Rect, session: &SessionView) {
    match session.layout.map(|hash| app.cache.layouts.peek(&hash)) {
        Some(Some(Some(layout))) => wireframe::draw(painter, area, layout, (None, None)),
        Some(None) => painter.notice(area, "fetching the layout"),
        Some(Some(None)) | None => painter.notice(area, "no layout yet"),
    }
}

/// The last events, newest at the bottom; gives the lines used.
fn recent(painter: &mut Painter<'_>, area: Rect, steps: &[StepView]) -> u16 {
    let room = usize::from(area.height);
    let shown = &steps[steps.len().saturating_sub(room)..];
    if shown.is_empty() {
        painter.text(area.x, area.y, area.width, "no event yet", Role::Dim);
        return 1.min(area.height);
    }
    for (y, step) in (area.top()..area.bottom()).zip(shown) {
        let number = format!("{:>6} ", thousands(step.seq));
        let (sign, role) = super::trace::sign(step, painter.glyphs);
        let outcome_role = if step.failed { Role::Warn } else { Role::Dim };
        // An exact match is how it should be: only other outcomes are mentioned.
        let outcome = if step.outcome == "exact" { "" } else { step.outcome.as_str() };
        let outcome = if outcome.is_empty() { String::new() } else { format!(" {outcome}") };
        let tail = u16::try_from(text::width(&outcome)).unwrap_or(0).min(area.width / 3);
        let event_role = if step.inserted { Role::Inserted } else { Role::Text };
        let pieces = [
            (number.as_str(), Role::Dim),
            (sign, role),
            (" ", Role::Dim),
            (step.event.as_str(), event_role),
            (" ", Role::Dim),
            (step.receiver.as_str(), Role::Text),
        ];
        painter.pieces(area.x, y, area.width.saturating_sub(tail + 1), &pieces);
        painter.right(Rect { y, height: 1, ..area }, &outcome, outcome_role);
    }
    u16::try_from(shown.len()).unwrap_or(area.height)
}

/// The reported findings of this session, best rank first, as far as there is room.
fn best_findings(app: &App, painter: &mut Painter<'_>, area: Rect, session: &SessionView) {
    let is_told = |row: &&FindingView| row.tier == Tier::Reported && row.cluster == row.id;
    let rows = app.findings.rows.iter().filter(|row| row.id.session == session.id).filter(is_told);
    let mut y = area.top() + 1;
    for row in rows {
        let (replays, replays_role) = words::confirmation(&row.confirmation, painter.glyphs);
        let (_, word, mark_role) = words::mark(row.state, painter.glyphs);
        let lead = format!("{:>6} ", row.rank);
        let pieces = [(lead.as_str(), Role::Dim), (row.title.as_str(), Role::Text)];
        if y < area.bottom() {
            painter.pieces(area.x, y, area.width, &pieces);
        }
        if y + 1 < area.bottom() {
            let replays = format!("       {replays}  ");
            painter.pieces(area.x, y + 1, area.width, &[(replays.as_str(), replays_role), (word, mark_role)]);
        }
        y = y.saturating_add(2);
    }
}

fn joined(painter: &mut Painter<'_>, line: Rect, pieces: impl Iterator<Item = (String, Role)>) {
    let mut x = line.x;
    for (n, (text, role)) in pieces.filter(|(text, _)| !text.is_empty()).enumerate() {
        let gap = if n == 0 { 0 } else { 3 };
        let width = u16::try_from(text::width(&text)).unwrap_or(u16::MAX);
        let room = line.right().saturating_sub(x);
        // A figure cut in half would be a wrong figure.
        if room < gap + width.min(24) {
            return;
        }
        if n > 0 {
            let separator = format!(" {} ", painter.glyphs.separator);
            x += painter.text(x, line.y, 3, &separator, Role::Border);
        }
        x += painter.text(x, line.y, line.right().saturating_sub(x), &text, role);
    }
}
