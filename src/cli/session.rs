//! `droidmux session`: pause, resume, step, stop or prefer a session of the lab server; check a session file.

mod check;

#[cfg(test)]
pub(crate) use check::CheckJson;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use color_eyre::eyre::eyre;

use super::Usage;
use super::caller::Caller;
use super::lab::way::{LabAddress, view};
use super::output::print;
use super::runtime::runtime;
use droidmux_proto::greeting::Purpose;
use droidmux_proto::{LabView, LogLens, Reply, Request, SessionState, ViewerEnd};
use droidmux_record::SessionId;

/// A stop is clean within 10 s; the rest is for the way there.
const WITHIN: Duration = Duration::from_secs(15);

#[derive(Debug, Args)]
pub struct SessionArgs {
    #[command(subcommand)]
    command: SessionCommand,
    /// Where the lab is: `local`, or `ssh://[user@]host[:port]`; a session file is checked here
    #[arg(long, value_name = "URL", global = true)]
    to: Option<LabAddress>,
    /// The store whose server is meant, or that holds the last run [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH", global = true)]
    store: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum SessionCommand {
    /// Begin no further act until resumed
    Pause { session: SessionId },
    /// Go on after a pause
    Resume { session: SessionId },
    /// Let a paused session perform acts, one unless said otherwise; a running one pauses after them
    Step {
        session: SessionId,
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        acts: u32,
    },
    /// End the session cleanly; waits until it has given its devices back
    Stop { session: SessionId },
    /// Sessions of a higher priority get devices first; all begin with 0
    Priority {
        session: SessionId,
        #[arg(allow_negative_numbers = true)]
        priority: i32,
    },
    /// Say which widgets the rules of a session file pick on a screen, and which rules never matched in its last run
    Check(check::CheckArgs),
}

impl SessionArgs {
    /// Whether a session file is to be checked, for which no server is needed.
    pub(super) fn checks(&self) -> bool {
        matches!(self.command, SessionCommand::Check(_))
    }
}

/// Checks a session file; exit code 1 when one of its rules never matched in the last run.
pub(super) fn check(args: SessionArgs, caller: &Caller) -> color_eyre::Result<u8> {
    match args.command {
        SessionCommand::Check(_) if args.to.is_some() => {
            Err(Usage::new("--to names a lab server, and a session file is checked on this host").into())
        }
        SessionCommand::Check(check) => check::run(check, args.store, caller),
        _ => Err(Usage::new("a lab server is steered by its own commands").into()),
    }
}

pub fn run(args: SessionArgs) -> color_eyre::Result<ExitCode> {
    let place = args.to.unwrap_or(LabAddress::Here);
    let (session, request) = match args.command {
        SessionCommand::Pause { session } => (session, Request::Pause(session)),
        SessionCommand::Resume { session } => (session, Request::Resume(session)),
        SessionCommand::Step { session, acts } => (session, Request::Step { session, acts }),
        SessionCommand::Stop { session } => (session, Request::Stop(session)),
        SessionCommand::Priority { session, priority } => (session, Request::Priority { session, priority }),
        SessionCommand::Check(_) => return Err(Usage::new("a session file has no server").into()),
    };
    let said = runtime()?.block_on(async {
        let mut end = view(&place, args.store, Purpose::Ask).await?;
        match tokio::time::timeout(WITHIN, carry_out(&mut end, session, &request)).await {
            Ok(said) => said,
            Err(_) => Err(eyre!("{session} has not done so within {} s", WITHIN.as_secs())),
        }
    })?;
    print(&format!("{said}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Sends the request and waits until the lab shows that it took effect.
async fn carry_out(end: &mut ViewerEnd, session: SessionId, request: &Request) -> color_eyre::Result<String> {
    end.requests.send(request.clone()).await?;
    // Requests are answered in turn: with the answer to this one the lab has taken in the first,
    // which it answers only to refuse it.
    end.requests.send(Request::Log { lens: LogLens::default(), from: 0, limit: 0 }).await?;
    let mut heard = false;
    loop {
        tokio::select! {
            reply = end.replies.recv() => match reply {
                Some(Reply::Refused { why, .. }) => return Err(Usage::new(why).into()),
                Some(Reply::Log { .. }) => heard = true,
                Some(_) => {}
                None => return Err(eyre!("the lab is gone")),
            },
            changed = end.view.changed() => changed?,
        }
        let view = end.view.borrow_and_update().clone();
        if !heard {
            continue;
        }
        if has_ended(&view, session) && !matches!(request, Request::Stop(_)) {
            return Err(Usage::new(format!("{session} has ended"))
                .hint(format!("`droidmux run --resume {session}` goes on with one that was stopped"))
                .into());
        }
        if let Some(said) = effect(&view, session, request) {
            return Ok(said);
        }
    }
}

fn has_ended(view: &LabView, session: SessionId) -> bool {
    view.sessions.iter().any(|shown| shown.id == session && shown.state.is_over())
}

/// What the lab shows once the request took effect.
fn effect(view: &LabView, session: SessionId, request: &Request) -> Option<String> {
    let shown = view.sessions.iter().find(|shown| shown.id == session)?;
    match request {
        Request::Stop(_) => has_ended(view, session).then(|| format!("{session} has ended")),
        Request::Pause(_) => {
            matches!(shown.state, SessionState::Paused(_)).then(|| format!("{session} is paused"))
        }
        Request::Resume(_) => (shown.state == SessionState::Running).then(|| format!("{session} runs")),
        Request::Step { acts, .. } => Some(format!("{session} performs {acts} and pauses")),
        Request::Priority { priority, .. } => {
            (shown.priority == *priority).then(|| format!("{session} has priority {priority}"))
        }
        _ => None,
    }
}
