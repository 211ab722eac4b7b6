//! An app as it is installed on phones.

use std::fmt;
use std::sync::Arc;

use super::declaration::Declaration;
use super::process::{Make, Process};
use super::program::Program;
use super::{App, Defect, DefectSwitches, Manifest, Trap};

/// An app that can be installed on any number of phones.
#[derive(Clone)]
pub struct SimApp {
    declaration: Arc<Declaration>,
    defects: &'static [Defect],
    traps: &'static [Trap],
    install: Arc<dyn Fn(&Arc<Declaration>, &DefectSwitches) -> Box<dyn Program> + Send + Sync>,
}

impl SimApp {
    /// An app whose fresh state `make` builds, with these switches for its defects.
    pub fn new<T: App>(
        manifest: Manifest,
        defects: &'static [Defect],
        make: impl Fn(&DefectSwitches) -> T + Clone + Send + Sync + 'static,
    ) -> Self {
        Self { defects, ..Self::declared(manifest.into(), make) }
    }

    /// An app without defects that declares this.
    pub fn declared<T: App>(
        declaration: Declaration,
        make: impl Fn(&DefectSwitches) -> T + Clone + Send + Sync + 'static,
    ) -> Self {
        Self::hosted(declaration, Arc::new(move |switches| Box::new(make(switches))))
    }

    fn hosted(declaration: Declaration, make: Make) -> Self {
        let install = move |declaration: &Arc<Declaration>, switches: &DefectSwitches| {
            let process = Process::new(Arc::clone(declaration), switches.installed(), Arc::clone(&make));
            Box::new(process) as Box<dyn Program>
        };
        Self { declaration: Arc::new(declaration), defects: &[], traps: &[], install: Arc::new(install) }
    }

    /// An app that `install` makes, whatever it is made with.
    pub fn made(
        declaration: Declaration,
        install: impl Fn(&DefectSwitches) -> Box<dyn Program> + Send + Sync + 'static,
    ) -> Self {
        let install = Arc::new(move |_: &Arc<Declaration>, switches: &DefectSwitches| install(switches));
        Self { declaration: Arc::new(declaration), defects: &[], traps: &[], install }
    }

    /// Says which of its behaviours only look like violations.
    #[must_use]
    pub fn with_traps(mut self, traps: &'static [Trap]) -> Self {
        self.traps = traps;
        self
    }

    /// Its application id, e.g. `org.droidmux.diary`.
    pub fn package(&self) -> &str {
        &self.declaration.package
    }

    /// Its name under the launcher icon.
    pub fn label(&self) -> &str {
        &self.declaration.label
    }

    /// What the system knows of it without running it.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// The defects built into it.
    pub fn defects(&self) -> &'static [Defect] {
        self.defects
    }

    /// What it does, defects on or off, that looks like a violation but is not one.
    pub fn traps(&self) -> &'static [Trap] {
        self.traps
    }

    /// A copy of it for one phone, with these of its defects.
    pub fn install(&self, switches: &DefectSwitches) -> Box<dyn Program> {
        (self.install)(&self.declaration, switches)
    }

    /// The same app as a different build of it.
    pub fn built_as(&self, version_code: u32, version_name: &str) -> Self {
        let version_name = version_name.to_owned();
        let declaration = Declaration { version_code, version_name, ..(*self.declaration).clone() };
        Self { declaration: Arc::new(declaration), ..self.clone() }
    }
}

impl fmt::Debug for SimApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimApp").field("declaration", &self.declaration).finish_non_exhaustive()
    }
}
