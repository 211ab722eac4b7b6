//! What the translator says of an app, in `app.json`.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

/// What was found in the APKs of an app. Texts are the app's: whoever shows them cleans them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct TranslatedApp {
    /// The app's package.
    pub package: String,
    /// The name of its version; may be empty.
    pub version: String,
    /// The lowest API level that it runs on.
    pub min: u32,
    /// The API level that it was made for.
    pub target: u32,
    /// Permissions that it asks for.
    pub permissions: Vec<String>,
    /// Classes in its code.
    pub classes: u64,
    /// Activities that its manifests declare.
    pub activities: u64,
    /// Those of them whose class is in none of the APKs.
    pub activities_without_code: u64,
    /// Some of these, with their packages.
    pub without_code: Vec<String>,
    /// Methods that are there but throw, since they could not be translated.
    pub methods_not_translated: u64,
    /// Classes that are missing, since they could not be translated.
    pub classes_not_translated: u64,
    /// Some of both.
    pub not_translated: Vec<String>,
    /// Its native libraries, by the processor that they are for.
    pub native: BTreeMap<String, Vec<String>>,
    /// Engines that are in it, e.g. Flutter.
    pub engines: Vec<String>,
    /// Those of them that draw everything themselves, by native code.
    pub engines_that_draw: Vec<String>,
    /// What its code calls that the lab lacks or has in part, and in how many places.
    pub uses: BTreeMap<String, u64>,
    /// Methods of the framework that its code calls and the lab only pretends.
    pub pretended: Vec<PretendedMethod>,
    /// Classes that its code names and nothing defines, and in how many places.
    pub missing: BTreeMap<String, u64>,
}

/// A method of the framework that the lab only pretends, as an app calls it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct PretendedMethod {
    /// What it is for, or its package.
    pub group: String,
    /// Its class, with its package.
    pub class: String,
    /// Its name, for all of that name.
    pub method: String,
    /// How it pretends.
    pub how: Pretence,
    /// Places in the code that call it.
    pub calls: u64,
}

/// How a method pretends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pretence {
    /// It does nothing.
    Nothing,
    /// It notes what it was given, and nobody looks.
    Noted,
    /// Its answer is always the same.
    Constant,
    /// Its code is native and not there.
    Native,
    /// It asks a service that is not there.
    Service,
    /// It fails.
    Fails,
    /// Another way, of a later translator.
    #[default]
    #[serde(other)]
    Other,
}

/// With the number of its format.
#[derive(Deserialize)]
struct Described {
    #[serde(rename = "droidmux-apk")]
    format: u32,
    #[serde(flatten)]
    app: TranslatedApp,
}

/// Why a description cannot be used.
#[derive(Debug, Error)]
pub enum Misdescribed {
    /// It is no JSON, or has other members.
    #[error("no description of an app: {0}")]
    Other(#[from] serde_json::Error),
    /// It was written by another translator.
    #[error("a description of format {0}; {FORMAT} is known")]
    Format(u32),
    /// It names no package that a phone would take.
    #[error("a description of an app without a package")]
    NoPackage,
}

/// The format that is read here.
const FORMAT: u32 = 1;

impl TranslatedApp {
    /// Whether its activities are in other APKs, all of them: it has nothing to show.
    pub fn is_a_part(&self) -> bool {
        self.activities > 0 && self.activities_without_code >= self.activities
    }

    /// Reads `app.json`.
    pub(super) fn read(text: &str) -> Result<Self, Misdescribed> {
        let Described { format, app } = serde_json::from_str(text)?;
        if format != FORMAT {
            return Err(Misdescribed::Format(format));
        }
        let is_part = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_alphabetic())
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        match app.package.contains('.') && app.package.split('.').all(is_part) {
            true => Ok(app),
            false => Err(Misdescribed::NoPackage),
        }
    }
}
