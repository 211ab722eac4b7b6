//! The Explorer: says what to do next on the screen.

use std::fmt;

use super::chronicle::Chronicle;
use super::lore::Lore;
use super::misreply::Misreply;
use super::phrase::{self, quoted};
use super::prompt::{self, Prompt};
use super::step::keys;
use super::{monitor, pictures};
use crate::VisiondroidSettings;
use crate::members::{self, Members, text};
use crate::reply;
use droidmux_account::facts::Facts;
use droidmux_account::look::shows_hint;
use droidmux_account::target;
use droidmux_gui::{Direction, Event, EventKind, Flags, Interaction, Operable, Widget};
use droidmux_record::{Agent, Question};

/// What the Explorer has to choose from.
pub struct Scene<'a> {
    pub chronicle: &'a Chronicle,
    pub lore: &'a Lore,
    /// Of the screen now.
    pub facts: &'a Facts,
    pub operable: &'a [Operable],
    /// The test's number in its session, from 1: tests that run side by side are to differ.
    pub number: u64,
    /// Events that the test may still perform.
    pub left: u32,
}

/// Steps told besides the functions.
const MOST_STEPS: usize = 10;

/// Characters of a text to type at most.
const LONGEST_TEXT: usize = 500;

const ROLE: &str = "You test a mobile app by hand, function by function, the way its users use it. You choose the \
                    next action on the screen.";

const SCHEMA: &str = r#"{"type":"object","properties":{"action":{"enum":["click","long-click","check","swipe","type","back"]},"widget":{"type":["integer","null"]},"direction":{"enum":["up","down","left","right",null]},"text":{"type":["string","null"]},"then":{"type":["string","integer","null"]},"why":{"type":"string"}},"required":["action","widget","direction","text","then","why"],"additionalProperties":false}"#;

/// The same together with what the Monitor says.
const BOTH_SCHEMA: &str = r#"{"type":"object","properties":{"page":{"type":"string"},"function":{"type":"string"},"new_function":{"type":"boolean"},"finished":{"type":"boolean"},"informative":{"type":"boolean"},"action":{"enum":["click","long-click","check","swipe","type","back"]},"widget":{"type":["integer","null"]},"direction":{"enum":["up","down","left","right",null]},"text":{"type":["string","null"]},"then":{"type":["string","integer","null"]},"why":{"type":"string"}},"required":["page","function","new_function","finished","informative","action","widget","direction","text","then","why"],"additionalProperties":false}"#;

const BOTH_ROLE: &str = "You test a mobile app by hand, function by function, the way its users use it. After each step \
                         you say which function of the app is being tested, whether a new one begins, and whether \
                         it is finished; then you choose the next action on the screen.";

/// The members of a reply that say what to do.
macro_rules! members {
    () => {
        r#""action": "click", "long-click", "check", "swipe", "type" or "back",
 "widget": the number of the widget, as listed above and marked in the picture; null with "back",
 "direction": with "swipe", where the finger moves: "up", "down", "left" or "right",
 "text": with "type", the text that replaces what the field holds,
 "then": with "type", what to do after it: "nothing", "enter" to submit with the keyboard, or the number of a widget to click,
 "why": the reason, in a sentence"#
    };
}

const HOW: &str = "Carry functions out to their end, look at what came of them on each page that should show it, and prefer what was \
     not tested yet. Begin nothing that the steps left do not suffice for.";

const WANTED: &str = concat!("Reply with one JSON object:\n{", members!(), "}");

const BOTH_WANTED: &str =
    concat!("Reply with one JSON object:\n{", monitor::members!(), ",\n ", members!(), "}");

