//! One device: whether sessions can work on it, and how well.

use std::time::Duration;

use super::ms;
use droidmux_device::adb::remedy;
use droidmux_device::{
    Condition, Device, DeviceError, DeviceErrorKind, DumpTimes, Patience, Shortcoming, Vitals,
};
use droidmux_proto::{CheckView, Subject};
use droidmux_record::{DeviceInfo, LabChoice};

/// The longest a question takes on a device that is well.
const WITHIN: Duration = Duration::from_secs(15);
/// For all dumps together, on a slow device whose agent must be started.
const DUMPS_WITHIN: Duration = Duration::from_secs(120);
/// The first API level whose shell reports exit codes (Android 7); without them there is no agent.
const FIRST_WHOLE: u32 = 24;
/// Dumps slower than this leave little of a night.
const SLOW_DUMP: Duration = Duration::from_millis(3_500);
const SLOW_AGENT_DUMP: Duration = Duration::from_millis(1_000);

/// Whether the doctor has a device to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bed {
    /// By a lease: dumps are measured.
    Own,
    /// Others have the device, or may have it; says who.
    Shared(String),
}

/// What ADB says of a device; for one that takes no commands, this is all there is to say.
pub(super) fn authorised(subject: &Subject, state: &str) -> CheckView {
    match state {
        "device" => CheckView::good(subject, "authorised", "takes commands"),
        "unauthorized" => CheckView::bad(subject, "authorised", "unauthorized", remedy(state)),
        "authorizing" | "connecting" => CheckView::doubtful(subject, "authorised", state, remedy(state)),
        other => CheckView::bad(subject, "authorised", other, remedy(other)),
    }
}

/// Everything about a device that takes commands. `lab` has the limits and the agent of the session file, or the usual
/// ones.
pub async fn examine_device(device: &dyn Device, bed: &Bed, lab: &LabChoice) -> Vec<CheckView> {
    let patient = Patient { subject: Subject::Device(device.serial().to_owned()), device, lab };
    let mut checks = vec![authorised(&patient.subject, "device")];
    let patience = Patience::of(WITHIN);
    let asked = tokio::join!(device.info(&patience), device.vitals(&patience), device.condition(&patience));
    let (info, vitals, condition) = asked;
    checks.push(patient.told("API level", info, |patient, info| patient.api(&info)));
    let usable = match &vitals {
        Ok(vitals) if !vitals.booted => Err("its system is still starting".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(error.kind.to_string()),
    };
    match (&vitals, &condition) {
        (Ok(vitals), Ok(condition)) => {
            checks.push(patient.display(vitals, condition, bed));
            checks.push(patient.animations(condition, bed));
            checks.push(patient.keyboard(condition, bed));
        }
        (Err(error), _) | (_, Err(error)) => checks.push(patient.failed("display", error)),
    }
    checks.extend(patient.tools(bed, &usable).await);
    let times = match (bed, usable) {
        (Bed::Shared(whose), _) => Dumped::Not(format!("not measured: {whose}")),
        (Bed::Own, Err(why)) => Dumped::Not(format!("not measured: {why}")),
        (Bed::Own, Ok(())) => match patient.time_dumps(vitals.as_ref().ok()).await {
            Ok(times) => Dumped::Times(times),
            Err(error) => Dumped::Failed(error),
        },
    };
    let agent = patient.dumps(&times, &mut checks);
    if let Ok(condition) = &condition {
        checks.push(patient.text_entry(condition, agent));
    }
    match &vitals {
        Ok(vitals) => checks.extend([patient.storage(vitals), patient.battery(vitals)]),
        Err(error) => checks.push(patient.failed("storage", error)),
    }
    checks
}

/// What became of measuring the dumps.
enum Dumped {
    Times(DumpTimes),
    Failed(DeviceError),
    /// It was left, and why.
    Not(String),
}

/// Whether there is an agent to type texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Agent {
    Works,
    /// No agent is named, or it does not start.
    Missing,
    /// The agent was not tried.
    Unknown,
}

