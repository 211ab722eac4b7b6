//! The times that UI Automator waits, as a client reads and sets them. None of them changes what this agent does: its
//! widgets are there at once or not at all.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::rpc::Fault;

/// `ConfiguratorInfo` of the genuine jar, with the defaults of `androidx.test.uiautomator.Configurator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Configurator {
    action_acknowledgment_timeout: i64,
    key_injection_delay: i64,
    scroll_acknowledgment_timeout: i64,
    ui_automation_flags: i32,
    wait_for_idle_timeout: i64,
    wait_for_selector_timeout: i64,
}

impl Default for Configurator {
    fn default() -> Self {
        Configurator {
            action_acknowledgment_timeout: 3_000,
            key_injection_delay: 0,
            scroll_acknowledgment_timeout: 1_000,
            ui_automation_flags: 0,
            wait_for_idle_timeout: 10_000,
            wait_for_selector_timeout: 10_000,
        }
    }
}

impl Configurator {
    /// What a client says, and for the rest what is known.
    pub(super) fn read(said: &Value, known: Configurator) -> Result<Configurator, Fault> {
        let (Value::Object(said), Ok(Value::Object(mut all))) = (said, serde_json::to_value(known)) else {
            return Err(Fault::Parameters);
        };
        all.extend(said.iter().map(|(key, value)| (key.clone(), value.clone())));
        serde_json::from_value(Value::Object(all)).map_err(|_| Fault::Parameters)
    }
}
