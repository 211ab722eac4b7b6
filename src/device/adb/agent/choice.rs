//! How a session's device is read: measured when the session takes it.

use std::io::Cursor;
use std::path::Path;
use std::time::Duration;

use image::{DynamicImage, ImageFormat, ImageReader, Limits};
use tokio::time::Instant;

use super::jar::AgentJar;
use super::{AgentError, Fault};
use crate::adb::device::AdbDevice;
use crate::adb::picture::MAX_PICTURE;
use crate::{DeviceErrorKind, DumpTimes, Equipment, Equipped, NoDumps};
use droidmux_gui::LayoutHash;
use droidmux_record::DumpChoice;

/// Dumps made each way.
const DUMPS: usize = 3;
/// Pictures taken each way.
const PICTURES: usize = 2;

/// The result of dumping in one way.
#[derive(Debug)]
struct Measured {
    median: Duration,
    /// The screen as dumped last; `None` when it never could be dumped.
    screen: Option<LayoutHash>,
    fault: String,
}

impl Measured {
    /// The median, or why there is none.
    fn outcome(&self) -> Result<Duration, NoDumps> {
        if self.screen.is_some() { Ok(self.median) } else { Err(NoDumps { why: self.fault.clone() }) }
    }
}

impl AdbDevice {
    /// Ends what an earlier session left running, and chooses.
    pub(in crate::adb) async fn equip_now(&self, wanted: &Equipment) -> Result<Equipped, DeviceErrorKind> {
        self.resident().await.dismiss(self).await?;
        let (mut said, mut lacks_agent) = (Vec::new(), None);
        match self.choose_dumps(wanted).await? {
            Ok(words) => said.push(words),
            Err(why) => {
                said.push(format!("dumps: by uiautomator, since {why}"));
                lacks_agent = Some(why);
            }
        }
        if wanted.pictures {
            said.push(self.choose_pictures().await?);
        }
        said.extend(self.take_remarks());
        Ok(Equipped { said, lacks_agent })
    }

    /// Dumps a few times in each available way. An agent left by an earlier session is ended before, ours afterwards.
    pub(in crate::adb) async fn time_dumps_now(
        &self,
        agent: Option<&Path>,
    ) -> Result<DumpTimes, DeviceErrorKind> {
        self.resident().await.dismiss(self).await?;
        let stock = self.measure_dumps().await?;
        let uiautomator = stock.outcome();
        let mut times = DumpTimes { uiautomator, agent: None, by_agent: None, differ: false };
        let Some(agent) = agent else { return Ok(times) };
        if let Err(why) = self.start_agent(agent).await? {
            return Ok(DumpTimes { agent: Some(Err(why)), ..times });
        }
        let by_agent = self.measure_dumps().await;
        // The agent may have given way during the measurement.
        let stayed = self.resident().await.is_wanted();
        self.resident().await.dismiss(self).await?;
        let (by_agent, remarks) = (by_agent?, self.take_remarks());
        times.differ =
            stayed && stock.screen.is_some() && by_agent.screen.is_some_and(|s| stock.screen != Some(s));
        times.agent = Some(Ok(()));
        times.by_agent =
            Some(if stayed { by_agent.outcome() } else { Err(NoDumps { why: remarks.join("; ") }) });
        Ok(times)
    }

    /// Finds the jar and starts the agent; returns why there is none.
    async fn start_agent(&self, path: &Path) -> Result<Result<(), AgentError>, DeviceErrorKind> {
        match find_jar(path).await {
            Ok(jar) => self.run_agent(jar).await,
            Err(why) => Ok(Err(why)),
        }
    }

    /// Starts the agent; returns why it does not start.
    async fn run_agent(&self, jar: AgentJar) -> Result<Result<(), AgentError>, DeviceErrorKind> {
        let mut resident = self.resident().await;
        resident.want(jar);
        match resident.start(self).await {
            Ok(()) => Ok(Ok(())),
            Err(Fault::Device(kind)) => Err(kind),
            Err(fault) => {
                resident.dismiss(self).await?;
                Ok(Err(AgentError::Start(fault.to_string())))
            }
        }
    }

    /// The choice in words; `Err` says why it is not the agent, when one is wanted but none works.
    async fn choose_dumps(&self, wanted: &Equipment) -> Result<Result<String, AgentError>, DeviceErrorKind> {
        let display = self.place().display();
        if display != 0 {
            return Ok(Ok(format!("dumps: by uiautomator, since the app is on display {display}")));
        }
        let path = match (&wanted.agent, wanted.dumps) {
            (Some(path), DumpChoice::Auto | DumpChoice::Agent) => path,
            (None, DumpChoice::Agent) => return Ok(Err(AgentError::NotNamed)),
            (_, DumpChoice::Uiautomator) | (None, DumpChoice::Auto) => {
                return Ok(Ok("dumps: by uiautomator".into()));
            }
        };
        let jar = match find_jar(path).await {
            Ok(jar) => jar,
            Err(why) => return Ok(Err(why)),
        };
        let stock = match wanted.dumps {
            DumpChoice::Auto => Some(self.measure_dumps().await?),
            _ => None,
        };
        if let Err(why) = self.run_agent(jar).await? {
            return Ok(Err(why));
        }
        let Some(stock) = stock else { return Ok(Ok("dumps: by the agent".into())) };
        let by_agent = self.measure_dumps().await?;
        let faster = by_agent.screen.is_some() && (stock.screen.is_none() || by_agent.median < stock.median);
        // The agent may have given way during the measurement.
        let chosen = faster && self.resident().await.is_wanted();
        if !chosen {
            self.resident().await.dismiss(self).await?;
        }
        Ok(Ok(verdict(chosen, &by_agent, &stock)))
    }