pub(super) struct Patient<'a> {
    pub(super) subject: Subject,
    pub(super) device: &'a dyn Device,
    lab: &'a LabChoice,
}

impl Patient<'_> {
    fn told<T>(
        &self,
        name: &str,
        answer: Result<T, DeviceError>,
        check: impl FnOnce(&Self, T) -> CheckView,
    ) -> CheckView {
        match answer {
            Ok(answer) => check(self, answer),
            Err(error) => self.failed(name, &error),
        }
    }

    /// The check of a device that did not answer what was asked.
    pub(super) fn failed(&self, name: &str, error: &DeviceError) -> CheckView {
        if let DeviceErrorKind::Refused { .. } | DeviceErrorKind::Command { .. } = error.kind {
            return self.of_no_use(name, &error.kind);
        }
        let remedy = match error.kind {
            DeviceErrorKind::TimedOut(_) => "it hangs: restart the device",
            DeviceErrorKind::NotReady(_) => "unlock it by hand and remove its screen lock",
            _ => "reconnect the device, or restart it",
        };
        CheckView::bad(&self.subject, name, format!("{}: {}", error.what, error.kind), remedy)
    }

    fn api(&self, info: &DeviceInfo) -> CheckView {
        let DeviceInfo { model, android, api, width, height, .. } = info;
        let words = format!("API {api}, Android {android}, {model}, {width}x{height}");
        match *api {
            0..FIRST_WHOLE => CheckView::doubtful(
                &self.subject,
                "API level",
                words,
                "before Android 7 there is no resident agent, and some events of tests are not supported; use a newer one",
            ),
            _ => CheckView::good(&self.subject, "API level", words),
        }
    }

    fn display(&self, vitals: &Vitals, condition: &Condition, bed: &Bed) -> CheckView {
        let size = condition.size.map_or_else(|| "size unknown".into(), |(w, h)| format!("{w}x{h}"));
        let density = condition.density.map(|dpi| format!(", {dpi} dpi")).unwrap_or_default();
        let state = match (vitals.awake, vitals.locked) {
            (Some(false), _) => ", off",
            (_, true) => ", on, behind the keyguard",
            _ => ", on",
        };
        let words = format!("{size}{density}{state}");
        let (subject, name) = (&self.subject, "display");
        if condition.resized {
            let remedy = "`adb shell wm size reset`, unless the other size is wanted";
            return CheckView::doubtful(subject, name, format!("{words}; the size was set by hand"), remedy);
        }
        match (state, bed) {
            (", on", _) => CheckView::good(subject, name, words),
            (_, Bed::Own) => CheckView::good(subject, name, format!("{words}; switched on for the dumps")),
            (_, Bed::Shared(_)) => CheckView::good(subject, name, words),
        }
    }

    fn animations(&self, condition: &Condition, bed: &Bed) -> CheckView {
        let (subject, name) = (&self.subject, "animations");
        let is_off = |scale: &Option<String>| {
            scale.as_ref().and_then(|scale| scale.parse::<f64>().ok()).is_some_and(|scale| scale == 0.0)
        };
        let words = match condition.animations.iter().all(is_off) {
            true => "off",
            false => "on; sessions switch them off and put them back",
        };
        match (condition.is_prepared, bed) {
            (true, Bed::Own) => CheckView::doubtful(
                subject,
                name,
                format!("{words}; the settings of a session that died are still in place"),
                "the next session on this device puts back what was set before",
            ),
            _ => CheckView::good(subject, name, words),
        }
    }

    fn keyboard(&self, condition: &Condition, bed: &Bed) -> CheckView {
        let (subject, name) = (&self.subject, "keyboard");
        match (&condition.keyboard, bed) {
            (None, _) => CheckView::doubtful(
                subject,
                name,
                "none is chosen",
                "choose one in the device's settings: without one some fields take no text",
            ),
            (Some(_), Bed::Own) if condition.uses_adb_keyboard && !condition.is_prepared => {
                CheckView::doubtful(
                    subject,
                    name,
                    "ADBKeyBoard, though no session runs: a person cannot type with it",
                    "`adb shell ime reset`, unless it is wanted",
                )
            }
            (Some(keyboard), _) => CheckView::good(subject, name, keyboard.as_str()),
        }
    }

    /// Measures, with the screen on.
    async fn time_dumps(&self, vitals: Option<&Vitals>) -> Result<DumpTimes, DeviceError> {
        let patience = Patience::of(DUMPS_WITHIN);
        if vitals.is_some_and(|vitals| vitals.awake == Some(false) || vitals.locked) {
            self.device.wake(&patience).await?;
        }
        self.device.time_dumps(self.lab.agent.as_deref(), &patience).await
    }

    /// The agent, and the dumps by each method.
    fn dumps(&self, times: &Dumped, checks: &mut Vec<CheckView>) -> Agent {
        const BY_UIAUTOMATOR: &str = "dumps by uiautomator";
        const BY_AGENT: &str = "dumps by the agent";
        const NOT_DUMPED: &str =
            "close the app in front, and whatever else uses UI automation (another tool, a screen reader)";
        let subject = &self.subject;
        let times = match times {
            Dumped::Not(why) => {
                checks.push(self.unmeasured_agent());
                checks.push(CheckView::skipped(subject, BY_UIAUTOMATOR, why.as_str()));
                checks.push(CheckView::skipped(subject, BY_AGENT, why.as_str()));
                return self.lab.agent.as_deref().map_or(Agent::Missing, |_| Agent::Unknown);
            }
            Dumped::Failed(error) => {
                checks.push(self.failed(BY_UIAUTOMATOR, error));
                return Agent::Missing;
            }
            Dumped::Times(times) => times,
        };
        let agent = match &times.agent {
            None => {
                checks.push(self.unmeasured_agent());
                Agent::Missing
            }
            Some(Err(why)) => {
                let remedy =
                    "`pip install uiautomator2` there, or name its u2.jar; without it `uiautomator` dumps";
                checks.push(CheckView::bad(subject, "agent", why.to_string(), remedy));
                Agent::Missing
            }
            Some(Ok(())) if times.differ => {
                let remedy = "dump with one way only: `[lab] dumps`; or the screen changes by itself";
                let words = "starts, but its dump of this screen is another one than uiautomator's";
                checks.push(CheckView::doubtful(subject, "agent", words, remedy));
                Agent::Works
            }
            Some(Ok(())) => {
                let same = matches!((&times.by_agent, &times.uiautomator), (Some(Ok(_)), Ok(_)));
                let words = if same { "starts, and dumps the same as uiautomator" } else { "starts" };
                checks.push(CheckView::good(subject, "agent", words));
                Agent::Works
            }
        };
        checks.push(match &times.uiautomator {
            Ok(time) => self.speed(BY_UIAUTOMATOR, *time, SLOW_DUMP, "name the resident agent with `[lab] agent`"),
            Err(why) if matches!(times.by_agent, Some(Ok(_))) => {
                let remedy = "sessions depend on the agent alone: close what else uses UI automation, or restart the device";
                CheckView::doubtful(subject, BY_UIAUTOMATOR, why.to_string(), remedy)
            }
            Err(why) => CheckView::bad(subject, BY_UIAUTOMATOR, why.to_string(), NOT_DUMPED),
        });
        checks.push(match (&times.by_agent, &times.agent) {
            (Some(Ok(time)), _) => self.speed(
                BY_AGENT,
                *time,
                SLOW_AGENT_DUMP,
                "the screen in front is large or never rests; go to the home screen and try again",
            ),
            (Some(Err(why)), _) if times.uiautomator.is_ok() => CheckView::doubtful(
                subject,
                BY_AGENT,
                why.to_string(),
                "sessions dump by uiautomator until it works",
            ),
            (Some(Err(why)), _) => CheckView::bad(subject, BY_AGENT, why.to_string(), NOT_DUMPED),
            (None, Some(_)) => CheckView::skipped(subject, BY_AGENT, "there is no agent"),
            (None, None) => CheckView::skipped(subject, BY_AGENT, "no agent is named"),
        });
        agent
    }

    fn unmeasured_agent(&self) -> CheckView {
        match &self.lab.agent {
            None => CheckView::skipped(
                &self.subject,
                "agent",
                "none is named, neither by `[lab] agent` of a session file nor by --agent; dumps would be faster with one",
            ),
            Some(path) => {
                CheckView::skipped(&self.subject, "agent", format!("{} was not tried", path.display()))
            }
        }
    }

    fn speed(&self, name: &str, time: Duration, slow: Duration, remedy: &str) -> CheckView {
        let words = format!("{} ms, the median of three", time.as_millis());
        let check = match time > slow {
            false => CheckView::good(&self.subject, name, words),
            true => CheckView::doubtful(&self.subject, name, words, remedy),
        };
        check.took(ms(time))
    }

    fn text_entry(&self, condition: &Condition, agent: Agent) -> CheckView {
        let (subject, name) = (&self.subject, "text entry");
        match (agent, condition.has_adb_keyboard) {
            (Agent::Works, _) => CheckView::good(subject, name, "ASCII by `input`, all else by the agent"),
            (_, true) => CheckView::good(subject, name, "ASCII by `input`, all else by ADBKeyBoard"),
            (Agent::Unknown, false) => {
                CheckView::good(subject, name, "ASCII by `input`, all else by the agent, which was not tried")
            }
            (Agent::Missing, false) => CheckView::doubtful(
                subject,
                name,
                "ASCII by `input`; nothing can type other characters",
                "name the resident agent with `[lab] agent`, or install ADBKeyBoard on the device",
            ),
        }
    }

    fn storage(&self, vitals: &Vitals) -> CheckView {
        let (subject, name, least) = (&self.subject, "storage", u64::from(self.lab.min_space));
        let remedy = "uninstall something, or lower `[lab] min-space`";
        match vitals.space {
            None => CheckView::skipped(subject, name, "the device does not tell its free space"),
            Some(free) if free < least => {
                let words = format!("{free} MiB free on /data; sessions want {least} MiB");
                CheckView::bad(subject, name, words, remedy)
            }
            Some(free) if free < least.saturating_mul(3) => {
                CheckView::doubtful(subject, name, format!("{free} MiB free on /data"), remedy)
            }
            Some(free) => CheckView::good(subject, name, format!("{free} MiB free on /data")),
        }
    }

    fn battery(&self, vitals: &Vitals) -> CheckView {
        let (subject, name) = (&self.subject, "battery");
        let Some(charge) = vitals.battery else {
            let shortcomings = self.device.shortcomings();
            let why = shortcomings.into_iter().find_map(|shortcoming| match shortcoming {
                Shortcoming::Battery(why) => Some(why),
                _ => None,
            });
            let why = why.unwrap_or_else(|| "the device does not tell its charge".to_owned());
            return CheckView::skipped(subject, name, format!("not watched: {why}"));
        };
        let heat = vitals.heat.map(|heat| format!(", {}.{} °C", heat / 10, heat % 10)).unwrap_or_default();
        let words = format!("{charge} %{heat}");
        let hottest = i32::try_from(self.lab.max_temperature).unwrap_or(0).saturating_mul(10);
        if u32::from(charge) < self.lab.min_battery {
            let remedy = "plug it into a charger: until then no session works on it (`[lab] min-battery`)";
            return CheckView::doubtful(subject, name, words, remedy);
        }
        if hottest > 0 && vitals.heat.is_some_and(|heat| heat > hottest) {
            let remedy = "let it cool down: until then no session works on it (`[lab] max-temperature`)";
            return CheckView::doubtful(subject, name, words, remedy);
        }
        CheckView::good(subject, name, words)
    }
}
