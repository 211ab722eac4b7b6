//! The first line: screens with badges, and what the lab has.

use ratatui::layout::Rect;

use crate::app::{App, Screen};
use crate::command;
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use droidmux_proto::{Connection, DeviceHealth, SessionState};
use droidmux_record::TierCounts;
use droidmux_words::figure::{self, count};

/// What stands before the lab's name.
const BRAND: &str = "droidmux ";

/// A screen's name in the first line.
struct Tab {
    screen: Screen,
    text: String,
    badge: String,
    x: u16,
}

pub fn draw(app: &App, painter: &mut Painter<'_>, line: Rect) {
    painter.fill(line, Role::Bar);
    let (tabs, spaced) = tabs(app);
    let brand = if spaced { BRAND } else { "" };
    painter.pieces(line.x + 1, line.y, line.width, &[(brand, Role::Strong), (&lab_name(app), Role::Dim)]);
    let mut end = line.x;
    for tab in tabs {
        let role = if tab.screen == app.screen { Role::TabActive } else { Role::Tab };
        let room = line.right().saturating_sub(tab.x);
        let used = painter.text(tab.x, line.y, room, &tab.text, role);
        let badge = painter.text(tab.x + used, line.y, room.saturating_sub(used), &tab.badge, Role::Badge);
        end = tab.x + used + badge;
    }
    let room = usize::from(line.right().saturating_sub(end));
    let alarm = alarm(app);
    let role = if alarm.is_some() { Role::Warn } else { Role::Dim };
    let mut pieces = summary(app);
    pieces.extend(marks(app).into_iter().map(|mark| (0, mark)));
    let mut told = joined(app, &pieces);
    while text::width(&told) + 3 >= room {
        let least = pieces.iter().enumerate().max_by_key(|(_, (rank, _))| *rank);
        match least {
            Some((n, (1.., _))) => drop(pieces.remove(n)),
            // An alarm is said in a narrow terminal too: what is shown may be old.
            _ => match alarm {
                Some(alarm) if text::width(&alarm) + 3 < room => {
                    told = alarm;
                    break;
                }
                _ => return,
            },
        }
        told = joined(app, &pieces);
    }
    painter.right(Rect { width: line.width - 1, ..line }, &told, role);
}

/// The screen whose name stands in this column of the first line.
pub fn tab_at(app: &App, column: u16) -> Option<Screen> {
    let end = |tab: &Tab| tab.x.saturating_add(u16::try_from(text::width(&tab.text)).unwrap_or(0));
    tabs(app).0.into_iter().find(|tab| (tab.x..end(tab)).contains(&column)).map(|tab| tab.screen)
}

/// The lab's name, or those of all labs: the one in front in brackets.
fn lab_name(app: &App) -> String {
    if app.hosts.is_empty() {
        return text::fit(&app.view.name, 16, app.glyphs.ellipsis);
    }
    let names = app.hosts.iter().map(|host| {
        let name = text::fit(&host.name, 12, app.glyphs.ellipsis);
        let name = if host.front { format!("[{name}]") } else { name };
        match (host.reachable, host.unseen) {
            (false, _) => format!("{name}{}", app.glyphs.away),
            (true, unseen) if unseen > 0 && !host.front => format!("{name}{}{unseen}", app.glyphs.badge),
            _ => name,
        }
    });
    text::fit(&names.collect::<Vec<_>>().join(" "), 44, app.glyphs.ellipsis)
}

