//! Remarks on a function's conditions and impacts.

use super::Lint;
use droidmux_record::{Condition, Impact, Operation, Relation, text_source};

impl Lint<'_> {
    pub(super) fn conditions(&mut self) {
        let dmf = self.dmf;
        for (number, condition) in dmf.preconditions.iter().enumerate() {
            let about = format!("precondition {}", number + 1);
            self.data(&about, condition, true);
            self.precondition(&about, condition);
        }
        self.first_widget();
        for (number, impact) in dmf.impacts.iter().enumerate() {
            self.impact(&format!("impact {}", number + 1), impact);
        }
        self.impacts();
        for (number, condition) in dmf.postconditions.iter().enumerate() {
            let about = format!("post-condition {}", number + 1);
            self.data(&about, condition, false);
            self.postcondition(&about, condition);
        }
    }

    /// What a condition asks of the data model.
    fn data(&mut self, about: &str, condition: &Condition, is_precondition: bool) {
        let kind = &condition.datatype;
        let name = condition.relation.name();
        let wants_object = match condition.relation {
            Relation::In => !kind.is_empty(),
            Relation::IsNotEmpty => true,
            Relation::NotIn | Relation::IsEmpty | Relation::Smaller => false,
        };
        let on_data =
            matches!(condition.relation, Relation::IsEmpty | Relation::IsNotEmpty | Relation::Smaller);
        if on_data && kind.is_empty() {
            let what = format!("`{name}` asks the data model of no type; fill in `datatype`");
            if wants_object { self.fault(about, what) } else { self.note(about, what) }
        } else if wants_object && !self.grows(kind) {
            let what = format!("no function adds a {kind}, so this never holds");
            if is_precondition { self.fault(about, what) } else { self.note(about, what) }
        } else if on_data && !condition.widget.is_empty() {
            self.note(about, format!("`{name}` asks the data model alone; its widget is not used"));
        }
    }

    fn precondition(&mut self, about: &str, condition: &Condition) {
        let Some(widget) = self.dmf.widget(&condition.widget) else { return };
        if let Some(layout) = widget.layout.filter(|layout| *layout > 0) {
            let name = &widget.name;
            self.note(
                about,
                format!("`{name}` is said to be on layout {layout}; preconditions are read on layout 0"),
            );
        }
        let source = widget.text_source().and_then(|name| self.dmf.widget(name));
        if let Some(source) = source.filter(|source| source.layout.is_some_and(|layout| layout > 0)) {
            let what = format!(
                "needs the text of `{}`, which is not known before the function is carried out",
                source.name
            );
            self.note(about, what);
        }
    }

    /// Without its first widget a function fails at once; any widget that must be there may stand for
    /// its page.
    fn first_widget(&mut self) {
        let dmf = self.dmf;
        let first = dmf.events.first().filter(|event| event.force && !event.widget.is_empty());
        let Some(first) = first else { return };
        let asks =
            |condition: &Condition| condition.relation == Relation::In && condition.datatype.is_empty();
        if !dmf.preconditions.iter().any(asks) && !dmf.preconditions.is_empty() {
            let what = format!("no precondition asks for `{}`, which its first event needs", first.widget);
            self.note("", what);
        }
    }

    fn impact(&mut self, about: &str, impact: &Impact) {
        let object = &impact.object;
        if self.dmf.widget(object).is_some() {
            self.note(
                about,
                format!("the object is the word `{object}`; for what the widget shows write `{object}.text`"),
            );
        }
        let removes = self.removals().any(|removal| std::ptr::eq(removal, impact));
        if removes && !self.grows(&self.dmf.datatype) {
            let what = format!("no function adds a {}, so there is never one to remove", self.dmf.datatype);
            self.note(about, what);
        }
    }

    /// The impacts that an operation of this type has.
    fn impacts(&mut self) {
        let dmf = self.dmf;
        let (adds, removes) = (self.additions().next().is_some(), self.removals().next().is_some());
        let what = match dmf.operation {
            Operation::Add if !adds => "no impact adds an object",
            // An edit of something else about the object leaves it as it is.
            Operation::Edit if !adds && !removes => return,
            Operation::Edit if !adds => "no impact adds the object as it is after the edit",
            Operation::Edit if !removes => "no impact deletes the object as it was before the edit",
            Operation::Delete if !removes => "no impact deletes an object",
            Operation::View | Operation::Search if adds || removes => {
                "its impacts change the data model, though it only reads"
            }
            _ => return,
        };
        self.note("", format!("its type is `{}`, and {what}", dmf.operation));
    }

    fn postcondition(&mut self, about: &str, condition: &Condition) {
        let dmf = self.dmf;
        let Some(widget) = dmf.widget(&condition.widget) else { return };
        let end = dmf.events.len();
        // Optional events may be left out, so any number from here on can be meant.
        let least = dmf.events.iter().filter(|event| event.force).count();
        let said = condition.layout.or(widget.layout);
        if let Some(layout) = said.filter(|layout| !(least..=end).contains(&(*layout as usize))) {
            let what = format!(
                "says layout {layout}; it is read on the last one, which after {end} events is {end}"
            );
            self.note(about, what);
        }
        if !condition.datatype.is_empty() {
            return;
        }
        if widget.text.is_empty() {
            // Beside a post-condition about the object it is a sign of the right page.
            let about_data = |it: &Condition| {
                !it.datatype.is_empty()
                    || dmf.widget(&it.widget).is_some_and(|widget| !widget.text.is_empty())
            };
            if !dmf.postconditions.iter().any(about_data) {
                let name = &widget.name;
                let what =
                    format!("`{name}` has no text: any widget with its attributes counts, whatever it shows");
                self.note(about, what);
            }
            return;
        }
        let Some(source) = text_source(&widget.text) else { return };
        let names = |impact: &Impact| text_source(&impact.object) == Some(source);
        match (condition.relation, dmf.operation) {
            (Relation::NotIn, _)
                if !self.removals().any(|impact| names(impact) || impact.object.is_empty()) =>
            {
                self.note(
                    about,
                    format!("no impact deletes the text of `{source}`: why should it not be shown?"),
                );
            }
            (Relation::In, Operation::Add | Operation::Edit)
                if !dmf.impacts.is_empty() && !self.additions().any(names) =>
            {
                self.note(about, format!("no impact adds the text of `{source}`: is it the new object?"));
            }
            _ => {}
        }
    }
}
