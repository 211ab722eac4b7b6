//! QuickJS with its limits, and the running of a generation in it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rquickjs::context::{EvalOptions, intrinsic};
use rquickjs::function::{Func, MutFn};
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Object, Persistent, Runtime, Value};

use super::error::SandboxError;
use super::{MOST_CODE, shortened, source};
use droidmux_record::{Expectation, Generation, GeneratorFailure};

const HARNESS: &str = include_str!("harness.js");
/// Bytes that QuickJS may allocate.
const MEMORY: usize = 64 << 20;
/// Bytes of stack that QuickJS may use.
const STACK: usize = 512 << 10;
/// How often QuickJS may ask whether to go on; it asks after 10,000 loops or calls. Less than a second of computing.
const PATIENCE: u32 = 5_000;

/// No modules, no timers, no weak references, no performance counters: the language alone.
type Intrinsics = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
);

/// Where inputs go as they are yielded.
pub(super) trait Sink: 'static {
    /// Takes an input, and what should come of it; false when no more are wanted.
    fn put(&mut self, units: Vec<u16>, expected: Option<Expectation>) -> bool;
    /// An input was too long to be handed over.
    fn too_much(&mut self);
}

pub(super) struct Engine {
    context: Context,
    harness: Persistent<Object<'static>>,
    random: Rc<RefCell<ChaCha8Rng>>,
    /// QuickJS was asked to stop.
    stopped: Rc<Cell<bool>>,
}

impl Engine {
    /// # Errors
    /// When QuickJS is not available.
    pub(super) fn new(sink: Rc<RefCell<impl Sink>>) -> Result<Self, SandboxError> {
        let runtime = Runtime::new()?;
        runtime.set_memory_limit(MEMORY);
        runtime.set_max_stack_size(STACK);
        let stopped = Rc::new(Cell::new(false));
        runtime.set_interrupt_handler(Some(patience(stopped.clone())));
        let context = Context::custom::<Intrinsics>(&runtime)?;
        let random = Rc::new(RefCell::new(ChaCha8Rng::seed_from_u64(0)));
        let harness = context.with(|ctx| {
            let harness = prepare(&ctx, sink, random.clone())?;
            rquickjs::Result::Ok(Persistent::save(&ctx, harness))
        });
        Ok(Self { context, harness: harness?, random, stopped })
    }

    /// Runs the code; returns why it failed, if it did.
    pub(super) fn run(&self, generation: &Generation) -> Option<GeneratorFailure> {
        if generation.code.len() > MOST_CODE {
            return Some(GeneratorFailure::Syntax(format!("it is longer than {MOST_CODE} bytes")));
        }
        *self.random.borrow_mut() = ChaCha8Rng::seed_from_u64(generation.rng);
        let program = source::program(&generation.code);
        let done = self.context.with(|ctx| {
            let failed = |error| failure(&ctx, error);
            let harness = self.harness.clone().restore(&ctx).map_err(failed)?;
            let value = find(&ctx, &harness, &program)?;
            let run: Function = harness.get("run").map_err(failed)?;
            let complaint: String = run.call((value,)).map_err(failed)?;
            if complaint.is_empty() { Ok(()) } else { Err(GeneratorFailure::NotAGenerator(complaint)) }
        });
        if self.stopped.get() { Some(GeneratorFailure::TimedOut) } else { done.err() }
    }
}

/// Tells it to stop for good when patience has run out.
fn patience(stopped: Rc<Cell<bool>>) -> Box<dyn FnMut() -> bool> {
    let mut left = PATIENCE;
    Box::new(move || {
        left = left.saturating_sub(1);
        stopped.set(left == 0);
        left == 0
    })
}

