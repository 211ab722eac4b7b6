//! How soon a long session is running again after its process was killed.
//!
//! A session on a made-up device that answers at once is recorded up to a number of steps (100,000,
//! or the number given: `cargo bench --bench resume -- 1000000`), then resumed on the store opened
//! anew. Prints what was recorded, and the time until the first new step, opening the store
//! included. A million steps must take 60 s at most.

use droidmux::technique::GenieSettings;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use droidmux::device::{
    Began, Beginning, Condition, Device, DeviceError, DumpTimes, Equipment, Equipped, Fixtures, Foreground,
    Gesture, Noted, PackageFile, Patience, Screenshot, Settled, Trial, Vitals,
};
use droidmux::gui::{Bounds, Flags, Layout, LayoutBuilder, NewWidget, Point};
use droidmux::lab::{Lab, SessionOptions};
use droidmux::record::{
    AppBuild, AppPlace, DeviceInfo, ScreenPolicy, SessionDefinition, SessionId, Signal, StartAt,
};
use droidmux::store::{Disk, RealDisk, Store, StoreOptions};
use tokio_util::sync::CancellationToken;

const APP: &str = "org.example.shop";
const PAGES: u32 = 40;
const DEVICES: u32 = 4;
/// Rows of a page, a fingertip high each.
const ROWS: u32 = 14;
const ROW: i32 = 120;
/// Different contents of a page.
const CONTENTS: u32 = 400;

fn main() {
    let steps = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(100_000);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    for technique in ["genie", "monkey"] {
        let path = folder.path().join(technique);
        let began = Instant::now();
        runtime.block_on(record(&path, &definition(technique, steps), steps));
        println!("{technique}: {steps} steps recorded in {:.0} s", began.elapsed().as_secs_f64());
        let busy = processor_time();
        let (opened, running) = runtime.block_on(resume(&path));
        let busy = processor_time() - busy;
        println!(
            "  store opened after {:.1} s, running after {:.1} s ({busy:.1} s of processor time): {:.0} s for a million steps (limit 60); {} MiB at most",
            opened.as_secs_f64(),
            running.as_secs_f64(),
            running.as_secs_f64() * 1e6 / steps as f64,
            peak_memory_mib(),
        );
    }
}

fn definition(technique: &str, steps: u64) -> SessionDefinition {
    let text = format!("technique = \"{technique}\"\napp = \"{APP}\"");
    let mut definition: SessionDefinition = toml::from_str(&text).expect("a definition");
    definition.run.max_events = 2 * steps;
    // The usual number of seeds is tried out after some 340,000 steps.
    let seeds = u32::try_from(steps / 8_000).unwrap_or(u32::MAX);
    definition.settings.change(|genie: &mut GenieSettings| genie.seeds = genie.seeds.max(seeds));
    definition.run.screens = ScreenPolicy::Never;
    definition
}

/// Records a session until it has this many steps, and stops it.
async fn record(path: &Path, definition: &SessionDefinition, steps: u64) {
    let options = StoreOptions { disk: Arc::new(Fast), ..StoreOptions::default() };
    let lab = lab(Store::open(path, options).expect("a store"));
    let stop = CancellationToken::new();
    let options = SessionOptions { rng: 1, stop: stop.clone(), ..SessionOptions::default() };
    let session = async {
        let outcome = lab.run(definition.clone(), options).await.expect("the session runs");
        assert!(outcome.steps >= steps, "it ended after {} steps", outcome.steps);
    };
    tokio::join!(session, stop_at(&lab, steps, &stop));
    lab.close();
}

/// Continues the session up to its first new step: when the store was open, and when it ran.
async fn resume(path: &Path) -> (Duration, Duration) {
    let began = Instant::now();
    let store = Store::open(path, StoreOptions::default()).expect("the store");
    let opened = began.elapsed();
    let before = store.step_count(SessionId(1)).expect("its steps");
    let lab = lab(store);
    let stop = CancellationToken::new();
    let watched = async {
        stop_at(&lab, before + 1, &stop).await;
        began.elapsed()
    };
    let options = SessionOptions { stop: stop.clone(), ..SessionOptions::default() };
    let session = async { lab.resume(SessionId(1), options).await.expect("the session goes on") };
    let (_, running) = tokio::join!(session, watched);
    lab.close();
    (opened, running)
}

