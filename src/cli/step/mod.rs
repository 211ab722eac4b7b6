//! `droidmux step`: a person, or a script, leads a finding's test through on a device, event by event.
//!
//! In: a finding, and orders as lines of standard input or a list on the command line. Out: the state after each order,
//! as text or JSON Lines; a session in the store, whose trace is a test again (`replay FINDING --stepped SESSION`).

mod orders;
mod told;
mod told_json;

#[cfg(test)]
pub(crate) use told_json::ToldJson;

use std::sync::Arc;

use clap::Args;
use color_eyre::eyre::eyre;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::bring_up::Ground;
use super::caller::Caller;
use super::run::{RunOptions, Task};
use super::source::source;
use super::{Usage, exit, logging};
use droidmux_gui::Layout;
use droidmux_lab::stepper::{as_led, open};
use droidmux_lab::{Lab, LabError, SessionEnd, SessionEvent, SessionOptions, SessionOutcome};
use droidmux_proto::{Shows, StepperView};
use droidmux_record::{FindingId, Layouts, SessionId, StepOrder, StepSettings, Test};
use droidmux_store::{Store, StoreError};
use orders::{Line, Orders, read};

#[derive(Debug, Args)]
pub struct StepArgs {
    /// The finding, e.g. s7-1a2b3c4d
    finding: FindingId,
    /// What to do, instead of lines on standard input: next,skip,violation (`droidmux step FINDING` and then `help`
    /// lists all of them)
    #[arg(long, value_name = "ORDERS")]
    orders: Option<String>,
    /// The device to step on
    #[arg(long, value_name = "SERIAL")]
    on: Option<String>,
    /// The shorter tests that `droidmux shrink` found, instead of the original ones
    #[arg(long)]
    shrunk: bool,
    /// JSON Lines: one after each order
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: RunOptions,
}

pub(super) fn run(args: StepArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let orders = match &args.orders {
        Some(list) => Orders::listed(list),
        None => typed(caller, "give them with --orders")?,
    };
    if !caller.is_client() {
        logging::start();
    }
    let store = caller.store(args.options.store(), true)?;
    let opened = open(&store, &args.finding, args.on.as_deref(), args.shrunk);
    let mut definition = opened.map_err(exit::again)?;
    args.options.apply(&mut definition);
    let source = source(&definition, &args.options.sim())?;
    let options = args.options.session()?;
    let rng = args.options.seed();
    let sim = args.options.sim();
    caller.block_on(async {
        let ground = caller.ground(store, source).await?;
        ground.require_device()?;
        let options = SessionOptions { rng, sim, most_devices: 1, stop: caller.stop(), ..options };
        let manner = Manner { finding: &args.finding, on: args.on.as_deref(), json: args.json };
        let task = Task::New(Box::new(definition));
        let led = lead(&ground, task, options, orders, &manner, caller).await;
        ground.finish().await;
        led
    })?
}

/// Orders as a person types them; `instead` says what to do if nobody can.
fn typed(caller: &Caller, instead: &str) -> Result<Orders, Usage> {
    if caller.is_client() {
        return Err(Usage::new(format!(
            "a lab server holds the store, and cannot read your lines: {instead}"
        )));
    }
    Ok(Orders::typed())
}

/// Continues a session that steps through a test: with the orders given so far, then with what is typed.
pub(super) async fn go_on(
    ground: &Ground,
    session: SessionId,
    settings: &StepSettings,
    options: SessionOptions,
    json: bool,
    caller: &Caller,
) -> color_eyre::Result<u8> {
    let orders = typed(caller, "go on in the cockpit, where 4 leads the test")?;
    ground.require_device()?;
    let finding = &settings.finding;
    caller.tell(&format!(
        "{session} steps through {finding}: what was ordered so far is done again, then it waits for your orders"
    ));
    let options = SessionOptions { most_devices: 1, stop: caller.stop(), ..options };
    lead(ground, Task::Resume(session), options, orders, &Manner { finding, on: None, json }, caller).await
}

/// How a stepping session is reported.
struct Manner<'a> {
    finding: &'a FindingId,
    /// The chosen device.
    on: Option<&'a str>,
    json: bool,
}

/// Runs the session while its test is led through, and returns the exit code.
async fn lead(
    ground: &Ground,
    task: Task,
    options: SessionOptions,
    orders: Orders,
    manner: &Manner<'_>,
    caller: &Caller,
) -> color_eyre::Result<u8> {
    let (events, told) = mpsc::channel(64);
    let stop = options.stop.clone();
    let options = SessionOptions { events: Some(events), ..options };
    let session = async {
        match task {
            Task::New(definition) => ground.lab.run(*definition, options).await,
            Task::Resume(session) => ground.lab.resume(session, options).await,
        }
    };
    let leader = Leader { lab: &ground.lab, caller, json: manner.json, device: String::new() };
    let (outcome, last) = tokio::join!(session, leader.follow(told, orders, stop));
    let outcome = outcome.map_err(|error| elsewhere(error, ground, manner))?;
    let last = last?;
    if manner.json {
        caller.print(&told::end_json(&outcome, last.as_ref()))?;
    } else {
        caller.print(&told::end_text(&outcome, manner.finding))?;
    }
    Ok(exit_code(&outcome, last.as_ref()))
}

