//! What is missing or different on a screen that should show what another one showed.

mod content;

use super::super::look::{Field, Look, Window};
use super::super::trail::{Shot, Trail};
use super::super::{differ_in_words, quoted};
use super::pair::Stretch;
use content::Content;
use droidmux_gui::holds_date;
use droidmux_record::{Harm, NeutralInsertion, WidgetNote};

/// One thing that is not as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    pub kind: Kind,
    /// The widget it is about, by its id or place; empty where a whole page is.
    pub about: String,
    /// The list it is about.
    pub list: String,
    /// The end of a sentence: `the text typed into 'Title' is gone`.
    pub words: String,
    /// Of no great harm, or of a kind that apps may choose.
    pub slight: bool,
    /// It is about rows that nobody entered, which an app may have fetched anew while it was away.
    pub fetched: bool,
    /// What shows it, before and after.
    pub widgets: (Vec<WidgetNote>, Vec<WidgetNote>),
}

/// The kinds of losses, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Page,
    Dialog,
    Tab,
    Text,
    Row,
    /// A row is there only now.
    Late,
    Twice,
    Choice,
    Order,
    Words,
    Place,
    Focus,
}

impl Kind {
    /// For keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Dialog => "dialog",
            Self::Tab => "tab",
            Self::Text => "text",
            Self::Row => "row",
            Self::Late => "late",
            Self::Twice => "twice",
            Self::Choice => "choice",
            Self::Order => "order",
            Self::Words => "words",
            Self::Place => "place",
            Self::Focus => "focus",
        }
    }

    /// What is lost, for clusters: see [`lost`](super::super::lost).
    pub fn family(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Dialog => "dialog",
            Self::Text => "text",
            Self::Choice | Self::Tab => "choice",
            Self::Row | Self::Late | Self::Twice | Self::Order => "rows",
            Self::Words => "shown",
            Self::Place | Self::Focus => "place",
        }
    }

    pub fn harm(self) -> Harm {
        match self {
            Self::Text | Self::Row => Harm::LostData,
            Self::Page | Self::Dialog | Self::Tab | Self::Choice => Harm::LostFunction,
            Self::Late | Self::Twice | Self::Order | Self::Words | Self::Place | Self::Focus => {
                Harm::WrongDisplay
            }
        }
    }
}

impl Loss {
    fn new(kind: Kind, about: impl Into<String>, words: String) -> Self {
        let slight = matches!(kind, Kind::Place | Kind::Focus);
        Self {
            kind,
            about: about.into(),
            list: String::new(),
            words,
            slight,
            fetched: false,
            widgets: Default::default(),
        }
    }

    fn showing(mut self, before: Vec<WidgetNote>, after: Vec<WidgetNote>) -> Self {
        self.widgets = (before, after);
        self
    }

    fn slight_when(mut self, slight: bool) -> Self {
        self.slight |= slight;
        self
    }
}

/// All that is not as it was, the worst of each kind first. Nothing if a menu or an open drawer was in front, which the
/// platform closes.
pub fn losses(trail: &Trail<'_>, stretch: Stretch) -> Vec<Loss> {
    let (Some(before), Some(after)) = (trail.shot(stretch.from), trail.shot(stretch.to)) else {
        return Vec::new();
    };
    if before.look().window == Window::Menu || before.look().drawer_open || after.look().drawer_open {
        return Vec::new();
    }
    let mut found = Vec::new();
    match elsewhere(stretch.pair, before, after) {
        Some(loss) => found.push(loss),
        None if before.is_same_page(after) => {
            let content = Content { trail, stretch, before, after };
            found.extend(content.texts());
            found.extend(content.lists());
            found.extend(content.late());
            found.extend(content.choices());
            found.extend(content.selected());
            found.extend(content.labels());
            if found.is_empty() {
                found.extend(content.focus());
            }
        }
        None => {}
    }
    found.sort_by_key(|loss| (loss.slight, loss.kind));
    let mut told: Vec<Kind> = Vec::new();
    found.retain(|loss| {
        !told.contains(&loss.kind) && {
            told.push(loss.kind);
            true
        }
    });
    found
}

