//! What lint found, as text and as JSON.

use std::fmt::Write;

use serde::Serialize;

use crate::output::json_block;
use droidmux_record::Specification;
use droidmux_technique::pbfdroid::lint::{Presence, Remark, Weight};
use droidmux_words::{figure, printable};

/// `droidmux dmf lint --json`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "dmf-lint"))]
pub(crate) struct LintJson<'a> {
    file: &'a str,
    functions: Vec<FunctionJson<'a>>,
    key_views: Vec<RemarkJson<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "function"))]
struct FunctionJson<'a> {
    /// Its name.
    function: &'a str,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<droidmux_record::Operation>"))]
    r#type: &'static str,
    datatype: &'a str,
    usable: bool,
    remarks: Vec<RemarkJson<'a>>,
    /// With `--device`: what of it is on the screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Vec<PresenceJson<'a>>"))]
    screen: Option<Vec<PresenceJson<'a>>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "remark"))]
struct RemarkJson<'a> {
    weight: WeightJson,
    /// The part concerned; may be empty.
    about: &'a str,
    what: &'a str,
}

/// A function with a fault cannot be used.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "weight"))]
enum WeightJson {
    Fault,
    Note,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "presence"))]
struct PresenceJson<'a> {
    part: &'a str,
    asked: &'a str,
    /// Null when this screen cannot tell.
    fits: Option<bool>,
    found: &'a str,
}

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
            count => format!(", {} left out", figure::count(count, "key view")),
        };
        let notes = self.remarks.iter().filter(|remark| remark.weight == Weight::Note).count();
        let functions = self.specification.dmfs.len();
        let _ = writeln!(
            text,
            "{}: {}, {} that cannot be used{key_views}, {}",
            self.name,
            figure::count(functions, "function"),
            self.faulty(),
            figure::count(notes, "note")
        );
        text
    }

    pub fn json(&self) -> String {
        let functions = self.specification.dmfs.iter().enumerate().map(|(number, dmf)| {
            let screen = self.on_screen.as_ref().and_then(|screen| screen.get(number));
            FunctionJson {
                function: &dmf.name,
                r#type: dmf.operation.name(),
                datatype: &dmf.datatype,
                usable: self.of(Some(number)).all(|remark| remark.weight == Weight::Note),
                remarks: self.of(Some(number)).map(RemarkJson::of).collect(),
                screen: screen.map(|screen| screen.iter().map(PresenceJson::of).collect()),
            }
        });
        json_block(&LintJson {
            file: &self.name,
            functions: functions.collect(),
            key_views: self.of(None).map(RemarkJson::of).collect(),
        })
    }
}

impl<'a> RemarkJson<'a> {
    fn of(remark: &'a Remark) -> Self {
        let weight = match remark.weight {
            Weight::Fault => WeightJson::Fault,
            Weight::Note => WeightJson::Note,
        };
        Self { weight, about: &remark.about, what: &remark.what }
    }
}

impl<'a> PresenceJson<'a> {
    fn of(presence: &'a Presence) -> Self {
        let Presence { part, asked, fits, found } = presence;
        Self { part, asked, fits: *fits, found }
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

fn weight(weight: Weight) -> &'static str {
    match weight {
        Weight::Fault => "fault",
        Weight::Note => "note",
    }
}
