//! Examples: lessons from bugs, to be shown to a language model.

use serde::{Deserialize, Serialize};

use super::ExampleId;

/// A bug worth learning from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Example {
    /// Shown to InputBlaster's test generator.
    Input(InputExample),
    /// Shown to VisionDroid's Detector.
    Bug(BugExample),
}

/// An unusual text that broke a field (InputBlaster, section 3.3).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InputExample {
    /// Package of the app; empty for those that ship.
    #[serde(default)]
    pub app: String,
    /// The field in words: what it is, and what stands near it.
    pub context: String,
    /// The mutation rule in words; may be empty.
    #[serde(default)]
    pub rule: String,
    /// Lone surrogates as [`droidmux_gui::text_of_units`] writes them.
    pub input: String,
    /// The finding it was learnt from, by its name in the store; empty for those that people wrote.
    #[serde(default)]
    pub from: String,
}

/// A functional bug as a story (VisionDroid, section III-D).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BugExample {
    /// Package of the app; empty for those that ship.
    #[serde(default)]
    pub app: String,
    /// Name of the page; examples are found by it.
    pub activity: String,
    /// What was to be done there, in a few words.
    pub function: String,
    /// One operation each, in order, in words.
    pub steps: Vec<String>,
    /// What the app should have done, in words.
    pub expected: String,
    /// What it did instead, in words.
    pub actual: String,
    /// As above.
    #[serde(default)]
    pub from: String,
}

/// Which technique an example is for; the nearest are searched for within one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExampleKind {
    /// An [`InputExample`].
    Input,
    /// A [`BugExample`].
    Bug,
}

/// Asks the example store for what is nearest to these words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recall {
    /// Only this kind is searched.
    pub kind: ExampleKind,
    /// Compared with [`Example::words`]: the context of a field, or the name of a page.
    pub words: String,
    /// Examples of this app are left out.
    pub not_app: String,
    /// The most examples in the answer.
    pub most: u8,
}

impl Example {
    /// Its name; examples that say the same have the same name, wherever they are from.
    pub fn id(&self) -> ExampleId {
        let mut hasher = blake3::Hasher::new();
        let mut add = |text: &str| {
            hasher.update(&(text.len() as u64).to_be_bytes());
            hasher.update(text.as_bytes());
        };
        add(self.kind().name());
        match self {
            Self::Input(InputExample { app, context, rule, input, from: _ }) => {
                [app, context, rule, input].into_iter().for_each(|text| add(text));
            }
            Self::Bug(BugExample { app, activity, function, steps, expected, actual, from: _ }) => {
                [app, activity, function, expected, actual]
                    .into_iter()
                    .chain(steps)
                    .for_each(|text| add(text));
            }
        }
        let mut id = [0; 16];
        id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        ExampleId(id)
    }

    /// Which of the two it is.
    pub fn kind(&self) -> ExampleKind {
        match self {
            Self::Input(_) => ExampleKind::Input,
            Self::Bug(_) => ExampleKind::Bug,
        }
    }

    /// The app it was found in; empty for those that ship.
    pub fn app(&self) -> &str {
        match self {
            Self::Input(example) => &example.app,
            Self::Bug(example) => &example.app,
        }
    }

    /// The finding it was learnt from; empty for those that people wrote.
    pub fn from(&self) -> &str {
        match self {
            Self::Input(example) => &example.from,
            Self::Bug(example) => &example.from,
        }
    }

    /// The words it is found by.
    pub fn words(&self) -> &str {
        match self {
            Self::Input(example) => &example.context,
            Self::Bug(example) => &example.activity,
        }
    }
}

impl ExampleKind {
    /// In the order they are listed.
    pub const ALL: [Self; 2] = [Self::Input, Self::Bug];

    /// As listings and `kind` of an example file write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Bug => "bug",
        }
    }
}
