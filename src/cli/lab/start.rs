//! `droidmux lab start`: a server without a terminal that outlives the login.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use color_eyre::eyre::{WrapErr, eyre};

use super::serve::ServeArgs;
use super::{status, way};
use crate::bring_up::store_path;
use crate::output::print;
use crate::runtime::runtime;
use crate::{Usage, exit, folders};
use droidmux_proto::greeting::Purpose;
use droidmux_proto::{LogLens, LogLevel, LogView, Reply, Request};
use droidmux_words::printable;

/// How long a server may take until it lets viewers in: a large store is checked when it opens.
const READY: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(50);
/// How many characters of the server's last output are shown.
const LAST_WORDS: usize = 2_000;
/// How many lines of the log are searched for alarms.
const LOG: u32 = 1_000;
const ANSWER: Duration = Duration::from_secs(20);

pub(super) fn run(store: Option<PathBuf>, args: &ServeArgs) -> color_eyre::Result<ExitCode> {
    args.check()?;
    let started = start_server(store.clone(), Some(args))?;
    print(match (started, args.is_usual()) {
        (true, _) => "started\n",
        (false, true) => "a lab server runs already\n",
        (false, false) => "a lab server runs already, with the options it was started with\n",
    })?;
    let said = status::run(store.clone(), false)?;
    if started {
        print(&runtime()?.block_on(alarms(store))?)?;
    }
    print(&format!("{}\n", lingering()))?;
    Ok(said)
}

/// Starts a server for this store unless one is running; true when it was started now. `args` are the server's
/// arguments, if they differ from the usual ones.
///
/// # Errors
/// When it did not come up, with its last output.
pub(crate) fn start_server(store: Option<PathBuf>, args: Option<&ServeArgs>) -> color_eyre::Result<bool> {
    let endpoint = way::endpoint(store.clone())?;
    let runtime = runtime()?;
    let runs = || runtime.block_on(endpoint.connect()).is_ok();
    if runs() {
        return Ok(false);
    }
    let words = args.map_or_else(|| ServeArgs::usual().words(), ServeArgs::words);
    let path = std::path::absolute(store_path(store)?)?;
    let (mut child, log) = spawn(&path, &words).wrap_err("the lab server could not be started")?;
    let began = Instant::now();
    while !runs() {
        if let Some(status) = child.try_wait()? {
            let said = last_words(&log);
            let why = format!("the lab server did not start: {}", said.trim_start_matches("droidmux: "));
            return Err(match status.code() {
                Some(code) if code == i32::from(exit::USAGE) => Usage::new(why).into(),
                _ => eyre!(why),
            });
        }
        if began.elapsed() > READY {
            return Err(eyre!(
                "the lab server has not answered for {} s; its words are in {}",
                READY.as_secs(),
                log.display()
            ));
        }
        std::thread::sleep(LOOK);
    }
    reap(child);
    Ok(true)
}

/// Waits for the server's end, whenever that comes: this process may live longer, as a cockpit.
fn reap(mut server: Child) {
    std::thread::spawn(move || server.wait());
}

/// Spawns the server detached from this terminal: it creates its own session, and its standard streams are a file.
fn spawn(store: &Path, words: &[String]) -> io::Result<(Child, PathBuf)> {
    let folder = folders::state().map_err(io::Error::other)?.join("logs");
    fs::create_dir_all(&folder)?;
    let log = folder.join("lab.out");
    let out = File::create(&log)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["lab", "serve"]).args(words).arg("--store").arg(store);
    command.current_dir("/").stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out);
    Ok((command.spawn()?, log))
}

fn last_words(log: &Path) -> String {
    let said = fs::read_to_string(log).unwrap_or_default();
    let said = said.trim();
    let from = said.char_indices().rev().nth(LAST_WORDS).map_or(0, |(at, _)| at);
    match said.get(from..) {
        Some(words) if !words.is_empty() => words.to_owned(),
        _ => format!("it said nothing; see {}", log.display()),
    }
}

/// What the lab's log has warned about so far, one line each.
async fn alarms(store: Option<PathBuf>) -> color_eyre::Result<String> {
    let mut end = way::view(&way::LabAddress::Here, store, Purpose::Ask).await?;
    let lens = LogLens { least: LogLevel::Warn, source: None };
    end.requests.send(Request::Log { lens, from: 0, limit: LOG }).await?;
    let said = async {
        loop {
            match end.replies.recv().await {
                Some(Reply::Log { rows, .. }) => return Ok(rows),
                Some(_) => {}
                None => return Err(eyre!("the lab is gone")),
            }
        }
    };
    let rows =
        tokio::time::timeout(ANSWER, said).await.map_err(|_| eyre!("the lab does not show its log"))??;
    Ok(rows.iter().map(|(_, row)| alarm_in_words(&row.line)).collect())
}

fn alarm_in_words(line: &LogView) -> String {
    let (source, text) = (printable(&line.source), printable(&line.text));
    if source.is_empty() { format!("alarm: {text}\n") } else { format!("alarm: {source}: {text}\n") }
}

/// Whether the server outlives the login, and what to do if not.
fn lingering() -> String {
    let user = std::env::var("USER").unwrap_or_default();
    let asked = Command::new("loginctl")
        .args(["show-user", "--property=Linger", "--value", &user])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    lingering_in_words(
        asked.ok().filter(|said| said.status.success()).map(|said| said.stdout).as_deref(),
        &user,
    )
}

fn lingering_in_words(said: Option<&[u8]>, user: &str) -> String {
    match said.map(|said| said.trim_ascii()) {
        Some(b"yes") => format!("it goes on after logout: lingering is on for {user}"),
        Some(b"no") => format!(
            "warning: this system may end it at logout; `loginctl enable-linger {user}` makes it outlive the login"
        ),
        _ => "systemd does not say whether programs outlive a login here; where it ends them, \
              `loginctl enable-linger` helps"
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_logind_says_is_told_with_what_to_do() {
        let cases: [(Option<&[u8]>, &str); 4] = [
            (Some(b"yes\n"), "goes on after logout"),
            (Some(b"no\n"), "loginctl enable-linger ann"),
            (Some(b""), "does not say"),
            (None, "does not say"),
        ];
        for (said, expected) in cases {
            let words = lingering_in_words(said, "ann");
            assert!(words.contains(expected), "{words}");
        }
    }
}
