//! Devices grouped by the host they hang on, below a line on each host.
//!
//! In: the hosts and devices shown. Out: which line each has. A lab whose devices hang on one host that can be reached has no
//! groups.
//!
//! Invariant: the device under the cursor is on screen.

use std::ops::Range;

use ratatui::layout::{Position, Rect};

use super::devices::LEAST_CELL;
use crate::app::App;
use crate::glyphs::Glyphs;
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use crate::words;
use droidmux_proto::{DeviceView, HostState, HostView};
use droidmux_record::split_name;
use droidmux_words::figure::count;

/// Stands for the devices of the lab's own server, beside those of named ones.
const OWN: &str = "own server";

/// A host and the rows of its devices, in the order shown.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    /// None: devices that name no host.
    host: Option<String>,
    devices: Range<u64>,
}

/// How the groups stand on screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    groups: Vec<Group>,
    /// Side by side.
    pub columns: u16,
    rows: Rect,
    /// The first line on screen.
    first: u64,
}

/// What a line shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The host of this name; none for devices that name no host.
    Host(Option<String>),
    /// This device, in this column.
    Device(u64, u16),
}

/// Whether devices are shown in groups.
pub fn are_grouped(app: &App) -> bool {
    let hosts = &app.view.hosts;
    let without = app.view.devices.iter().any(|device| device.host.is_none());
    let trouble = hosts.iter().any(|host| host.state != HostState::Reachable);
    hosts.len() > 1 || (!hosts.is_empty() && (without || trouble))
}

/// A device's name below its host's.
pub fn name(device: &DeviceView) -> &str {
    match (split_name(&device.serial), &device.host) {
        ((name, Some(label)), Some(host)) if label == host => name,
        _ => &device.serial,
    }
}

impl Blocks {
    /// `None` where devices are not grouped.
    pub fn of(app: &App, rows: Rect) -> Option<Self> {
        let groups = groups(app)?;
        let most = (rows.width / LEAST_CELL).max(1);
        let height = rows.height.max(1);
        let fits = |columns: &u16| lines(&groups, *columns) <= u64::from(height);
        let columns = (1..=most).find(fits).unwrap_or(most);
        let mut blocks = Self { groups, columns, rows, first: 0 };
        let cursor = blocks.place(app.devices.cursor).map_or(0, |(line, _)| line);
        blocks.first = (cursor + 1).saturating_sub(height.into());
        Some(blocks)
    }

    /// Lines that the groups of this lab take with one device to a line, and as closely as can be read.
    pub fn heights(app: &App, width: u16) -> Option<(u16, u16)> {
        let groups = groups(app)?;
        let cut = |lines: u64| u16::try_from(lines).unwrap_or(u16::MAX);
        Some((cut(lines(&groups, 1)), cut(lines(&groups, (width / LEAST_CELL).max(1)))))
    }

    /// What is on screen, from top to bottom, with its place.
    pub fn shown(&self) -> Vec<(Line, Rect)> {
        let mut shown = Vec::new();
        let mut line = 0;
        for group in &self.groups {
            if let Some(y) = self.y(line) {
                shown.push((Line::Host(group.host.clone()), Rect { y, height: 1, ..self.rows }));
            }
            for device in group.devices.clone() {
                let (down, column) = self.within(group, device);
                if let Some(y) = self.y(line + 1 + down) {
                    let width = self.width();
                    let x = self.rows.x + column * width;
                    shown.push((Line::Device(device, column), Rect { x, y, width, height: 1 }));
                }
            }
            line += 1 + self.depth(group);
        }
        shown
    }

    /// The device at a place; the nearest one above it on a line that has none.
    pub fn at(&self, at: Position) -> Option<u64> {
        let devices = self.shown().into_iter().filter_map(|(line, place)| match line {
            Line::Device(device, _) => Some((device, place)),
            Line::Host(_) => None,
        });
        let mut before = None;
        for (device, place) in devices {
            if place.contains(at) {
                return Some(device);
            }
            if place.y <= at.y {
                before = Some(device);
            }
        }
        before
    }

    /// How many devices further the one beside stands.
    pub fn aside(&self, device: u64) -> u64 {
        self.groups.iter().find(|group| group.devices.contains(&device)).map_or(1, |group| self.depth(group))
    }

    fn width(&self) -> u16 {
        self.rows.width / self.columns.max(1)
    }

    fn y(&self, line: u64) -> Option<u16> {
        let down = u16::try_from(line.checked_sub(self.first)?).ok()?;
        (down < self.rows.height).then(|| self.rows.y + down)
    }