/// What a turn of the phone takes along of what was typed, or the dialog that was in front. A page shows the rest in its own
/// way on a phone that is held across, a field perhaps not at all.
pub fn losses_of_a_turn(trail: &Trail<'_>, stretch: Stretch) -> Vec<Loss> {
    let (Some(before), Some(after)) = (trail.shot(stretch.from), trail.shot(stretch.to)) else {
        return Vec::new();
    };
    let page = trail.shot(trail.opener(stretch.from)).filter(|page| page.shows_page());
    if !after.shows_page() || !page.is_some_and(|page| page.is_same_page(after)) {
        return Vec::new();
    }
    if before.look().window == Window::Dialog {
        return elsewhere(stretch.pair, before, after).into_iter().collect();
    }
    if !before.shows_page() {
        return Vec::new();
    }
    let content = Content { trail, stretch, before, after };
    content.typed_texts().into_iter().take(1).collect()
}

/// The page, tab or dialog that is no longer in front.
fn elsewhere(pair: NeutralInsertion, before: &Shot<'_>, after: &Shot<'_>) -> Option<Loss> {
    let (was, is) = (before.look(), after.look());
    let here = before.seen.screen.activity == after.seen.screen.activity;
    if was.window == Window::Dialog && (!here || (is.window, &is.dialog) != (was.window, &was.dialog)) {
        let volatile = here && is.window == was.window && !differ_in_words(&was.dialog, &is.dialog);
        // On a phone that is held across, a dialog may fill the screen as a page does.
        let fills = here && !was.dialog.is_empty() && was.dialog == is.title;
        let named = if was.dialog.is_empty() {
            "the dialog".into()
        } else {
            format!("the dialog {}", quoted(&was.dialog))
        };
        return (!volatile && !fills).then(|| Loss::new(Kind::Dialog, "", format!("{named} is gone")));
    }
    if is.window != was.window {
        // What asks for something on return is the app's own affair; what comes up because of turning is there by
        // mistake.
        let intruder = here && is.window == Window::Dialog && pair == NeutralInsertion::Rotate;
        let named = if is.dialog.is_empty() {
            "a dialog".into()
        } else {
            format!("the dialog {}", quoted(&is.dialog))
        };
        return intruder.then(|| Loss::new(Kind::Dialog, "came", format!("{named} is there that was not")));
    }
    // What was typed is saved when the app is left, and from then on the page is named after it.
    let renamed = here && is_called_after_a_field(was, is);
    if !here || (words_of(&was.title) != words_of(&is.title) && !holds_date(&was.title) && !renamed) {
        let page = |title: &str, activity: &str| match title {
            "" => quoted(droidmux_gui::short_class(activity)),
            title => quoted(title),
        };
        let (lost, found) =
            (page(&was.title, &before.seen.screen.activity), page(&is.title, &after.seen.screen.activity));
        return Some(Loss::new(Kind::Page, "", format!("the page {lost} is gone, and {found} is there")));
    }
    let tab =
        !was.tab.is_empty() && differ_in_words(&was.tab, &is.tab) || !was.tab.is_empty() && is.tab.is_empty();
    tab.then(|| Loss::new(Kind::Tab, "", format!("{} is no longer selected", quoted(&was.tab))))
}

/// The later title holds what a field holds, now as before.
fn is_called_after_a_field(was: &Look, is: &Look) -> bool {
    let kept = |field: &Field| is.fields.iter().any(|now| now.key == field.key && now.text == field.text);
    was.fields.iter().any(|field| !field.text.is_empty() && is.title.contains(&field.text) && kept(field))
}

/// The words of a title: counts in it come and go.
fn words_of(title: &str) -> Vec<&str> {
    title.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect()
}
