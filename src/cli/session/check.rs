//! `droidmux session check`: which widgets the rules of a session file pick on the screen of a device, and which rules
//! picked nothing in the last run.
//!
//! In: a session file, perhaps a device, the store. Out: a line for each rule, or one JSON object. A rule that
//! never matched in a whole run is most likely mistyped: exit code 1.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::super::caller::Caller;
use super::super::config::Config;
use super::super::output::json_line;
use super::super::session_file::line_of;
use super::super::{Usage, exit, read_session};
use droidmux_device::adb::{AdbDevice, Server};
use droidmux_device::{Device, DeviceError, Manner, Patience};
use droidmux_file as file;
use droidmux_gui::{Layout, Widget, WidgetId};
use droidmux_lab::rule_watch::{RulePlace, RuleWatch, picking};
use droidmux_record::{IgnoreRule, SessionDefinition, SessionId, SetupAction};
use droidmux_store::{Store, StoreError};
use droidmux_words::printable;

/// Dumps until two in a row are equal, at most.
const TRIES: u32 = 5;
/// The maximum size of a session file.
const MOST_BYTES: u64 = 1 << 20;
/// The most widgets listed in words for one rule; JSON has all.
const TOLD: usize = 5;

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The session file
    file: PathBuf,
    /// Hold the rules against the screen of this device, too
    #[arg(long, value_name = "SERIAL")]
    device: Option<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The screen of a device.
struct Shown {
    serial: String,
    package: String,
    activity: String,
    layout: Arc<Layout>,
}

/// What happened with a rule in the last run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// No session of the technique on the app is stored.
    NoRun,
    /// The last one did not have this rule.
    New,
    Matched,
    Never,
}

/// A rule and what is known about it.
struct Row {
    place: RulePlace,
    line: usize,
    rule: IgnoreRule,
    /// What a set-up rule does.
    action: Option<SetupAction>,
    /// The widgets of the screen that it picks; `None` without a screen.
    picks: Option<Vec<WidgetId>>,
    before: Before,
}

/// All that is known about a session file's rules.
struct Checked {
    file: PathBuf,
    definition: SessionDefinition,
    shown: Option<Shown>,
    last: Option<SessionId>,
    rows: Vec<Row>,
}

/// `droidmux session check --json`: what the rules of a session file pick.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "session-check"))]
pub(crate) struct CheckJson<'a> {
    file: String,
    technique: &'a str,
    app: &'a str,
    /// Null without `--device`.
    screen: Option<ScreenJson<'a>>,
    /// The latest session of the technique on the app; null where none is stored.
    #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+$")))]
    last_run: Option<String>,
    rules: Vec<RuleJson<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "screen"))]
struct ScreenJson<'a> {
    device: &'a str,
    package: &'a str,
    activity: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "rule"))]
struct RuleJson<'a> {
    #[cfg_attr(test, schemars(extend("enum" = ["ignore", "avoid", "only", "setup"])))]
    table: &'static str,
    #[cfg_attr(test, schemars(range(min = 1)))]
    number: u32,
    #[cfg_attr(test, schemars(range(min = 1)))]
    line: usize,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<IgnoreRule>"))]
    rule: &'a IgnoreRule,
    /// Null but for set-up rules.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced_or_null::<SetupAction>"))]
    r#do: Option<SetupAction>,
    /// It names an activity and no widget.
    whole_page: bool,
    /// Null without a screen.
    picks: Option<Vec<PickJson<'a>>>,
    last_run: Option<BeforeJson>,
}

/// What became of a rule in the last run; `absent` when that run did not have it.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "before"))]
enum BeforeJson {
    Matched,
    Never,
    Absent,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "pick"))]
struct PickJson<'a> {
    /// Its number on the layout.
    widget: u32,
    class: &'a str,
    resource_id: &'a str,
    text: &'a str,
    content_desc: &'a str,
    /// Left, top, right, bottom, in pixels.
    bounds: [i32; 4],
}

