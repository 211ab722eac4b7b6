//! One filling of a form: reset, the way to it, boxes, texts, submission, and what comes after.

use super::form::Form;
use super::landing::{Course, Landing};
use droidmux_gui::{Event, EventKind, Layout, LayoutHash, StateId};
use droidmux_record::{Act, Failure, Layouts, Observation, Seen};
use droidmux_words::number::count;

/// What one filling is to do.
#[derive(Clone, Debug)]
pub(super) struct Filling {
    pub way: Vec<Event>,
    /// The form that the way leads to.
    pub form: StateId,
    /// One text for each field; `None` only goes to the form.
    pub texts: Option<Vec<String>>,
    /// The field that is filled in last, from 0.
    pub last: usize,
    pub ticks: bool,
    pub submit: Submit,
    /// What to do on the page reached.
    pub then: Option<Event>,
}

/// What submits the form.
#[derive(Clone, Debug)]
pub(super) enum Submit {
    Known(Event),
    /// The likeliest widgets from this rank on, one after the other as long as nothing at all
    /// happens.
    Search {
        from: usize,
        affirmative: Vec<String>,
    },
}

/// A filling under way. Fed with observations it gives acts until it is done.
#[derive(Clone, Debug)]
pub(super) struct Fill {
    filling: Filling,
    stage: Stage,
    start: Option<Seen>,
    steps: Vec<(Event, Seen)>,
    /// What was asked for last.
    asked: Option<Event>,
    /// The layout on which the way ended.
    form_seen: Option<Seen>,
    submitted: Option<Event>,
}

#[derive(Clone, Debug)]
enum Stage {
    Reset,
    /// The next event of the way.
    Way(usize),
    Ticks(Vec<Event>),
    /// How many fields are filled in.
    Texts(usize),
    /// Presses so far, and the layout before.
    Pressed(usize, LayoutHash),
    Waiting(u32),
    Then,
}

/// What a filling asks for, or how it ended.
#[derive(Clone, Debug)]
pub(super) enum Next {
    Act(Act),
    Done(End),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// On the form, or where its submission led.
    Landed,
    Crashed,
    Untypable,
    /// A widget or the form was not where it should be.
    Strayed,
}

/// Presses of different widgets in one filling.
const MOST_PRESSES: u32 = 3;

/// How many times a loading page is waited for, and for how many seconds each time.
const WAITS: u32 = 2;
const WAIT_SECONDS: u32 = 5;

/// The most events that a filling takes besides its way and texts.
pub(super) const OVERHEAD: u32 = MOST_PRESSES + WAITS + 1 + MOST_TICKS;

/// The most boxes that are ticked.
const MOST_TICKS: u32 = 6;

impl Fill {
    pub fn new(filling: Filling) -> Self {
        Self {
            filling,
            stage: Stage::Reset,
            start: None,
            steps: Vec::new(),
            asked: None,
            form_seen: None,
            submitted: None,
        }
    }

    pub fn filling(&self) -> &Filling {
        &self.filling
    }

    /// The screen on which the way ended, once it did.
    pub fn form_seen(&self) -> Option<&Seen> {
        self.form_seen.as_ref()
    }

    /// The event that submitted the form.
    pub fn submitted(&self) -> Option<&Event> {
        self.submitted.as_ref()
    }

    pub fn last_seen(&self) -> Option<&Seen> {
        self.steps.last().map(|(_, seen)| seen).or(self.start.as_ref())
    }

    pub fn landing(&self, app: &str, layouts: &dyn Layouts) -> Option<Landing> {
        let steps = self.steps.iter().map(|(event, seen)| (event, seen)).collect();
        Course { start: self.start.as_ref(), steps }.landing(app, layouts)
    }

    /// True when the page it ended on is one that it had passed before the form was submitted.
    pub fn went_back(&self) -> bool {
        let Some(end) = self.last_seen().map(|seen| seen.screen.layout) else { return false };
        let Some(form) = self.form_seen.as_ref().map(|seen| seen.screen.layout) else { return false };
        let seen = self.start.iter().chain(self.steps.iter().map(|(_, seen)| seen));
        seen.map(|seen| seen.screen.layout).take_while(|&layout| layout != form).any(|layout| layout == end)
    }

    /// The next act after this observation; the first one does not matter.
    pub fn next(&mut self, observation: &Observation, app: &str, layouts: &dyn Layouts) -> Next {
        if matches!(self.stage, Stage::Reset) && self.start.is_none() && self.asked.is_none() {
            self.stage = Stage::Way(0);
            return Next::Act(Act::Reset);
        }
        let seen = match observation {
            Observation::Seen(seen) => seen,
            Observation::Failed(Failure::Untypable) => return Next::Done(End::Untypable),
            _ => return Next::Done(End::Strayed),
        };
        match self.asked.take() {
            Some(event) => self.steps.push((event, (**seen).clone())),
            None => self.start = Some((**seen).clone()),
        }
        if seen.crashed(app) {
            return Next::Done(End::Crashed);
        }
        let Some(layout) = layouts.layout(seen.screen.layout) else { return Next::Done(End::Strayed) };
        self.go_on(seen, &layout)
    }

