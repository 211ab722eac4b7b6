//! A performance: the task of a recording, from its opening until the person leaves.
//!
//! In: a lease, and orders one at a time. Out: the device put back and given back; in the studio, after every order,
//! the current state. A device that is lost leaves the recording as it was: it goes on once another one is leased.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::error::SaveError;
use super::sheet::Sheet;
use super::stage::Stage;
use super::studio::Orders;
use super::{Deed, Take, keep, rehearse, remarks};
use crate::roster::Lease;
use crate::{Lab, Panic};
use droidmux_device::{DeviceError, Patience};
use droidmux_proto::{RecorderOpening, RecorderOrder, RecorderPhase, RecorderView, RehearsalView};
use droidmux_record::DmfAction;

/// A device whose recorder is given no order for this long is given back: none is kept for nothing.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// How long putting a device back may take; whoever leases it next puts back the rest.
const RESTORE_LIMIT: Duration = Duration::from_secs(6);

const NO_DEVICE: &str = "there is no device for it: go on on one, or keep what is there";

pub(super) struct Performance {
    lab: Lab,
    opening: RecorderOpening,
    sheet: Sheet,
    device: String,
    /// `None` before the app has started.
    take: Option<Take>,
    /// The device was brought to a place other than where the take ends.
    elsewhere: bool,
    /// What went wrong with the last order; empty if nothing did.
    trouble: String,
}

/// Why a device is given back.
enum Ended {
    Left,
    /// No order came for too long.
    Idle,
    Device(DeviceError),
    Panicked(Panic),
}

impl Performance {
    pub fn new(lab: Lab, opening: RecorderOpening) -> Self {
        let (sheet, device) = (Sheet::new(&opening), opening.serial.clone().unwrap_or_default());
        Self { lab, opening, sheet, device, take: None, elsewhere: false, trouble: String::new() }
    }

    /// What viewers see.
    pub fn view(&self, phase: RecorderPhase) -> RecorderView {
        let view = self.sheet.view(&self.device, &self.opening.app, phase, self.take.as_ref());
        RecorderView { trouble: self.trouble.clone(), ..view }
    }

    /// Performs on one device after the other until the person leaves.
    pub async fn run(mut self, serial: Option<String>, mut orders: Orders) {
        let mut next = self.device(serial.as_deref(), &orders).await;
        while let Some(lease) = next.take() {
            let serial = lease.serial().to_owned();
            let why = match self.on(&lease, &mut orders).await {
                Ended::Left => break,
                Ended::Idle => format!("given back: no order for {} minutes", IDLE.as_secs() / 60),
                Ended::Device(error) => error.to_string(),
                Ended::Panicked(words) => format!("{serial}: the recorder panicked: {words}"),
            };
            self.lab.hub.warn(&serial, &format!("the recording stands still: {why}"));
            self.elsewhere = true;
            if self.take.as_ref().is_none_or(|take| take.events().len() == 0) {
                // Nothing is lost: what is told stays until it is read. Another recording may begin before the
                // device is free.
                drop(orders);
                return self.show(RecorderPhase::Lost(why));
            }
            drop(lease);
            next = self.without_device(&why, &mut orders).await;
        }
        self.lab.studio.close();
    }

    /// Waits for a device; `None` when the person leaves, or the lab ends.
    async fn device(&mut self, serial: Option<&str>, orders: &Orders) -> Option<Lease> {
        let lab = self.lab.clone();
        self.trouble = lab.waits_for(serial);
        self.show(RecorderPhase::Opening);
        tokio::select! {
            lease = lab.borrow(serial) => Some(lease),
            () = orders.left.cancelled() => None,
            () = lab.halting.cancelled() => None,
            () = lab.closing.cancelled() => None,
        }
    }

