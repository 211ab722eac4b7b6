//! The sandbox with its real child process: code as models write it, and malicious code.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use droidmux::llm::sandbox::{Probe, Sandbox};
use droidmux::record::{Answer, Expectation, Foretold, Generated, Generation, GeneratorFailure};
use droidmux_testutils::write_shell_script;
use rustix::io::{FdFlags, fcntl_setfd};
use tokio_util::sync::CancellationToken;

/// What runs without end inside one native call.
const NATIVE: &str = "function* g() { const a = 'a'.repeat(6e6); yield a.indexOf(a.slice(0, 3e6) + 'b'); }";

fn sandbox() -> Sandbox {
    Sandbox::at(env!("CARGO_BIN_EXE_droidmux"))
}

fn generation(code: &str) -> Generation {
    Generation { code: code.to_owned(), rng: 7, most: 10 }
}

async fn run_in(sandbox: &Sandbox, generation: &Generation) -> Generated {
    sandbox.run(generation, &CancellationToken::new()).await.expect("nobody cancels it")
}

async fn run(code: &str) -> Generated {
    run_in(&sandbox(), &generation(code)).await
}

fn texts(generated: &Generated) -> Vec<String> {
    generated.inputs.iter().map(|units| String::from_utf16_lossy(units)).collect()
}

#[tokio::test]
async fn code_is_taken_as_models_write_it() {
    let cases = [
        "function* generate() { yield 'a'; yield 'b'; }",
        "const gen = function* () { yield 'a'; yield 'b'; };",
        "function*(){ yield 'a'; yield 'b'; }",
        "(function* () { yield 'a'; yield 'b'; })",
        "export default function* () { yield 'a'; yield 'b'; }",
        "module.exports = function* () { console.log('hi'); yield 'a'; yield 'b'; }",
        "```javascript\nfunction* inputs() {\n  yield 'a';\n  yield 'b';\n}\n```\nThis yields two.",
        "let all = ['a', 'b'];\nfunction* helper() { yield* all; }\nfunction* main() { yield* helper(); }",
        "function* g() { yield 'a'; yield 'b'; }\ng()",
        "['a', 'b']",
        "function inputs() { return ['a', 'b']; }",
        "const inputs = () => new Set(['a', 'b', 'a']);",
        "undeclared = 'a'; function* g() { yield undeclared; yield 'b'; }",
    ];
    for code in cases {
        let generated = run(code).await;
        assert_eq!((texts(&generated), &generated.failure), (vec!["a".into(), "b".into()], &None), "{code}");
    }
}

#[tokio::test]
async fn inputs_are_utf_16_units() {
    let code = r"function* g() {
        yield ''; yield 12; yield -0.5; yield 2n ** 64n; yield true; yield '\u{1F600}'; yield '\uD83D';
        yield 'a\uDC00\uD800b'; yield 'x\0y';
    }";
    let generated = run(code).await;
    let text = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let expected = vec![
        text(""),
        text("12"),
        text("-0.5"),
        text("18446744073709551616"),
        text("true"),
        text("😀"),
        vec![0xd83d],
        vec![0x61, 0xdc00, 0xd800, 0x62],
        text("x\0y"),
    ];
    assert_eq!(generated, Generated { inputs: expected, failure: None });
}

/// An input may say what should come of it; whatever else stands there is nothing said.
#[tokio::test]
async fn inputs_may_say_what_is_expected_of_them() {
    let code = r"function* g() {
        yield 'a'; yield {input: 'b', expected: 'refused'}; yield {input: 7, expected: 'accepted', more: 1};
        yield {input: '\uD83D', expected: 'open'}; yield {input: 'c', expected: 'maybe'};
        yield {input: 'd', expected: '\uD83D'}; yield {input: 'e', expected: {}}; yield {input: 'f'};
    }";
    let told = sandbox().foretell(&generation(code), &CancellationToken::new()).await.expect("not cancelled");
    assert_eq!(told.generated.failure, None);
    let (refused, accepted, open) = (Expectation::Refused, Expectation::Accepted, Expectation::Open);
    let said = [None, Some(refused), Some(accepted), Some(open), None, None, None, None];
    assert_eq!((told.generated.inputs.len(), told.expected.as_slice()), (8, &said[..]));
    assert!(matches!(Answer::from(told), Answer::Foretold(_)));
    for (code, inputs, expected) in [
        ("function* g() { yield 'a'; yield {expected: 'open'}; }", 1, End::NotAGenerator),
        ("function* g() { yield {input: {}}; }", 0, End::NotAGenerator),
        ("function* g() { yield {input: 'a', get expected() { for (;;) {} }}; }", 0, End::TimedOut),
    ] {
        let generated = run(code).await;
        let got = (generated.inputs.len(), end(generated.failure.as_ref()));
        assert_eq!(got, (inputs, Some(expected)), "{code}: {:?}", generated.failure);
        let plain = Foretold { expected: vec![None; inputs], generated };
        assert!(matches!(Answer::from(plain), Answer::Inputs(_)), "{code}");
    }
}