    fn go_on(&mut self, seen: &Seen, layout: &Layout) -> Next {
        loop {
            match &mut self.stage {
                Stage::Reset => return Next::Done(End::Strayed),
                Stage::Way(at) => {
                    if let Some(event) = self.filling.way.get(*at).cloned() {
                        *at += 1;
                        return self.perform(event);
                    }
                    let form = Form::of(&seen.screen, layout).filter(|form| form.id() == self.filling.form);
                    let Some(form) = form else { return Next::Done(End::Strayed) };
                    self.form_seen = Some(seen.clone());
                    if self.filling.texts.is_none() {
                        return Next::Done(End::Landed);
                    }
                    let mut ticks = if self.filling.ticks { form.ticks() } else { Vec::new() };
                    ticks.truncate(MOST_TICKS as usize);
                    ticks.reverse();
                    self.stage = Stage::Ticks(ticks);
                }
                Stage::Ticks(left) => match left.pop() {
                    Some(event) => return self.perform(event),
                    None => self.stage = Stage::Texts(0),
                },
                Stage::Texts(done) => {
                    let Some(form) = Form::of(&seen.screen, layout) else { return Next::Done(End::Strayed) };
                    let number = *done;
                    *done += 1;
                    if number < form.fields.len() {
                        if let Some(event) = self.edit(number, &form) {
                            return self.perform(event);
                        }
                        continue;
                    }
                    return self.press(0, seen, layout);
                }
                Stage::Pressed(presses, before) => {
                    let (presses, before) = (*presses, *before);
                    let nothing = seen.screen.layout == before;
                    if nothing
                        && count(presses) < MOST_PRESSES
                        && matches!(self.filling.submit, Submit::Search { .. })
                    {
                        return self.press(presses, seen, layout);
                    }
                    self.stage = Stage::Waiting(0);
                }
                Stage::Waiting(waits) => {
                    if *waits < WAITS && seen.screen.in_app && (!seen.is_settled() || layout.is_loading()) {
                        *waits += 1;
                        return self.perform(Event::wait(WAIT_SECONDS));
                    }
                    self.stage = Stage::Then;
                    let on_form =
                        Form::of(&seen.screen, layout).is_some_and(|form| form.id() == self.filling.form);
                    let then = self.filling.then.as_ref().filter(|_| !on_form && seen.screen.in_app);
                    let Some(widget) = then.and_then(|then| layout.resolve(then.receiver.as_ref()?).widget())
                    else {
                        return Next::Done(End::Landed);
                    };
                    return self.perform(Event::on(EventKind::Click, layout.selector(widget)));
                }
                Stage::Then => return Next::Done(End::Landed),
            }
        }
    }

    /// The edit that is number `place` in the order of filling in: the field under test is last.
    /// `None` for a field that is to be empty and is.
    fn edit(&self, place: usize, form: &Form<'_>) -> Option<Event> {
        let last = self.filling.last.min(form.fields.len().saturating_sub(1));
        let number = match place {
            _ if place + 1 == form.fields.len() => last,
            before if before < last => before,
            after => after + 1,
        };
        let field = form.field(number)?;
        let text = self.filling.texts.as_ref()?.get(number).cloned().unwrap_or_default();
        let is_empty = field.text().is_empty() || field.text() == field.hint();
        if text.is_empty() && is_empty && number != last {
            return None;
        }
        Some(Event::edit(form.layout.selector(field.id()), text))
    }

    fn press(&mut self, presses: usize, seen: &Seen, layout: &Layout) -> Next {
        let event = match &self.filling.submit {
            Submit::Known(event) => match &event.receiver {
                None => Some(event.clone()),
                Some(receiver) => layout
                    .resolve(receiver)
                    .widget()
                    .map(|widget| Event::on(EventKind::Click, layout.selector(widget))),
            },
            Submit::Search { from, affirmative } => Form::of(&seen.screen, layout).and_then(|form| {
                let submits = form.submits(affirmative);
                let at = (from + presses).checked_rem(submits.len())?;
                submits.get(at).cloned()
            }),
        };
        let Some(event) = event else { return Next::Done(End::Strayed) };
        self.stage = Stage::Pressed(presses + 1, seen.screen.layout);
        self.submitted = Some(event.clone());
        self.perform(event)
    }

    fn perform(&mut self, event: Event) -> Next {
        self.asked = Some(event.clone());
        Next::Act(Act::Perform(event))
    }
}
