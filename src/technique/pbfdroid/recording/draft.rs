//! The function that a recording and its answers make.

use super::description::{Wanted, describe};
use super::places::ShownAt;
use super::{Answers, Predicate, Recording, Unmapped, When};
use crate::pbfdroid::format::fault;
use crate::pbfdroid::locate;
use droidmux_gui::WidgetId;
use droidmux_record::{
    Condition, Dmf, DmfAction, DmfEvent, DmfWidget, Impact, Operation, Operator, Relation, text_source,
};

/// Makes the function: its events, the widgets that its objects are read from and shown by, the
/// conditions of its type, and the person's own.
///
/// # Errors
///
/// When a text is shown nowhere, or a widget is not there.
pub fn specify(recording: &Recording, answers: &Answers) -> Result<Dmf, Unmapped> {
    let (dmf, lacks) = sketch(recording, answers);
    lacks.map_or(Ok(dmf), Err)
}

/// The function as far as it can be made, and what it lacks to be whole.
pub fn sketch(recording: &Recording, answers: &Answers) -> (Dmf, Option<Unmapped>) {
    let mut draft = Draft { recording, answers, dmf: empty(answers) };
    let lacks = draft.draw().err();
    draft.dmf.fault = fault(&draft.dmf);
    (draft.dmf, lacks)
}

struct Draft<'a> {
    recording: &'a Recording,
    answers: &'a Answers,
    dmf: Dmf,
}

fn empty(answers: &Answers) -> Dmf {
    Dmf {
        datatype: answers.datatype.clone(),
        name: answers.name.clone(),
        operation: answers.operation,
        proportion: answers.proportion,
        widgets: Vec::new(),
        preconditions: Vec::new(),
        events: Vec::new(),
        impacts: Vec::new(),
        postconditions: Vec::new(),
        fault: None,
    }
}

