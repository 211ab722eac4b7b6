//! Where an app is run: for which user, on which display, by which of its icons.
//!
//! In session files `app` is the package, or a table that says more:
//!
//! ```toml
//! [app]
//! package = "org.example.app"
//! user = 10
//! ```

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{SessionDefinition, Setting, SettingsContent, Takes};

/// `[app]` besides the package. What is left out is found on each device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct AppPlace {
    /// Number of the user that the app is run as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<u32>,
    /// Number of the display that it is run on, as the window manager counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<u32>,
    /// Class of the activity that it is started by: whole, or from its dot on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
}

/// The store keeps it among the tables of techniques, which come and go without a new version of stored sessions.
impl SettingsContent for AppPlace {
    const NAME: &'static str = "app";
    const ROWS: &'static [Setting] = &[
        Setting::new("package", Takes::Other("a package"), "", "the app under test").unset("needed"),
        Setting::new(
            "user",
            Takes::Whole(0, 21_474),
            "",
            "the user that the app is run as, such as 10 for a work profile (`adb shell pm list users`)",
        )
        .unset("the current one, or the only one that has the app"),
        Setting::new(
            "display",
            Takes::Whole(0, 2_147_483_647),
            "",
            "the display that the app is started on (`adb shell dumpsys display`)",
        )
        .unset("where the phone starts it"),
        Setting::new(
            "activity",
            Takes::Other("a class"),
            "",
            "the activity that the app is started by, whole or from its dot on: `.MainActivity`",
        )
        .unset("the launcher's"),
    ];
}

impl AppPlace {
    /// True when nothing is chosen.
    pub fn is_found(&self) -> bool {
        *self == Self::default()
    }
}

/// An app as people write it.
#[derive(Debug)]
pub(super) struct WrittenApp {
    pub(super) package: String,
    pub(super) place: AppPlace,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Table {
    package: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    display: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    activity: Option<String>,
}

impl WrittenApp {
    pub(super) fn of(definition: &SessionDefinition) -> Self {
        Self { package: definition.app.clone(), place: definition.place.clone() }
    }
}

impl Serialize for WrittenApp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.place.is_found() {
            return serializer.serialize_str(&self.package);
        }
        let AppPlace { user, display, activity } = self.place.clone();
        Table { package: self.package.clone(), user, display, activity }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WrittenApp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AppVisitor)
    }
}

struct AppVisitor;

impl<'de> Visitor<'de> for AppVisitor {
    type Value = WrittenApp;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a package, or a table with `package`")
    }

    fn visit_str<E>(self, package: &str) -> Result<WrittenApp, E> {
        Ok(WrittenApp { package: package.to_owned(), place: AppPlace::default() })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WrittenApp, A::Error> {
        let Table { package, user, display, activity } = Table::deserialize(MapAccessDeserializer::new(map))?;
        Ok(WrittenApp { package, place: AppPlace { user, display, activity } })
    }
}
