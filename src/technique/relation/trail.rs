//! Trails: a trace with its layouts read once, as relations walk along it.
//!
//! Events that could not be performed are left out: the screen stayed as it was. A trail ends before the first crash of
//! the app, and before the first layout that is unknown.

use std::cell::OnceCell;
use std::sync::Arc;

use super::deed::{Deed, deeds};
use super::look::{Field, Look, Window};
use super::row::{List, Row};
use super::snackbar::Snackbar;
use super::token::{FEWEST, Token, tokens};
use super::{fingerprint, quoted};
use droidmux_account::facts::{Album, Facts, Pages};
use droidmux_account::place::Place;
use droidmux_gui::{Event, EventKind, Layout, Widget, WidgetId};
use droidmux_record::{Act, JobRun, Layouts, Observation, Seen};
use droidmux_words::folded;

/// One trace with what its layouts show.
pub struct Trail<'a> {
    /// The test's number in its job, from 0.
    pub test: u16,
    shots: Vec<Shot<'a>>,
    pages: Pages,
    deeds: OnceCell<Vec<Deed>>,
    tokens: OnceCell<Vec<Token<'a>>>,
    names: OnceCell<Vec<String>>,
}

/// A screen of a trail and the event that led to it.
pub struct Shot<'a> {
    /// The number of its turn in the job.
    pub turn: u32,
    /// `None` for the first shot, which a reset led to.
    pub event: Option<&'a Event>,
    /// What the event acted on: a widget of the shot before.
    pub receiver: Option<WidgetId>,
    pub seen: &'a Seen,
    /// When the event began, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    facts: Arc<Facts>,
}

impl<'a> Trail<'a> {
    /// The trails of a job, in the order of its tests.
    pub fn all(run: &'a JobRun, layouts: &dyn Layouts) -> Vec<Self> {
        let mut album = Album::default();
        let mut trails: Vec<Self> = Vec::new();
        let mut open = false;
        for (number, turn) in run.turns.iter().enumerate() {
            let event = match &turn.act {
                Act::Reset => {
                    trails.push(Self::new(trails.len()));
                    open = true;
                    None
                }
                Act::Perform(event) => Some(event),
                Act::Consult(_) | Act::Finish(_) => continue,
            };
            let (Some(trail), Observation::Seen(seen), true) = (trails.last_mut(), &turn.observation, open)
            else {
                open &= event.is_some();
                continue;
            };
            let page = trail.pages.below(&seen.screen).map(|facts| facts.layout());
            let facts = album.get(seen.screen.layout, page, layouts);
            let (Some(facts), false) = (facts, seen.crashed(&run.app.package)) else {
                open = false;
                continue;
            };
            trail.pages.pass(&seen.screen, &facts);
            let receiver = seen.resolution.and_then(droidmux_gui::Resolution::widget);
            let at_ms = turn.at_ms;
            let turn = u32::try_from(number).unwrap_or(u32::MAX);
            trail.shots.push(Shot { turn, event, receiver, seen, at_ms, facts });
        }
        trails
    }

    fn new(test: usize) -> Self {
        let test = u16::try_from(test).unwrap_or(u16::MAX);
        Self {
            test,
            shots: Vec::new(),
            pages: Pages::default(),
            deeds: OnceCell::new(),
            tokens: OnceCell::new(),
            names: OnceCell::new(),
        }
    }

    /// The shots l₁ … in order.
    pub fn shots(&self) -> &[Shot<'a>] {
        &self.shots
    }

    /// The shot of this number, from 0; `None` past the end.
    pub fn shot(&self, number: usize) -> Option<&Shot<'a>> {
        self.shots.get(number)
    }

    /// The last shot of the app's page that lies below the windows of a shot; the shot itself where it has none.
    pub fn opener(&self, number: usize) -> usize {
        let pages = self.shots.get(..=number).unwrap_or_default();
        pages.iter().rposition(|shot| shot.seen.screen.in_app && !shot.is_covered()).unwrap_or(number)
    }

    /// The events with the shots before and after them; the number is that of the shot after.
    pub fn steps(&self) -> impl Iterator<Item = (usize, &Shot<'a>, &'a Event, &Shot<'a>)> {
        let pairs = self.shots.iter().zip(self.shots.iter().skip(1));
        (1..).zip(pairs).filter_map(|(number, (before, after))| Some((number, before, after.event?, after)))
    }

    /// What was done, from one page to the next, in order.
    pub fn deeds(&self) -> &[Deed] {
        self.deeds.get_or_init(|| deeds(self))
    }

    /// The texts that were typed and unique then, in order.
    pub fn tokens(&self) -> &[Token<'a>] {
        self.tokens.get_or_init(|| tokens(self))
    }

    /// What was typed up to a shot, as it was typed.
    pub fn typed(&self, until: usize) -> impl Iterator<Item = &'a str> {
        let shots = self.shots.iter().take(until.saturating_add(1));
        shots.filter_map(|shot| shot.event?.data.as_deref())
    }

    /// Whether this is what was typed at some time up to a shot.
    pub fn has_typed(&self, text: &str, until: usize) -> bool {
        self.typed(until).any(|typed| typed.trim() == text)
    }

    /// Whether a text is one that was typed before this shot, or the label of a page's row up to it: nothing that the
    /// app says of itself.
    pub fn is_data(&self, text: &str, until: usize) -> bool {
        self.shots.iter().take(until.saturating_add(1)).any(|shot| {
            let data = shot.event.and_then(|event| event.data.as_deref()).map(str::trim);
            let typed =
                data.is_some_and(|data| data == text || (data.len() >= FEWEST && text.contains(data)));
            // What a drawer, a menu or a dialog lists is the app's own words.
            typed
                || !shot.is_covered() && shot.lists().iter().any(|list| list.labelled(text).next().is_some())
        })
    }

    /// Whether a text is the app's own word, the same in every trace: no data, and without a number.
    pub fn is_own(&self, text: &str, until: usize) -> bool {
        !text.is_empty() && !text.chars().any(char::is_numeric) && !self.is_data(text, until)
    }

    /// How a shot was come to, hashed: by which kind of event, and from which page. What holds in several of these holds
    /// whatever was done before.
    pub fn situation(&self, number: usize) -> u64 {
        let from = number.checked_sub(1).map(|before| self.page_name(before));
        let kind = self.shots.get(number).map_or(EventKind::Launch, Shot::kind);
        fingerprint(&[kind.name(), &from.unwrap_or_default()])
    }

    /// How keys name the page of a shot: its activity, and its title and tab if they are not data.
    pub fn page_name(&self, number: usize) -> String {
        // Asked of most shots by most relations.
        let names =
            self.names.get_or_init(|| (0..self.shots.len()).map(|number| self.named(number)).collect());
        names.get(number).cloned().unwrap_or_default()
    }

    fn named(&self, number: usize) -> String {
        let Some(shot) = self.shots.get(number) else { return String::new() };
        let look = shot.look();
        let own = |text: &str| if self.is_own(text, number) { text } else { "" }.to_owned();
        format!(
            "{}/{}/{}",
            droidmux_gui::short_class(&shot.seen.screen.activity),
            own(&look.title),
            own(&look.tab)
        )
    }
}

