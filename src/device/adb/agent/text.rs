//! Texts that `input text` has no keys for.

use serde_json::Value;

use super::rpc::Call;
use crate::DeviceErrorKind;
use crate::adb::device::AdbDevice;
use crate::adb::gesture;
use droidmux_gui::Point;

/// How long a touched field may take to get the focus.
const FOCUS_WITHIN: u64 = 1_000;

impl AdbDevice {
    /// Replaces the text of the field around this point by means of the agent: all of Unicode. If nothing takes the
    /// focus, nothing is typed, as with `input text`. False when there is no agent, or when it could not do it: nothing
    /// was typed in that case.
    pub(in crate::adb) async fn set_text_at(&self, at: Point, text: &str) -> Result<bool, DeviceErrorKind> {
        let mut resident = self.resident().await;
        if !resident.is_wanted() {
            return Ok(false);
        }
        self.must(&gesture::tap(self.input().await?, at)).await?;
        match resident.ask(self, &[Call::wait_for_focus(FOCUS_WITHIN), Call::set_text(text)]).await {
            Ok(answers) => Ok(match answers.last() {
                Some(Ok(done)) => *done == Value::Bool(true),
                Some(Err(_)) => true,
                None => false,
            }),
            Err(fault) => resident.give_way(self, fault).await.map(|()| false),
        }
    }
}
