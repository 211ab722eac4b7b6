//! Remarks on a function's events.

use super::{Lint, event_name};
use droidmux_gui::Event;
use droidmux_record::{DmfAction, DmfEvent, Operation};

impl Lint<'_> {
    pub(super) fn events(&mut self) {
        let dmf = self.dmf;
        if !dmf.events.is_empty() && dmf.events.iter().all(|event| !event.force) {
            self.note(
                "",
                "all its events are optional, so it may be carried out without doing anything".into(),
            );
        }
        for (number, event) in dmf.events.iter().enumerate() {
            let about = event_name(number, event);
            self.text(&about, event);
            self.order(&about, number, event);
        }
    }

    fn text(&mut self, about: &str, event: &DmfEvent) {
        let dmf = self.dmf;
        match event.action {
            DmfAction::Edit => self.typed(about, event),
            DmfAction::ScrollTo => self.sought(about, event),
            DmfAction::Sleep => {
                let seconds: f64 = event.text.trim().parse().unwrap_or(0.0);
                if seconds > f64::from(Event::LONGEST_WAIT) {
                    self.note(about, format!("it waits {} seconds at most", Event::LONGEST_WAIT));
                }
            }
            _ if !event.text.is_empty() => {
                self.note(
                    about,
                    format!(
                        "its text `{}` is not used: only `edit`, `scrollto` and `sleep` have one",
                        event.text
                    ),
                );
            }
            _ => {}
        }
        if acts_on_nothing(event.action) && !event.widget.is_empty() {
            self.note(about, format!("its widget `{}` is not used", event.widget));
        }
        if event.action == DmfAction::Edit && dmf.widget(&event.text).is_some() {
            let text = &event.text;
            self.note(
                about,
                format!("types the word `{text}`; for what the widget shows write `{text}.text`"),
            );
        }
    }

    fn typed(&mut self, about: &str, event: &DmfEvent) {
        let dmf = self.dmf;
        match event.text.strip_suffix("::random") {
            Some(datatype) => self.of_the_data(about, event, "types", datatype),
            None if event.text.is_empty() => self.note(about, "types nothing: it empties the field".into()),
            None if event.text != "random" => {}
            None => match dmf.operation {
                Operation::Search => {
                    let kind = &dmf.datatype;
                    let what = format!(
                        "searches for random text, which finds nothing; `{kind}::random` is a {kind} that is there"
                    );
                    self.note(about, what);
                }
                Operation::Delete | Operation::View => {
                    let what =
                        format!("types random text, in a function that is to {} something", dmf.operation);
                    self.note(about, what);
                }
                Operation::Add | Operation::Edit => {}
            },
        }
    }

    /// What it scrolls to.
    fn sought(&mut self, about: &str, event: &DmfEvent) {
        if event.text.is_empty() {
            return;
        }
        if event.text == "random" {
            self.note(about, "scrolls to random text, which is nowhere".into());
        }
        if let Some(datatype) = event.text.strip_suffix("::random") {
            self.of_the_data(about, event, "scrolls to", datatype);
        }
        if !event.widget.is_empty() {
            let (widget, text) = (&event.widget, &event.text);
            self.note(about, format!("its widget `{widget}` is not used: it scrolls to the text `{text}`"));
        }
    }

    /// A text that is to be drawn from the data model.
    fn of_the_data(&mut self, about: &str, event: &DmfEvent, does: &str, datatype: &str) {
        if !self.grows(datatype) {
            let what =
                format!("{does} a {datatype} of the data model, and no function adds one: it always fails");
            if event.force { self.fault(about, what) } else { self.note(about, what) }
        }
    }

    /// Layout numbers that go backwards: the numbers count the events before.
    fn order(&mut self, about: &str, number: usize, event: &DmfEvent) {
        let layout = |event: &DmfEvent| match acts_on_nothing(event.action) {
            true => None,
            false => self.dmf.receiver(event).and_then(|widget| widget.layout),
        };
        let Some(present) = layout(event) else { return };
        let earlier = self.dmf.events.iter().take(number).filter_map(layout).max();
        if let Some(earlier) = earlier.filter(|earlier| *earlier > present) {
            let what = format!(
                "its widget is said to be on layout {present}, and an earlier event's on layout {earlier}"
            );
            self.note(about, what);
        }
    }
}

fn acts_on_nothing(action: DmfAction) -> bool {
    matches!(action, DmfAction::Back | DmfAction::Home | DmfAction::Enter | DmfAction::Sleep)
}
