//! Builds: which system and which app the runs of a session were recorded with, so that a session that goes on does not
//! mix them unasked.

use std::collections::BTreeMap;

use droidmux_device::DeviceErrorKind;
use droidmux_record::{AppBuild, DeviceInfo, JobRun};

/// What a session's finished runs were recorded with; empty for a session that has just begun.
#[derive(Clone, Debug, Default)]
pub(super) struct Builds {
    devices: BTreeMap<String, Build>,
    /// Runs that ended before this time (milliseconds since the Unix epoch) do not count.
    accepted_ms: u64,
}

#[derive(Clone, Debug)]
struct Build {
    /// When the latest run on the device ended.
    at_ms: u64,
    device: DeviceInfo,
    app: AppBuild,
}

impl Builds {
    /// Counts runs from this time on: when a person last accepted other builds.
    pub(super) fn since(accepted_ms: Option<u64>) -> Self {
        Self { devices: BTreeMap::new(), accepted_ms: accepted_ms.unwrap_or(0) }
    }

    /// Notes a finished run; the latest one on a device counts.
    pub(super) fn note(&mut self, run: &JobRun) {
        let Some(last) = run.turns.last().filter(|_| !run.job.work.only_asks()) else { return };
        let at_ms = last.at_ms.saturating_add(last.took_ms.into());
        let known = self.devices.get(&run.device.serial);
        if at_ms < self.accepted_ms || known.is_some_and(|known| known.at_ms > at_ms) {
            return;
        }
        let build = Build { at_ms, device: run.device.clone(), app: run.app.clone() };
        self.devices.insert(run.device.serial.clone(), build);
    }

    /// What the latest run on a device was recorded with.
    pub(super) fn of(&self, serial: &str) -> Option<(&DeviceInfo, &AppBuild)> {
        self.devices.get(serial).map(|known| (&known.device, &known.app))
    }

    /// What any run was recorded with.
    pub(super) fn any(&self) -> Option<(&DeviceInfo, &AppBuild)> {
        self.devices.values().next().map(|known| (&known.device, &known.app))
    }

    /// # Errors
    /// `OtherBuild` when this device's system is not the one it had when it was last used.
    pub(super) fn check_device(&self, device: &DeviceInfo) -> Result<(), DeviceErrorKind> {
        match self.devices.get(&device.serial) {
            Some(known) if known.device.build != device.build => Err(DeviceErrorKind::OtherBuild {
                before: known.device.build.clone(),
                now: device.build.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// What was installed before, if this is another build of the app: on this device or, if it is new to the session,
    /// on all others.
    pub(super) fn other_app(&self, serial: &str, app: &AppBuild) -> Option<&AppBuild> {
        match self.devices.get(serial) {
            Some(known) => (known.app != *app).then_some(&known.app),
            None if self.devices.values().any(|known| known.app == *app) => None,
            None => self.devices.values().next().map(|known| &known.app),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::{Act, Ending, Explore, Goal, Job, Observation, Slot, Turn, Work};

    fn device(serial: &str, build: &str) -> DeviceInfo {
        DeviceInfo { serial: serial.into(), build: build.into(), ..DeviceInfo::default() }
    }

    fn app(version_code: u64) -> AppBuild {
        AppBuild { version_code, ..AppBuild::default() }
    }

    fn run(device: DeviceInfo, app: AppBuild, at_ms: u64) -> JobRun {
        let explore = Explore::new(Goal::Mine, droidmux_record::Choice::Random, 1);
        let (act, observation) = (Act::Finish(Ending::Complete), Observation::Ended);
        JobRun {
            job: Job { slot: Slot(0), rng: 0, work: Work::Explore(explore) },
            attempt: 1,
            device,
            app,
            turns: vec![Turn { act, observation, at_ms, took_ms: 0 }],
        }
    }

    #[test]
    fn what_was_used_last_counts() {
        let mut builds = Builds::since(Some(10));
        builds.note(&run(device("a", "old"), app(1), 5));
        assert!(builds.check_device(&device("a", "new")).is_ok(), "accepted since");
        builds.note(&run(device("a", "new"), app(2), 30));
        builds.note(&run(device("a", "old"), app(1), 20));
        let cases = [
            ("a", "new", 2, true, None),
            ("a", "old", 2, false, None),
            ("a", "new", 1, true, Some(2)),
            ("b", "any", 2, true, None),
            ("b", "any", 3, true, Some(2)),
        ];
        for (serial, system, version, fits, before) in cases {
            let other = builds.other_app(serial, &app(version)).map(|app| app.version_code);
            assert_eq!(builds.check_device(&device(serial, system)).is_ok(), fits, "{serial} {system}");
            assert_eq!(other, before, "{serial} {version}");
        }
        assert_eq!(Builds::default().other_app("a", &app(9)), None);
    }
}