/// For a device that went away: which others there are.
fn elsewhere(error: LabError, ground: &Ground, manner: &Manner<'_>) -> color_eyre::Report {
    let Some(on) = manner.on else { return error.into() };
    let states = ground.lab.roster().states();
    let others: Vec<_> =
        states.iter().filter(|(serial, state)| serial != on && state == "device").map(|(s, _)| s).collect();
    match others.first() {
        Some(other) => {
            let finding = manner.finding;
            eyre!("{error}; {} other devices are there: `droidmux step {finding} --on {other}`", others.len())
        }
        None => error.into(),
    }
}

/// Found when an oracle reported it for the trace, or when the reported violation showed again.
fn exit_code(outcome: &SessionOutcome, last: Option<&StepperView>) -> u8 {
    let shows = last.is_some_and(|view| view.violation.shows == Some(Shows::Again));
    match outcome.end {
        SessionEnd::Stopped => exit::INTERRUPTED,
        _ if shows || !outcome.findings.is_empty() => exit::FOUND,
        _ => exit::OK,
    }
}

/// Applies the person's orders to the test and reports the state.
struct Leader<'a> {
    lab: &'a Lab,
    caller: &'a Caller,
    json: bool,
    /// The device of the last question.
    device: String,
}

impl Leader<'_> {
    /// Leads the test to its end and returns its last state. Any error here ends the session.
    async fn follow(
        mut self,
        mut told: mpsc::Receiver<SessionEvent>,
        orders: Orders,
        stop: CancellationToken,
    ) -> color_eyre::Result<Option<StepperView>> {
        let began = loop {
            match told.recv().await {
                Some(SessionEvent::Began(session)) => break session,
                Some(_) => {}
                // The session did not begin, and reports the reason itself.
                None => return Ok(None),
            }
        };
        // A full channel would make the session wait.
        tokio::spawn(async move { while told.recv().await.is_some() {} });
        let led = self.answer(began, orders).await;
        if led.is_err() {
            stop.cancel();
        }
        led
    }

    async fn answer(
        &mut self,
        session: SessionId,
        mut orders: Orders,
    ) -> color_eyre::Result<Option<StepperView>> {
        let mut last = None;
        let mut first = true;
        while let Some(question) = self.lab.asked(session).await {
            let Some((view, layout)) = self.look(session).await? else { break };
            self.tell(&view, question, first)?;
            first = false;
            let order = self.order(&mut orders, &view, layout.as_deref()).await?;
            last = Some(view);
            self.lab.order(session, order);
        }
        Ok(last)
    }

    async fn look(
        &self,
        session: SessionId,
    ) -> color_eyre::Result<Option<(StepperView, Option<Arc<Layout>>)>> {
        let lab = self.lab.clone();
        let looked = tokio::task::spawn_blocking(move || -> Result<_, StoreError> {
            let Some(view) = lab.stepper(session)? else { return Ok(None) };
            let layout = view.live.and_then(|hash| lab.store().layout(hash));
            Ok(Some((view, layout)))
        });
        Ok(looked.await??)
    }

    fn tell(&mut self, view: &StepperView, question: u32, first: bool) -> color_eyre::Result<()> {
        if !self.device.is_empty() && self.device != view.device {
            let (gone, here) = (&self.device, &view.device);
            self.caller.tell(&format!("{gone} was lost; the same orders were carried out on {here}"));
        }
        self.device.clone_from(&view.device);
        let text = match self.json {
            true => told::json(view, question),
            false if first => told::opening(view) + &told::text(view),
            false => told::text(view),
        };
        Ok(self.caller.print(&text)?)
    }

    /// The next order; when the input ends, the test is left.
    async fn order(
        &self,
        orders: &mut Orders,
        view: &StepperView,
        layout: Option<&Layout>,
    ) -> color_eyre::Result<StepOrder> {
        while let Some(line) = orders.next().await? {
            match read(&line, layout) {
                Ok(Line::Order(order)) => return Ok(order),
                Ok(Line::Help) => self.caller.tell(orders::HELP),
                Ok(Line::Lanes) => self.caller.print(&told::lanes(view))?,
                Ok(Line::Look) => self.caller.print(&told::widgets(layout))?,
                // Orders read from a list cannot be corrected by anybody.
                Err(error) if orders.are_listed() => return Err(Usage::new(error.to_string()).into()),
                Err(error) => self.caller.tell(&error.to_string()),
            }
        }
        Ok(StepOrder::Leave)
    }
}

/// The tests of a finding as they were led through in a stepping session.
///
/// # Errors
/// `Usage` when the session stepped through no test of this finding.
pub(super) fn stepped(
    store: &Store,
    finding: &FindingId,
    session: SessionId,
) -> color_eyre::Result<Vec<Test>> {
    let stepping = store.session(session)?.and_then(|record| record.definition.step);
    if stepping.is_none_or(|stepping| stepping.finding != *finding) {
        return Err(Usage::new(format!("{session} did not step through {finding}")).into());
    }
    let tests = as_led(store, session)?;
    tests.ok_or_else(|| Usage::new(format!("nothing was performed in {session}")).into())
}

/// Steps through a finding on behalf of another command.
pub(super) fn paused(
    finding: FindingId,
    shrunk: bool,
    json: bool,
    options: RunOptions,
    caller: &Caller,
) -> color_eyre::Result<u8> {
    run(StepArgs { finding, orders: None, on: None, shrunk, json, options }, caller)
}