/// The question for the next action. When there are steps that the Monitor has not spoken of, it is the Monitor's, too:
/// both are shown the same.
pub fn question(scene: &Scene<'_>, complaint: Option<&str>, settings: &VisiondroidSettings) -> Question {
    let chronicle = scene.chronicle;
    let mut prompt = Prompt::default();
    prompt.section("App", &prompt::place(chronicle));
    let number = format!(
        "This is test number {}; {} more steps can be done in it. Tests run side by side: where there is a \
         choice, do not all choose the first.",
        scene.number, scene.left
    );
    prompt.section("Test", &number);
    prompt.section("Functions tested in earlier tests", &scene.lore.functions());
    prompt.section("Functions tested in this test", &monitor::functions(chronicle));
    let last = chronicle.steps.len();
    let both = chronicle.has_news();
    let untold = *chronicle.untold().start();
    // The steps of the function under way are told with it.
    let begun = chronicle.open().map(|open| open.first);
    let late = begun.unwrap_or(if both { untold } else { last + 1 });
    let before = chronicle.told_briefly(late.saturating_sub(MOST_STEPS).max(1)..late);
    prompt.section("Steps before", &before);
    if both {
        monitor::follow(&mut prompt, chronicle);
    } else {
        let steps = chronicle.told_briefly(late..=last);
        let under_way = chronicle.open().map(|open| format!("{}\n{steps}", open.name));
        prompt.section("Function under way", under_way.as_deref().unwrap_or("none"));
        prompt.section("Screen now", &chronicle.screen(last));
    }
    prompt.section("Advice: what was done wrong before", &advice(scene));
    let heading = "Widgets that can be operated (after each way to operate it: how often that was tried on it in \
                   this test / on widgets of its kind / on it in earlier tests)";
    prompt.section(heading, &widgets(scene));
    prompt.pictures(pictures::icons(chronicle, scene.facts.layout(), scene.operable));
    prompt.pictures(pictures::history(chronicle, 1..=last, settings.history));
    prompt.pictures(pictures::marked(chronicle, scene.facts.layout()));
    prompt.complaint(complaint);
    prompt.text(HOW);
    prompt.text(if both { BOTH_WANTED } else { WANTED });
    let (role, schema) = if both { (BOTH_ROLE, BOTH_SCHEMA) } else { (ROLE, SCHEMA) };
    prompt.question(Agent::Explorer, role, schema)
}

/// The last two wrong operations, of this test or else of earlier ones.
fn advice(scene: &Scene<'_>) -> String {
    let own = &scene.chronicle.advice;
    let advice: Vec<&String> = scene.lore.advice().iter().chain(own).rev().take(2).collect();
    advice.into_iter().rev().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}

/// The widgets, one a line, and going back.
fn widgets(scene: &Scene<'_>) -> String {
    let lines = scene.operable.iter().filter_map(|operable| {
        let widget = scene.facts.layout().get(operable.widget)?;
        let ways: Vec<String> = operable
            .interactions
            .iter()
            .map(|way| format!("{} {}", way.name(), Tries::of(scene, widget, *way)))
            .collect();
        Some(format!("{}. {} | {}", operable.number, described(scene, widget), ways.join(", ")))
    });
    let (times, exit) = backs(scene);
    let exit = if exit { ", leaves the app" } else { "" };
    lines.chain([format!("back {times}{exit}")]).collect::<Vec<_>>().join("\n")
}

/// How often the test went back from this page, and whether that leaves the app.
pub fn backs(scene: &Scene<'_>) -> (usize, bool) {
    let page = scene.chronicle.here().map_or(0, |here| here.page);
    let steps = scene.chronicle.steps.iter();
    let times = steps.filter(|step| step.kind == EventKind::Back && step.page == page).count();
    (times, scene.chronicle.pages.get(page).is_some_and(|page| page.exit))
}