    /// Holds a device until the person leaves, or it fails; puts it back and gives it back.
    async fn on(&mut self, lease: &Lease, orders: &mut Orders) -> Ended {
        lease.serial().clone_into(&mut self.device);
        let (halting, closing) = (self.lab.halting.clone(), self.lab.closing.clone());
        let ended = tokio::select! {
            performed = AssertUnwindSafe(self.perform(lease, &mut orders.orders)).catch_unwind() => match performed {
                Ok(Ok(ended)) => ended,
                Ok(Err(error)) => Ended::Device(error),
                Err(panic) => Ended::Panicked(Panic::of(&*panic)),
            },
            error = lease.lost() => Ended::Device(error),
            error = lease.gone() => Ended::Device(error),
            () = orders.left.cancelled() => Ended::Left,
            () = halting.cancelled() => Ended::Left,
            () = closing.cancelled() => Ended::Left,
        };
        match &ended {
            Ended::Left | Ended::Idle if self.take.is_some() => lease.went_well(),
            Ended::Device(error) => {
                // Said at once: putting the device back may take a while.
                self.show(RecorderPhase::Lost(error.to_string()));
                lease.had_trouble(error);
            }
            Ended::Left | Ended::Idle | Ended::Panicked(_) => {}
        }
        // What another lab works on is no longer ours to put back.
        if !lease.is_lost()
            && let Err(error) = lease.device.restore(&Patience::of(RESTORE_LIMIT)).await
        {
            let text = format!("settings could not be put back ({error}); the next session on it will");
            self.lab.hub.warn(lease.serial(), &text);
        }
        lease.give_back().await;
        ended
    }

    /// Carries out orders on a leased device.
    async fn perform(
        &mut self,
        lease: &Lease,
        orders: &mut mpsc::Receiver<RecorderOrder>,
    ) -> Result<Ended, DeviceError> {
        self.trouble.clear();
        self.show(RecorderPhase::Opening);
        lease.sign(&CancellationToken::new()).await?;
        lease.describe(&lease.device.info(&Patience::default()).await?);
        let stage = Stage::new(lease.device.clone(), &self.opening.app).await?;
        let words = format!("`{}` of {} is recorded on it", self.sheet.name, self.opening.app);
        self.lab.hub.info(lease.serial(), &words);
        self.trouble.clear();
        match &self.take {
            None => self.take = Some(Take::start(&stage).await?),
            Some(_) => self.catch_up(&stage).await?,
        }
        loop {
            self.show(RecorderPhase::Ready);
            let Ok(order) = tokio::time::timeout(IDLE, orders.recv()).await else { return Ok(Ended::Idle) };
            let Some(order) = order else { return Ok(Ended::Left) };
            self.trouble.clear();
            self.show(match order {
                RecorderOrder::Rehearse => RecorderPhase::Rehearsing,
                _ => RecorderPhase::Acting,
            });
            self.carry_out(order, &stage).await?;
        }
    }

    /// Waits for a device of the person's choice; meanwhile what was recorded can be kept. `None` when they leave.
    async fn without_device(&mut self, why: &str, orders: &mut Orders) -> Option<Lease> {
        let (halting, closing) = (self.lab.halting.clone(), self.lab.closing.clone());
        loop {
            self.show(RecorderPhase::Lost(why.to_owned()));
            let order = tokio::select! {
                order = orders.orders.recv() => order?,
                () = orders.left.cancelled() => return None,
                () = halting.cancelled() => return None,
                () = closing.cancelled() => return None,
            };
            self.trouble.clear();
            match order {
                RecorderOrder::Resume(serial) => match self.lab.known(serial.as_deref()) {
                    Ok(()) => return self.device(serial.as_deref(), orders).await,
                    Err(error) => self.trouble = error.to_string(),
                },
                order => self.write_down(order).await,
            }
        }
    }

    async fn carry_out(&mut self, order: RecorderOrder, stage: &Stage) -> Result<(), DeviceError> {
        match order {
            RecorderOrder::Do { action, widget, text, seen } => {
                self.catch_up(stage).await?;
                let Some(take) = self.take.as_mut().filter(|_| self.trouble.is_empty()) else {
                    return Ok(());
                };
                if take.shown().layout.hash() != seen {
                    self.trouble = "the screen came out differently this time: choose again".into();
                    return Ok(());
                }
                if let Some(why) = unfit(action, text.as_deref()) {
                    self.trouble = why;
                    return Ok(());
                }
                match take.act(stage, Deed { action, widget, text }).await? {
                    Some(why) => self.trouble = why,
                    None => {
                        self.trouble = take.shown().signals.join("; ");
                        self.sheet.changed();
                    }
                }
            }
            RecorderOrder::Undo => {
                let Some(take) = self.take.as_mut() else { return Ok(()) };
                let events = take.events().len();
                match events {
                    0 => self.trouble = "nothing was done yet".into(),
                    _ => {
                        self.sheet.changed();
                        self.trouble = take.repeat(stage, events - 1).await?.unwrap_or_default();
                        self.elsewhere = false;
                    }
                }
            }
            RecorderOrder::Over => {
                self.take = Some(Take::start(stage).await?);
                (self.sheet.before, self.sheet.after) = (None, None);
                self.elsewhere = false;
                self.sheet.changed();
            }
            RecorderOrder::Rehearse => self.rehearse(stage).await?,
            order => self.write_down(order).await,
        }
        Ok(())
    }

