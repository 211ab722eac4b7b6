//! An execution: one function being carried out, event by event.

use rand_chacha::ChaCha8Rng;

use super::data_model::DataModel;
use super::passage::{self, Passage, Reading, Unread};
use super::system_key::system_key;
use crate::text::{self, Demands};
use droidmux_gui::{Direction, Event, EventKind, Flags, Layout, LayoutHash, Widget};
use droidmux_record::{Call, CallStep, Dmf, DmfAction, DmfEvent, Layouts, Operator};
use droidmux_words::number::whole;

/// One function under way.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The function's number in its specification.
    pub dmf: u16,
    /// How far it is, with the layouts so far.
    pub passage: Passage,
    /// The test's events that were performed for it.
    pub steps: Vec<CallStep>,
    /// Number of the function's event to be performed next.
    next: u16,
    /// Swipes done to find the present event's widget.
    swipes: u32,
    /// The text that the present event scrolls to, once drawn or read.
    sought: Option<String>,
    /// The event asked for last did not finish the function's event: it was a swipe on the way.
    on_the_way: bool,
}

/// What an execution wants next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Tell it the outcome before asking it again.
    Perform(Event),
    /// All events were performed.
    Done,
    /// It cannot go on, and why.
    Failed(String),
}

/// What text and widgets of an execution depend on, besides itself.
pub struct Scene<'a> {
    /// The function that is carried out.
    pub dmf: &'a Dmf,
    /// Where the layouts of the passage are looked up.
    pub layouts: &'a dyn Layouts,
    /// D as the function found it: what is typed is one of its objects, or none of them yet.
    pub model: &'a DataModel,
    /// Only text that every device can type.
    pub ascii: bool,
}

/// The most swipes for one `scrollto`.
const MOST_SWIPES: u32 = 10;

impl Execution {
    /// The function of this number in its specification, with l₀ on the screen.
    pub fn begin(dmf: u16, start: LayoutHash) -> Self {
        let passage = Passage::from(start);
        Self { dmf, passage, steps: Vec::new(), next: 0, swipes: 0, sought: None, on_the_way: false }
    }

    /// The test's event of this number, asked for last, was performed and led to this layout.
    pub fn stepped(&mut self, at: u16, after: LayoutHash) {
        self.passage.step(self.next, after);
        self.steps.push(CallStep { at, event: self.next });
        if !self.on_the_way {
            self.pass();
        }
    }

    /// The next event on the present layout; optional events without their widget are left out.
    pub fn next(&mut self, layout: &Layout, scene: &Scene<'_>, rng: &mut ChaCha8Rng) -> Next {
        while let Some(wanted) = scene.dmf.events.get(usize::from(self.next)) {
            match self.event(wanted, layout, scene, rng) {
                Ok(Some(event)) => return Next::Perform(event),
                Ok(None) => {}
                Err(_) if !wanted.force => {}
                Err(Unread(why)) => {
                    let action = wanted.action.name();
                    return Next::Failed(format!("event {} ({action}): {why}", self.next + 1));
                }
            }
            self.pass();
        }
        Next::Done
    }

    /// Goes on to the next event.
    fn pass(&mut self) {
        self.next += 1;
        self.swipes = 0;
        self.sought = None;
    }

    /// The call that this was.
    pub fn into_call(self) -> Call {
        Call { dmf: self.dmf, steps: self.steps }
    }