/// A widget as the account calls it, and its state.
fn described(scene: &Scene<'_>, widget: Widget<'_>) -> String {
    let veil = &scene.chronicle.veil;
    let called = target(scene.facts, widget, veil);
    if !widget.is_editable() {
        // A row is touched for the box in it that takes no touch itself.
        let switched =
            widget.subtree().find(|part| part.has(Flags::CHECKABLE) && !part.has(Flags::CLICKABLE));
        let switched = switched.unwrap_or(widget);
        let tick = match (switched.has(Flags::CHECKABLE), switched.has(Flags::CHECKED)) {
            (true, true) => " [x]",
            (true, false) => " [ ]",
            (false, _) => "",
        };
        let corner = if phrase::is_in_corner(widget) { ", top left" } else { "" };
        return format!("{called}{tick}{corner}");
    }
    let text = widget.text();
    let holds = if widget.has(Flags::PASSWORD) {
        "a password".to_owned()
    } else if text.is_empty() {
        "empty".to_owned()
    } else if shows_hint(widget) {
        format!("empty, its hint is {}", quoted(text))
    } else if scene.chronicle.knows(text) {
        format!("holds {}", quoted(&veil.secrets.redacted(text)))
    } else {
        // Many systems do not tell hints from texts.
        format!("holds {}, which nobody typed: perhaps only a hint", quoted(&veil.secrets.redacted(text)))
    };
    let filled = if is_filled(scene, widget) { ", filled in by this test" } else { "" };
    format!("{called}, {holds}{filled}")
}

/// Whether the field was typed into since this page came.
pub fn is_filled(scene: &Scene<'_>, field: Widget<'_>) -> bool {
    let Some(here) = scene.chronicle.here() else { return false };
    let (exact, _) = keys(EventKind::Edit, here.kind(), scene.facts, field);
    let steps = scene.chronicle.steps.iter().rev().take_while(|step| step.page == here.page);
    steps.filter(|step| step.kind == EventKind::Edit && !step.failed()).any(|step| step.keys.0 == exact)
}

/// How often something was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tries {
    pub on_it: usize,
    pub on_kind: usize,
    /// On it in earlier tests.
    pub earlier: usize,
}

impl Tries {
    pub fn of(scene: &Scene<'_>, widget: Widget<'_>, way: Interaction) -> Self {
        let page = scene.chronicle.here().map_or("", |here| here.kind());
        let (exact, kind) = keys(widget.event_of(way), page, scene.facts, widget);
        let steps = &scene.chronicle.steps;
        Self {
            on_it: steps.iter().filter(|step| step.keys.0 == exact).count(),
            on_kind: steps.iter().filter(|step| step.keys.1 == kind).count(),
            earlier: usize::try_from(scene.lore.tried(&exact)).unwrap_or(usize::MAX),
        }
    }
}

/// `0/3/2`: on it, on its kind, on it in earlier tests.
impl fmt::Display for Tries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.on_it, self.on_kind, self.earlier)
    }
}

/// The events of the Explorer's reply, found on the present screen; several when something is to be
/// done after typing.
///
/// # Errors
/// [`Misreply`]: what is wrong with the reply, or why it cannot be done.
pub fn read(reply: &str, scene: &Scene<'_>) -> Result<Vec<Event>, Misreply> {
    let members = reply::object(reply).ok_or(Misreply::NoObject)?;
    let action = text(&members, &["action", "operation", "type"]).to_lowercase().replace(['_', ' '], "-");
    let way = match action.as_str() {
        "back" | "go-back" => return Ok(vec![Event::global(EventKind::Back)]),
        "click" | "tap" | "press" => Interaction::Click,
        "long-click" | "long-press" | "longclick" => Interaction::LongClick,
        "check" | "uncheck" | "toggle" => Interaction::Check,
        "swipe" | "scroll" => Interaction::Swipe,
        "type" | "input" | "edit" | "enter-text" => Interaction::Type,
        "" => return Err(Misreply::NoAction),
        other => return Err(Misreply::UnknownAction(other.to_owned())),
    };
    let widget = widget(&members, way, scene)?;
    let receiver = scene.facts.layout().selector(widget.id());
    match way {
        Interaction::Type => typing(&members, widget, scene),
        Interaction::Swipe => {
            let kind = finger(&text(&members, &["direction"])).unwrap_or_else(|| widget.event_of(way));
            Ok(vec![Event::on(kind, receiver)])
        }
        _ => Ok(vec![Event::on(widget.event_of(way), receiver)]),
    }
}

