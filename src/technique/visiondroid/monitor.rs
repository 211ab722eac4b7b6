//! The Monitor: follows the test, names the function under test, and says when it is finished.

use super::chronicle::{Chronicle, Stage};
use super::misreply::Misreply;
use super::pictures;
use super::prompt::{self, Prompt};
use crate::VisiondroidSettings;
use crate::members::{flag, text};
use crate::reply;
use droidmux_record::{Agent, Layouts, Question};

/// What the Monitor says of the last steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The page, described.
    pub page: String,
    /// The function under test; empty to keep its name.
    pub function: String,
    /// With these steps a new function begins.
    pub new: bool,
    /// With these steps the function is finished.
    pub finished: bool,
    /// They are worth a picture.
    pub informative: bool,
}

const ROLE: &str = "You supervise the test of a mobile app. After each step you say which function of the \
                    app is being tested, whether a new one begins, and whether it is finished.";

const SCHEMA: &str = r#"{"type":"object","properties":{"page":{"type":"string"},"function":{"type":"string"},"new_function":{"type":"boolean"},"finished":{"type":"boolean"},"informative":{"type":"boolean"}},"required":["page","function","new_function","finished","informative"],"additionalProperties":false}"#;

/// The members of a reply that speak of the last steps.
macro_rules! members {
    () => {
        r#""page": what the current page shows and is for, in a sentence,
 "function": the function of the app that the last steps test, in a few words,
 "new_function": true when the last steps begin another function than the one under way,
 "finished": true when with the last steps the function under test has been carried out to its end,
 "informative": false when the last steps tell nothing (nothing changed, a detour)"#
    };
}
pub(super) use members;

const WANTED: &str = concat!("Reply with one JSON object:\n{", members!(), "}");

/// The question about the steps that the Monitor has not spoken of.
pub fn question(
    chronicle: &Chronicle,
    complaint: Option<&str>,
    settings: &VisiondroidSettings,
    layouts: &dyn Layouts,
) -> Question {
    let mut prompt = Prompt::default();
    prompt.section("App", &prompt::place(chronicle));
    prompt.section("Functions tested so far", &functions(chronicle));
    let first = chronicle.open().map(|open| open.first);
    follow(&mut prompt, chronicle);
    prompt.pictures(pictures::history(
        chronicle,
        first.unwrap_or(1)..=chronicle.steps.len(),
        settings.history,
    ));
    prompt.pictures(pictures::current(chronicle, layouts));
    prompt.complaint(complaint);
    prompt.text(WANTED);
    prompt.question(Agent::Monitor, ROLE, SCHEMA)
}

/// The steps to speak of, and the function that they go on with.
pub fn follow(prompt: &mut Prompt, chronicle: &Chronicle) {
    let under_way = match chronicle.open() {
        Some(open) => {
            let steps = chronicle.told_briefly(open.first..*chronicle.untold().start());
            format!("{}\n{steps}", open.name)
        }
        None => "none: the last steps begin one".to_owned(),
    };
    prompt.section("Function under way", &under_way);
    prompt.section("Last steps", &chronicle.told_to_now(chronicle.untold()));
    prompt.section("Screen now", &chronicle.screen(chronicle.steps.len()));
}

/// The functions of a test by name, with their steps.
pub fn functions(chronicle: &Chronicle) -> String {
    let told = chronicle.functions.iter().filter(|function| !matches!(function.stage, Stage::Open));
    let line = |function: &super::chronicle::Function| {
        format!("- {}: {}", function.name, chronicle.actions(function.first, function.last))
    };
    let lines: Vec<String> = told.map(line).collect();
    let newest = lines.len().saturating_sub(prompt::MOST_FUNCTIONS);
    lines.get(newest..).unwrap_or_default().join("\n")
}

/// What it says in a reply.
///
/// # Errors
/// [`Misreply`]: what is wrong with it.
pub fn read(reply: &str) -> Result<Remark, Misreply> {
    let members = reply::object(reply).ok_or(Misreply::NoObject)?;
    let function = text(&members, &["function", "current_function", "function_name"]);
    let finished = flag(&members, &["finished", "function_finished", "done", "complete"]);
    let new = flag(&members, &["new_function", "new", "is_new"]);
    if function.is_empty() && finished.is_none() && new.is_none() {
        return Err(Misreply::NoRemark);
    }
    Ok(Remark {
        page: text(&members, &["page", "gui", "description"]).replace(char::is_control, " "),
        function: function.lines().next().unwrap_or_default().chars().take(120).collect(),
        new: new.unwrap_or(false),
        finished: finished.unwrap_or(false),
        informative: flag(&members, &["informative"]).unwrap_or(true),
    })
}
