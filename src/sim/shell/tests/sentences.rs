//! What is a sentence of the shell's language, and what is not.

use proptest::prelude::*;

use super::super::parser::Parser;
use super::super::syntax::{Script, SyntaxError};

fn parse(script: &str) -> Result<Script, SyntaxError> {
    Parser::new(script)?.whole()
}

/// Line by line, as scripts are run.
fn lines(script: &str) -> Result<usize, SyntaxError> {
    let mut parser = Parser::new(script)?;
    let mut count = 0;
    while parser.next_line()?.is_some() {
        count += 1;
    }
    Ok(count)
}

#[test]
fn scripts_that_are_no_sentences() {
    for script in [
        "&& a",
        "a |",
        "a | | b",
        "a && ",
        "(a",
        "a)",
        "( )x",
        "if a; then b",
        "fi",
        "echo 'a",
        "echo \"a",
        "echo $(a",
        "cat <<E",
        "cat <<E\na",
        "> ",
        "for 1a in x; do y; done",
        "a ;; b",
        "{ a; ",
        "echo ${a b}",
        "echo ${a",
        "$((1+2)",
        "((1",
        "case a in b) c",
        "case a b",
        "f() ",
        "f( x",
        "f$x() { a; }",
        "[[ a",
        "[[ ]]",
        "[[ a b ]]",
        "[[ -n ]] x",
    ] {
        assert!(parse(script).is_err(), "{script}");
        assert!(lines(script).is_err(), "{script}");
    }
}

#[test]
fn scripts_have_their_shape() {
    for (script, expected, commands) in [
        ("", 0, 0),
        ("a", 1, 1),
        ("a; b;c", 3, 1),
        ("a & b", 2, 1),
        ("a\n\n# note\nb", 2, 1),
        ("a | b | c", 1, 3),
        ("(a; b) | c", 1, 2),
        ("if a; then b; else c; fi", 1, 1),
        ("for x in 1 2 3; do echo $x; done", 1, 1),
        ("while true; do echo; done | head", 1, 2),
        ("X=1 Y=2 env", 1, 1),
        ("case a in (b|c) d;; e) f; esac", 1, 1),
        ("f() { a; }; f", 2, 1),
        ("((a)); $((1)) $( (a) )", 2, 1),
        ("((a); b)", 1, 1),
        ("cat <<E; b\na ) b\nE\nc", 3, 1),
        ("[[ a && ! (b || -n c) ]]", 1, 1),
    ] {
        let parsed = parse(script).unwrap_or_else(|error| panic!("{script}: {error}"));
        assert_eq!(parsed.0.len(), expected, "{script}");
        assert_eq!(parsed.0.first().map_or(0, |line| line.first.commands.len()), commands, "{script}");
    }
}

#[test]
fn depth_is_capped() {
    let deep = SyntaxError::Other("nested too deeply".into());
    for (open, close) in [
        ("( ", " )"),
        ("{ ", "; }"),
        ("if ", "; then a; fi"),
        ("$(", ")"),
        ("$((", "))"),
        ("${a:-", "}"),
        ("f() ", "{ a; }"),
        ("\"${a:-$(", ")}\""),
    ] {
        let script = format!("{}a{}", open.repeat(5_000), close.repeat(5_000));
        assert_eq!(parse(&script), Err(deep.clone()), "{open}");
    }
}

proptest! {
    #[test]
    fn never_panics(script in "\\PC{0,60}") {
        let _ = (parse(&script), lines(&script));
    }

    #[test]
    fn never_panics_on_shell_like_text(script in "([a-z$(){}'\"`;|&<>!#%:/=*? \\\\\n0-9]|if |then |fi|do |done|for |case |in |esac|\\[\\[ |]]|<<E|\\$\\(\\(|\\$\\{|\\(\\) |;;){0,40}") {
        let _ = (parse(&script), lines(&script));
    }
}
