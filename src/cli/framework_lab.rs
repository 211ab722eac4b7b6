//! The framework lab for commands: where its host is, and what it loads of APKs.
//!
//! In: what a person named. Out: options of a simulated lab. Invariant: nothing is built or fetched here; what is not there
//! is said, with what to do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::apk::missing_code;
use super::java::require_java;
use super::{Usage, exit, folders};
use droidmux_sim::{Confinement, FrameworkOptions, InUse, TranslateError, Translation, Translator};
use droidmux_words::printable;

/// Where the host is when nobody says so: here, or where `droidmux apk setup` puts it.
const HERE: &str = "framework";
/// Names another folder.
const VARIABLE: &str = "DROIDMUX_FRAMEWORK";
/// Names another list of the lab's own faults.
const FAULTS: &str = "DROIDMUX_FRAMEWORK_FAULTS";

/// The folder of the framework lab.
#[derive(Clone, Debug)]
pub(super) struct FrameworkLab {
    folder: PathBuf,
    confinement: Confinement,
    /// Mutants are woven into what it translates.
    mutants: bool,
}

impl FrameworkLab {
    /// The folder that was named; otherwise the one that the environment names, the one in the folder at hand, or else the user's own.
    ///
    /// # Errors
    /// `Usage` when none is there, or no Java to run it.
    pub(super) fn find(named: Option<&Path>) -> Result<Self, Usage> {
        require_java()?;
        let named = named.map(Path::to_owned).or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from));
        let places = match named {
            Some(folder) => vec![folder],
            None => vec![HERE.into(), folders::framework()?],
        };
        let found = places.iter().find(|folder| folder.join("run").is_file());
        let confinement = Confinement::by_itself(false);
        let found = found.map(|folder| Self { folder: folder.clone(), confinement, mutants: false });
        found.ok_or_else(|| {
            let places: Vec<String> =
                places.iter().map(|place| place.join("run").display().to_string()).collect();
            Usage::new(format!("{}: no host of the framework lab", places.join(", "))).hint(
                "`droidmux apk setup` builds it; --framework-host or DROIDMUX_FRAMEWORK names its folder",
            )
        })
    }

    /// The same, whose apps may use the network.
    #[must_use]
    pub(super) fn with_network(self, network: bool) -> Self {
        Self { confinement: Confinement::by_itself(network), ..self }
    }

    /// The same, which weaves mutants into apps.
    #[must_use]
    pub(super) fn with_mutants(self) -> Self {
        Self { mutants: true, ..self }
    }

    /// The list of the lab's own faults.
    pub(super) fn faults(&self) -> PathBuf {
        let named = std::env::var_os(FAULTS).map(PathBuf::from);
        named.unwrap_or_else(|| self.folder.join("target/faults.jsonl"))
    }

    /// How its hosts are started.
    pub(super) fn confinement(&self) -> &Confinement {
        &self.confinement
    }

    /// Its folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What a simulated lab needs to serve what was made of an app, and says on standard error what this computer cannot
    /// keep it from. Blocks for a moment.
    pub(super) fn with(&self, app: PathBuf, in_use: Option<InUse>) -> FrameworkOptions {
        if let Some(gaps) = self.confinement.gaps() {
            eprintln!("droidmux: not confined: {gaps}; `droidmux doctor` says more");
        }
        let confinement = self.confinement.clone();
        let (program, faults) = (self.folder.join("run"), self.faults());
        FrameworkOptions { program, app, in_use, confinement, faults, mutants: BTreeMap::new() }
    }

    /// Translates the APKs of one app unless that was done before, and says on standard error how it goes. Blocks.
    ///
    /// # Errors
    /// `Usage` for APKs that cannot be translated; another error when the disk cannot be used.
    pub(super) fn translate(
        &self,
        apks: &[PathBuf],
        stop: &CancellationToken,
    ) -> color_eyre::Result<Translation> {
        let translator =
            Translator::new(self.folder.clone(), folders::translated_apps()?, self.confinement.clone());
        let translator = if self.mutants { translator.with_mutants() } else { translator };
        let began = std::time::Instant::now();
        let made = translator.translate(apks, stop).map_err(explained)?;
        if made.fresh {
            let seconds = began.elapsed().as_secs_f64();
            let (package, version) = (printable(&made.app.package), printable(&made.app.version));
            eprintln!(
                "droidmux: translated {package} {version} in {seconds:.1} s: {} classes",
                made.app.classes
            );
        }
        Ok(made)
    }

    /// What a simulated lab needs to serve the app in these APKs. Blocks.
    ///
    /// # Errors
    /// As [`Self::translate`], and for an app whose activities are all in other APKs.
    pub(super) fn serving(
        &self,
        apks: &[PathBuf],
        stop: &CancellationToken,
    ) -> color_eyre::Result<(FrameworkOptions, Translation)> {
        let made = self.translate(apks, stop)?;
        if let Some(lack) = missing_code(&made.app).filter(|_| made.app.is_a_part()) {
            return Err(Usage::new(printable(&format!("{}: {lack}", made.app.package)).into_owned()).into());
        }
        Ok((self.with(made.folder.clone(), Some(made.in_use.clone())), made))
    }
}

fn explained(error: TranslateError) -> color_eyre::Report {
    let what = error.to_string();
    match error {
        TranslateError::Interrupted => exit::Interrupted.into(),
        TranslateError::NoTranslator(_) => Usage::new(what).hint("`droidmux apk setup` builds it").into(),
        TranslateError::Refused(_) | TranslateError::TooLarge { .. } => Usage::new(what).into(),
        TranslateError::Unreadable { ref source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            Usage::new(what).into()
        }
        error => error.into(),
    }
}
