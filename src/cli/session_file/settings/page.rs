//! The tables of `docs/session-file.md`, made of the settings, and the settings held against the reader.

use super::setting::{Group, Setting, Takes};
use super::{GROUPS, out_of_range, value_of};
use crate::cli::session_file::parse_session;
use crate::record::{SessionDefinition, Technique};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/session-file.md");
const END: &str = "<!-- end of settings -->";

/// What a session file that sets nothing holds in a table.
fn defaults(table: &str) -> toml::Table {
    let definition = SessionDefinition::new(Technique::Genie, "a.b");
    let mut whole = toml::Table::try_from(definition).expect("a table");
    whole.remove(table).and_then(|value| value.as_table().cloned()).expect("a table of settings")
}

/// 1234567 as 1,234,567.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let comma = |(place, digit): (usize, char)| {
        let separates = place > 0 && (digits.len() - place).is_multiple_of(3);
        separates.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(comma).collect()
}

fn range(takes: &Takes) -> String {
    match takes {
        Takes::Whole(least, most) => format!("{} to {}", grouped(*least), grouped(*most)),
        Takes::OffOrWhole(least, most) => format!("0, {} to {}", grouped(*least), grouped(*most)),
        Takes::Count => "0 or more".into(),
        Takes::Share => "0.0 to 1.0".into(),
        Takes::ShareAboveZero => "above 0.0, to 1.0".into(),
        Takes::AboveZero => "above 0.0".into(),
        Takes::Amount => "0.0 or more".into(),
        Takes::Name(names) => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        Takes::Switch => "`true`, `false`".into(),
        Takes::Other(words) => (*words).into(),
    }
}

/// The default in words; empty where only [`Setting::unset`] says it.
fn default(value: Option<&toml::Value>) -> String {
    match value {
        None => String::new(),
        Some(toml::Value::String(text)) if text.is_empty() => String::new(),
        Some(toml::Value::String(text)) => format!("`{text}`"),
        Some(toml::Value::Array(items)) => {
            items.iter().map(|item| default(Some(item))).collect::<Vec<_>>().join(", ")
        }
        Some(value) => value.to_string(),
    }
}

fn line(setting: &Setting, defaults: &toml::Table) -> String {
    let default = default(value_of(defaults, setting.key));
    assert!(
        default.is_empty() != setting.unset.is_empty(),
        "{}: {default:?} or {:?}",
        setting.key,
        setting.unset
    );
    let default = if default.is_empty() { setting.unset } else { &default };
    let (key, range) = (setting.key, range(&setting.takes));
    format!("| `{key}` | {range} | {} | {default} | {} |\n", setting.unit, setting.meaning)
}

fn markdown(group: &Group) -> String {
    let defaults = defaults(group.table);
    let lines: String = group.settings.iter().map(|setting| line(setting, &defaults)).collect();
    format!("| key | range | unit | default | meaning |\n|---|---|---|---|---|\n{lines}")
}

/// The page with its tables made anew.
fn renewed(page: &str) -> String {
    let mut page = page.to_owned();
    for group in GROUPS {
        let begin =
            format!("<!-- settings of [{}], made from src/cli/session_file/settings -->\n", group.table);
        let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("{begin} is missing"));
        let (_, after) = rest.split_once(END).unwrap_or_else(|| panic!("{begin} has no end"));
        page = format!("{before}{begin}\n{}\n{END}{after}", markdown(group));
    }
    page
}

/// Written anew when `DROIDMUX_WRITE_DOCS` is set.
#[test]
fn the_documentation_is_current() {
    let page = std::fs::read_to_string(PAGE).expect("docs/session-file.md");
    let renewed = renewed(&page);
    if std::env::var_os("DROIDMUX_WRITE_DOCS").is_some() {
        std::fs::write(PAGE, &renewed).expect("docs/session-file.md can be written");
        return;
    }
    let hint = "run `DROIDMUX_WRITE_DOCS=1 cargo test --lib the_documentation_is_current`";
    assert!(page == renewed, "docs/session-file.md is out of date: {hint}");
}

