//! The toolkit of simulated apps, through an app with every part whose state it keeps.

use droidmux::gui::Flags;
use droidmux::sim::toolkit::{
    ActivityState, App, Ctx, Dialog, Env, Icon, Input, Manifest, Moment, Screen, Undo, View,
};
use droidmux::sim::{DefectSwitches, PhoneOptions, SimApp};
use droidmux_testutils::app::Probe;

const PACKAGE: &str = "com.example.parts";
const MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Parts",
    version_name: "1",
    version_code: 1,
    activities: &["Main"],
    permissions: &[],
};
const TAGS: [&str; 3] = ["home", "work", "trip"];

#[derive(Clone)]
struct Parts {
    tags: Vec<&'static str>,
    sorted: bool,
    due: String,
    rows: Vec<&'static str>,
    undo: Undo<&'static str>,
}

#[derive(Clone)]
enum Action {
    AskTags,
    Tags,
    Sort,
    AskDay,
    AskTime,
    Day,
    Time,
    Delete(&'static str),
    Move { from: usize, to: usize },
    Undo,
}

impl App for Parts {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        let query = page.query("find");
        let rows = self.rows.iter().enumerate();
        let shown = rows.filter(|(_, row)| query.is_none_or(|query| row.contains(query)));
        let row = |(from, row): (usize, &&'static str)| {
            let places = (0..self.rows.len()).map(move |to| Action::Move { from, to });
            View::row()
                .high(48)
                .child(View::label("row", *row).share_width().on_click(Action::Delete(row)))
                .child(
                    View::image("handle", Icon::Menu).describe(format!("Move {row}")).on_drop(from, places),
                )
        };
        let body = View::column()
            .fill()
            .child(View::label("tags", self.tags.join("+")))
            .child(View::label("due", &self.due))
            .child(View::button("ask_tags", "Tags", Action::AskTags))
            .child(View::button("ask_day", "Day", Action::AskDay))
            .child(View::button("ask_time", "Time", Action::AskTime))
            .child(View::list("rows").share_height().children(shown.map(row)));
        let screen =
            Screen::new("Parts", body).search("find", "Find").menu_check("Sorted", self.sorted, Action::Sort);
        match self.undo.item() {
            Some(row) => screen.snackbar(format!("{row} deleted"), "Undo", Action::Undo),
            None => screen,
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        let action = match input {
            Input::Act(action) => action,
            Input::Hidden => return ctx.dismiss(),
            _ => return,
        };
        let undo = std::mem::take(&mut self.undo);
        match action {
            Action::AskTags => {
                let dialog = Dialog::new("Tags").negative("Cancel").positive("OK", Action::Tags);
                let check = |dialog: Dialog<Action>, tag: &&'static str| {
                    dialog.check(tag, *tag, self.tags.contains(tag))
                };
                ctx.show(TAGS.iter().fold(dialog, check));
            }
            Action::Tags => self.tags = TAGS.into_iter().filter(|tag| ctx.is_checked(tag)).collect(),
            Action::Sort => self.sorted = !self.sorted,
            Action::AskDay => {
                ctx.show(Dialog::new("").date("day", ctx.env().now()).positive("OK", Action::Day))
            }
            Action::Day => self.due = ctx.field("day"),
            Action::AskTime => {
                ctx.show(Dialog::new("").time("time", Moment(0)).negative("No").positive("OK", Action::Time));
            }
            Action::Time => self.due = ctx.field("time"),
            Action::Delete(row) => self.undo = Undo::delete(&mut self.rows, |known| *known == row),
            Action::Move { from, to } => {
                let row = self.rows.remove(from);
                self.rows.insert(to, row);
            }
            Action::Undo => undo.bring_back(&mut self.rows),
        }
    }
}

fn start() -> Probe {
    let app = SimApp::new(MANIFEST, &[], |_| Parts {
        tags: vec!["work"],
        sorted: false,
        due: String::new(),
        rows: vec!["bread", "milk", "salt"],
        undo: Undo::default(),
    });
    Probe::start(PACKAGE, &[app], &DefectSwitches::none(), PhoneOptions::default())
}