    /// The event to perform; `None` when there is nothing to do for it.
    fn event(
        &mut self,
        wanted: &DmfEvent,
        layout: &Layout,
        scene: &Scene<'_>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Event>, Unread> {
        self.on_the_way = false;
        let reading = Reading { dmf: scene.dmf, passage: &self.passage, layouts: scene.layouts };
        let receiver = passage::receiver(&reading, layout, &wanted.widget);
        let kind = match wanted.action {
            DmfAction::Back => return Ok(Some(Event::global(EventKind::Back))),
            DmfAction::Home => return Ok(Some(Event::global(EventKind::Home))),
            DmfAction::Enter => return Ok(Some(Event::global(EventKind::Enter))),
            DmfAction::Sleep => {
                let seconds = wanted.text.trim().parse::<f64>().unwrap_or(1.0);
                let seconds = seconds.clamp(1.0, f64::from(Event::LONGEST_WAIT)).ceil();
                return Ok(Some(Event::wait(u32::try_from(whole(seconds)).unwrap_or(Event::LONGEST_WAIT))));
            }
            DmfAction::ScrollTo => {
                let is_there = match (wanted.text.as_str(), &self.sought) {
                    ("", _) => matches!(receiver, Ok(Some(_))),
                    (_, Some(sought)) => shows(layout, sought),
                    (_, None) => {
                        let sought = typed(wanted, &reading, scene, rng)?;
                        shows(layout, self.sought.insert(sought))
                    }
                };
                return if is_there { Ok(None) } else { self.swipe(layout).map(Some) };
            }
            DmfAction::Click => {
                let key = scene.dmf.receiver(wanted).and_then(system_key);
                if let Some(key) = key.filter(|_| receiver.is_err()) {
                    return Ok(Some(Event::global(key)));
                }
                EventKind::Click
            }
            DmfAction::LongClick => EventKind::LongClick,
            DmfAction::Edit => EventKind::Edit,
            DmfAction::Scroll(direction) => EventKind::Scroll(direction),
        };
        let widget = match receiver? {
            Some(widget) => widget,
            None if matches!(kind, EventKind::Scroll(_)) => {
                scrollable(layout).ok_or_else(|| Unread("nothing on the layout scrolls".into()))?
            }
            None => return Err(Unread("it names no widget".into())),
        };
        let mut event = Event::on(kind, layout.selector(widget.id()));
        if kind == EventKind::Edit {
            event.data = Some(typed(wanted, &reading, scene, rng)?);
        }
        Ok(Some(event))
    }

    fn swipe(&mut self, layout: &Layout) -> Result<Event, Unread> {
        if self.swipes >= MOST_SWIPES {
            let what =
                self.sought.as_ref().map_or("its widget".to_owned(), |text| format!("the text {text:?}"));
            return Err(Unread(format!("{what} did not come into view in {MOST_SWIPES} swipes")));
        }
        let list = scrollable(layout).ok_or_else(|| Unread("nothing on the layout scrolls".into()))?;
        self.swipes += 1;
        self.on_the_way = true;
        Ok(Event::on(EventKind::Scroll(Direction::Down), layout.selector(list.id())))
    }
}

/// True when a widget shows this text, whole.
fn shows(layout: &Layout, text: &str) -> bool {
    layout.widgets().any(|widget| widget.text() == text)
}

/// The text that an event types or scrolls to: the text itself, `random`, `TYPE::random` or `X.text`.
fn typed(
    wanted: &DmfEvent,
    reading: &Reading<'_>,
    scene: &Scene<'_>,
    rng: &mut ChaCha8Rng,
) -> Result<String, Unread> {
    if wanted.text == "random" {
        let conflict = scene.dmf.impacts.iter().any(|impact| impact.operator == Operator::AddConflict);
        let known = scene.model.objects(&scene.dmf.datatype);
        return Ok(text::random_text(Demands { known, conflict, ascii: scene.ascii }, rng));
    }
    match wanted.text.strip_suffix("::random") {
        Some(datatype) => {
            let object = scene.model.any(datatype, rng).map(str::to_owned);
            object.ok_or_else(|| Unread(format!("the data model has no {datatype}")))
        }
        None => reading.text(&wanted.text),
    }
}

