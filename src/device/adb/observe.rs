//! Looking at a device: dumps, focus, keyboard and log, in one round trip where possible.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::agent::{Dumped, as_uiautomator_writes};
use super::device::AdbDevice;
use super::dump::{Dumper, add_dump, read_dumps};
use super::fault::DumpFault;
use super::foreground::KEYBOARD;
use super::log_reading::NOW;
use super::readings::{Reading, ReadingKey};
use super::restless::Restless;
use super::settling::Settler;
use super::toasts::{Heard, TOASTS};
use crate::{DeviceErrorKind, Foreground, Manner, Observed, Settled, system_dialog};
use droidmux_gui::read_dump;
use droidmux_record::Signal;

/// Dumps larger than this are parsed off the async workers.
const BIG_DUMP: usize = 64 * 1024;

/// After a failed dump, wait a moment for whatever was in its way.
const AFTER_FAULT: Duration = Duration::from_millis(200);

/// What one round trip should fetch.
#[derive(Clone, Copy, Debug, Default)]
struct Wanted {
    dumps: u32,
    page: bool,
    log: bool,
}

/// The result of one look at the device.
#[derive(Debug, Default)]
struct RoundTrip {
    dumper: Dumper,
    dumps: Vec<Result<Vec<u8>, DumpFault>>,
    page: Foreground,
    signals: Vec<Signal>,
    heard: Heard,
}

impl AdbDevice {
    /// Everything after an event: dumps, focus, keyboard and log come together, and again with one dump at a time until
    /// the screen has settled.
    pub(super) async fn observe_now(&self, manner: &Manner, tries: u32) -> Result<Observed, DeviceErrorKind> {
        self.settle(manner, tries, Wanted { dumps: 0, page: true, log: true }).await
    }

    pub(super) async fn layout_now(&self, tries: u32) -> Result<Settled, DeviceErrorKind> {
        Ok(self.settle(&Manner::Strict, tries, Wanted::default()).await?.settled)
    }

    pub(super) async fn foreground_now(&self) -> Result<Foreground, DeviceErrorKind> {
        Ok(self.ask_shell(Wanted { page: true, ..Wanted::default() }).await?.page)
    }

    pub(super) async fn signals_now(&self) -> Result<Vec<Signal>, DeviceErrorKind> {
        Ok(self.ask_shell(Wanted { log: true, ..Wanted::default() }).await?.signals)
    }

    async fn settle(&self, manner: &Manner, tries: u32, wanted: Wanted) -> Result<Observed, DeviceErrorKind> {
        let tries = tries.max(1);
        let mut left = tries;
        let tells = self.resident().await.is_wanted();
        let mut settling = Settler::new(manner, tells);
        let (mut signals, mut heard) = (Vec::new(), Heard::default());
        let began = Instant::now();
        let mut patience = self.restless().at_first();
        if !manner.is_swift() && self.restless().is_any() && !self.comes_to_rest(patience).await? {
            let page = self.foreground_now().await?.activity;
            patience = self.restless().patience(&page);
        }
        let (foreground, indicator) = loop {
            if let Some(time) = settling.stillness() {
                let kept = self.stands_still(time, patience.saturating_sub(began.elapsed())).await?;
                settling.kept_still(kept);
            }
            let dumps = settling.wanted().min(left);
            let rest = patience.saturating_sub(began.elapsed());
            let rest = (!manner.is_swift() && !rest.is_zero()).then_some(rest);
            let look = self.look(Wanted { dumps, ..wanted }, rest).await?;
            patience = self.restless().patience(&look.page.activity);
            left -= dumps;
            signals.extend(look.signals);
            heard.add(look.heard);
            for dump in look.dumps {
                self.take(dump, look.dumper, &mut settling).await?;
            }
            let indicator =
                settling.spinner().map(|spinner| Restless::indicator(&look.page.activity, spinner));
            let loading = indicator.as_ref().map(|indicator| self.restless().loading(indicator));
            let loading = loading.unwrap_or_default().saturating_sub(began.elapsed());
            if !loading.is_zero() {
                self.await_movement(loading).await?;
                settling.begin_again();
                // Loading has its own limit: were its dumps counted, they would be used up before it is known to be in
                // vain.
                left = tries;
                continue;
            }
            let most = self.restless().tries(&look.page.activity, tries);
            if settling.is_settled() || tries - left >= most {
                break (look.page, indicator);
            }
            if settling.failed_last() {
                tokio::time::sleep(AFTER_FAULT).await;
            }
        };
        let is_read = !settling.failed_last();
        let settled = settling.finish()?;
        self.remember(&settled.layout);
        if wanted.page {
            let mut restless = self.restless();
            restless.shown(&foreground.activity, began.elapsed());
            if let Some(indicator) = indicator {
                restless.turned(&indicator, began.elapsed());
            }
            if is_read {
                restless.dumped(&foreground.activity, settled.dumps, settled.settling.is_settled());
            }
        }
        if wanted.log {
            signals.extend(self.told_by_dialog(system_dialog(&settled.layout).map(|dialog| dialog.kind)));
        }
        let foreground = Foreground { rotation: settled.layout.rotation(), ..foreground };
        let Heard { toast, hears: hears_toasts } = heard;
        Ok(Observed { settled, foreground, signals, toast, hears_toasts })
    }

