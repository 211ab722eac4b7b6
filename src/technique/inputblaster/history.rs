//! What a driver has learnt of its form, and what it did: read by the planner and the oracle from a
//! driver that was given the observations.

use super::driver::Yielded;
use super::dumped::{carries, is_dump_of};
use super::errand::{Expectation, FormKnown, FormRound, Reaction, TriedText};
use super::ground::{TriedPlace, is_grounded};
use super::landing::{Landing, texts};
use super::oracle::title;
use super::prompt::{Try, beginning};
use super::relation::breakage;
use droidmux_gui::{Event, EventKind, Flags, Layout, Widget};
use droidmux_record::{FormTally, Mistreatment};

/// The tests of a job and their outcomes.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// Tests begun so far: their number is that of the resets.
    pub tests: u16,
    /// The tests with the valid texts twice, in order; the oracle compares with the last two.
    pub valid: Vec<u16>,
    /// The tests with an unusual text that was entered and submitted.
    pub unusual: Vec<u16>,
    /// Those of them whose text the form should refuse.
    pub forbidden: Vec<u16>,
    /// Where each of these stands among the texts tried.
    pub forbidden_places: Vec<TriedPlace>,
    /// Texts that did not pass.
    pub tries: Vec<Try>,
    /// What passes the form.
    pub known: Option<FormKnown>,
    /// The landings of the two runs with valid texts.
    pub base: Vec<Landing>,
    pub tally: FormTally,
}

impl History {
    /// The landings to compare with, when both runs with valid texts came through.
    pub fn base(&self) -> Option<[&Landing; 2]> {
        match self.base.as_slice() {
            [.., one, two] => Some([one, two]),
            _ => None,
        }
    }

    /// What the app did with the texts of a filling, of which this is expected; with the bug that it showed, in a
    /// sentence. What a model alone wants refused is no bug when it is accepted.
    pub fn reaction(&self, landing: &Landing, expected: Option<Expectation>) -> (Reaction, String) {
        let forbidden = self.is_forbidden(expected);
        let broken = self.base().and_then(|base| breakage(base, landing, forbidden));
        match broken.filter(|broken| !landing.crashed && broken.how != Mistreatment::WronglyAccepted) {
            Some(broken) => (Reaction::Mistreated, title(landing, &broken)),
            None => (self.plain_reaction(landing), String::new()),
        }
    }

    fn plain_reaction(&self, landing: &Landing) -> Reaction {
        let in_place = self.known.as_ref().is_some_and(|known| known.in_place);
        if landing.crashed {
            Reaction::Crashed
        } else if !landing.stays || in_place {
            Reaction::Accepted
        } else if landing.appeared().is_empty() {
            Reaction::Unmoved
        } else {
            Reaction::Refused
        }
    }

    /// A text of the round under way, of which this is expected, should be refused.
    fn is_forbidden(&self, expected: Option<Expectation>) -> bool {
        let round = self.known.as_ref().and_then(|known| known.rounds.last());
        round.is_some_and(|round| expected.unwrap_or(round.expected) == Expectation::Refused)
    }

    /// The tests whose text the form should refuse by more than a model's word.
    pub fn grounded(&self) -> Vec<u16> {
        let (Some(known), Some([base, _])) = (&self.known, self.base()) else { return Vec::new() };
        let placed = self.forbidden.iter().zip(&self.forbidden_places);
        placed.filter(|(_, place)| is_grounded(known, **place, base)).map(|(test, _)| *test).collect()
    }

    /// Notes the outcome of a test with a text under test.
    pub fn note(
        &mut self,
        test: u16,
        input: &Yielded,
        (reaction, bug): (Reaction, String),
        landing: Option<&Landing>,
    ) {
        let text = input.text.as_str();
        if reaction != Reaction::Untypable && reaction != Reaction::Strayed {
            self.unusual.push(test);
            if self.is_forbidden(input.expected) {
                let rounds = self.known.as_ref().map_or(&[][..], |known| known.rounds.as_slice());
                let tried = rounds.last().map_or(0, |round| round.tried.len());
                self.forbidden_places.push(TriedPlace { round: rounds.len().saturating_sub(1), tried });
                self.forbidden.push(test);
            }
        }
        match reaction {
            Reaction::Untypable => self.tally.untypable += 1,
            Reaction::Strayed => {}
            _ => self.tally.inputs += 1,
        }
        match reaction {
            Reaction::Accepted => self.tally.accepted += 1,
            Reaction::Refused | Reaction::Unmoved => self.tally.refused += 1,
            _ => {}
        }
        let other = |held: &&String| *held != text && !is_dump_of(held, text);
        let held = landing.and_then(|landing| landing.echo.as_ref()).filter(other);
        let tried = TriedText {
            text: beginning(text),
            reaction,
            length: number(text.chars().count()),
            held: held.map(|held| (beginning(held), number(held.chars().count()))),
            shown: landing.map(|landing| self.shown(landing)).unwrap_or_default(),
            expected: input.expected,
            bug,
        };
        if let Some(round) = self.round() {
            round.tried.push(tried);
        }
    }

