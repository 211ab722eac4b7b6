//! `droidmux run --resume`: continues an interrupted session of the store from where it stopped.

use super::caller::Caller;
use super::run::{Presentation, RunArgs, Task, require_people, watch};
use super::source::source;
use super::{Usage, logging, step};
use droidmux_lab::SessionOptions;
use droidmux_record::SessionId;

/// Continues a session to its end. Its devices are those it had before: its own simulated lab is rebuilt in the same
/// way.
pub(super) fn run(session: SessionId, args: &RunArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let (options, view) = (args.options(), args.view(caller));
    if !caller.is_client() {
        logging::start();
    }
    let store = caller.store(options.store(), false)?;
    let record = store.session(session)?.ok_or_else(|| Usage::no_session(session))?;
    if record.over {
        let ending = record.ending.unwrap_or_default();
        return Err(
            Usage::new(format!("{session} is over ({ending}); there is nothing to go on with")).into()
        );
    }
    require_people(&record.definition, view, caller)?;
    let source = source(&record.definition, &record.terms.sim)?;
    caller.block_on(async {
        let ground = caller.ground(store, source).await?;
        let given =
            SessionOptions { rng: record.rng, accept_builds: args.accepts_builds(), ..options.session()? };
        if let Some(settings) = record.definition.step.as_ref().filter(|_| view != Presentation::Cockpit) {
            let led =
                step::go_on(&ground, session, settings, given, view == Presentation::Json, caller).await;
            ground.finish().await;
            return led;
        }
        watch(&ground, Task::Resume(session), &record.definition.app, given, view, caller).await
    })?
}