    /// Reads a dump, unless it is the last one to the letter.
    async fn take(
        &self,
        dump: Result<Vec<u8>, DumpFault>,
        dumper: Dumper,
        settling: &mut Settler<'_>,
    ) -> Result<(), DeviceErrorKind> {
        let read = match dump {
            Ok(bytes) => {
                let key = ReadingKey::new(&bytes, dumper, self.profile().await?.api);
                if settling.repeats(&key) {
                    return Ok(());
                }
                self.read(bytes, key).await?
            }
            Err(fault) => Err(fault),
        };
        match read {
            Ok(reading) => settling.take(reading),
            Err(fault) => settling.fail(fault),
        }
        Ok(())
    }

    /// Whether the screen comes to rest within this time. Without an agent each dump waits for that by itself.
    async fn comes_to_rest(&self, time: Duration) -> Result<bool, DeviceErrorKind> {
        Ok(self.resident().await.rests(self, time).await?.unwrap_or(true))
    }

    /// Waits until something moves, at most for this long. Without an agent that can tell, a moment passes.
    async fn await_movement(&self, time: Duration) -> Result<(), DeviceErrorKind> {
        match self.resident().await.keeps_still(self, time).await? {
            Some(true) => {}
            Some(false) => self.has_moved(),
            None => tokio::time::sleep(time.min(AFTER_FAULT)).await,
        }
        Ok(())
    }

    /// Whether the screen comes to stand still for so long, within this patience; the time since it last moved counts.
    async fn stands_still(&self, time: Duration, patience: Duration) -> Result<bool, DeviceErrorKind> {
        let began = Instant::now();
        loop {
            let left = time.saturating_sub(self.since_movement());
            let mut resident = self.resident().await;
            if left.is_zero() && resident.tells_movement() {
                return Ok(true);
            }
            match resident.keeps_still(self, left).await? {
                Some(true) => return Ok(true),
                Some(false) => self.has_moved(),
                None => {
                    drop(resident);
                    tokio::time::sleep(left).await;
                    return Ok(false);
                }
            }
            if began.elapsed() >= patience {
                return Ok(false);
            }
        }
    }

    /// Takes dumps from the agent if there is one, and asks the device's shell for the rest: beside a swift look, after
    /// the rest of a strict one.
    async fn look(&self, wanted: Wanted, rest: Option<Duration>) -> Result<RoundTrip, DeviceErrorKind> {
        if wanted.dumps == 0 {
            return self.ask_shell(wanted).await;
        }
        let shell = async || match (wanted.page, wanted.log) {
            (false, false) => Ok(RoundTrip::default()),
            _ => self.ask_shell(Wanted { dumps: 0, ..wanted }).await,
        };
        let mut resident = self.resident().await;
        let elsewhere = self.place().display();
        if elsewhere != 0 && resident.is_wanted() {
            resident.dismiss(self).await?;
            self.remark(&format!("screens are dumped by uiautomator: the app is on display {elsewhere}, which the agent does not show"));
        }
        if rest.is_none() && resident.is_wanted() {
            let (dumped, look) = tokio::join!(resident.dumps(self, wanted.dumps, rest), shell());
            return match dumped? {
                Some(Dumped { dumps, heard }) => {
                    Ok(RoundTrip { dumper: Dumper::Agent, dumps, heard, ..look? })
                }
                None => {
                    let again = self.ask_shell(wanted).await?;
                    let signals = look?.signals.into_iter().chain(again.signals).collect();
                    Ok(RoundTrip { signals, ..again })
                }
            };
        }
        let dumped = resident.dumps(self, wanted.dumps, rest).await?;
        drop(resident);
        match dumped {
            Some(Dumped { dumps, heard }) => {
                Ok(RoundTrip { dumper: Dumper::Agent, dumps, heard, ..shell().await? })
            }
            None => self.ask_shell(wanted).await,
        }
    }

