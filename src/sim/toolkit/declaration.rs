//! What the system knows of an app without running it, whichever way the app came onto the phone.

use std::borrow::Cow;

use super::Manifest;

/// What an app declares. For apps made with the toolkit it is their [`Manifest`]; for those a
/// client installed, what their package says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// Application id.
    pub package: String,
    /// The name under its icon.
    pub label: String,
    /// The version for people.
    pub version_name: String,
    /// The version that the system compares.
    pub version_code: u32,
    /// The oldest API level that it runs on.
    pub min_sdk: u32,
    /// The API level that it is made for.
    pub target_sdk: u32,
    /// Its pages.
    pub activities: Vec<DeclaredActivity>,
    /// The full class name of the activity with the launcher icon.
    pub launcher: Option<String>,
    /// Permissions the user is asked for.
    pub permissions: Vec<String>,
    /// Permissions that it has from its installation on.
    pub install_permissions: Vec<String>,
    /// Full class names of its input methods.
    pub input_methods: Vec<String>,
    /// Full class names of its accessibility services.
    pub accessibility: Vec<String>,
}

/// An activity by both of its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredActivity {
    /// What the app calls it.
    pub short: Cow<'static, str>,
    /// Its class.
    pub full: String,
}

/// The system's version that apps of the toolkit are made for, and the oldest one they run on.
const TARGET_SDK: u32 = 33;
const MIN_SDK: u32 = 24;

impl Declaration {
    /// `package/full.Activity` of the launcher activity.
    pub fn launcher(&self) -> Option<String> {
        self.launcher.as_ref().map(|class| format!("{}/{class}", self.package))
    }

    /// The full class name of an activity.
    pub fn full_name(&self, short: &str) -> String {
        let known = self.activities.iter().find(|activity| activity.short == short);
        known.map_or_else(|| format!("{}.{short}", self.package), |activity| activity.full.clone())
    }

    /// `package/full.Service` of each of its accessibility services.
    pub fn watchers(&self) -> Vec<String> {
        self.accessibility.iter().map(|class| format!("{}/{class}", self.package)).collect()
    }

    /// `package/full.Service` of each of its input methods, shortened as the system does.
    pub fn keyboards(&self) -> Vec<String> {
        let id = |class: &String| match class.strip_prefix(&self.package).filter(|rest| rest.starts_with('.'))
        {
            Some(rest) => format!("{}/{rest}", self.package),
            None => format!("{}/{class}", self.package),
        };
        self.input_methods.iter().map(id).collect()
    }
}

impl From<Manifest> for Declaration {
    fn from(manifest: Manifest) -> Self {
        let activity = |short: &&'static str| DeclaredActivity {
            short: Cow::Borrowed(short),
            full: format!("{}.{short}", manifest.package),
        };
        let activities: Vec<DeclaredActivity> = manifest.activities.iter().map(activity).collect();
        Declaration {
            package: manifest.package.to_owned(),
            label: manifest.label.to_owned(),
            version_name: manifest.version_name.to_owned(),
            version_code: manifest.version_code,
            min_sdk: MIN_SDK,
            target_sdk: TARGET_SDK,
            launcher: activities.first().map(|activity| activity.full.clone()),
            activities,
            permissions: manifest.permissions.iter().map(|permission| (*permission).to_owned()).collect(),
            install_permissions: Vec::new(),
            input_methods: Vec::new(),
            accessibility: Vec::new(),
        }
    }
}
