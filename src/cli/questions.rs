//! `droidmux questions`: what sessions ask of people, and their answers.
//!
//! In: a lab server's waiting questions, replies on standard input. Out: lists, questions in full with their pictures as
//! files, what is wrong with a reply. A reply is checked where the question waits.

mod told;

use std::io::{self, Read};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use color_eyre::eyre::eyre;

use super::lab::way::{LabAddress, view};
use super::output::{json_line, print};
use super::runtime::runtime;
use super::{Usage, exit};
use droidmux_proto::greeting::Purpose;
use droidmux_proto::{LabView, Reply, Request, Taking, ViewerEnd, WaitingDetail, WaitingView};
use droidmux_record::{Reply as Said, SessionId};

pub(super) use told::{AnsweredJson, QuestionJson, WaitingJson};

/// A lab answers at once.
const WITHIN: Duration = Duration::from_secs(20);

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct QuestionsArgs {
    #[command(subcommand)]
    command: Option<QuestionsCommand>,
    /// Only what this session asks
    session: Option<SessionId>,
    #[command(flatten)]
    place: Place,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

/// Which lab is meant.
#[derive(Debug, Args)]
struct Place {
    /// Where the lab is: `local`, or `ssh://[user@]host[:port]`
    #[arg(long, value_name = "URL", global = true)]
    to: Option<LabAddress>,
    /// The store whose server is meant [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH", global = true)]
    store: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum QuestionsCommand {
    /// Print the question that waits longest; exit code 1 when none does
    Next {
        /// Only what this session asks
        session: Option<SessionId>,
        /// Wait until there is one; with SESSION, until that session has ended
        #[arg(long)]
        wait: bool,
        #[command(flatten)]
        pictures: Pictures,
    },
    /// Print a question
    Show {
        number: u64,
        #[command(flatten)]
        pictures: Pictures,
    },
    /// Answer a question with the JSON on standard input; exit code 1, and what is wrong, when it is not what was asked
    /// for
    Answer { number: u64 },
}

#[derive(Debug, Args)]
struct Pictures {
    /// Where the question's pictures are written [default: $XDG_STATE_HOME/droidmux/questions]
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
}

/// The folder in which the pictures of questions are written, made if need be.
///
/// # Errors
/// When it cannot be made.
pub(super) fn picture_folder() -> color_eyre::Result<PathBuf> {
    told::folder(None)
}

pub(super) fn run(args: QuestionsArgs) -> color_eyre::Result<ExitCode> {
    let QuestionsArgs { command, session, place, json } = args;
    // Read before the lab is: a person may type it.
    let reply = match &command {
        Some(QuestionsCommand::Answer { .. }) => said()?,
        _ => String::new(),
    };
    let code = runtime()?.block_on(async {
        let mut lab = Lab::reach(place).await?;
        match command {
            None => lab.list(session, json).await,
            Some(QuestionsCommand::Next { session, wait, pictures }) => {
                let Some(line) = lab.next(session, wait).await? else {
                    eprintln!("droidmux: no question waits");
                    return Ok(exit::FOUND);
                };
                let detail = lab.question(line.number).await?;
                lab.print(&detail, &pictures, json).await
            }
            Some(QuestionsCommand::Show { number, pictures }) => {
                let detail = lab.question(number).await?;
                lab.print(&detail, &pictures, json).await
            }
            Some(QuestionsCommand::Answer { number }) => lab.answer(number, reply, json).await,
        }
    })?;
    Ok(ExitCode::from(code))
}

/// The reply on standard input; longer ones are refused before they are sent.
fn said() -> color_eyre::Result<String> {
    let most = u64::try_from(Said::MOST_BYTES).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    // White space around it is no part of it.
    io::stdin().lock().take(most.saturating_mul(2)).read_to_end(&mut bytes)?;
    let text = String::from_utf8(bytes).map_err(|_| Usage::new("the reply is no UTF-8"))?;
    match text.trim() {
        reply if reply.len() > Said::MOST_BYTES => {
            Err(Usage::new(format!("the reply has more than {} KiB", Said::MOST_BYTES >> 10)).into())
        }
        reply => Ok(reply.to_owned()),
    }
}

/// A lab with questions.
struct Lab(ViewerEnd);

impl Lab {
    async fn reach(place: Place) -> color_eyre::Result<Self> {
        let to = place.to.unwrap_or(LabAddress::Here);
        let mut end = view(&to, place.store, Purpose::Ask).await?;
        let changed = tokio::time::timeout(WITHIN, end.view.changed()).await;
        changed.map_err(|_| eyre!("the lab shows nothing"))?.map_err(|_| eyre!("the lab is gone"))?;
        Ok(Self(end))
    }

    async fn list(&mut self, session: Option<SessionId>, json: bool) -> color_eyre::Result<u8> {
        let lines = of(&self.0.view.borrow_and_update(), session);
        let text: String = match json {
            true => lines.iter().map(|line| json_line(&WaitingJson::new(line))).collect(),
            false if lines.is_empty() => "no question waits\n".into(),
            false => lines.iter().map(told::line).collect(),
        };
        print(&text)?;
        Ok(exit::OK)
    }

    /// The question that waits longest; with `wait`, one that comes; `None` when there is none.
    async fn next(
        &mut self,
        session: Option<SessionId>,
        wait: bool,
    ) -> color_eyre::Result<Option<WaitingView>> {
        loop {
            let view = self.0.view.borrow_and_update().clone();
            let first = of(&view, session).into_iter().next();
            let over = session.is_some_and(|session| {
                let shown = view.sessions.iter().find(|shown| shown.id == session);
                shown.is_none_or(|shown| shown.state.is_over())
            });
            if first.is_some() || over || !wait {
                return Ok(first);
            }
            tokio::select! {
                changed = self.0.view.changed() => changed.map_err(|_| eyre!("the lab is gone"))?,
                // What this viewer never asked for.
                reply = self.0.replies.recv() => drop(reply.ok_or_else(|| eyre!("the lab is gone"))?),
            }
        }
    }

    async fn question(&mut self, number: u64) -> color_eyre::Result<WaitingDetail> {
        let reply = self.ask(Request::Question(number), |reply| match reply {
            Reply::Question(of, detail) if of == number => Some(detail),
            _ => None,
        });
        Ok(*reply.await?.map_err(Usage::new)?)
    }

    async fn print(
        &mut self,
        detail: &WaitingDetail,
        pictures: &Pictures,
        json: bool,
    ) -> color_eyre::Result<u8> {
        let folder = told::folder(pictures.pictures.as_deref())?;
        let mut paths = Vec::new();
        for hash in detail.pictures() {
            let png = self.ask(Request::Screenshot(hash), |reply| match reply {
                Reply::Screenshot(of, png) if of == hash => Some(png),
                _ => None,
            });
            let png = png.await?.ok_or_else(|| {
                Usage::new(format!("question {} waits no longer: its pictures are gone", detail.line.number))
            })?;
            paths.push(told::keep(&folder, hash, &png)?);
        }
        print(&match json {
            true => json_line(&QuestionJson::new(detail, &paths)),
            false => told::whole(detail, &paths),
        })?;
        Ok(exit::OK)
    }

    async fn answer(&mut self, number: u64, reply: String, json: bool) -> color_eyre::Result<u8> {
        let taking = self.ask(Request::Answer { number, reply }, |reply| match reply {
            Reply::Answered(of, taking) if of == number => Some(taking),
            _ => None,
        });
        let faults = match taking.await? {
            Taking::Taken => Vec::new(),
            Taking::Unfit(faults) => faults,
            Taking::Gone(why) => return Err(Usage::new(why).into()),
        };
        if json {
            print(&json_line(&AnsweredJson { question: number, taken: faults.is_empty(), faults: &faults }))?;
        } else if faults.is_empty() {
            print(&format!("question {number} is answered\n"))?;
        } else {
            eprint!("{}", told::unfit(number, &faults));
        }
        Ok(if faults.is_empty() { exit::OK } else { exit::FOUND })
    }

    /// The reply to a request.
    async fn ask<T>(&mut self, request: Request, ours: impl Fn(Reply) -> Option<T>) -> color_eyre::Result<T> {
        self.0.requests.send(request).await.map_err(|_| eyre!("the lab is gone"))?;
        let wait = async {
            loop {
                match self.0.replies.recv().await {
                    None => return Err(eyre!("the lab is gone")),
                    Some(Reply::Refused { why, .. }) => return Err(Usage::new(why).into()),
                    Some(reply) => {
                        if let Some(found) = ours(reply) {
                            return Ok(found);
                        }
                    }
                }
            }
        };
        tokio::time::timeout(WITHIN, wait).await.map_err(|_| eyre!("the lab does not answer"))?
    }
}

/// What waits, of one session or of all.
fn of(view: &LabView, session: Option<SessionId>) -> Vec<WaitingView> {
    let ours = |line: &&WaitingView| session.is_none_or(|session| line.session == session);
    view.questions.iter().filter(ours).cloned().collect()
}
