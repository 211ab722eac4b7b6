//! `droidmux theme`: the cockpit's themes, built-in ones and the user's.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::json;

use super::config::Config;
use super::output::{json_line, print};
use super::{Usage, exit, folders};
use droidmux_tui::Theme;
use droidmux_words::printable;

#[derive(Debug, Args)]
pub struct ThemeArgs {
    #[command(subcommand)]
    command: ThemeCommand,
}

#[derive(Debug, Subcommand)]
enum ThemeCommand {
    /// List the themes there are
    List {
        /// As JSON Lines
        #[arg(long)]
        json: bool,
    },
    /// Say what is wrong with themes: keys and colours that are none, styles left out, texts too faint to read
    Check {
        /// Names of themes, or theme files [default: the one in use and those of your own folder]
        themes: Vec<String>,
    },
    /// Print the file of a built-in theme, to begin one of your own with
    Show {
        /// Its name
        theme: String,
    },
}

pub fn run(args: ThemeArgs) -> color_eyre::Result<ExitCode> {
    match args.command {
        ThemeCommand::List { json } => list(json),
        ThemeCommand::Check { themes } => check(themes),
        ThemeCommand::Show { theme } => show(&theme),
    }
}

/// Where the user's themes are.
pub(super) fn folder() -> Result<PathBuf, Usage> {
    Ok(folders::config()?.join("themes"))
}

fn list(json: bool) -> color_eyre::Result<ExitCode> {
    let (folder, used) = (folder()?, used()?);
    let mut text = String::new();
    for name in Theme::names(Some(&folder)) {
        let file = folder.join(format!("{name}.toml"));
        let own = file.exists();
        let mark = if name == used { '*' } else { ' ' };
        text += &match (json, own) {
            (true, _) => json_line(&json!({
                "theme": name,
                "used": name == used,
                "file": own.then(|| file.display().to_string()),
            })),
            (false, true) => format!("{mark} {name:<14} {}\n", printable(&file.display().to_string())),
            (false, false) => format!("{mark} {name:<14} built in\n"),
        };
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn used() -> color_eyre::Result<String> {
    Ok(Config::read()?.theme.unwrap_or_else(|| Theme::usual().to_owned()))
}

fn check(themes: Vec<String>) -> color_eyre::Result<ExitCode> {
    let folder = folder()?;
    let themes = match themes.is_empty() {
        false => themes,
        true => {
            let own = Theme::names(Some(&folder)).into_iter();
            let mut own: Vec<_> = own.filter(|name| folder.join(format!("{name}.toml")).exists()).collect();
            let used = used()?;
            if !own.contains(&used) {
                own.insert(0, used);
            }
            own
        }
    };
    let (mut text, mut wrong) = (String::new(), false);
    for theme in themes {
        let (name, folder) = meant(&theme, &folder)?;
        let faults = Theme::faults(&name, Some(&folder)).unwrap_or_else(|error| vec![error.to_string()]);
        wrong |= !faults.is_empty();
        if faults.is_empty() {
            text += &format!("{}: nothing is wrong\n", printable(&theme));
        }
        faults.iter().for_each(|fault| text += &format!("{}\n", printable(fault)));
    }
    print(&text)?;
    Ok(if wrong { ExitCode::from(exit::USAGE) } else { ExitCode::SUCCESS })
}

/// A theme's name and the folder that is searched for it first. A file is a theme in its own folder.
fn meant(theme: &str, folder: &Path) -> Result<(String, PathBuf), Usage> {
    let path = Path::new(theme);
    if !theme.contains('/') && path.extension().is_none() {
        return Ok((theme.to_owned(), folder.to_owned()));
    }
    let named = path.file_stem().and_then(|name| name.to_str());
    let (Some(name), true) = (named, path.extension().is_some_and(|extension| extension == "toml")) else {
        return Err(Usage::new(format!("{theme}: a theme's file is called NAME.toml")));
    };
    if !path.exists() {
        return Err(Usage::new(format!("{theme}: there is no such file")));
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok((name.to_owned(), parent.unwrap_or(Path::new(".")).to_owned()))
}

fn show(theme: &str) -> color_eyre::Result<ExitCode> {
    let Some(text) = Theme::built_in_file(theme) else {
        let names = Theme::names(None).join(", ");
        return Err(Usage::new(format!("`{theme}` is no built-in theme; those are {names}")).into());
    };
    print(text)?;
    Ok(ExitCode::SUCCESS)
}