impl Draft<'_> {
    fn draw(&mut self) -> Result<(), Unmapped> {
        if self.recording.steps.is_empty() {
            return Err(Unmapped::Empty);
        }
        self.events()?;
        self.preconditions();
        self.objects()?;
        self.answers.predicates.iter().try_for_each(|predicate| self.predicate(predicate))
    }

    fn events(&mut self) -> Result<(), Unmapped> {
        for (number, step) in self.recording.steps.iter().enumerate() {
            let name = match step.widget {
                Some(widget) => {
                    let wanted = match step.action {
                        DmfAction::Click | DmfAction::LongClick => Wanted::Touch,
                        _ => Wanted::Content,
                    };
                    self.widget(
                        format!("e{}_widget", number + 1),
                        ShownAt { layout: number, widget },
                        wanted,
                    )?
                }
                None => String::new(),
            };
            let event = DmfEvent { action: step.action, widget: name, text: self.typed(number), force: true };
            self.dmf.events.push(event);
        }
        Ok(())
    }

    /// What an edit types when the function is carried out: objects are others every time.
    fn typed(&self, number: usize) -> String {
        let Some(step) = self.recording.steps.get(number) else { return String::new() };
        let is_object = step.text == self.answers.after;
        match (step.action, self.answers.operation) {
            (DmfAction::Edit, Operation::Search | Operation::View) if is_object => {
                format!("{}::random", self.answers.datatype)
            }
            (DmfAction::Edit, _) if is_object || step.random => "random".to_owned(),
            (DmfAction::Edit | DmfAction::Sleep, _) => step.text.clone(),
            _ => String::new(),
        }
    }

    fn preconditions(&mut self) {
        let first = self.dmf.events.first().map(|event| event.widget.clone()).filter(|name| !name.is_empty());
        if let Some(first) = first {
            self.dmf.preconditions.push(on_layout(Relation::In, first, 0));
        }
        if self.answers.operation == Operation::Search {
            self.dmf.preconditions.push(on_data(Relation::IsNotEmpty, &self.answers.datatype));
        }
    }

    /// The objects of the function, its impacts and its post-conditions, by its type.
    fn objects(&mut self) -> Result<(), Unmapped> {
        match self.answers.operation {
            Operation::Add => {
                self.given("add")?;
                self.impact("add", Operator::Add);
            }
            Operation::View => drop(self.given("view")?),
            Operation::Search => drop(self.given("search")?),
            Operation::Edit => {
                let shown = self.given("add")?;
                self.taken(Some(shown))?;
                self.impact("delete", Operator::Delete);
                self.impact("add", Operator::Add);
            }
            Operation::Delete => {
                self.taken(None)?;
                self.impact("delete", Operator::Delete);
            }
        }
        Ok(())
    }

    /// The object that is added or shown: where its text is read, and that the end shows it.
    fn given(&mut self, role: &str) -> Result<DmfWidget, Unmapped> {
        let text = object(&self.answers.after)?;
        let shown = self.recording.shown(text)?;
        let name = self.widget(format!("{role}_name"), self.recording.given(text)?, Wanted::Content)?;
        let described = DmfWidget { instance: None, ..self.described(shown, Wanted::Content)? };
        self.object_on_end(role, &name, described.clone(), Relation::In);
        Ok(described)
    }

    /// The object that is taken away: where its text is read, and that nothing shows it in the end. `instead` is how
    /// objects are shown there, when the widget it is read from belongs to another page.
    fn taken(&mut self, instead: Option<DmfWidget>) -> Result<(), Unmapped> {
        let place = self.recording.taken(object(&self.answers.before)?)?;
        let name = self.widget("delete_name".into(), place, Wanted::Content)?;
        let read = DmfWidget { instance: None, ..self.described(place, Wanted::Content)? };
        let is_there = !locate::find(&self.recording.last, &read, "").is_empty();
        let described = instead.filter(|_| !is_there).unwrap_or(read);
        self.object_on_end("delete", &name, described, Relation::NotIn);
        Ok(())
    }

    /// A widget that shows the text of `source` on lₙ, and the post-condition about it.
    fn object_on_end(&mut self, role: &str, source: &str, described: DmfWidget, relation: Relation) {
        let (name, end) = (format!("{role}_object"), self.recording.steps.len());
        let text = format!("{source}.text");
        self.dmf.widgets.push(DmfWidget { name: name.clone(), layout: number(end), text, ..described });
        self.dmf.postconditions.push(on_layout(relation, name, end));
    }

    fn impact(&mut self, role: &str, operator: Operator) {
        self.dmf.impacts.push(Impact { object: format!("{role}_name.text"), operator });
    }

    fn predicate(&mut self, predicate: &Predicate) -> Result<(), Unmapped> {
        let (role, end) = match predicate.when {
            When::Before => ("pre", 0),
            When::After => ("post", self.recording.steps.len()),
        };
        let condition = match predicate.widget {
            Some((layout, widget)) => {
                let taken = self.dmf.widgets.iter().filter(|widget| widget.name.starts_with(role)).count();
                let name =
                    if taken == 0 { format!("{role}_widget") } else { format!("{role}_widget{}", taken + 1) };
                let name = self.widget(name, ShownAt { layout, widget }, Wanted::Sign)?;
                // Conditions are read on l₀ and lₙ, wherever the widget was pointed at.
                if let Some(widget) = self.dmf.widgets.last_mut() {
                    widget.layout = number(end);
                }
                on_layout(predicate.relation, name, end)
            }
            None => on_data(predicate.relation, &self.answers.datatype),
        };
        match predicate.when {
            When::Before => self.dmf.preconditions.push(condition),
            When::After => self.dmf.postconditions.push(condition),
        }
        Ok(())
    }

    /// Defines a widget and gives its name.
    fn widget(&mut self, name: String, place: ShownAt, wanted: Wanted) -> Result<String, Unmapped> {
        let described = self.described(place, wanted)?;
        self.dmf.widgets.push(DmfWidget { name: name.clone(), layout: number(place.layout), ..described });
        Ok(name)
    }

    fn described(&self, place: ShownAt, wanted: Wanted) -> Result<DmfWidget, Unmapped> {
        let ShownAt { layout: number, widget: WidgetId(id) } = place;
        let layouts = self.recording.layouts();
        let layout = layouts.get(number);
        let absent = Unmapped::NoWidget { layout: number, widget: id };
        let layout = layout.ok_or(absent.clone())?;
        let widget = layout.get(place.widget).ok_or(absent)?;
        let drawn = self.recording.steps.iter().filter(|step| step.random).map(|step| step.text.as_str());
        let objects: Vec<&str> = [self.answers.before.as_str(), &self.answers.after]
            .into_iter()
            .chain(drawn)
            .filter(|text| !text.is_empty())
            .collect();
        Ok(describe(layout, widget, wanted, &objects))
    }
}

/// A text that can stand for an object.
fn object(text: &str) -> Result<&str, Unmapped> {
    if text.is_empty() || text_source(text).is_some() {
        Err(Unmapped::NoObject(text.to_owned()))
    } else {
        Ok(text)
    }
}

fn on_layout(relation: Relation, widget: String, layout: usize) -> Condition {
    Condition { widget, relation, datatype: String::new(), layout: number(layout) }
}

fn on_data(relation: Relation, datatype: &str) -> Condition {
    Condition { widget: String::new(), relation, datatype: datatype.to_owned(), layout: None }
}

fn number(layout: usize) -> Option<u32> {
    u32::try_from(layout).ok()
}