/// What the reader says of a session file.
fn said(rest: &str) -> String {
    let text = format!("technique = \"genie\"\napp = \"a.b\"\n{rest}\n");
    let none = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
    match parse_session("x.toml".as_ref(), &text, &Default::default(), &none) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

/// The names in backticks after "expected".
fn expected(said: &str) -> Vec<String> {
    let (_, words) = said.split_once("expected").unwrap_or_else(|| panic!("{said}"));
    let words = words.split("(did you").next().unwrap_or(words);
    words.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Written by droidmux, not by people.
const NOT_IN_FILES: [(&str, &str); 1] = [("pbfdroid", "specification")];

#[test]
fn every_key_of_the_reader_has_one_row() {
    for group in GROUPS {
        let mut rows: Vec<String> = Vec::new();
        for setting in group.settings {
            let (outer, inner) = setting.key.split_once('.').unwrap_or((setting.key, ""));
            if inner.is_empty() || !rows.iter().any(|row| row == outer) {
                rows.push(outer.to_owned());
            }
        }
        let mut keys = expected(&said(&format!("[{}]\nunheard-of = 1", group.table)));
        keys.retain(|key| !NOT_IN_FILES.contains(&(group.table, key)));
        rows.sort_unstable();
        keys.sort_unstable();
        assert_eq!(rows, keys, "[{}]", group.table);
    }
    let mut rows: Vec<&str> = GROUPS
        .iter()
        .flat_map(|group| group.settings)
        .filter_map(|setting| setting.key.strip_prefix("budget."))
        .collect();
    let mut keys = expected(&said("[llm.budget]\nunheard-of = 1"));
    rows.sort_unstable();
    keys.sort_unstable();
    assert_eq!(rows, keys, "[llm.budget]");
}

#[test]
fn names_are_those_of_the_reader() {
    for group in GROUPS {
        for setting in group.settings {
            let Takes::Name(names) = setting.takes else { continue };
            let said = said(&format!("[{}]\n{} = \"unheard-of\"", group.table, setting.key));
            let mut known = expected(&said);
            let mut names: Vec<&str> = names.to_vec();
            known.sort_unstable();
            names.sort_unstable();
            assert_eq!(known, names, "[{}] {}", group.table, setting.key);
        }
    }
}

/// The defaults are in range, the ends of each range are, and what lies one beyond is refused.
#[test]
fn the_ranges_are_those_of_the_check() {
    let mut checked = 0;
    for group in GROUPS {
        assert_eq!(out_of_range(group.table, &defaults(group.table)), [], "[{}]", group.table);
        for setting in group.settings {
            let (good, bad): (Vec<toml::Value>, Vec<toml::Value>) = match setting.takes {
                Takes::Whole(least, most) | Takes::OffOrWhole(least, most) => {
                    let number = |number: u64| i64::try_from(number).expect("fits");
                    let bad = match least {
                        0 => vec![number(most) + 1],
                        _ => vec![number(least) - 1, number(most) + 1],
                    };
                    let whole = |numbers: Vec<i64>| numbers.into_iter().map(Into::into).collect();
                    (whole(vec![number(least), number(most)]), whole(bad))
                }
                Takes::Share => (vec![0.0.into(), 1.0.into()], vec![1.1.into(), f64::NAN.into()]),
                Takes::ShareAboveZero => (vec![1.0.into()], vec![0.0.into(), f64::NAN.into()]),
                Takes::AboveZero => (vec![0.1.into()], vec![0.0.into(), f64::INFINITY.into()]),
                Takes::Amount => (vec![0.0.into()], vec![(-0.1).into(), f64::NAN.into()]),
                _ => continue,
            };
            for (values, fit) in [(good, true), (bad, false)] {
                for value in values {
                    let table = setting.key.split('.').rev().fold(value.clone(), |inner, key| {
                        toml::Value::Table(toml::Table::from_iter([(key.to_owned(), inner)]))
                    });
                    let complaints = out_of_range(group.table, table.as_table().expect("a table"));
                    assert_eq!(complaints.is_empty(), fit, "[{}] {} = {value}", group.table, setting.key);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 200, "{checked}");
}