/// Checks a file. Exit code 1 when a rule never matched in the last run.
pub(crate) fn run(args: CheckArgs, store: Option<PathBuf>, caller: &Caller) -> color_eyre::Result<u8> {
    let path = caller.path(&args.file);
    let definition = read_session(&path, &Config::read()?.llm)?;
    let text = file::read_text(&path, MOST_BYTES)?;
    let shown = match &args.device {
        Some(serial) => Some(caller.block_on(look(serial))??),
        None => None,
    };
    let store = caller.store(store.as_deref(), true)?;
    let last = last_run(&store, &definition)?;
    let mut rows = rows(&definition, &text);
    for row in &mut rows {
        row.picks = shown.as_ref().map(|shown| shown.picked_by(row));
        row.before = last.as_ref().map_or(Before::NoRun, |last| last.of(row));
    }
    let checked = Checked { file: args.file, definition, shown, last: last.map(|last| last.session), rows };
    caller.print(&if args.json { json_line(&checked.json()) } else { checked.words() })?;
    let idle = checked.rows.iter().any(|row| row.before == Before::Never);
    Ok(if idle { exit::FOUND } else { exit::OK })
}

async fn look(serial: &str) -> color_eyre::Result<Shown> {
    let known = |error: DeviceError| -> color_eyre::Report {
        match error.kind {
            // For a mistyped serial, the error lists the ones that exist.
            droidmux_device::DeviceErrorKind::Lost(why) if why.contains("not found") => {
                Usage::new(format!("the ADB server knows no device {serial}"))
                    .hint("`droidmux devices` lists them")
                    .into()
            }
            _ => error.into(),
        }
    };
    let device = AdbDevice::new(Server::from_env()?, serial);
    let observed = device.observe(&Manner::Strict, TRIES, &Patience::default()).await.map_err(known)?;
    let front = observed.foreground;
    let (package, activity, layout) = (front.package, front.activity, observed.settled.layout);
    Ok(Shown { serial: serial.to_owned(), package, activity, layout })
}

impl Shown {
    fn picked_by(&self, row: &Row) -> Vec<WidgetId> {
        // A set-up rule ignores widgets without an area, as when a session runs.
        let there = |widget: &Widget<'_>| row.action.is_none() || !widget.bounds().is_empty();
        let widgets = self.layout.widgets().filter(there);
        widgets.filter(|widget| row.rule.matches(&self.activity, *widget)).map(Widget::id).collect()
    }
}

/// The rules of a file, table by table in its order.
fn rows(definition: &SessionDefinition, text: &str) -> Vec<Row> {
    let row = |place: RulePlace, rule: &IgnoreRule, action| {
        let at = [place.table.to_owned(), place.number.saturating_sub(1).to_string()];
        Row {
            place,
            line: line_of(text, &at),
            rule: rule.clone(),
            action,
            picks: None,
            before: Before::NoRun,
        }
    };
    let picks = picking(definition).map(|(place, rule)| row(place, rule, None));
    let setup = (1..)
        .zip(&definition.setup)
        .map(|(number, rule)| row(RulePlace { table: "setup", number }, &rule.find, Some(rule.action)));
    picks.chain(setup).collect()
}

/// The latest session of the technique on the app that ran anything.
struct LastRun {
    session: SessionId,
    definition: SessionDefinition,
    idle: Vec<RulePlace>,
}

fn last_run(store: &Store, definition: &SessionDefinition) -> Result<Option<LastRun>, StoreError> {
    for (session, record) in store.sessions()?.into_iter().rev() {
        let stored = record.definition;
        let is_of_it = stored.app == definition.app && stored.technique == definition.technique;
        if !is_of_it || stored.replayed().is_some() {
            continue;
        }
        let mut watch = RuleWatch::new(&stored);
        let mut runs = 0;
        for run in store.runs(session) {
            watch.look(&run?, store);
            runs += 1;
        }
        if runs > 0 {
            return Ok(Some(LastRun { session, definition: stored, idle: watch.idle_rules() }));
        }
    }
    Ok(None)
}

impl LastRun {
    /// Rules are recognised by their content: their numbers change when one is inserted before them.
    fn of(&self, row: &Row) -> Before {
        let place = match row.action {
            None => picking(&self.definition)
                .find(|(place, rule)| place.table == row.place.table && **rule == row.rule)
                .map(|(place, _)| place),
            Some(action) => (1..)
                .zip(&self.definition.setup)
                .find(|(_, rule)| rule.find == row.rule && rule.action == action)
                .map(|(number, _)| RulePlace { table: "setup", number }),
        };
        match place {
            None => Before::New,
            Some(place) if self.idle.contains(&place) => Before::Never,
            Some(_) => Before::Matched,
        }
    }
}

