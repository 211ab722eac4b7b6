//! The tools of a device and its log: whether they do what a night needs. Each is tried in a way that changes nothing.

use std::time::Duration;

use super::device::{Bed, Patient};
use droidmux_device::{DeviceErrorKind, Patience, Shortcoming, Trial};
use droidmux_proto::{CheckVerdict, CheckView};

/// For trying all tools, which take half a second each on a slow device.
const TOOLS_WITHIN: Duration = Duration::from_secs(30);

impl Patient<'_> {
    /// The check of a tool that does not do what it is told.
    pub(super) fn of_no_use(&self, name: &str, kind: &DeviceErrorKind) -> CheckView {
        match kind {
            DeviceErrorKind::Refused { command, output, remedy } => {
                let words = format!("{command} is refused: {output}");
                CheckView::bad(&self.subject, name, words, &**remedy)
            }
            DeviceErrorKind::Command { command, code, output, remedy } => {
                let words = format!("{command} failed with exit code {code}: {output}");
                CheckView::bad(&self.subject, name, words, &**remedy)
            }
            other => CheckView::bad(&self.subject, name, other.to_string(), "restart the device"),
        }
    }

    /// Whether each tool does what a night needs, and whether there is a log.
    pub(super) async fn tools(&self, bed: &Bed, usable: &Result<(), String>) -> Vec<CheckView> {
        let skipped =
            |why: &str| vec![CheckView::skipped(&self.subject, "tools", format!("not tried: {why}"))];
        match (bed, usable) {
            (Bed::Shared(whose), _) => return skipped(whose),
            (Bed::Own, Err(why)) => return skipped(why),
            (Bed::Own, Ok(())) => {}
        }
        let patience = Patience::of(TOOLS_WITHIN);
        let trials = match self.device.try_tools(&patience).await {
            Ok(trials) => trials,
            Err(error) => return vec![self.failed("tools", &error)],
        };
        let check = |trial: &Trial| match &trial.outcome {
            Ok(()) => CheckView::good(&self.subject, &trial.command, trial.tried.as_ref()),
            Err(kind) => {
                let check = self.of_no_use(&trial.command, kind);
                let verdict = if trial.needed { check.verdict } else { CheckVerdict::Doubtful };
                CheckView { verdict, ..check }
            }
        };
        let mut checks: Vec<CheckView> = trials.iter().map(check).collect();
        checks.push(self.log());
        checks
    }

    fn log(&self) -> CheckView {
        let shortcomings = self.device.shortcomings();
        let missing = shortcomings.into_iter().find_map(|shortcoming| match shortcoming {
            Shortcoming::Log { why, remedy } => Some((why, remedy)),
            _ => None,
        });
        match missing {
            None => CheckView::good(&self.subject, "log", "is written, and can be read"),
            Some((why, remedy)) => {
                let words = format!(
                    "{why}: sessions go on without it, and tell crashes by their dialogs, without a stack"
                );
                CheckView::doubtful(&self.subject, "log", words, remedy)
            }
        }
    }
}