    /// Dumps a few times in the way currently in use.
    async fn measure_dumps(&self) -> Result<Measured, DeviceErrorKind> {
        let mut times = Vec::new();
        let mut measured = Measured { median: Duration::ZERO, screen: None, fault: String::new() };
        for _ in 0..DUMPS {
            let began = Instant::now();
            let dumped = self.layout_now(1).await;
            times.push(began.elapsed());
            match dumped {
                Ok(settled) => measured.screen = Some(settled.layout.hash()),
                Err(DeviceErrorKind::Answer(fault)) => measured.fault = fault,
                Err(kind) => return Err(kind),
            }
        }
        measured.median = median(times);
        Ok(measured)
    }

    /// Takes pictures as PNG made by the device, and raw, each until its pixels are known.
    async fn choose_pictures(&self) -> Result<String, DeviceErrorKind> {
        let (mut as_png, mut as_pixels) = (Vec::new(), Vec::new());
        for _ in 0..PICTURES {
            as_png.push(timed(self.picture_read()).await?);
            let buffer = self.buffers().take().await;
            as_pixels.push(timed(self.picture_of_pixels(buffer)).await?);
        }
        let (png, raw) = (median(as_png), median(as_pixels));
        self.set_raw_pictures(raw < png);
        let name = if raw < png { "raw" } else { "PNG" };
        Ok(format!("pictures: {name} (medians of {PICTURES}: PNG {}, raw {})", shown(png), shown(raw)))
    }

    /// A PNG from the device, and its pixels: every picture is read once it is here, which can take longer than the way.
    async fn picture_read(&self) -> Result<(), DeviceErrorKind> {
        let png = self.picture().await?;
        // The reason why one cannot be read is told where a picture is needed.
        let read = tokio::task::spawn_blocking(move || read_pixels(&png).is_ok());
        read.await.map(drop).map_err(|error| DeviceErrorKind::Lost(format!("reading a picture: {error}")))
    }
}

fn read_pixels(png: &[u8]) -> image::ImageResult<DynamicImage> {
    let mut reader = ImageReader::with_format(Cursor::new(png), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_alloc = u64::try_from(MAX_PICTURE).ok();
    reader.limits(limits);
    reader.decode()
}

/// The jar that a path refers to; why there is none.
async fn find_jar(path: &Path) -> Result<AgentJar, AgentError> {
    let path = path.to_owned();
    match tokio::task::spawn_blocking(move || AgentJar::find(&path)).await {
        Ok(Ok(jar)) => Ok(jar),
        Ok(Err(error)) => Err(AgentError::Jar(error.into())),
        Err(error) => Err(AgentError::Search(error.to_string())),
    }
}

/// How long a picture took; infinitely long when there is none: the screen must not be photographed, or its pixel
/// format is not known here.
async fn timed<T>(
    picture: impl Future<Output = Result<T, DeviceErrorKind>>,
) -> Result<Duration, DeviceErrorKind> {
    let began = Instant::now();
    match picture.await {
        Ok(_) => Ok(began.elapsed()),
        Err(kind) if kind.is_gone() => Err(kind),
        Err(_) => Ok(Duration::MAX),
    }
}

fn verdict(chosen: bool, by_agent: &Measured, stock: &Measured) -> String {
    let name = if chosen { "by the agent" } else { "by uiautomator" };
    let way = |measured: &Measured| match measured.screen {
        Some(_) => format!("{} ms", measured.median.as_millis()),
        None => format!("failed ({})", measured.fault),
    };
    let mut text =
        format!("dumps: {name} (medians of {DUMPS}: agent {}, uiautomator {})", way(by_agent), way(stock));
    if by_agent.screen.is_some() && stock.screen.is_some() && by_agent.screen != stock.screen {
        text.push_str(
            "; their dumps of this screen differ: it changes by itself, or a change from one to the other in \
             the middle of a test may look like an effect",
        );
    }
    text
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(Duration::MAX)
}

fn shown(time: Duration) -> String {
    if time < Duration::MAX { format!("{} ms", time.as_millis()) } else { "failed".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_of_the_middle() {
        let ms = Duration::from_millis;
        for (times, expected) in [
            (vec![], Duration::MAX),
            (vec![ms(4)], ms(4)),
            (vec![ms(9), ms(1), ms(2)], ms(2)),
            (vec![ms(1), ms(2)], ms(2)),
        ] {
            assert_eq!(median(times.clone()), expected, "{times:?}");
        }
    }
}