/// Evaluates the harness and the function it calls.
fn prepare<'js>(
    ctx: &Ctx<'js>,
    sink: Rc<RefCell<impl Sink>>,
    random: Rc<RefCell<ChaCha8Rng>>,
) -> rquickjs::Result<Object<'js>> {
    let units = Rc::new(RefCell::new(Vec::new()));
    let too_long = sink.clone();
    let unit = {
        let units = units.clone();
        move |unit: u16| units.borrow_mut().push(unit)
    };
    // A text, or an empty one followed by the units of one that is not valid Unicode.
    let put = move |text: String, expected: String| {
        let units = units.take();
        let units = if text.is_empty() { units } else { text.encode_utf16().collect() };
        sink.borrow_mut().put(units, Expectation::named(&expected))
    };
    let harness: Function = ctx.eval(HARNESS)?;
    harness.call((
        Func::new(move || random.borrow_mut().random::<f64>()),
        Func::from(MutFn::from(put)),
        Func::from(MutFn::from(unit)),
        Func::new(move || too_long.borrow_mut().too_much()),
        Generation::MOST_BYTES,
    ))
}

/// The function or list that gives the inputs: what the program evaluates to when that can be
/// iterated over; else the generator function it declares last; else what it evaluates to, or
/// the function it declares last.
fn find<'js>(ctx: &Ctx<'js>, harness: &Object<'js>, program: &str) -> Result<Value<'js>, GeneratorFailure> {
    let failed = |error| failure(ctx, error);
    let is = |test: &str, value: &Value<'js>| -> Result<bool, GeneratorFailure> {
        let test: Function = harness.get(test).map_err(failed)?;
        test.call((value.clone(),)).map_err(failed)
    };
    // An anonymous function is an expression only when in parentheses.
    let value = match evaluate(ctx, program.to_owned()) {
        Err(GeneratorFailure::Syntax(message)) => evaluate(ctx, format!("(\n{program}\n)"))
            .map_err(|again| if is_syntax(&again) { GeneratorFailure::Syntax(message) } else { again })?,
        other => other?,
    };
    if is("isIterable", &value)? || is("isGenerator", &value)? {
        return Ok(value);
    }
    let named = source::names(program).into_iter().filter_map(|name| evaluate(ctx, name.to_owned()).ok());
    let named: Vec<Value<'js>> = named.collect();
    for candidate in &named {
        if is("isGenerator", candidate)? {
            return Ok(candidate.clone());
        }
    }
    match named.into_iter().find(Value::is_function) {
        Some(function) if !value.is_function() => Ok(function),
        _ => Ok(value),
    }
}

fn evaluate<'js>(ctx: &Ctx<'js>, code: String) -> Result<Value<'js>, GeneratorFailure> {
    // Models write scripts, and not always in strict mode.
    let mut options = EvalOptions::default();
    options.strict = false;
    ctx.eval_with_options(code, options).map_err(|error| failure(ctx, error))
}

fn is_syntax(failure: &GeneratorFailure) -> bool {
    matches!(failure, GeneratorFailure::Syntax(_))
}

/// What was thrown, in words. No code of the script is called for it except getters, and a getter that throws or never
/// ends makes no difference.
fn failure<'js>(ctx: &Ctx<'js>, error: rquickjs::Error) -> GeneratorFailure {
    let text = |object: &Object<'js>, name: &str| {
        object.get::<_, rquickjs::String>(name).catch(ctx).ok().and_then(|text| text.to_string().ok())
    };
    let words = match Err::<(), _>(error).catch(ctx) {
        Ok(()) | Err(CaughtError::Error(rquickjs::Error::Allocation)) => {
            return GeneratorFailure::OutOfMemory;
        }
        Err(CaughtError::Error(error)) => return GeneratorFailure::Syntax(shortened(&error.to_string())),
        Err(CaughtError::Exception(exception)) => {
            let message = text(&exception, "message").unwrap_or_default();
            match text(&exception, "name").as_deref() {
                Some("SyntaxError") => return GeneratorFailure::Syntax(shortened(&message)),
                Some("InternalError") if message == "out of memory" => return GeneratorFailure::OutOfMemory,
                Some(name) => format!("{name}: {message}"),
                None => message,
            }
        }
        Err(CaughtError::Value(value)) => match value.as_string().map(rquickjs::String::to_string) {
            Some(Ok(text)) => text,
            _ => format!("a value of type {}", value.type_name()),
        },
    };
    GeneratorFailure::Threw(shortened(&words))
}