    /// Everything in one line of the device's shell.
    async fn ask_shell(&self, wanted: Wanted) -> Result<RoundTrip, DeviceErrorKind> {
        let api = self.profile().await?.api;
        let mut script = self.marks().script();
        let display = self.place().display();
        // A dump takes about as long as a short toast shows: one that is there before may be gone behind, and one that comes
        // late is not there before.
        let hears = wanted.dumps > 0 && wanted.log;
        if hears {
            script.section("toasts", TOASTS);
        }
        for _ in 0..wanted.dumps {
            add_dump(&mut script, display);
            if hears {
                script.section("toasts", TOASTS);
            }
        }
        if wanted.page {
            script.section("focus", &self.focus_command().await?);
            script.section("keyboard", KEYBOARD);
        }
        if wanted.log {
            script.section("now", NOW);
            // Before the log, so that this tells why a process is not there any more.
            if let Some(command) = self.life().command().filter(|_| wanted.page) {
                script.section("alive", &command);
            }
            if let Some(command) = self.log().command(api) {
                script.section("log", &command);
            }
        }
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let dumps = read_dumps(&sections, &output.stderr, display);
        let dumps = dumps.into_iter().map(|dump| dump.map(<[u8]>::to_vec)).collect();
        let page = match wanted.page {
            true => self.page(&sections.text("focus"), &sections.text("keyboard")).await?,
            false => Foreground::default(),
        };
        let signals = match wanted.log {
            true => {
                let alive = sections.text("alive");
                let alive = wanted.page.then_some((&*alive, &page));
                self.news(&sections.text("now"), &sections.text("log"), alive).await?
            }
            false => Vec::new(),
        };
        let mut heard = Heard::default();
        sections
            .all("toasts")
            .for_each(|told| heard.add(self.told_toasts().hear(&String::from_utf8_lossy(told))));
        Ok(RoundTrip { dumper: Dumper::Uiautomator, dumps, page, signals, heard })
    }

    /// Reads a dump, unless the same bytes were read lately, here or on another device.
    async fn read(
        &self,
        bytes: Vec<u8>,
        key: ReadingKey,
    ) -> Result<Result<Arc<Reading>, DumpFault>, DeviceErrorKind> {
        if let Some(known) = self.readings().get(&key) {
            return Ok(Ok(known));
        }
        let reading = parse(bytes, key).await?.map(Arc::new);
        if let Ok(reading) = &reading {
            self.readings().put(reading);
        }
        Ok(reading)
    }
}

/// Reads a dump; large ones on a thread that may block. A dump that cannot be read counts as faulty: the next one may
/// be complete.
async fn parse(bytes: Vec<u8>, key: ReadingKey) -> Result<Result<Reading, DumpFault>, DeviceErrorKind> {
    let read = move |bytes: Vec<u8>| match read_dump(&bytes) {
        Ok(mut dump) => {
            if key.dumper == Dumper::Agent {
                dump.layout = as_uiautomator_writes(&dump.layout, key.api).unwrap_or(dump.layout);
            }
            Ok(Reading::new(key, dump))
        }
        Err(error) => Err(DumpFault::Unreadable(error)),
    };
    if bytes.len() <= BIG_DUMP {
        return Ok(read(bytes));
    }
    let read = tokio::task::spawn_blocking(move || read(bytes)).await;
    read.map_err(|error| DeviceErrorKind::Answer(format!("reading the dump failed: {error}")))
}
