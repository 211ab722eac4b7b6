//! The child's side: everything between its start and its end.

use std::cell::RefCell;
use std::env;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::process::ExitCode;
use std::rc::Rc;

use super::engine::{Engine, Sink};
use super::error::SandboxError;
use super::wire::{self, Message, Request};
use super::{ARGUMENT, MOST_TOTAL, lockdown, utf8_len};
use droidmux_record::{Expectation, Generation, GeneratorFailure};

/// Runs this process as a sandbox, to its end, if it was started as one; `None` if it was not. Must be called before
/// anything else is done.
pub fn enter() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next()? != ARGUMENT || arguments.next().is_some() {
        return None;
    }
    let failure = match serve() {
        Ok(failure) => failure,
        Err(error) => Some(GeneratorFailure::Crashed(error.to_string())),
    };
    // A parent that does not receive this sees the process end without a word.
    let told = wire::write(&mut io::stdout(), &Message::Done(failure));
    std::process::exit(i32::from(told.is_err()))
}

/// Does what is asked; returns the end of the answer, or why nothing was run.
fn serve() -> Result<Option<GeneratorFailure>, SandboxError> {
    lockdown::limit()?;
    let output = Rc::new(RefCell::new(Output::default()));
    // Never dropped: there is no cleaning up after code that may have left anything behind.
    let engine = ManuallyDrop::new(Engine::new(output.clone())?);
    lockdown::seal()?;
    match wire::read(&mut io::stdin()).map_err(SandboxError::Request)? {
        Request::Generate(generation) => {
            output.borrow_mut().begin(&generation);
            let failure = engine.run(&generation);
            Ok(if output.borrow().too_much { Some(GeneratorFailure::TooMuch) } else { failure })
        }
        Request::Probe(probe) => {
            let survived = format!("{probe:?} was not possible");
            Ok((!probe.works()).then_some(GeneratorFailure::Crashed(survived)))
        }
    }
}

/// Where inputs go: straight to the parent, which keeps them whatever happens next.
#[derive(Debug, Default)]
struct Output {
    left: usize,
    bytes: usize,
    too_much: bool,
}

impl Output {
    fn begin(&mut self, generation: &Generation) {
        *self = Self { left: generation.most.into(), ..Self::default() };
    }
}

impl Sink for Output {
    fn put(&mut self, units: Vec<u16>, expected: Option<Expectation>) -> bool {
        let bytes = utf8_len(&units);
        self.bytes = self.bytes.saturating_add(bytes);
        if bytes > Generation::MOST_BYTES || self.bytes > MOST_TOTAL {
            self.too_much();
            return false;
        }
        let mut stdout = io::stdout();
        let told = wire::write(&mut stdout, &Message::Input(units, expected)).and_then(|()| stdout.flush());
        self.left = self.left.saturating_sub(1);
        told.is_ok() && self.left > 0
    }

    fn too_much(&mut self) {
        self.too_much = true;
    }
}
