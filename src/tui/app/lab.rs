//! The state of the Lab screen: which devices and sessions it shows in which order.
//!
//! Invariant: there is one current session. It is the selected tile's, and it is also the session of the Session and
//! Transcripts screens, whichever screen it was chosen on.

use std::cmp::Reverse;

use super::arrangement::{DeviceOrder, LabArrangement, SessionOrder};
use super::{App, Screen};
use crate::filter;
use crate::pane::{Pane, hosts};
use crate::theme::Role;
use crate::words;
use droidmux_proto::{DeviceHealth, DeviceView, SessionView};
use droidmux_words::number::whole;

#[derive(Debug, Default)]
pub struct LabScreen {
    pub arrangement: LabArrangement,
    /// What devices and sessions must hold to be shown.
    pub filter: String,
    /// The sessions shown, by their places in the view, in the order shown.
    pub shown: Vec<usize>,
    /// The devices shown, in the same way.
    pub devices: Vec<usize>,
    /// Serial of the device whose session is the current one.
    pub followed: Option<String>,
    /// The tile under the cursor fills the screen.
    pub zoomed: bool,
    /// The table's column that is made wider or narrower, by its title.
    pub column: Option<&'static str>,
}

impl App {
    /// The session in this row of those shown.
    pub fn session_at(&self, row: u64) -> Option<&SessionView> {
        let place = *self.lab.shown.get(usize::try_from(row).ok()?)?;
        self.view.sessions.get(place)
    }

    /// The device in this row of those shown.
    pub fn device_at(&self, row: u64) -> Option<&DeviceView> {
        let place = *self.lab.devices.get(usize::try_from(row).ok()?)?;
        self.view.devices.get(place)
    }

    /// Chooses devices and sessions to show, and puts the cursor on the current session. If there is none, the one
    /// under the cursor becomes it; on the Lab screen, also if the current one is not shown.
    pub(super) fn settle_sessions(&mut self) {
        self.settle_devices();
        self.lab.shown = self.sessions_to_show();
        let current = self.session.id;
        let is_current = |place: &usize| self.view.sessions.get(*place).map(|session| session.id) == current;
        let row = current.and_then(|_| self.lab.shown.iter().position(is_current));
        self.tiles.cursor = match row {
            Some(row) => row as u64,
            None => self.tiles.cursor.min((self.lab.shown.len() as u64).saturating_sub(1)),
        };
        // While a filter is typed, what it hides for a moment stays the current one.
        let settled = self.screen == Screen::Lab && self.dialog.is_none();
        if row.is_none() && (current.is_none() || settled) {
            self.choose_session(Pane::Tiles);
        }
    }

    fn sessions_to_show(&self) -> Vec<usize> {
        let sessions = &self.view.sessions;
        let text = |session: &SessionView| {
            let (_, state, _) = words::state(&session.state, self.glyphs);
            // The reason is told in sentences, which may hold any letters.
            let state = state.split([':', ',', ' ']).next().unwrap_or_default();
            format!("{} {} {} {state}", session.id, session.technique.name(), session.app)
        };
        let mut shown = filter::matching(&self.lab.filter, sessions, text);
        shown.retain(|place| !(self.lab.arrangement.hide_ended && sessions[*place].state.is_over()));
        let hundredths = |share: f64| whole(share * 10_000.0);
        shown.sort_by_cached_key(|&place| {
            let session = &sessions[place];
            let key = match self.lab.arrangement.sort_sessions {
                SessionOrder::Number => (0, String::new()),
                SessionOrder::State => (u64::from(session.state.is_over()), String::new()),
                SessionOrder::App => (0, session.app.clone()),
                SessionOrder::Findings => (u64::MAX - session.findings.reported, String::new()),
                SessionOrder::Rate => (u64::MAX - hundredths(session.steps_per_minute.into()), String::new()),
                SessionOrder::Progress => {
                    let share = words::binding(&session.budgets).map_or(0.0, |(_, share)| share);
                    (u64::MAX - hundredths(share), String::new())
                }
            };
            (key, place)
        });
        shown
    }