/// The largest widget that scrolls.
fn scrollable(layout: &Layout) -> Option<Widget<'_>> {
    let area = |widget: &Widget<'_>| {
        let bounds = widget.bounds();
        i64::from(bounds.width()) * i64::from(bounds.height())
    };
    layout.widgets().filter(|w| w.has(Flags::SCROLLABLE) && w.is_touchable()).max_by_key(area)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use droidmux_gui::{Bounds, LayoutBuilder, NewWidget};
    use droidmux_record::{DmfWidget, Operation};

    struct Nothing;

    impl Layouts for Nothing {
        fn layout(&self, _: LayoutHash) -> Option<std::sync::Arc<Layout>> {
            None
        }
    }

    /// A list with these rows.
    fn list(rows: &[&str]) -> Layout {
        let mut builder = LayoutBuilder::new();
        let flags = Flags::ENABLED.with(Flags::SCROLLABLE, true);
        let bounds = Bounds::new(0, 0, 9, 9);
        builder.open(NewWidget { class: "List", flags, bounds, ..NewWidget::default() });
        for text in rows {
            builder.open(NewWidget { class: "Row", text, bounds, ..NewWidget::default() });
            builder.close();
        }
        builder.finish()
    }

    fn function(widget: &DmfWidget, event: DmfEvent) -> Dmf {
        Dmf {
            datatype: "note".into(),
            name: "scroll".into(),
            operation: Operation::View,
            proportion: 1,
            widgets: vec![widget.clone()],
            preconditions: Vec::new(),
            events: vec![event],
            impacts: Vec::new(),
            postconditions: Vec::new(),
            fault: None,
        }
    }

    #[test]
    fn a_click_on_a_key_of_the_system_is_that_key_where_no_dump_shows_it() {
        let model = DataModel::default();
        let back = "com.android.systemui:id/back";
        // Whether the screen shows the widget, the action, and what is done.
        for (shown, action, expected) in [
            (false, DmfAction::Click, Some(EventKind::Back)),
            (true, DmfAction::Click, Some(EventKind::Click)),
            (false, DmfAction::LongClick, None),
        ] {
            let widget = DmfWidget { name: "key".into(), resource_id: back.into(), ..DmfWidget::default() };
            let event = DmfEvent { action, widget: "key".into(), text: String::new(), force: true };
            let mut builder = LayoutBuilder::new();
            let resource_id = if shown { back } else { "org.notes:id/list" };
            builder.open(NewWidget { class: "Key", resource_id, ..NewWidget::default() });
            let screen = builder.finish();
            let dmf = function(&widget, event);
            let scene = Scene { dmf: &dmf, layouts: &Nothing, model: &model, ascii: true };
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let done = match Execution::begin(0, LayoutHash([0; 16])).next(&screen, &scene, &mut rng) {
                Next::Perform(event) => Some(event.kind),
                Next::Done | Next::Failed(_) => None,
            };
            assert_eq!(done, expected, "{shown} {action:?}");
        }
    }

    #[test]
    fn scrollto_goes_by_the_events_text() {
        let event = |text: &str, widget: &str| DmfEvent {
            action: DmfAction::ScrollTo,
            widget: widget.into(),
            text: text.into(),
            force: true,
        };
        let row = DmfWidget { name: "row".into(), text: "row 2".into(), ..DmfWidget::default() };
        let mut model = DataModel::default();
        model.add("note", "row 2");
        // The event's text and widget, and which of three screens it stops at; `None` when at none.
        let cases = [
            ("row 3", "", Some(2)),
            ("row 3", "row", Some(2)),
            ("row", "", None),
            ("note::random", "row", Some(1)),
            ("", "row", Some(1)),
        ];
        let screens = [list(&["row 0", "row 1"]), list(&["row 1", "row 2"]), list(&["row 3"])];
        for (text, widget, expected) in cases {
            let dmf = function(&row, event(text, widget));
            let scene = Scene { dmf: &dmf, layouts: &Nothing, model: &model, ascii: true };
            let mut execution = Execution::begin(0, LayoutHash([0; 16]));
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let mut at = 0;
            let stopped = loop {
                let screen = &screens[at.min(2)];
                match execution.next(screen, &scene, &mut rng) {
                    Next::Done => break Some(at),
                    Next::Failed(why) => {
                        assert!(why.contains("did not come into view in 10 swipes"), "{why}");
                        break None;
                    }
                    Next::Perform(event) => {
                        assert_eq!(event.kind, EventKind::Scroll(Direction::Down), "{text} {widget}");
                        execution.stepped(0, screen.hash());
                        at += 1;
                    }
                }
            };
            assert_eq!(stopped, expected, "{text} {widget}");
        }
    }
}
