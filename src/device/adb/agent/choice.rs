//! Which way a session's device is read: measured when the session takes it.

use std::time::Duration;

use tokio::time::Instant;

use super::Fault;
use super::jar::AgentJar;
use crate::device::adb::device::AdbDevice;
use crate::device::{DeviceErrorKind, Equipment, Equipped};
use crate::gui::LayoutHash;
use crate::record::DumpChoice;

/// Dumps made each way.
const DUMPS: usize = 3;
/// Pictures taken each way.
const PICTURES: usize = 2;

/// What dumping one way came to.
#[derive(Debug)]
struct Measured {
    median: Duration,
    /// The screen as it was dumped last; `None` when it never could be.
    screen: Option<LayoutHash>,
    fault: String,
}

impl AdbDevice {
    /// Ends what an earlier session left, and chooses.
    pub(in crate::device::adb) async fn equip_now(
        &self,
        wanted: &Equipment,
    ) -> Result<Equipped, DeviceErrorKind> {
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

    /// What was chosen, in words; `Err` says why it is not the agent though one is wanted and none works.
    async fn choose_dumps(&self, wanted: &Equipment) -> Result<Result<String, String>, DeviceErrorKind> {
        let path = match (&wanted.agent, wanted.dumps) {
            (Some(path), DumpChoice::Auto | DumpChoice::Agent) => path.clone(),
            (None, DumpChoice::Agent) => return Ok(Err("no agent is named".into())),
            (_, DumpChoice::Uiautomator) | (None, DumpChoice::Auto) => {
                return Ok(Ok("dumps: by uiautomator".into()));
            }
        };
        let found = tokio::task::spawn_blocking(move || AgentJar::find(&path)).await;
        let jar = match found {
            Ok(Ok(jar)) => jar,
            Ok(Err(error)) => return Ok(Err(format!("there is no agent: {error}"))),
            Err(error) => return Ok(Err(format!("there is no agent: {error}"))),
        };
        let stock = match wanted.dumps {
            DumpChoice::Auto => Some(self.measure_dumps().await?),
            _ => None,
        };
        let mut resident = self.resident().await;
        resident.want(jar);
        match resident.start(self).await {
            Ok(()) => {}
            Err(Fault::Device(kind)) => return Err(kind),
            Err(fault) => {
                resident.dismiss(self).await?;
                return Ok(Err(format!("the agent does not start: {fault}")));
            }
        }
        drop(resident);
        let Some(stock) = stock else { return Ok(Ok("dumps: by the agent".into())) };
        let by_agent = self.measure_dumps().await?;
        let faster = by_agent.screen.is_some() && (stock.screen.is_none() || by_agent.median < stock.median);
        // While it was measured the agent may have given way.
        let chosen = faster && self.resident().await.is_wanted();
        if !chosen {
            self.resident().await.dismiss(self).await?;
        }
        Ok(Ok(verdict(chosen, &by_agent, &stock)))
    }

    /// Dumps a few times, whichever way the device is dumped now.
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

    /// Takes pictures as PNG made by the device, and raw with the PNG made here.
    async fn choose_pictures(&self) -> Result<String, DeviceErrorKind> {
        let (mut as_png, mut as_pixels) = (Vec::new(), Vec::new());
        for _ in 0..PICTURES {
            as_png.push(timed(self.picture()).await?);
            as_pixels.push(timed(self.picture_of_pixels()).await?);
        }
        let (png, raw) = (median(as_png), median(as_pixels));
        self.set_raw_pictures(raw < png);
        let name = if raw < png { "raw" } else { "PNG" };
        Ok(format!("pictures: {name} (medians of {PICTURES}: PNG {}, raw {})", shown(png), shown(raw)))
    }
}

/// How long a picture took; for ever when there is none: of a screen that must not be photographed, or
/// in a form of pixels not known here.
async fn timed(
    picture: impl Future<Output = Result<Vec<u8>, DeviceErrorKind>>,
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