    /// The cursor stays on its device, wherever that ends up.
    fn settle_devices(&mut self) {
        let on = self.device_at(self.devices.cursor).map(|device| device.serial.clone());
        let devices = &self.view.devices;
        let text = |device: &DeviceView| {
            let (_, health, _) = words::health(&device.health, self.glyphs);
            let health = health.split([':', ',', ' ']).next().unwrap_or_default();
            let session = device.session.map(|id| id.to_string()).unwrap_or_default();
            format!("{} {} {health} {session}", device.serial, device.model)
        };
        let mut shown = filter::matching(&self.lab.filter, devices, text);
        let order = self.lab.arrangement.sort_devices;
        // Hosts group devices, however those are sorted.
        let grouped = hosts::are_grouped(self);
        let host = |device: &DeviceView| device.host.clone().filter(|_| grouped);
        shown.sort_by_cached_key(|&place| {
            let device = &devices[place];
            let key = match order {
                DeviceOrder::Serial => Reverse(0),
                DeviceOrder::Health => Reverse(trouble(device)),
                DeviceOrder::Session => Reverse(u64::MAX - device.session.map_or(u64::MAX, |id| id.0.into())),
                DeviceOrder::Rate => Reverse(whole(f64::from(device.steps_per_minute) * 100.0)),
            };
            (host(device), key, place)
        });
        let stands = |place: &usize| devices.get(*place).map(|device| &device.serial) == on.as_ref();
        if let Some(row) = on.as_ref().and_then(|_| shown.iter().position(stands)) {
            self.devices.cursor = row as u64;
        }
        self.lab.devices = shown;
    }

    /// Makes the session under the cursor the current one: that of the tile, or that of the device.
    pub(super) fn choose_session(&mut self, pane: Pane) {
        let chosen = match pane {
            Pane::Tiles | Pane::Sessions => self.session_at(self.tiles.cursor).map(|session| session.id),
            Pane::Devices => self.device_at(self.devices.cursor).and_then(|device| device.session),
            _ => None,
        };
        if chosen.is_some() {
            self.open_session(chosen);
        }
    }

    /// Follows the device under the cursor, or no longer follows it.
    pub fn follow_device(&mut self) {
        let chosen = self.device_at(self.devices.cursor).map(|device| device.serial.clone());
        let Some(serial) = chosen.filter(|_| self.focus() == Pane::Devices) else {
            return self.say("move to a device first: Tab leads to them", Role::Warn);
        };
        if self.lab.followed.take().as_ref() == Some(&serial) {
            return self.say(format!("{serial} is no longer followed"), Role::Dim);
        }
        self.say(format!("following {serial}: its session is the current one"), Role::Dim);
        self.lab.followed = Some(serial);
        self.follow();
    }

    /// Makes the session that the followed device works for the current one.
    pub(super) fn follow(&mut self) {
        let Some(serial) = &self.lab.followed else { return };
        let device = self.view.devices.iter().find(|device| device.serial == *serial);
        if let Some(session) = device.and_then(|device| device.session) {
            self.open_session(Some(session));
        }
    }

    /// Tiles become a table, or the other way round.
    pub fn toggle_table(&mut self) {
        self.leave_zoom();
        let table = &mut self.lab.arrangement.table;
        *table = !*table;
        let pane = if *table { Pane::Sessions } else { Pane::Tiles };
        if matches!(self.focus(), Pane::Tiles | Pane::Sessions) {
            self.set_focus(pane);
        }
    }
}

impl App {
    /// Has the session under the cursor fill the screen as a tile, or brings the others back.
    pub fn zoom_tile(&mut self) {
        let Some(session) = self.meant_session().map(|session| session.id) else {
            return self.say("no session is selected", Role::Warn);
        };
        if self.lab.zoomed {
            self.leave_zoom();
        } else {
            self.enlarged = None;
            self.lab.zoomed = true;
            self.set_focus(Pane::Tiles);
            self.open_session(Some(session));
        }
    }

    /// Brings the other tiles back, or the table; false if none is zoomed.
    pub(super) fn leave_zoom(&mut self) -> bool {
        let zoomed = std::mem::take(&mut self.lab.zoomed);
        if zoomed {
            self.set_focus(if self.lab.arrangement.table { Pane::Sessions } else { Pane::Tiles });
        }
        zoomed
    }
}

/// How much a device needs somebody.
fn trouble(device: &DeviceView) -> u64 {
    match &device.health {
        DeviceHealth::Sick(_) => 7,
        DeviceHealth::Quarantined { .. } => 6,
        DeviceHealth::Away(_) => 5,
        _ if device.stuck => 4,
        DeviceHealth::Unproven(_) => 3,
        DeviceHealth::Resting(_) | DeviceHealth::Elsewhere { .. } => 2,
        DeviceHealth::Busy => 1,
        DeviceHealth::Idle => 0,
    }
}