    /// Line and column of a device.
    fn place(&self, device: u64) -> Option<(u64, u16)> {
        let mut line = 0;
        for group in &self.groups {
            if group.devices.contains(&device) {
                let (down, column) = self.within(group, device);
                return Some((line + 1 + down, column));
            }
            line += 1 + self.depth(group);
        }
        None
    }

    fn within(&self, group: &Group, device: u64) -> (u64, u16) {
        let n = device.saturating_sub(group.devices.start);
        let depth = self.depth(group).max(1);
        (n % depth, u16::try_from(n / depth).unwrap_or(u16::MAX))
    }

    fn depth(&self, group: &Group) -> u64 {
        depth(group, self.columns)
    }
}

fn depth(group: &Group, columns: u16) -> u64 {
    group.devices.end.saturating_sub(group.devices.start).div_ceil(u64::from(columns.max(1)))
}

fn lines(groups: &[Group], columns: u16) -> u64 {
    groups.iter().map(|group| 1 + depth(group, columns)).sum()
}

/// Hosts without a device that is shown stand among the others, unless a filter chooses devices.
fn groups(app: &App) -> Option<Vec<Group>> {
    if !are_grouped(app) {
        return None;
    }
    let mut names: Vec<Option<String>> = Vec::new();
    if app.lab.filter.is_empty() {
        names.extend(app.view.hosts.iter().map(|host| Some(host.name.clone())));
    }
    let shown = (0..app.lab.devices.len() as u64).filter_map(|row| app.device_at(row));
    let of_devices: Vec<Option<String>> = shown.map(|device| device.host.clone()).collect();
    names.extend(of_devices.iter().cloned());
    names.sort_unstable();
    names.dedup();
    let mut next = 0;
    let group = |host: Option<String>| {
        let devices = of_devices.iter().filter(|of| **of == host).count() as u64;
        let group = Group { host, devices: next..next + devices };
        next += devices;
        group
    };
    Some(names.into_iter().map(group).collect())
}

/// `lab2  reachable  4 devices: 3 busy, 1 idle  ssh://lab2                 seen 2 s ago`.
pub fn draw_host(app: &App, painter: &mut Painter<'_>, line: Rect, host: Option<&str>) {
    let theirs: Vec<&DeviceView> = (0..app.lab.devices.len() as u64)
        .filter_map(|row| app.device_at(row))
        .filter(|device| device.host.as_deref() == host)
        .collect();
    let counted = counts(&theirs, painter.glyphs);
    let view = app.view.hosts.iter().find(|view| Some(view.name.as_str()) == host);
    let (state, role) = view.map_or((String::new(), Role::Dim), state);
    let via = view.map(|view| view.via.clone()).filter(|via| Some(via.as_str()) != host).unwrap_or_default();
    let seen = view.and_then(|view| view.seen_s).map(|ago| format!("seen {} ago", in_words(ago)));
    let seen = if view.is_some() { seen.unwrap_or_else(|| "not seen yet".into()) } else { String::new() };
    let used = u16::try_from(text::width(&seen)).unwrap_or(line.width).saturating_add(3);
    let pieces = [
        (format!("{} ", host.unwrap_or(OWN)), Role::Heading),
        (state, role),
        (format!(" {counted} "), Role::Text),
        (via, Role::Dim),
    ];
    let pieces: Vec<_> = pieces.iter().map(|(text, role)| (text.as_str(), *role)).collect();
    painter.pieces(line.x + 1, line.y, line.width.saturating_sub(used + 1), &pieces);
    painter.right(Rect { width: line.width.saturating_sub(1), ..line }, &seen, Role::Dim);
}

/// Its state in a word with how long it has lasted if it is not as it should be, and why.
fn state(host: &HostView) -> (String, Role) {
    let (word, why) = host.state.words();
    let role = match host.state {
        HostState::Reachable => return (word.to_owned(), Role::Good),
        HostState::Expected => Role::Dim,
        HostState::Away(_) | HostState::Refused(_) => Role::Bad,
    };
    let why = if why.is_empty() { String::new() } else { format!(": {why}") };
    (format!("{word} for {}{why}", in_words(host.for_s)), role)
}

/// `64 devices: 60 busy, 3 idle, 1 away`.
pub fn counts(devices: &[&DeviceView], glyphs: &Glyphs) -> String {
    let mut counts: Vec<(String, u64)> = Vec::new();
    for device in devices {
        let (_, word, _) = words::health(&device.health, glyphs);
        // Words say why, too: the first one says what.
        let word = word.split([' ', ':', ',']).next().unwrap_or_default().to_owned();
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let told: Vec<_> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    match devices.len() {
        0 => "no devices".into(),
        many => format!("{}: {}", count(many, "device"), told.join(", ")),
    }
}

/// Seconds as people say them.
fn in_words(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}
