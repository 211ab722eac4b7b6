//! On which device a test is stepped through: asked when one is opened, and again when its device is lost.

use super::choice::{Choice, devices, is_usable};
use super::{App, Dialog, Effect, Screen};
use crate::pane::Pane;
use crate::theme::Role;
use crate::words;
use droidmux_proto::{DeviceHealth, Request, SessionState, StepSubject};
use droidmux_record::SessionId;

impl App {
    /// Asks on which device to step through what is selected; in the Stepper on which other one to go on.
    pub fn ask_stepper(&mut self) {
        match (self.screen, self.step_subject()) {
            (Screen::Stepper, Some(subject)) => self.ask_device(subject, self.stepper.session),
            (_, Some(subject)) => self.ask_device(subject, None),
            (Screen::Stepper, None) => self.say("no test is led: press R on a finding", Role::Warn),
            (Screen::Session, None) => self.say("no test is selected", Role::Warn),
            (_, None) => self.say("no finding is selected", Role::Warn),
        }
    }

    /// The test that the cursor is on.
    fn step_subject(&self) -> Option<StepSubject> {
        match (self.screen, self.focus()) {
            (Screen::Stepper, _) => self.stepper.subject.clone(),
            (Screen::Session, Pane::Verdicts) => {
                let verdict = self.session.verdict_log.get(self.session.verdicts.cursor)?;
                let (slot, test, key) = (verdict.slot, verdict.test, verdict.key.clone());
                Some(StepSubject::Test { session: self.session.id?, slot, test, key })
            }
            (Screen::Session, _) => {
                let step = self.session.step()?;
                let (slot, test, key) = (step.slot, step.test, String::new());
                Some(StepSubject::Test { session: self.session.id?, slot, test, key })
            }
            _ => Some(StepSubject::Finding(self.findings.selected()?.id.clone())),
        }
    }

    fn ask_device(&mut self, subject: StepSubject, after: Option<SessionId>) {
        let (input, list) = Default::default();
        self.dialog = Some(Dialog::Device { subject, after, input, list });
    }

    /// Opens the stepper on the chosen device, or asks again if that is not possible.
    pub(super) fn choose_device(&mut self, dialog: Dialog) {
        let Dialog::Device { subject, after, input, list } = &dialog else { return };
        let rows = Choice::matching(input.value(), &devices(self));
        let Some(row) = usize::try_from(list.cursor).ok().and_then(|n| rows.get(n)) else {
            self.say(format!("no device is called {:?}", input.value().trim()), Role::Warn);
            self.dialog = Some(dialog);
            return;
        };
        let serial = Some(row.value.clone()).filter(|serial| !serial.is_empty());
        let chosen = self.view.devices.iter().find(|device| Some(&device.serial) == serial.as_ref());
        if let Some(device) = chosen.filter(|device| !is_usable(&device.health)) {
            let (_, words, _) = words::health(&device.health, self.glyphs);
            self.say(format!("{} cannot be used: {words}", device.serial), Role::Warn);
            self.dialog = Some(dialog);
            return;
        }
        let (subject, after) = (subject.clone(), *after);
        self.say(format!("stepping through {subject}: the session begins"), Role::Dim);
        self.stepper.opening = (serial.clone(), after);
        self.effect(Effect::Send(Request::OpenStepper { subject, serial, after }));
    }

    /// Offers another device when the led test has lost its own: once, and only if the lab does not find another one
    /// itself.
    pub(super) fn offer_device(&mut self) {
        if self.stepper.offered || self.dialog.is_some() || self.options.read_only {
            return;
        }
        let Some(id) = self.stepper.session else { return };
        let Some(session) = self.view.sessions.iter().find(|session| session.id == id) else { return };
        let gone = |serial: &String| {
            let device = self.view.devices.iter().find(|device| device.serial == *serial);
            device.is_none_or(|device| matches!(device.health, DeviceHealth::Away(_)))
        };
        let is_lost = match &session.state {
            SessionState::Failed(_) => true,
            SessionState::Running | SessionState::Paused(_) => self.stepper.serial.as_ref().is_some_and(gone),
            SessionState::Stopping | SessionState::Done | SessionState::Stopped => false,
        };
        let Some(subject) = self.stepper.subject.clone().filter(|_| is_lost) else { return };
        self.stepper.offered = true;
        let why = match (&session.state, &self.stepper.serial) {
            (SessionState::Failed(why), _) => why.clone(),
            (_, Some(serial)) => format!("{serial} was lost"),
            (_, None) => "the device was lost".into(),
        };
        self.say(format!("{why}; the test can go on, on another device"), Role::Warn);
        self.ask_device(subject, Some(id));
    }
}
