//! Lists: shopping lists and the like, imported as text from a file or an address.
//!
//! Modelled on the forms of "Testing the Limits" with formats: a path or an address, a text of rows, tags.

use shelf::{ItemList, first_lists};

use super::form::{passed, sentence};
use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp,
};

#[cfg(test)]
pub(super) mod cases;
mod pages;
mod reading;
mod shelf;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.import",
    label: "Lists",
    version_name: "4.0.1",
    version_code: 401,
    activities: &[LISTS, IMPORT, PROGRESS, LIST, TAGS, SETTINGS, ABOUT],
    permissions: &[],
};

const LISTS: &str = "ListsActivity";
const IMPORT: &str = "transfer.ImportActivity";
const PROGRESS: &str = "transfer.ProgressActivity";
const LIST: &str = "ListActivity";
const TAGS: &str = "TagsActivity";
const SETTINGS: &str = "SettingsActivity";
const ABOUT: &str = "AboutActivity";

const PARENT_PATH: Defect = Defect {
    id: "import.parent-path",
    kind: DefectKind::Crash,
    what: "a path with ../ in it leaves the folder the app may read",
    seed: "Testing the Limits: constraints within a widget, format; SecurityException of a path that was not resolved",
};
const PERCENT_ESCAPE: Defect = Defect {
    id: "import.percent-escape",
    kind: DefectKind::Crash,
    what: "an address with a percent sign that begins no escape cannot be decoded",
    seed: "Testing the Limits: constraints within a widget, format; IllegalArgumentException of URLDecoder",
};
const LONG_NAME: Defect = Defect {
    id: "import.long-name",
    kind: DefectKind::Crash,
    what: "a list whose name has more than 255 bytes has no file",
    seed: "Testing the Limits: constraints within a widget, length; ErrnoException ENAMETOOLONG",
};
const OPEN_QUOTE: Defect = Defect {
    id: "import.open-quote",
    kind: DefectKind::EndlessLoading,
    what: "rows with a quote that is not closed are read until more come",
    seed: "Testing the Limits: special characters inserted into a text; known of readers of CSV",
};
const SLASH_NAME: Defect = Defect {
    id: "import.slash-name",
    kind: DefectKind::DataLoss,
    what: "a list with a slash in its name is missing among the lists",
    seed: "Testing the Limits: special characters inserted into a text; a file name made from a title",
};
const BLANK_ROW: Defect = Defect {
    id: "import.blank-row",
    kind: DefectKind::DataLoss,
    what: "rows after one of nothing but white space are not imported",
    seed: "Testing the Limits: constraints within a widget, white space; known of readers that stop at an empty line",
};
const NULL_NAME: Defect = Defect {
    id: "import.null-name",
    kind: DefectKind::WrongBehaviour,
    what: "a list called null is shown as one without a name",
    seed: "Testing the Limits: constraints within a widget, pure text; known of people called Null",
};
const BACKSLASH: Defect = Defect {
    id: "import.backslash",
    kind: DefectKind::WrongBehaviour,
    what: "a backslash in a tag is taken for the beginning of an escape",
    seed: "Testing the Limits: special characters inserted into a text; tags kept in JSON put together from texts",
};
const DEFECTS: &[Defect] =
    &[PARENT_PATH, PERCENT_ESCAPE, LONG_NAME, OPEN_QUOTE, SLASH_NAME, BLANK_ROW, NULL_NAME, BACKSLASH];

/// The lists, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Lists::new)
}

#[derive(Clone)]
struct Lists {
    lists: Vec<ItemList>,
    next_id: u64,
    skips_first_row: bool,
    /// What was deleted last and its place, while it can be brought back.
    undo: Option<(usize, ItemList)>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    New,
    Import,
    Dismiss,
    Open(u64),
    Delete(u64),
    Undo,
    ToggleFirstRow,
    GoTo(&'static str),
    Stay,
}

impl Lists {
    fn new(defects: &DefectSwitches) -> Self {
        let lists = first_lists();
        let next_id = lists.iter().map(|list| list.id + 1).max().unwrap_or(1);
        Self { lists, next_id, skips_first_row: false, undo: None, defects: defects.clone() }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::New => ctx.start(IMPORT, ""),
            Action::Import => match passed(reading::read(self, ctx.page()), ctx) {
                Some(reading::Outcome::Read(list)) => {
                    self.next_id += 1;
                    self.lists.push(list);
                    ctx.finish();
                }
                Some(reading::Outcome::Endless) => ctx.start(PROGRESS, ""),
                None => {}
            },
            Action::Dismiss => {
                passed::<(), _>(Ok(()), ctx);
            }
            Action::Open(list) => ctx.start(LIST, list),
            Action::Delete(id) => {
                if let Some(at) = self.lists.iter().position(|list| list.id == id) {
                    self.undo = Some((at, self.lists.remove(at)));
                }
                ctx.finish();
            }
            Action::Undo => {
                if let Some((at, list)) = undo {
                    self.lists.insert(at.min(self.lists.len()), list);
                }
            }
            Action::ToggleFirstRow => self.skips_first_row = !self.skips_first_row,
            Action::GoTo(activity) => ctx.start(activity, ""),
            Action::Stay => {}
        }
    }
}

impl App for Lists {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            IMPORT => pages::import(sentence(page)),
            PROGRESS => pages::progress(),
            LIST => pages::list(self, page),
            TAGS => pages::tags(self),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::lists(self),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        if let Input::Act(action) = input {
            self.act(action, ctx);
        }
    }

    fn process_died(&mut self) {
        self.undo = None;
    }
}
