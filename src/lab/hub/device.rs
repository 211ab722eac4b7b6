//! What the hub keeps of a device.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use droidmux_device::Shortcoming;
use droidmux_proto::{DeviceHealth, DeviceView, StepView};
use droidmux_words::number::{real, short};

const SPAN: Duration = Duration::from_secs(2);
const SPANS: usize = 30;
/// After this many steps in a row that change nothing, a device is shown as stuck, and the next reset is reported as
/// the end of it.
pub(crate) const STUCK_AFTER: u32 = 8;

pub(super) struct DeviceFeed {
    pub(super) view: DeviceView,
    spans: VecDeque<u16>,
    span_began: Instant,
    dumped: Option<Instant>,
    /// Steps in a row that left the layout as it was.
    stale: u32,
    /// What sessions do without on it.
    lacks: Vec<Shortcoming>,
}

impl DeviceFeed {
    pub(super) fn new(serial: &str) -> Self {
        let view = DeviceView {
            serial: serial.into(),
            host: None,
            model: String::new(),
            android: String::new(),
            health: DeviceHealth::Idle,
            lease: None,
            session: None,
            job: None,
            activity: String::new(),
            steps: Vec::new(),
            steps_per_minute: 0.0,
            dump_age_ms: None,
            stuck: false,
            lacks: Vec::new(),
            layout: None,
        };
        Self {
            view,
            spans: VecDeque::from(vec![0; SPANS]),
            span_began: Instant::now(),
            dumped: None,
            stale: 0,
            lacks: Vec::new(),
        }
    }

    /// Takes in what sessions do without on the device; returns what is new, and what is over.
    pub(super) fn lack(&mut self, now: &[Shortcoming]) -> (Vec<Shortcoming>, Vec<Shortcoming>) {
        let beyond = |these: &[Shortcoming], those: &[Shortcoming]| {
            these.iter().filter(|one| !those.contains(one)).cloned().collect()
        };
        let changed = (beyond(now, &self.lacks), beyond(&self.lacks, now));
        self.lacks = now.to_vec();
        self.view.lacks = now.iter().map(|shortcoming| shortcoming.brief().to_owned()).collect();
        changed
    }

    pub(super) fn stepped(&mut self, step: &StepView) {
        self.roll(Instant::now());
        if let Some(span) = self.spans.back_mut() {
            *span = span.saturating_add(1);
        }
        self.view.activity.clone_from(&step.activity);
        let Some(layout) = step.layout else { return };
        if step.settled {
            self.dumped = Some(Instant::now());
        }
        self.stale = if self.view.layout == Some(layout) { self.stale + 1 } else { 0 };
        self.view.layout = Some(layout);
    }

    fn roll(&mut self, now: Instant) {
        let mut rolled = 0;
        while now.duration_since(self.span_began) >= SPAN {
            self.span_began += SPAN;
            rolled += 1;
            if rolled > SPANS {
                self.span_began = now;
            }
            self.spans.pop_front();
            self.spans.push_back(0);
        }
    }

    /// The device as it is shown at this moment.
    pub(super) fn view(&mut self, now: Instant) -> DeviceView {
        self.roll(now);
        let whole: u32 = self.spans.iter().map(|&span| u32::from(span)).sum();
        DeviceView {
            steps: self.spans.iter().copied().collect(),
            steps_per_minute: short(real(whole) * 60.0 / (SPAN.as_secs_f64() * real(SPANS))),
            dump_age_ms: self.dumped.map(|then| millis(now.duration_since(then))),
            stuck: self.stale >= STUCK_AFTER,
            ..self.view.clone()
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