impl Checked {
    fn words(&self) -> String {
        let (file, app) = (self.file.display(), &self.definition.app);
        let technique = self.definition.technique.name();
        let mut lines = vec![format!("{file}: {technique} on {app}, {} rules", self.rows.len())];
        if let Some(shown) = &self.shown {
            let outside = if shown.package == *app { "" } else { " (not the app)" };
            lines.push(format!("{} shows {}/{}{outside}", shown.serial, shown.package, shown.activity));
        }
        match (self.last, self.rows.is_empty()) {
            (Some(last), _) => lines.push(format!("last run: {last}")),
            (None, false) => lines.push("last run: none is stored".into()),
            (None, true) => {}
        }
        for row in &self.rows {
            lines.push(format!("line {}  {}  {}", row.line, row.place, said(row)));
            lines.extend(self.here(row).map(|here| format!("    {here}")));
            lines.extend(self.before(row).map(|before| format!("    {before}")));
        }
        lines.iter().map(|line| printable(line).into_owned() + "\n").collect()
    }

    /// What a rule picks on the screen.
    fn here(&self, row: &Row) -> Option<String> {
        let (shown, picks) = (self.shown.as_ref()?, row.picks.as_ref()?);
        if picks.is_empty() {
            return Some("picks nothing on this screen".into());
        }
        if !row.rule.names_widget() {
            return Some("picks this whole page".into());
        }
        let widgets = picks.iter().filter_map(|id| shown.layout.get(*id));
        let told: Vec<String> = widgets.take(TOLD).map(widget_words).collect();
        let more =
            if picks.len() > TOLD { format!(" and {} more", picks.len() - TOLD) } else { String::new() };
        Some(format!("picks {}{more}", told.join(", ")))
    }

    fn before(&self, row: &Row) -> Option<String> {
        let last = self.last?;
        Some(match row.before {
            Before::NoRun => return None,
            Before::New => format!("{last} ran without it"),
            Before::Matched => format!("matched in {last}"),
            Before::Never => format!("never matched in {last}"),
        })
    }

    fn json(&self) -> CheckJson<'_> {
        let rules = self.rows.iter().map(|row| {
            let picks = row.picks.as_ref().zip(self.shown.as_ref()).map(|(picks, shown)| {
                picks.iter().filter_map(|id| shown.layout.get(*id)).map(PickJson::of).collect()
            });
            RuleJson {
                table: row.place.table,
                number: row.place.number,
                line: row.line,
                rule: &row.rule,
                r#do: row.action,
                whole_page: !row.rule.names_widget(),
                picks,
                last_run: match row.before {
                    Before::NoRun => None,
                    Before::New => Some(BeforeJson::Absent),
                    Before::Matched => Some(BeforeJson::Matched),
                    Before::Never => Some(BeforeJson::Never),
                },
            }
        });
        CheckJson {
            file: self.file.display().to_string(),
            technique: self.definition.technique.name(),
            app: &self.definition.app,
            screen: self.shown.as_ref().map(|shown| ScreenJson {
                device: &shown.serial,
                package: &shown.package,
                activity: &shown.activity,
            }),
            last_run: self.last.map(|last| last.to_string()),
            rules: rules.collect(),
        }
    }
}

impl<'a> PickJson<'a> {
    fn of(widget: Widget<'a>) -> Self {
        let bounds = widget.bounds();
        Self {
            widget: widget.id().0,
            class: widget.class(),
            resource_id: widget.resource_id(),
            text: widget.text(),
            content_desc: widget.description(),
            bounds: [bounds.left, bounds.top, bounds.right, bounds.bottom],
        }
    }
}

/// A rule as it appears in its file.
fn said(row: &Row) -> String {
    let rule = &row.rule;
    let fields = [
        ("activity", &rule.activity),
        ("class", &rule.class),
        ("resource-id", &rule.resource_id),
        ("description", &rule.description),
        ("text", &rule.text),
    ];
    let given = fields.into_iter().filter(|(_, value)| !value.is_empty());
    given.map(|(key, value)| format!("{key} = {value:?}")).collect::<Vec<_>>().join(", ")
}

fn widget_words(widget: Widget<'_>) -> String {
    let name = [widget.text(), widget.description()].into_iter().find(|text| !text.is_empty());
    let name = name.map(|text| format!(" {:?}", text.chars().take(40).collect::<String>()));
    let id = if widget.short_id().is_empty() { String::new() } else { format!(" #{}", widget.short_id()) };
    format!("{}{id}{} {}", widget.short_class(), name.unwrap_or_default(), widget.bounds())
}
