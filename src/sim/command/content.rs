//! `content`: the settings as a content provider, the way tools older than `settings` reach them; the providers of the
//! framework lab.

use serde_json::{Value, json};

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[light("content", content)];

/// What a call names.
#[derive(Default)]
struct Asked {
    uri: String,
    condition: Option<String>,
    columns: Option<String>,
    sort: Option<String>,
    bound: Vec<String>,
}

/// `content insert|query|update|delete --uri content://settings/NAMESPACE[/KEY] …`, and `content call --uri
/// content://media …`, which has nothing to do: the media store looks for files by itself.
fn content(call: &mut Call) -> i32 {
    let verb = call.arg(1).to_owned();
    let words = call.args(2);
    let asked = match Asked::read(&words) {
        Ok(asked) if ["insert", "query", "update", "delete"].contains(&verb.as_str()) => asked,
        Ok(asked) if verb == "call" && asked.uri.starts_with("content://media") => return 0,
        Ok(_) => return refuse(call, &format!("[ERROR] Unsupported operation: {verb}")),
        Err(error) => return refuse(call, &error),
    };
    if !asked.uri.starts_with("content://settings")
        && let Some(told) = call.device.storage.as_ref().map(|storage| storage.content(asked.members(&verb)))
    {
        return match told {
            Ok(lines) if lines.is_empty() && verb == "query" => {
                call.line("No result found.");
                0
            }
            Ok(lines) => {
                lines.iter().for_each(|line| call.line(line));
                0
            }
            Err(error) => {
                call.complain(&format!("Error while accessing provider:{}\n{error}", asked.provider()));
                1
            }
        };
    }
    let Some(path) = asked.uri.strip_prefix("content://settings/") else {
        return refuse(
            call,
            &format!("Error while accessing provider:{}\nprovider not simulated", asked.provider()),
        );
    };
    let (namespace, key) = path.split_once('/').unwrap_or((path, ""));
    if !["system", "secure", "global"].contains(&namespace) {
        return refuse(call, &format!("Error while accessing provider:settings\nBad URI: {}", asked.uri));
    }
    let key = match (key, asked.condition.as_deref().map(named)) {
        ("", None) => None,
        ("", Some(Some(key))) => Some(key),
        ("", Some(None)) => return refuse(call, "[ERROR] only --where \"name='KEY'\" is supported"),
        (key, _) => Some(key.to_owned()),
    };
    match verb.as_str() {
        "query" => query(call, namespace, key.as_deref(), asked.columns.as_deref()),
        "delete" => {
            let Some(key) = key else { return refuse(call, "[ERROR] Missing --where") };
            call.device.phone().set_setting(namespace, &key, None);
            0
        }
        _ => {
            let name = asked.value("name").map(str::to_owned).or(key);
            match (name, asked.value("value")) {
                (Some(name), Some(value)) => super::settings::put(call, namespace, &name, value),
                _ => refuse(call, "[ERROR] Missing --bind name:s:KEY --bind value:s:VALUE"),
            }
        }
    }
}

impl Asked {
    fn read(words: &[String]) -> Result<Asked, String> {
        let mut asked = Asked::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value =
                || words.next().cloned().ok_or_else(|| format!("[ERROR] Missing value for {word}"));
            match word.as_str() {
                "--uri" => asked.uri = value()?,
                "--where" => asked.condition = Some(value()?),
                "--sort" => asked.sort = Some(value()?),
                "--projection" => asked.columns = Some(value()?),
                "--bind" => {
                    let bound = value()?;
                    // A name, the letter of a type, a value.
                    let kind = bound.split(':').nth(1).unwrap_or_default();
                    if !["b", "s", "i", "l", "f", "d", "n"].contains(&kind) {
                        return Err(format!("[ERROR] Unsupported type: {kind}"));
                    }
                    asked.bound.push(bound);
                }
                "--user" | "--method" | "--arg" => drop(value()?),
                other => return Err(format!("[ERROR] Unsupported argument: {other}")),
            }
        }
        if asked.uri.is_empty() { Err("[ERROR] Missing --uri".to_owned()) } else { Ok(asked) }
    }

    /// What the framework's host is asked for.
    fn members(&self, verb: &str) -> Value {
        let mut members = json!({ "verb": verb, "uri": self.uri, "bind": self.bound.join("\0") });
        for (name, value) in [("where", &self.condition), ("projection", &self.columns), ("sort", &self.sort)]
        {
            if let Some(value) = value {
                members[name] = value.as_str().into();
            }
        }
        members
    }

    fn value(&self, column: &str) -> Option<&str> {
        self.bound.iter().find_map(|bound| {
            let (name, rest) = bound.split_once(':')?;
            rest.split_once(':').filter(|_| name == column).map(|(_, value)| value)
        })
    }

    fn provider(&self) -> &str {
        self.uri.strip_prefix("content://").and_then(|rest| rest.split('/').next()).unwrap_or(&self.uri)
    }
}

fn refuse(call: &mut Call, what: &str) -> i32 {
    call.unknown();
    call.complain(what);
    1
}

/// The key that `name='KEY'` means.
fn named(condition: &str) -> Option<String> {
    let (column, value) = condition.split_once('=')?;
    let value = value.trim().trim_matches(['\'', '"']);
    let plain = !value.contains(['\'', '"', ' ']);
    (column.trim() == "name" && plain).then(|| value.to_owned())
}

fn query(call: &mut Call, namespace: &str, key: Option<&str>, columns: Option<&str>) -> i32 {
    const COLUMNS: [&str; 3] = ["_id", "name", "value"];
    let columns: Vec<&str> = columns.map_or(COLUMNS.to_vec(), |columns| columns.split(':').collect());
    if let Some(unknown) = columns.iter().find(|column| !COLUMNS.contains(column)) {
        return refuse(call, &format!("Error while accessing provider:settings\nInvalid column: {unknown}"));
    }
    let all = call.device.phone().settings(namespace);
    let mut rows = 0;
    for (id, (name, value)) in (1..).zip(all).filter(|(_, (name, _))| key.is_none_or(|key| key == name)) {
        let cell = |column: &&str| match *column {
            "_id" => format!("_id={id}"),
            "name" => format!("name={name}"),
            _ => format!("value={value}"),
        };
        let cells: Vec<String> = columns.iter().map(cell).collect();
        call.line(&format!("Row: {rows} {}", cells.join(", ")));
        rows += 1;
    }
    if rows == 0 {
        call.line("No result found.");
    }
    0
}