/// The tabs, and whether there is room for the brand and for gaps: these go first, then the whole names.
fn tabs(app: &App) -> (Vec<Tab>, bool) {
    let width = |tab: &Tab| text::width(&tab.text) + text::width(&tab.badge);
    let end = |tabs: &[Tab]| tabs.last().map_or(0, |tab| usize::from(tab.x) + width(tab));
    let marks: Vec<(u8, String)> = marks(app).into_iter().map(|mark| (0, mark)).collect();
    let marks = match text::width(&joined(app, &marks)) {
        0 => 0,
        width => width + 4,
    };
    let ways: [(fn(Screen) -> &'static str, bool); 3] =
        [(Screen::name, true), (Screen::name, false), (Screen::short_name, true)];
    let made = ways.into_iter().map(|(name, spaced)| (tabs_named(app, name, spaced), spaced));
    let mut fitting = made.filter(|(tabs, _)| end(tabs) + marks <= usize::from(app.area.width));
    fitting.next().unwrap_or_else(|| (tabs_named(app, Screen::short_name, false), false))
}

fn tabs_named(app: &App, name: fn(Screen) -> &'static str, spaced: bool) -> Vec<Tab> {
    let (before, gap) = if spaced { (BRAND.len() + 3, 1) } else { (2, 0) };
    let before = before + text::width(&lab_name(app));
    let mut x = app.area.x.saturating_add(u16::try_from(before).unwrap_or(u16::MAX));
    let tabs = Screen::ALL.into_iter().map(|screen| {
        let key = command::all().find(|command| command.name == screen.command());
        let key = key.and_then(|command| app.keymap.keys(command).first().map(|key| format!("{key} ")));
        let (key, name) = (key.unwrap_or_default(), name(screen));
        let title = match (screen, app.session.id) {
            (Screen::Session, Some(id)) => format!("{key}{name} {id}"),
            _ => format!("{key}{name}"),
        };
        // Brackets, so that the current screen can be recognised without colour.
        let text = if screen == app.screen { format!("[{title}]") } else { format!(" {title} ") };
        let news = match screen {
            Screen::Findings => app.findings.unseen,
            Screen::Log if app.screen != Screen::Log => app.view.log_alarms.saturating_sub(app.log.seen),
            Screen::Lab
            | Screen::Session
            | Screen::Stepper
            | Screen::Transcripts
            | Screen::Model
            | Screen::Recorder
            | Screen::Log => 0,
        };
        let badge = match news {
            0 => String::new(),
            1..100 => format!("{}{news}", app.glyphs.badge),
            _ => format!("{}99+", app.glyphs.badge),
        };
        let width = text::width(&text) + text::width(&badge) + gap;
        let tab = Tab { screen, text, badge, x };
        x = x.saturating_add(u16::try_from(width).unwrap_or(0));
        tab
    });
    tabs.collect()
}

/// Says that the lab cannot be heard, in few words.
fn alarm(app: &App) -> Option<String> {
    let words = match &app.connection {
        _ if app.lab_gone => "lab ended",
        Connection::Up => return None,
        Connection::Down { .. } => "link lost",
        Connection::Refused(_) => "turned away",
    };
    Some(words.to_owned())
}

/// Who else looks, and that this viewer may only look.
fn marks(app: &App) -> Vec<String> {
    let viewers = app.view.viewers;
    let several = (viewers > 1).then(|| format!("{viewers} viewers"));
    several.into_iter().chain(app.options.read_only.then(|| "read-only".into())).collect()
}

/// What there is to read: the reported findings, and whether there are suspicious ones.
fn findings(counts: TierCounts) -> String {
    match counts.suspicious {
        0 => format!("{} reported", counts.reported),
        suspicious => format!("{} reported, {suspicious} suspicious", counts.reported),
    }
}

/// Pieces with a sign between them.
fn joined(app: &App, pieces: &[(u8, String)]) -> String {
    let words: Vec<&str> = pieces.iter().map(|(_, words)| words.as_str()).collect();
    words.join(&format!(" {} ", app.glyphs.shade))
}

/// What the lab has, in pieces: that of the highest rank goes first when room is short.
fn summary(app: &App) -> Vec<(u8, String)> {
    if app.lab_gone {
        return vec![(0, "the lab has ended".into())];
    }
    match &app.connection {
        Connection::Up => {}
        Connection::Down { retry_s, .. } => {
            let words = format!("link lost, trying again every {retry_s} s; shown is the last it said");
            return vec![(0, words)];
        }
        Connection::Refused(_) => return vec![(0, "the lab lets nobody in; see the last line".into())],
    }
    let view = &app.view;
    let busy = view.devices.iter().filter(|device| device.health == DeviceHealth::Busy).count();
    let is_ill = |health: &DeviceHealth| {
        matches!(health, DeviceHealth::Sick(_) | DeviceHealth::Away(_) | DeviceHealth::Quarantined { .. })
    };
    let ill = match view.devices.iter().filter(|device| is_ill(&device.health)).count() {
        0 => String::new(),
        n => format!(", {n} away or sick"),
    };
    let running = view.sessions.iter().filter(|session| session.state == SessionState::Running).count();
    let cost: u64 = view.sessions.iter().map(|session| session.model.spent.cost).sum();
    let mut pieces = vec![
        (3, format!("{}, {busy} busy{ill}", count(view.devices.len(), "device"))),
        (2, format!("{}, {running} running", count(view.sessions.len(), "session"))),
        (1, findings(app.finding_counts())),
    ];
    if cost > 0 {
        pieces.push((4, format!("cost {}", figure::money(cost))));
    }
    pieces
}
