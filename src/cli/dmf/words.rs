//! What lint found, as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::output::json_block;
use droidmux_gui::printable;
use droidmux_record::Specification;
use droidmux_technique::pbfdroid::lint::{Presence, Remark, Weight};

/// Everything that is said of a specification.
pub(super) struct Report<'a> {
    pub name: String,
    pub specification: &'a Specification,
    pub remarks: &'a [Remark],
    /// For each function, when a screen was looked at.
    pub on_screen: Option<Vec<Vec<Presence>>>,
}

impl Report<'_> {
    fn of(&self, function: Option<usize>) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().filter(move |remark| remark.function == function)
    }

    fn faulty(&self) -> usize {
        let faulty = |n: &usize| self.of(Some(*n)).any(|remark| remark.weight == Weight::Fault);
        (0..self.specification.dmfs.len()).filter(faulty).count()
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for (number, dmf) in self.specification.dmfs.iter().enumerate() {
            let screen = self.on_screen.as_ref().and_then(|screen| screen.get(number));
            if self.of(Some(number)).next().is_none() && screen.is_none() {
                continue;
            }
            let _ =
                writeln!(text, "{} ({}, {})", printable(&dmf.name), dmf.operation, printable(&dmf.datatype));
            self.of(Some(number)).for_each(|remark| text += &line(remark));
            screen.into_iter().flatten().for_each(|presence| push_presence(&mut text, presence));
        }
        if self.of(None).next().is_some() {
            text += "key views\n";
            self.of(None).for_each(|remark| text += &line(remark));
        }
        let left_out = self.of(None).filter(|remark| remark.weight == Weight::Fault).count();
        let key_views = match left_out {
            0 => String::new(),
            count => format!(", {} left out", self::count(count, "key view")),
        };
        let notes = self.remarks.iter().filter(|remark| remark.weight == Weight::Note).count();
        let functions = self.specification.dmfs.len();
        let _ = writeln!(
            text,
            "{}: {}, {} that cannot be used{key_views}, {}",
            self.name,
            count(functions, "function"),
            self.faulty(),
            count(notes, "note")
        );
        text
    }

    pub fn json(&self) -> String {
        let functions: Vec<Value> = self
            .specification
            .dmfs
            .iter()
            .enumerate()
            .map(|(number, dmf)| {
                let remarks: Vec<&Remark> = self.of(Some(number)).collect();
                let mut function = json!({
                    "function": dmf.name,
                    "type": dmf.operation.name(),
                    "datatype": dmf.datatype,
                    "usable": remarks.iter().all(|remark| remark.weight == Weight::Note),
                    "remarks": remarks.into_iter().map(remark_json).collect::<Vec<_>>(),
                });
                let screen = self.on_screen.as_ref().and_then(|screen| screen.get(number));
                if let Some(screen) = screen {
                    function["screen"] = screen.iter().map(presence_json).collect();
                }
                function
            })
            .collect();
        let key_views: Vec<Value> = self.of(None).map(remark_json).collect();
        json_block(&json!({ "file": self.name, "functions": functions, "key_views": key_views }))
    }
}

/// A remark as a line of text.
pub(super) fn line(remark: &Remark) -> String {
    let about = if remark.about.is_empty() { String::new() } else { format!("{}: ", remark.about) };
    format!("  {:<5}  {}\n", weight(remark.weight), printable(&format!("{about}{}", remark.what)))
}

fn push_presence(text: &mut String, presence: &Presence) {
    let mark = match presence.fits {
        Some(true) => "there",
        Some(false) => "no",
        None => "?",
    };
    let words = format!("{} {}: {}", presence.part, presence.asked, presence.found);
    let _ = writeln!(text, "  {mark:<5}  {}", printable(&words));
}

fn remark_json(remark: &Remark) -> Value {
    json!({ "weight": weight(remark.weight), "about": remark.about, "what": remark.what })
}

fn presence_json(presence: &Presence) -> Value {
    json!({
        "part": presence.part,
        "asked": presence.asked,
        "fits": presence.fits,
        "found": presence.found,
    })
}

fn weight(weight: Weight) -> &'static str {
    match weight {
        Weight::Fault => "fault",
        Weight::Note => "note",
    }
}

/// `1 note`, `2 notes`
fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