fn is_checked(probe: &Probe, text: &str) -> bool {
    let layout = probe.layout();
    layout.widgets().any(|w| w.text() == text && w.has(Flags::CHECKED))
}

#[test]
fn several_can_be_chosen_in_a_dialog_that_stays_and_only_its_button_takes_them() {
    let mut probe = start();
    probe.tap("Tags").tap("home").tap("work");
    assert!(is_checked(&probe, "home") && !is_checked(&probe, "work") && !is_checked(&probe, "trip"));
    probe.turn();
    assert!(is_checked(&probe, "home"), "a dialog keeps what was chosen when the screen is turned");
    probe.turn().tap("OK");
    assert_eq!(probe.text_of("tags"), "home");
    probe.tap("Tags").tap("trip").tap("Cancel");
    assert_eq!(probe.text_of("tags"), "home");
}

#[test]
fn an_app_closes_its_dialog_when_it_leaves_the_screen() {
    let mut probe = start();
    probe.tap("Tags").tap("home");
    assert!(probe.shows("OK"));
    probe.key("HOME").launch(PACKAGE);
    assert!(probe.shows("Parts") && !probe.shows("OK"));
    assert_eq!(probe.text_of("tags"), "work", "what was chosen is not taken");
}

#[test]
fn an_item_of_the_menu_shows_whether_it_is_on() {
    let mut probe = start();
    probe.tap("More options");
    assert!(probe.shows("Sorted") && !is_checked(&probe, "Sorted"));
    let checkable =
        |probe: &Probe| probe.layout().widgets().any(|w| w.short_id() == "checkbox" && w.has(Flags::CHECKED));
    assert!(!checkable(&probe));
    probe.tap("Sorted").tap("More options");
    assert!(checkable(&probe));
}

#[test]
fn days_and_times_are_picked() {
    let mut probe = start();
    probe.tap("Day").tap("17 March 2026").tap("Next month").tap("30 April 2026").tap("OK");
    assert_eq!(probe.text_of("due"), "2026-04-30");
    probe.tap("Time").tap("Fewer hours").tap("More minutes").tap("OK");
    assert_eq!(probe.text_of("due"), "23:01");
    probe.tap("Time").tap("More hours").tap("No");
    assert_eq!(probe.text_of("due"), "23:01");
}

#[test]
fn the_toolbar_searches_and_back_leaves_the_search_first() {
    let mut probe = start();
    probe.tap("Search").enter("find", "il");
    assert_eq!(probe.texts_of("row"), ["milk"]);
    probe.turn();
    assert_eq!(probe.texts_of("row"), ["milk"], "turning keeps the search");
    probe.turn().tap("Clear query");
    assert_eq!(probe.texts_of("row"), ["bread", "milk", "salt"]);
    assert!(probe.shows("find"));
    // The keyboard first, then the search, then the app.
    probe.enter("find", "s").key("BACK");
    assert_eq!(probe.texts_of("row"), ["salt"]);
    probe.key("BACK");
    assert_eq!((probe.texts_of("row").len(), probe.shows("find")), (3, false));
    probe.key("BACK");
    assert_ne!(probe.phone.focus().package, PACKAGE);
}

#[test]
fn what_is_deleted_can_be_brought_back() {
    let mut probe = start();
    probe.tap("milk");
    assert_eq!(probe.texts_of("row"), ["bread", "salt"]);
    probe.tap("Undo");
    assert_eq!(probe.texts_of("row"), ["bread", "milk", "salt"]);
}

#[test]
fn a_handle_is_dragged_to_another_place_of_its_list() {
    let mut probe = start();
    let handle = |probe: &Probe, what: &str| {
        let layout = probe.layout();
        layout.widgets().find(|w| w.description() == what).map(|w| w.bounds().center()).expect("a handle")
    };
    let cases = [
        ("Move bread", "Move salt", ["milk", "salt", "bread"]),
        ("Move bread", "Move milk", ["bread", "milk", "salt"]),
        ("Move milk", "Move milk", ["bread", "milk", "salt"]),
    ];
    for (from, to, expected) in cases {
        let (from, to) = (handle(&probe, from), handle(&probe, to));
        probe.phone.swipe(from, to, 500);
        assert_eq!(probe.texts_of("row"), expected);
    }
}