async fn stop_at(lab: &Lab, steps: u64, stop: &CancellationToken) {
    while lab.hub().steps(SessionId(1)) < steps {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    stop.cancel();
}

fn lab(store: Store) -> Lab {
    let lab = Lab::new("bench", store);
    let listed: Vec<_> = (1..=DEVICES).map(|n| (format!("fast-{n}"), "device".to_owned())).collect();
    let screens: Arc<Screens> = Arc::default();
    lab.roster().update(&listed, |serial| {
        Arc::new(Phone { serial: serial.to_owned(), standing: Mutex::default(), screens: screens.clone() })
    });
    lab
}

/// Of this process so far, in seconds: other programs may be using the machine.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // User and system time are the 14th and 15th field, in hundredths of a second.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn peak_memory_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// A disk that is not waited for: what is measured is reading.
struct Fast;

impl Disk for Fast {
    fn sync(&self, _: &File, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn free(&self, path: &Path) -> io::Result<u64> {
        RealDisk.free(path)
    }

    fn admit(&self, path: &Path) -> io::Result<()> {
        RealDisk.admit(path)
    }
}

/// Layouts by page and content, made once.
type Screens = Mutex<HashMap<(u32, u32), Arc<Layout>>>;

/// A device that shows an app of pages full of rows: taps lead to other pages, and what a page
/// holds depends on the way there.
struct Phone {
    serial: String,
    standing: Mutex<Standing>,
    screens: Arc<Screens>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    page: u32,
    /// Sums up what was done since the reset.
    history: u32,
}

impl Phone {
    fn act(&self, number: u32) {
        let mut standing = self.standing.lock().expect("no panic");
        standing.history = standing.history.wrapping_mul(31).wrapping_add(number + 1);
        standing.page = (standing.page * 3 + number) % PAGES;
    }
}

#[async_trait]
impl Device for Phone {
    fn serial(&self) -> &str {
        &self.serial
    }

    async fn info(&self, _: &Patience) -> Result<DeviceInfo, DeviceError> {
        Ok(DeviceInfo { serial: self.serial.clone(), build: "fast".into(), ..DeviceInfo::default() })
    }

    async fn choose_place(&self, _: &str, _: &AppPlace, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn app(&self, package: &str, _: &Patience) -> Result<AppBuild, DeviceError> {
        Ok(AppBuild { package: package.into(), ..AppBuild::default() })
    }

    async fn layout(&self, _: u32, _: &Patience) -> Result<Settled, DeviceError> {
        let Standing { page, history } = *self.standing.lock().expect("no panic");
        let content = history % CONTENTS;
        let mut screens = self.screens.lock().expect("no panic");
        let layout = screens.entry((page, content)).or_insert_with(|| Arc::new(screen(page, content)));
        Ok(Settled {
            layout: layout.clone(),
            notes: Vec::new(),
            settling: droidmux::record::Settling::Strict,
            dumps: 2,
        })
    }

    async fn foreground(&self, _: &Patience) -> Result<Foreground, DeviceError> {
        let page = self.standing.lock().expect("no panic").page;
        let activity = format!("{APP}.Page{}", page / 4);
        Ok(Foreground { package: APP.into(), activity, ..Foreground::default() })
    }

    async fn perform(&self, gesture: &Gesture, _: &Patience) -> Result<(), DeviceError> {
        match gesture {
            Gesture::Tap(Point { y, .. }) => self.act((y / ROW).unsigned_abs()),
            Gesture::LongPress(Point { y, .. }) => self.act(ROWS + (y / ROW).unsigned_abs()),
            Gesture::Type(_, text) => self.act(u32::try_from(text.len()).unwrap_or(0)),
            _ => self.act(0),
        }
        Ok(())
    }

    async fn signals(&self, _: &Patience) -> Result<Vec<Signal>, DeviceError> {
        Ok(Vec::new())
    }

    async fn screenshot(&self, _: &Patience) -> Result<Screenshot, DeviceError> {
        Ok(Screenshot::Png(Vec::new()))
    }

    async fn install(&self, _: &[PackageFile], _: &Patience) -> Result<(), DeviceError> {
        unreachable!("no session installs anything")
    }

    async fn begin(&self, _: &str, _: Beginning, _: &Patience) -> Result<Began, DeviceError> {
        *self.standing.lock().expect("no panic") = Standing::default();
        Ok(Began::Afresh)
    }

    async fn keep(&self, _: &str, _: &Patience) -> Result<bool, DeviceError> {
        unreachable!("the session asks for no copies")
    }

    async fn try_tools(&self, _: &Patience) -> Result<Vec<Trial>, DeviceError> {
        unreachable!("the doctor asks for it")
    }

    async fn start(&self, _: &str, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn prepare(&self, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn furnish(&self, _: &Fixtures, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn set_clock(&self, _: StartAt, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn restore(&self, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn equip(&self, _: &Equipment, _: &Patience) -> Result<Equipped, DeviceError> {
        Ok(Equipped::default())
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    async fn restart(&self, _: &str, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn vitals(&self, _: &Patience) -> Result<Vitals, DeviceError> {
        Ok(Vitals { booted: true, ..Vitals::default() })
    }

    async fn condition(&self, _: &Patience) -> Result<Condition, DeviceError> {
        unreachable!("the doctor asks for it")
    }

    async fn time_dumps(&self, _: Option<&Path>, _: &Patience) -> Result<DumpTimes, DeviceError> {
        unreachable!("the doctor asks for it")
    }

    async fn wake(&self, _: &Patience) -> Result<(), DeviceError> {
        Ok(())
    }

    async fn noted(&self, _: &Patience) -> Result<Noted, DeviceError> {
        Ok(Noted::default())
    }

    async fn exchange_note(
        &self,
        _: Option<&str>,
        _: &str,
        _: Duration,
        _: &Patience,
    ) -> Result<Noted, DeviceError> {
        Ok(Noted::default())
    }
}

/// A page of rows with an icon, two texts and a check box each, and a bar on top.
fn screen(page: u32, content: u32) -> Layout {
    let mut builder = LayoutBuilder::new();
    let enabled = Flags::default().with(Flags::ENABLED, true);
    let touchable = enabled.with(Flags::CLICKABLE, true);
    let open = |builder: &mut LayoutBuilder, class: &str, id: &str, text: &str, row: u32, flags| {
        let top = i32::try_from(row).unwrap_or(0) * ROW;
        builder.open(NewWidget {
            class,
            resource_id: &format!("{APP}:id/{id}"),
            text,
            package: APP,
            bounds: Bounds::new(0, top, 1080, top + ROW),
            flags,
            ..NewWidget::default()
        });
    };
    open(&mut builder, "android.widget.FrameLayout", "root", "", 0, enabled);
    open(&mut builder, "android.widget.TextView", "title", &format!("Page {page}"), 0, enabled);
    builder.close();
    for row in 1..ROWS - page % 5 {
        let hold = touchable.with(Flags::LONG_CLICKABLE, row % 3 == 0);
        open(&mut builder, "android.widget.LinearLayout", &format!("row{page}"), "", row, hold);
        for (class, id, text) in [
            ("android.widget.ImageView", "icon", String::new()),
            ("android.widget.TextView", "name", format!("Item {row} of {content}")),
            ("android.widget.TextView", "price", format!("{}.00", row * content)),
            ("android.widget.CheckBox", "chosen", String::new()),
        ] {
            open(&mut builder, class, id, &text, row, enabled);
            builder.close();
        }
        builder.close();
    }
    builder.close();
    builder.finish()
}