    /// Brings the device to where the take ends.
    async fn catch_up(&mut self, stage: &Stage) -> Result<(), DeviceError> {
        if let Some(take) = self.take.as_mut().filter(|_| self.elsewhere) {
            let events = take.events().len();
            if let Some(why) = take.repeat(stage, events).await? {
                self.trouble = why;
                self.sheet.changed();
            }
        }
        self.elsewhere = false;
        Ok(())
    }

    async fn rehearse(&mut self, stage: &Stage) -> Result<(), DeviceError> {
        let Some(take) = &self.take else { return Ok(()) };
        match self.sheet.function(take) {
            Err(lacks) => self.trouble = format!("it is not whole: {lacks}"),
            Ok(whole) => {
                let lead = take.lead();
                self.elsewhere = true;
                let rehearsal = rehearse(stage, &lead, &whole.dmf, &whole.data).await?;
                self.sheet.rehearsed(RehearsalView { lines: rehearsal.lines, good: rehearsal.good });
            }
        }
        Ok(())
    }

    /// Carries out what needs no device.
    async fn write_down(&mut self, order: RecorderOrder) {
        let marks = |takes: bool, text: &str| takes && !text.is_empty();
        match order {
            RecorderOrder::Begin => {
                if let Some(take) = &mut self.take {
                    take.begin();
                }
                self.sheet.changed();
            }
            RecorderOrder::After(text) if marks(self.sheet.gives(), &text) => {
                self.sheet.after = Some(text);
                self.sheet.changed();
            }
            RecorderOrder::Before(text) if marks(self.sheet.takes_away(), &text) => {
                self.sheet.before = Some(text);
                self.sheet.changed();
            }
            RecorderOrder::After(_) | RecorderOrder::Before(_) => {
                let kind = self.opening.operation;
                self.trouble =
                    format!("a function of type {kind} has no such object, or this widget no text");
            }
            RecorderOrder::Name(name) if name.trim().is_empty() => {
                self.trouble = "the function needs a name".into();
            }
            RecorderOrder::Name(name) => {
                name.trim().clone_into(&mut self.sheet.name);
                self.sheet.changed();
            }
            RecorderOrder::Save(path) => {
                if let Err(error) = self.save(path.trim()).await {
                    self.trouble = error.to_string();
                }
            }
            RecorderOrder::Resume(_) => self.trouble = "it has a device".into(),
            RecorderOrder::Do { .. }
            | RecorderOrder::Undo
            | RecorderOrder::Over
            | RecorderOrder::Rehearse => {
                self.trouble = NO_DEVICE.into();
            }
            // The studio has seen to it.
            RecorderOrder::Leave => {}
        }
    }

    async fn save(&mut self, path: &str) -> Result<(), SaveError> {
        let take = self.take.as_ref().ok_or(SaveError::Nothing)?;
        let whole = self.sheet.function(take)?;
        if path.is_empty() {
            return Err(SaveError::NoName);
        }
        let path = std::path::absolute(Path::new(path))?;
        let (name, file) = (whole.dmf.name.clone(), path.clone());
        let written = tokio::task::spawn_blocking(move || keep(&file, whole.dmf)).await;
        let dmfs = written??;
        self.sheet.saved(&path);
        let told: Vec<_> = remarks(&dmfs, &name).into_iter().map(|remark| remark.what).collect();
        self.trouble = told.join("; ");
        Ok(())
    }

    fn show(&self, phase: RecorderPhase) {
        let view = self.view(phase);
        self.lab.studio.show(view, self.take.iter().flat_map(Take::layouts));
    }
}

/// Why a text cannot be typed, or waited for.
fn unfit(action: DmfAction, text: Option<&str>) -> Option<String> {
    let text = text?;
    match action {
        DmfAction::Edit if text.is_empty() => Some("there is nothing to type".into()),
        DmfAction::Edit if text.ends_with(".text") || text.ends_with("::random") => {
            Some(format!("{text:?} would be read as a reference; type another text"))
        }
        DmfAction::Sleep if !matches!(text.parse::<u32>(), Ok(1..=30)) => {
            Some("waiting takes a number of seconds from 1 to 30".into())
        }
        _ => None,
    }
}
