//! Trips: a search for connections, the bookings made from them, and what they cost.
//!
//! Modelled on the forms of "Testing the Limits" whose fields depend on each other: departure and arrival
//! differ, the return is not before the departure.

use trip::{Booking, Trip};

use super::form::{Undo, passed};
use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp,
};

#[cfg(test)]
pub(super) mod cases;
mod pages;
mod trip;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.travel",
    label: "Trips",
    version_name: "5.1.0",
    version_code: 510,
    activities: &[SEARCH, RESULTS, TRAVELLER, BOOKINGS, DETAILS, SETTINGS, ABOUT],
    permissions: &[],
};

const SEARCH: &str = "ui.SearchActivity";
const RESULTS: &str = "ui.ResultsActivity";
const TRAVELLER: &str = "ui.TravellerActivity";
const BOOKINGS: &str = "ui.BookingsActivity";
const DETAILS: &str = "ui.BookingActivity";
const SETTINGS: &str = "ui.SettingsActivity";
const ABOUT: &str = "ui.AboutActivity";

const PATTERN: Defect = Defect {
    id: "travel.pattern",
    kind: DefectKind::Crash,
    what: "a place with an open bracket or a backslash at its end is taken for a regular expression",
    seed: "Testing the Limits: special characters inserted into a text; known of apps that highlight what was searched",
};
const SAME_PLACE: Defect = Defect {
    id: "travel.same-place",
    kind: DefectKind::WrongBehaviour,
    what: "departure and arrival may be one place when a look-alike or a zero-width character is in it",
    seed: "Testing the Limits: constraints between widgets, departure and arrival differ",
};
const DAY_OVERFLOW: Defect = Defect {
    id: "travel.day-overflow",
    kind: DefectKind::WrongBehaviour,
    what: "31 February is searched as 3 March",
    seed: "Testing the Limits: constraints within a widget, a date; Java's calendar is lenient unless told otherwise",
};
const RETURN_YEAR: Defect = Defect {
    id: "travel.return-year",
    kind: DefectKind::EndlessLoading,
    what: "a return in the year 9999 is accepted, and the results load a price for every day until then",
    seed: "Testing the Limits: constraints within a widget, a range",
};
const PASSENGERS: Defect = Defect {
    id: "travel.passengers",
    kind: DefectKind::Crash,
    what: "a number of passengers above 2147483647 is no int",
    seed: "Testing the Limits: constraints within a widget, a range; NumberFormatException of Integer.parseInt",
};
const INITIAL: Defect = Defect {
    id: "travel.initial",
    kind: DefectKind::Crash,
    what: "a traveller whose name begins with an emoji has half a surrogate pair for an initial",
    seed: "Testing the Limits: special characters inserted into a text; known of avatars drawn with substring(0, 1)",
};
const DIRECTION: Defect = Defect {
    id: "travel.direction",
    kind: DefectKind::DataLoss,
    what: "a booking under a name with a mark of writing direction is missing among the bookings",
    seed: "Testing the Limits: special characters inserted into a text; known of filters against U+202E in names",
};
const DEFECTS: &[Defect] = &[PATTERN, SAME_PLACE, DAY_OVERFLOW, RETURN_YEAR, PASSENGERS, INITIAL, DIRECTION];

/// The trips, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Travel::new)
}

#[derive(Clone)]
struct Travel {
    /// What was searched for last.
    trip: Option<Trip>,
    bookings: Vec<Booking>,
    next_id: u64,
    direct_only: bool,
    /// Undoes the last cancellation.
    undo: Undo<Booking>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Search,
    Swap,
    Choose(usize),
    Book,
    Open(u64),
    Cancel(u64),
    Undo,
    ToggleDirect,
    Forget,
    GoTo(&'static str),
    Stay,
}

impl Travel {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            trip: None,
            bookings: Vec::new(),
            next_id: 1,
            direct_only: false,
            undo: Undo::default(),
            defects: defects.clone(),
        }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = std::mem::take(&mut self.undo);
        match action {
            Action::Search => {
                if let Some(trip) = passed(trip::read(self, ctx.page()), ctx) {
                    self.trip = Some(trip);
                    ctx.start(RESULTS, "");
                }
            }
            Action::Swap => {
                let (from, to) = (ctx.field(trip::FROM), ctx.field(trip::TO));
                ctx.set_field(trip::FROM, to);
                ctx.set_field(trip::TO, from);
            }
            Action::Choose(connection) => ctx.start(TRAVELLER, connection),
            Action::Book => self.book(ctx),
            Action::Open(booking) => ctx.start(DETAILS, booking),
            Action::Cancel(id) => {
                self.undo = Undo::delete(&mut self.bookings, |booking| booking.id == id);
                if ctx.page().activity() == DETAILS {
                    ctx.finish();
                }
            }
            Action::Undo => undo.bring_back(&mut self.bookings),
            Action::ToggleDirect => self.direct_only = !self.direct_only,
            Action::Forget => self.bookings.clear(),
            Action::GoTo(activity) => ctx.start(activity, ""),
            Action::Stay => {}
        }
    }

    fn book(&mut self, ctx: &mut Ctx<'_, Action>) {
        let Some((name, remark)) = passed(trip::read_traveller(self, ctx.page()), ctx) else { return };
        let Some(trip) = self.trip.clone() else { return ctx.finish() };
        let connection = ctx.page().argument_number().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        self.bookings.push(Booking { id: self.next_id, trip, connection, name, remark });
        self.next_id += 1;
        ctx.finish();
        ctx.start(BOOKINGS, "");
    }
}

impl App for Travel {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            RESULTS => pages::results(self),
            TRAVELLER => pages::traveller(page),
            BOOKINGS => pages::bookings(self),
            DETAILS => pages::details(self, page),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::search(page),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        if let Input::Act(action) = input {
            self.act(action, ctx);
        }
    }

    fn process_died(&mut self) {
        self.undo = Undo::default();
    }
}