    /// What a page shows that it does not show with the valid text: on the form itself what appeared, on the page
    /// reached what is new there. Nothing of other apps, such as the launcher that comes after a crash.
    fn shown(&self, landing: &Landing) -> Vec<String> {
        if landing.crashed || !landing.end.in_app {
            return Vec::new();
        }
        let new: Vec<String> = match self.base().filter(|_| !landing.stays) {
            None if !landing.stays => Vec::new(),
            None => landing.appeared().into_iter().map(|new| new.text).collect(),
            Some([base, _]) => {
                let usual = texts(&base.page);
                let all = texts(&landing.page).into_iter().filter(|shown| !usual.contains(shown));
                all.map(|shown| shown.text).collect()
            }
        };
        new.iter().take(MOST_SHOWN).map(|text| beginning(text)).collect()
    }

    pub fn begin_round(&mut self, round: FormRound) {
        if let Some(known) = &mut self.known {
            known.rounds.push(round);
        }
    }

    /// The fields, of so many, on which no round was made.
    pub fn untested(&self, fields: usize) -> usize {
        let rounds = self.known.as_ref().map_or(&[][..], |known| known.rounds.as_slice());
        untested(rounds, fields).count()
    }

    /// Texts that were yielded and are not entered any more.
    pub fn left(&mut self, untried: usize) {
        if let Some(round) = self.round() {
            round.untried = number(untried);
        }
    }

    pub fn failed(&mut self, why: String) {
        self.tally.failures += 1;
        if let Some(round) = self.round() {
            round.failure = why;
        }
    }

    fn round(&mut self) -> Option<&mut FormRound> {
        self.known.as_mut().and_then(|known| known.rounds.last_mut())
    }
}

/// The fields, by number, on which no round was made.
fn untested(rounds: &[FormRound], fields: usize) -> impl Iterator<Item = usize> {
    (0..fields).filter(move |field| !rounds.iter().any(|round| usize::from(round.field) == *field))
}

/// Texts told of a page that a form led to.
const MOST_SHOWN: usize = 6;

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Widgets of a page that are clicked, one a test, to see what lies behind it.
const MOST_BEYOND: usize = 8;

/// Clicks on the widgets of the page a form led to, one of each kind.
pub(super) fn beyond(landing: &Landing) -> Vec<Event> {
    let layout = &landing.page;
    let mut kinds: Vec<[&str; 3]> = Vec::new();
    let mut clicks = Vec::new();
    for widget in layout.widgets().filter(|w| may_lead_on(*w)) {
        let kind = [widget.class(), widget.resource_id(), widget.description()];
        if clicks.len() < MOST_BEYOND && !kinds.contains(&kind) {
            kinds.push(kind);
            clicks.push(Event::on(EventKind::Click, layout.selector(widget.id())));
        }
    }
    clicks
}

fn may_lead_on(widget: Widget<'_>) -> bool {
    widget.has(Flags::CLICKABLE)
        && widget.is_touchable()
        && !widget.has(Flags::CHECKABLE)
        && !widget.is_editable()
}

/// How many of these texts a page shows that the form does not show beside its fields.
pub(super) fn shown_of(valid: &[String], form: &Layout, page: &Layout) -> usize {
    let (before, after) = (texts(form), texts(page));
    let new: Vec<_> = after.iter().filter(|shown| !before.contains(shown)).collect();
    let shows =
        |text: &&String| !text.trim().is_empty() && new.iter().any(|shown| carries(&shown.text, text));
    valid.iter().filter(shows).count()
}