impl<'a> Shot<'a> {
    pub fn layout(&self) -> &Layout {
        self.facts.layout()
    }

    pub fn look(&self) -> &Look {
        self.facts.look()
    }

    /// What page it is, in which mode.
    pub fn place(&self) -> &Place {
        self.facts.place()
    }

    pub fn lists(&self) -> &[List] {
        self.facts.lists()
    }

    pub fn snackbar(&self) -> Option<&Snackbar> {
        self.facts.snackbar()
    }

    /// The list of this id, where the layout has exactly one.
    pub fn list(&self, id: &str) -> Option<&List> {
        let mut lists = self.lists().iter().filter(|list| list.id == id);
        let first = lists.next()?;
        lists.next().is_none().then_some(first)
    }

    /// The app is in front, at rest and not loading: what is missing here is not there.
    pub fn is_sound(&self) -> bool {
        self.seen.screen.in_app && self.seen.is_settled() && !self.look().loading
    }

    /// The app is in front, and something lies above its page or hides it: a dialog, a menu, a drawer.
    pub fn is_covered(&self) -> bool {
        self.seen.screen.in_app && (self.look().window != Window::Full || self.look().drawer_open)
    }

    /// The app's page is there to be read: nothing lies above it, and it is at rest.
    pub fn shows_page(&self) -> bool {
        self.is_sound() && !self.is_covered()
    }

    /// The kind of the event that led here; of the first shot that of a launch.
    pub fn kind(&self) -> EventKind {
        self.event.map_or(EventKind::Launch, |event| event.kind)
    }

    /// The list with the row that a widget is, or lies in; with their numbers.
    pub fn row_with(&self, widget: WidgetId) -> Option<(usize, usize)> {
        let mut lists = self.lists().iter().enumerate();
        lists.find_map(|(number, list)| Some((number, list.row_with(self.layout(), widget)?.0)))
    }

    /// The row of these numbers.
    pub fn row(&self, list: usize, row: usize) -> Option<&Row> {
        self.lists().get(list)?.rows.get(row)
    }

    /// The word by which a person knows a widget: its text or description, else its id in words; empty when it has
    /// none.
    pub fn word(&self, widget: WidgetId) -> String {
        let Some(widget) = self.layout().get(widget) else { return String::new() };
        let said = widget.subtree().map(|w| if w.text().is_empty() { w.description() } else { w.text() });
        let said = said.into_iter().find(|word| !word.trim().is_empty());
        said.map_or_else(|| widget.short_id().replace(['_', '-'], " "), |word| word.trim().to_owned())
    }

    /// The same for a sentence, in quotes.
    pub fn quoted_word(&self, widget: WidgetId) -> String {
        let word = self.word(widget);
        if word.is_empty() { "the control".into() } else { quoted(&word) }
    }

    /// Whether a control of the same class, id and words is there to be seen.
    pub fn has_same(&self, control: Widget<'_>) -> bool {
        self.layout().widgets().any(|other| {
            (other.class(), other.resource_id(), other.text(), other.description())
                == (control.class(), control.resource_id(), control.text(), control.description())
        })
    }

    /// The field of this name, where the page has one.
    pub fn field(&self, key: &str) -> Option<&Field> {
        let mut fields = self.look().fields.iter().filter(|field| field.key == key);
        fields.next().filter(|_| fields.next().is_none())
    }

    /// Whether a text stands on the screen: alone or inside another, whatever its case.
    pub fn shows(&self, text: &str) -> bool {
        let text = folded(text);
        self.layout()
            .widgets()
            .any(|widget| [widget.text(), widget.description()].iter().any(|own| folded(own).contains(&text)))
    }
}
