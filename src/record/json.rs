//! Data of a type that only some code knows: JSON, stored as text and embedded as a value in JSON.

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// JSON whose members are in the order of the type's fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Json(pub(crate) String);

impl Json {
    /// The JSON of a value; `what` says what it is.
    ///
    /// # Panics
    /// When the type cannot be written as JSON, e.g. as a map whose keys are not strings.
    pub(crate) fn of(value: &impl Serialize, what: &str) -> Self {
        match serde_json::to_string(value) {
            Ok(json) => Self(json),
            Err(error) => panic!("{what} cannot be written as JSON: {error}"),
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            let value: serde_json::Value = serde_json::from_str(&self.0).map_err(S::Error::custom)?;
            return value.serialize(serializer);
        }
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let value = serde_json::Value::deserialize(deserializer)?;
            return serde_json::to_string(&value).map(Self).map_err(D::Error::custom);
        }
        String::deserialize(deserializer).map(Self)
    }
}
