//! `droidmux keys`: which key runs which command, and what is wrong with the keys of the configuration.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::output::{json_line, print};
use super::{cockpit, exit};
use droidmux_tui::KeyTable;
use droidmux_words::printable;

#[derive(Debug, Args)]
pub struct KeysArgs {
    /// Only commands whose name or sentence holds this
    filter: Option<String>,
    /// As JSON Lines
    #[arg(long)]
    json: bool,
}

/// Prints the keys as the configuration leaves them. Problems with the configuration are listed after them and count as
/// an error.
pub fn run(args: KeysArgs) -> color_eyre::Result<ExitCode> {
    let table = KeyTable::new(&cockpit::options()?);
    let wanted = args.filter.unwrap_or_default().to_lowercase();
    let mut text = String::new();
    let mut place = None;
    for row in &table.rows {
        let searched = format!("{} {}", row.name, row.what).to_lowercase();
        if !searched.contains(&wanted) {
            continue;
        }
        if args.json {
            text += &json_line(&json!({
                "command": row.name,
                "argument": row.argument,
                "keys": row.keys,
                "rebound": row.rebound,
                "place": row.place,
                "what": row.what,
            }));
            continue;
        }
        if place != Some(&row.place) {
            let gap = if place.is_some() { "\n" } else { "" };
            text += &format!("{gap}{}\n", row.place);
            place = Some(&row.place);
        }
        let keys = row.keys.join("  ");
        let mark = if row.rebound { '*' } else { ' ' };
        let name = match row.argument {
            Some(argument) => format!("{} {argument}", row.name),
            None => row.name.to_owned(),
        };
        text += &format!(" {mark} {keys:<20} {name:<26} {}\n", row.what);
    }
    if !args.json && table.rows.iter().any(|row| row.rebound) {
        text += "\n* bound in the configuration\n";
    }
    print(&text)?;
    for problem in &table.problems {
        eprintln!("droidmux: {}", printable(problem));
    }
    Ok(if table.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(exit::USAGE) })
}
