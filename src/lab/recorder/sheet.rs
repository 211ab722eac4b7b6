//! The sheet of a recording: what the person says of it, and the specification that follows from it and the take.

use std::fmt;
use std::path::{Path, PathBuf};

use super::{Take, remarks};
use crate::step_view::event_words;
use droidmux_proto::{RecorderOpening, RecorderPhase, RecorderView, RehearsalView};
use droidmux_record::{Dmf, Operation};
use droidmux_technique::pbfdroid::DataModel;
use droidmux_technique::pbfdroid::format::write_dmfs;
use droidmux_technique::pbfdroid::lint::Weight;
use droidmux_technique::pbfdroid::recording::{Answers, Unmapped, sketch};
use droidmux_words::printable;

/// The weight of a recorded function among others.
const PROPORTION: u32 = 10;

pub(super) struct Sheet {
    operation: Operation,
    datatype: String,
    pub name: String,
    /// The texts that the person marked.
    pub before: Option<String>,
    pub after: Option<String>,
    /// The rehearsals of the function as it is: any change discards them.
    rehearsal: Option<RehearsalView>,
    saved: Option<PathBuf>,
}

/// What a function still lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lacking(Unmapped);

impl std::error::Error for Lacking {}

/// A function that is whole.
pub(super) struct Whole {
    pub dmf: Dmf,
    /// What the app holds when it begins.
    pub data: DataModel,
}

impl Sheet {
    pub fn new(opening: &RecorderOpening) -> Self {
        Self {
            operation: opening.operation,
            datatype: opening.datatype.trim().to_owned(),
            name: format!("{} {}", opening.operation, opening.datatype.trim()),
            before: None,
            after: None,
            rehearsal: None,
            saved: None,
        }
    }

    /// The function is another one now.
    pub fn changed(&mut self) {
        (self.rehearsal, self.saved) = (None, None);
    }

    pub fn rehearsed(&mut self, rehearsal: RehearsalView) {
        self.rehearsal = Some(rehearsal);
    }

    pub fn saved(&mut self, path: &Path) {
        self.saved = Some(path.to_owned());
    }

    pub fn takes_away(&self) -> bool {
        matches!(self.operation, Operation::Edit | Operation::Delete)
    }

    pub fn gives(&self) -> bool {
        self.operation != Operation::Delete
    }

    fn answers(&self, take: &Take) -> Answers {
        let marked = |text: &Option<String>| text.clone().unwrap_or_default();
        let typed = || take.typed().unwrap_or_default().to_owned();
        Answers {
            operation: self.operation,
            datatype: self.datatype.clone(),
            name: self.name.clone(),
            proportion: PROPORTION,
            before: if self.takes_away() { marked(&self.before) } else { String::new() },
            after: if self.gives() { self.after.clone().unwrap_or_else(typed) } else { String::new() },
            predicates: Vec::new(),
        }
    }

    /// The function, or what it lacks.
    pub fn function(&self, take: &Take) -> Result<Whole, Lacking> {
        let answers = self.answers(take);
        let (dmf, lacks) = sketch(&take.recording(), &answers);
        match lacks {
            None => Ok(Whole { dmf, data: answers.data_before() }),
            Some(lacks) => Err(Lacking(lacks)),
        }
    }

    /// What viewers see; `take` is not there before the app has started.
    pub fn view(&self, device: &str, app: &str, phase: RecorderPhase, take: Option<&Take>) -> RecorderView {
        let mut view = RecorderView {
            device: device.to_owned(),
            app: app.to_owned(),
            operation: self.operation,
            datatype: self.datatype.clone(),
            name: self.name.clone(),
            phase,
            live: None,
            activity: String::new(),
            in_app: false,
            events: Vec::new(),
            begins: 0,
            before: String::new(),
            after: String::new(),
            text: String::new(),
            lacks: String::new(),
            remarks: Vec::new(),
            rehearsal: self.rehearsal.clone(),
            saved: self.saved.as_ref().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default(),
            trouble: String::new(),
        };
        if let Some(take) = take {
            self.fill(&mut view, take);
        }
        view
    }

    fn fill(&self, view: &mut RecorderView, take: &Take) {
        let shown = take.shown();
        view.live = Some(shown.layout.hash());
        view.activity.clone_from(&shown.activity);
        view.in_app = shown.in_app;
        view.events = take.events().map(event_words).collect();
        view.begins = u32::try_from(take.begins()).unwrap_or(u32::MAX);
        let answers = self.answers(take);
        if take.layout_number() > 0 {
            let recording = take.recording();
            let (dmf, lacks) = sketch(&recording, &answers);
            match lacks {
                Some(lacks) => view.lacks = Lacking(lacks).to_string(),
                None => {
                    let checked = recording.check(&dmf, &answers.data_before());
                    view.remarks.extend(checked.into_iter().map(|what| format!("as recorded, {what}")));
                    let all = remarks(std::slice::from_ref(&dmf), &dmf.name);
                    let faults = all.into_iter().filter(|remark| remark.weight == Weight::Fault);
                    view.remarks.extend(faults.map(|fault| format!("{}: {}", fault.about, fault.what)));
                }
            }
            view.text = write_dmfs(&[dmf]);
        }
        (view.before, view.after) = (answers.before, answers.after);
    }
}

impl fmt::Display for Lacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Unmapped::NoObject(text) if text.is_empty() => f.write_str("no text is marked as the data yet"),
            other => f.write_str(&printable(&other.to_string())),
        }
    }
}