/// What may become of code, without the engine's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Whole,
    Syntax,
    Threw,
    NotAGenerator,
    TimedOut,
    OutOfMemory,
    TooMuch,
    /// Out of memory, or out of patience: which comes first is up to the engine.
    Stopped,
}

fn end(failure: Option<&GeneratorFailure>) -> Option<End> {
    Some(match failure {
        None => End::Whole,
        Some(GeneratorFailure::Syntax(_)) => End::Syntax,
        Some(GeneratorFailure::Threw(_)) => End::Threw,
        Some(GeneratorFailure::NotAGenerator(_)) => End::NotAGenerator,
        Some(GeneratorFailure::TimedOut) => End::TimedOut,
        Some(GeneratorFailure::OutOfMemory) => End::OutOfMemory,
        Some(GeneratorFailure::TooMuch) => End::TooMuch,
        Some(GeneratorFailure::Crashed(_)) => return None,
    })
}

/// Code, how many inputs come before its end, and the end.
const HOSTILE: [(&str, usize, End); 55] = [
    // No end.
    ("while (true) {}", 0, End::TimedOut),
    ("function* g() { yield 1; yield 2; for (;;) {} }", 2, End::TimedOut),
    ("function* g() { try { for (;;) {} } finally { for (;;) {} } }", 0, End::TimedOut),
    ("function* g() { for (;;) { try { for (;;) {} } catch (e) { yield 1; } } }", 0, End::TimedOut),
    ("function* g() { for (let n = 0; ; n++) yield n; }", 10, End::Whole),
    ("const a = []; a[Symbol.iterator] = () => ({ next() { for (;;) {} } }); a", 0, End::TimedOut),
    ("function* g() { yield /(a+)+$/.test('a'.repeat(40) + 'b'); }", 0, End::TimedOut),
    ("function* g() { yield 'x'.repeat(1e4).replace(/(x+x+)+y/, ''); }", 0, End::TimedOut),
    ("function* g() { [3, 2, 1].sort(() => { for (;;) {} }); }", 0, End::TimedOut),
    ("function* g() { yield 1; JSON.parse('[1]', () => { for (;;) {} }); }", 1, End::TimedOut),
    // No bottom.
    ("function f() { return f() + 1; } function* g() { yield f(); }", 0, End::Threw),
    ("function* g() { yield* g(); }", 0, End::Threw),
    ("function* g() { yield 1; const f = () => f(); f(); }", 1, End::Threw),
    (
        "function* g() { let a = []; for (let n = 0; n < 1e5; n++) a = [a]; yield JSON.stringify(a); }",
        0,
        End::Threw,
    ),
    // No room.
    ("function* g() { const a = []; for (;;) a.push(new Array(1000).fill(7)); }", 0, End::OutOfMemory),
    ("function* g() { yield 1; let s = 'abc'; for (;;) s += s + Math.random(); }", 1, End::Stopped),
    ("function* g() { yield new Array(1e9).fill('x').join(''); }", 0, End::Stopped),
    ("function* g() { new Uint8Array(2e9); }", 0, End::Stopped),
    (
        "function* g() { const a = []; for (;;) { try { a.push('x'.repeat(1e6) + a.length); } catch { yield 1; } } }",
        10,
        End::Whole,
    ),
    ("function* g() { yield 'x'.repeat(2 ** 30); }", 0, End::Stopped),
    // Too much.
    ("function* g() { yield 'a'; yield 'x'.repeat(1e7); yield 'b'; }", 1, End::TooMuch),
    ("function* g() { yield 'x'.repeat(65536); yield '\u{e9}'.repeat(65536); }", 1, End::TooMuch),
    ("function* g() { yield '\\ud800'.repeat(21846); }", 0, End::TooMuch),
    ("function* g() { yield '\\ud800'.repeat(21845); }", 1, End::Whole),
    // No generator.
    ("", 0, End::NotAGenerator),
    ("42", 0, End::NotAGenerator),
    ("null", 0, End::NotAGenerator),
    ("'text'", 0, End::NotAGenerator),
    ("const f = () => 'abc';", 0, End::NotAGenerator),
    ("async function f() { return ['a']; }", 0, End::NotAGenerator),
    ("async function* g() { yield 'a'; }", 0, End::NotAGenerator),
    ("function* g() { yield 'a'; yield { toString() { return 'b'; } }; }", 1, End::NotAGenerator),
    ("function* g() { yield undefined; }", 0, End::NotAGenerator),
    ("function* g() { yield ['a']; }", 0, End::NotAGenerator),
    ("function* g() { yield Symbol('a'); }", 0, End::NotAGenerator),
    ("function* g() { yield 'a'; yield new Proxy({}, { get() { throw 1; } }); }", 1, End::Threw),
    ("({ [Symbol.iterator]: () => ({ next: () => 1 }) })", 0, End::NotAGenerator),
    // Throws.
    ("throw 'no'", 0, End::Threw),
    ("function* g() { yield 'a'; throw new Error('x'.repeat(1e6)); }", 1, End::Threw),
    ("function* g() { throw { get message() { throw 1; }, toString() { throw 2; } }; }", 0, End::Threw),
    (
        "function* g() { const e = new Error(); Object.defineProperty(e, 'message', { get() { throw e; } }); throw e; }",
        0,
        End::Threw,
    ),
    (
        "function* g() { const e = new Error(); Object.defineProperty(e, 'name', { get() { for (;;) {} } }); throw e; }",
        0,
        End::TimedOut,
    ),
    ("({ get [Symbol.iterator]() { throw new Error('no'); } })", 0, End::Threw),
    ("[][Symbol.iterator].call(null).next()", 0, End::Threw),
    // Nothing outside.
    ("import fs from 'fs'; function* g() { yield 1; }", 0, End::Syntax),
    ("const fs = require('fs'); function* g() { yield 1; }", 0, End::Threw),
    ("function* g() { yield std.open('/etc/passwd', 'r').readAsString(); }", 0, End::Threw),
    ("function* g() { yield os.exec(['id']); }", 0, End::Threw),
    ("function* g() { yield process.env.HOME; }", 0, End::Threw),
    ("function* g() { fetch('http://localhost'); }", 0, End::Threw),
    ("function* g() { setTimeout(() => 1, 0); }", 0, End::Threw),
    ("function* g() { new WebAssembly.Memory({ initial: 1 }); }", 0, End::Threw),
    ("function* g() { new SharedArrayBuffer(8); }", 0, End::Threw),
    // No JavaScript.
    ("def generate():\n    yield 'a'", 0, End::Syntax),
    ("function* g() { yield 'a", 0, End::Syntax),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_code_ends_as_it_should() {
    let sandbox = sandbox();
    let mut wrong = Vec::new();
    for (code, inputs, expected) in HOSTILE {
        let generated = run_in(&sandbox, &generation(code)).await;
        let got = end(generated.failure.as_ref());
        let as_expected = match expected {
            End::Stopped => matches!(got, Some(End::OutOfMemory | End::TimedOut | End::Threw)),
            expected => got == Some(expected),
        };
        if !as_expected || generated.inputs.len() != inputs {
            wrong.push(format!("{code}\n  {} inputs, {:?}", generated.inputs.len(), generated.failure));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The intrinsics that the harness uses are its own, whatever code does to the originals.
#[tokio::test]
async fn code_cannot_reach_the_harness() {
    let games = [
        "String.prototype.charCodeAt = String.prototype.isWellFormed = () => { throw 1; };",
        "Object.prototype.done = true; Object.prototype.value = 'z';",
        "Array.prototype[Symbol.iterator] = function* () { yield 'z'; };",
        "globalThis.String = () => 'z'; globalThis.Reflect = globalThis.Symbol = null;",
        "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = null;",
        "Object.defineProperty(Object.prototype, 0, { set() { throw 1; }, get() { return 'z'; } });",
        "for (const name of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[name]; } catch {} }",
        "Object.freeze(Object.prototype);",
    ];
    for game in games {
        let generated = run(&format!("function* g() {{ yield 'a'; yield '\\ud800'; }}\n{game}\n0;")).await;
        let expected = Generated { inputs: vec![vec![0x61], vec![0xd800]], failure: None };
        assert_eq!(generated, expected, "{game}");
    }
    let evil =
        "function* g() { yield eval('1 + 1'); yield new Function('return 3')(); yield typeof globalThis; }";
    assert_eq!(texts(&run(evil).await), ["2", "3", "object"]);
}

#[tokio::test]
async fn chance_and_time_are_those_of_the_job() {
    let code = "function* g() {
        for (let n = 0; n < 5; n++) yield Math.random();
        yield Date.now(); yield new Date().toISOString(); yield Date(); yield new Date(2024, 1, 3).getDate();
        yield new Date().getTimezoneOffset(); yield typeof performance;
    }";
    let seeded = |rng| Generation { rng, most: 200, ..generation(code) };
    let first = run_in(&sandbox(), &seeded(1)).await;
    let (again, other) = (run_in(&sandbox(), &seeded(1)).await, run_in(&sandbox(), &seeded(2)).await);
    assert_eq!(first, again);
    assert_eq!(first.inputs.len(), 11);
    assert!(first.inputs[..5].iter().all(|random| !other.inputs.contains(random)), "{:?}", texts(&other));
    let fixed = ["1735689600000", "2025-01-01T00:00:00.000Z", "Wed Jan 01 2025 00:00:00 GMT+0000", "3", "0"];
    assert_eq!(texts(&other)[5..10], fixed);
    assert_eq!(texts(&first)[5..], texts(&other)[5..]);
}

#[tokio::test]
async fn a_native_call_is_ended_by_the_wall_clock() {
    let wall = Duration::from_millis(700);
    let sandbox = sandbox().with_wall(wall);
    let bombs = [
        NATIVE,
        "function* g() { yield 1; const m = 3n ** 300000n; let n = m - 2n; for (;;) n = n * n % m; }",
    ];
    for code in bombs {
        let generated = run_in(&sandbox, &generation(code)).await;
        assert_eq!(generated.failure, Some(GeneratorFailure::TimedOut), "{code}");
    }
    let long = format!("function* g() {{ yield 1; }} // {}", "x".repeat(1 << 20));
    assert!(matches!(run(&long).await.failure, Some(GeneratorFailure::Syntax(_))));
}

#[tokio::test]
async fn attempts_to_break_out_end_the_child() {
    for probe in Probe::ALL {
        let sandbox = sandbox().with_wall(Duration::from_secs(if probe == Probe::Spin { 1 } else { 20 }));
        let how = sandbox.holds(probe).await.expect("the sandbox holds");
        let expected = match probe {
            Probe::Memory => "Memory was not possible",
            Probe::Spin => "it ran too long and was stopped",
            _ => "it tried what is forbidden (SIGSYS)",
        };
        assert_eq!(how, expected, "{probe:?}");
    }
}

/// A running child of this process, as the kernel sees it.
struct Seen {
    folder: PathBuf,
}

impl Seen {
    /// The child that was started under this name and has locked itself down; waits for it.
    async fn find(program: &Path) -> Self {
        let name = program.to_string_lossy();
        let began = Instant::now();
        loop {
            for entry in fs::read_dir("/proc").expect("there is /proc").flatten() {
                let seen = Self { folder: entry.path() };
                if seen.text("cmdline").starts_with(&*name) && seen.text("status").contains("Seccomp:\t2") {
                    return seen;
                }
            }
            assert!(began.elapsed() < Duration::from_secs(60), "no sealed child came up");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Empty when it cannot be read.
    fn text(&self, name: &str) -> String {
        fs::read(self.folder.join(name))
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_child_has_nothing() {
    // A descriptor that children inherit.
    let leaked = File::open("/").expect("/ opens");
    fcntl_setfd(&leaked, FdFlags::empty()).expect("the flag is cleared");
    // A name of its own distinguishes it from children of other tests.
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("sandboxed");
    symlink(env!("CARGO_BIN_EXE_droidmux"), &program).expect("a link");
    let cancel = CancellationToken::new();
    let sandbox = Sandbox::at(&program).with_wall(Duration::from_secs(30));
    let running = {
        let (sandbox, cancel) = (sandbox.clone(), cancel.clone());
        tokio::spawn(async move { sandbox.run(&generation(NATIVE), &cancel).await })
    };
    let child = Seen::find(&program).await;
    let open: Vec<String> = fs::read_dir(child.folder.join("fd"))
        .expect("its descriptors can be listed")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(open, ["0", "1", "2"]);
    assert_eq!(child.text("environ"), "TZ=UTC0\0");
    let (status, limits) = (child.text("status"), child.text("limits"));
    for line in ["Seccomp:\t2", "NoNewPrivs:\t1", "Threads:\t1"] {
        assert!(status.contains(line), "{line} is not in\n{status}");
    }
    for (limit, value) in
        [("Max open files", "3"), ("Max file size", "0"), ("Max core file size", "0"), ("Max cpu time", "6")]
    {
        let line = limits.lines().find(|line| line.starts_with(limit)).expect("the limit is listed");
        assert_eq!(line[limit.len()..].split_whitespace().next(), Some(value), "{line}");
    }
    cancel.cancel();
    assert_eq!(running.await.expect("no panic"), None);
    // Dead and waited for.
    assert!(!child.folder.exists(), "{} is still there", child.folder.display());
}

/// Children in which QuickJS was exploited could say anything.
#[tokio::test]
async fn the_child_is_not_trusted() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = r"printf '\000\000\000\004\000\001a\000'";
    let done = r"printf '\000\000\000\002\001\000'";
    let cases = [
        (format!("{input}; {done}"), 1, "None"),
        (format!("for n in 1 2 3 4 5 6 7 8 9 10 11; do {input}; done; {done}"), 10, "Some(TooMuch)"),
        (format!("{input}; printf '\\377\\377\\377\\377'; {done}"), 1, "makes no sense"),
        (format!("{input}; printf '\\000\\000\\000\\002\\007\\007'"), 1, "makes no sense"),
        (format!("{input}; printf '\\000\\000\\000\\004\\000\\001ab'"), 1, "makes no sense"),
        (input.to_owned(), 1, "exit status: 0"),
        (format!("{input}; kill -SEGV $$"), 1, "SIGSEGV"),
        (format!("{input}; kill -XCPU $$"), 1, "TimedOut"),
        (format!("{input}; exec sleep 60"), 1, "TimedOut"),
        (format!("{input}; exec >&-; exec sleep 60"), 1, "TimedOut"),
        (format!("{input}; {done}; exec sleep 60"), 1, "None"),
        ("exit 7".to_owned(), 0, "exit status: 7"),
    ];
    for (n, (script, inputs, said)) in cases.into_iter().enumerate() {
        let program = folder.path().join(format!("child-{n}"));
        write_shell_script(&program, &format!("{script}\n"));
        let sandbox = Sandbox::at(program).with_wall(Duration::from_millis(500));
        let generated = run_in(&sandbox, &generation("[1]")).await;
        assert_eq!(generated.inputs.len(), inputs, "{script}: {generated:?}");
        assert!(format!("{:?}", generated.failure).contains(said), "{script}: {:?}", generated.failure);
    }
}

#[tokio::test]
async fn a_program_that_cannot_be_started_is_a_failure_like_any_other() {
    match run_in(&Sandbox::at("/nowhere"), &generation("[1]")).await.failure {
        Some(GeneratorFailure::Crashed(words)) => assert!(words.contains("could not be started"), "{words}"),
        other => panic!("{other:?}"),
    }
}