fn widget<'a>(members: &Members, way: Interaction, scene: &Scene<'a>) -> Result<Widget<'a>, Misreply> {
    let named = text(members, &["widget", "element", "target", "number"]);
    let number = members::number(members, &["widget", "element", "target", "number"]);
    let takes = |operable: &&Operable| can(operable, way);
    let by_number = number.and_then(|number| scene.operable.iter().find(|o| o.number == number));
    let by_name = || {
        let is_it = |operable: &&Operable| {
            let widget = scene.facts.layout().get(operable.widget);
            widget.is_some_and(|widget| phrase::label(widget) == named || widget.short_id() == named)
        };
        scene.operable.iter().filter(is_it).find(takes)
    };
    let found = match by_number {
        Some(found) => Some(found),
        None if named.is_empty() && way == Interaction::Swipe => scene.operable.iter().find(takes),
        None if !named.is_empty() => by_name(),
        None => return Err(Misreply::NoWidget(way)),
    };
    let found = found.ok_or(Misreply::Unlisted(named))?;
    if !can(found, way) {
        let (number, takes) = (found.number, found.interactions.clone());
        return Err(Misreply::Refused { number, way, takes });
    }
    scene.facts.layout().get(found.widget).ok_or(Misreply::Gone)
}

/// Whether a widget takes this action; a click on what can be checked checks it, and a click into a
/// field is harmless.
fn can(operable: &Operable, way: Interaction) -> bool {
    let ways = &operable.interactions;
    ways.contains(&way)
        || matches!(way, Interaction::Click | Interaction::Check)
            && (ways.contains(&Interaction::Check) || ways.contains(&Interaction::Click))
}

fn typing(members: &Members, field: Widget<'_>, scene: &Scene<'_>) -> Result<Vec<Event>, Misreply> {
    if members::find(members, &["text", "input", "value"]).is_none() {
        return Err(Misreply::NoText);
    }
    let text: String =
        members::text(members, &["text", "input", "value"]).chars().take(LONGEST_TEXT).collect();
    let mut events = vec![Event::edit(scene.facts.layout().selector(field.id()), text)];
    let then = members::text(members, &["then", "after"]).to_lowercase();
    let number = members::number(members, &["then", "after"]);
    let clicked = number.and_then(|number| scene.operable.iter().find(|o| o.number == number));
    match (clicked, then.as_str()) {
        (Some(operable), _) if can(operable, Interaction::Click) => {
            events.push(Event::on(EventKind::Click, scene.facts.layout().selector(operable.widget)));
        }
        (_, "enter" | "submit" | "search" | "done" | "go") => events.push(Event::global(EventKind::Enter)),
        _ => {}
    }
    Ok(events)
}

/// The scrolling that a finger moving this way does.
fn finger(direction: &str) -> Option<EventKind> {
    let scrolled = match direction.to_lowercase().as_str() {
        "up" => Direction::Down,
        "down" => Direction::Up,
        "left" => Direction::Right,
        "right" => Direction::Left,
        _ => return None,
    };
    Some(EventKind::Scroll(scrolled))
}

/// What to do when no reply is of use: what was tried least, typing a word where a text is wanted.
pub fn fallback(scene: &Scene<'_>) -> Event {
    let steps = &scene.chronicle.steps;
    let layout = scene.facts.layout();
    let mut best: Option<(usize, Event)> = None;
    for operable in scene.operable {
        let Some((way, widget)) = operable.interactions.first().zip(layout.get(operable.widget)) else {
            continue;
        };
        let tried = Tries::of(scene, widget, *way).on_it;
        if best.as_ref().is_none_or(|(least, _)| tried < *least) {
            let selector = layout.selector(operable.widget);
            let event = match way {
                Interaction::Type => Event::edit(selector, "word"),
                _ => Event::on(widget.event_of(*way), selector),
            };
            best = Some((tried, event));
        }
    }
    let back = Event::global(EventKind::Back);
    let tried_back = steps.iter().filter(|step| step.kind == EventKind::Back).count();
    best.filter(|(tried, _)| *tried <= tried_back).map_or(back, |(_, event)| event)
}
