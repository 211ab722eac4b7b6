//! The cockpit in a real terminal: drawn, left, hung up, suspended.

use std::time::Duration;

use portable_pty::CommandBuilder;

use super::terminal::Terminal;

/// The preview of this test program, run in a terminal of its own.
fn start(quiet: bool) -> Terminal {
    start_with(quiet, true)
}

/// With or without job control: a terminal that controls nothing sends no SIGHUP.
fn start_with(quiet: bool, controlling: bool) -> Terminal {
    let mut command = preview(quiet);
    command.set_controlling_tty(controlling);
    Terminal::run(command, 40, 120)
}

fn preview(quiet: bool) -> CommandBuilder {
    let mut command = CommandBuilder::new(std::env::current_exe().expect("this program"));
    command.args(["--ignored", "--exact", "--nocapture", "tests::preview::preview"]);
    if quiet {
        command.env("PREVIEW_QUIET", "1");
    }
    command
}

#[test]
fn it_shows_the_lab_and_gives_the_terminal_back() {
    let mut run = start(false);
    run.wait_for_text("emulator-5554");
    assert!(run.is_alternate(), "drawn on the alternate screen");
    run.press("3");
    run.wait_for_text("Deleting the picture");
    run.press("q");
    run.wait_for_end();
    run.wait_for("the shell's screen", |run| !run.is_alternate());
    let output = String::from_utf8_lossy(&run.output()).into_owned();
    assert!(output.contains("\u{1b}[?25h") && output.contains("\u{1b}[?2004l"), "cursor and paste restored");
}

#[test]
fn frames_are_written_whole_and_synchronised() {
    let mut run = start(true);
    run.wait_for_text("emulator-5554");
    run.press("2");
    run.wait_for_text("Trace");
    // The reader may be in the middle of a frame; when all is quiet every one has its end.
    run.wait_for("the end of every frame", |run| {
        let output = String::from_utf8_lossy(&run.output()).into_owned();
        let begins = output.matches("\u{1b}[?2026h").count();
        begins > 1 && begins == output.matches("\u{1b}[?2026l").count()
    });
}

#[test]
fn an_idle_cockpit_takes_no_time() {
    let run = start(true);
    run.wait_for_text("emulator-5554");
    std::thread::sleep(Duration::from_millis(700));
    let (before, written) = (run.processor_time(), run.output().len());
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(run.output().len(), written, "nothing is drawn when nothing happens");
    let used = run.processor_time() - before;
    assert!(used <= Duration::from_millis(20), "{used:?} in two seconds");
}

#[test]
fn signals_end_it_with_the_terminal_restored() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::HUP] {
        let mut run = start(false);
        run.wait_for_text("emulator-5554");
        run.signal(signal);
        run.wait_for_end();
        run.wait_for("the shell's screen", |run| !run.is_alternate());
    }
}

#[test]
fn a_terminal_that_goes_away_ends_it() {
    for controlling in [true, false] {
        let mut run = start_with(true, controlling);
        run.wait_for_text("emulator-5554");
        // Every handle of this side must be closed, the reader's too.
        run.stop_reading();
        run.press("2");
        std::thread::sleep(Duration::from_millis(300));
        run.close();
        let status = run.wait_for_end();
        assert_eq!(status.signal(), None, "it ends by itself");
    }
}

#[test]
fn a_key_right_after_a_resize_is_taken() {
    let mut run = start(true);
    run.wait_for_text("emulator-5554");
    // Signal and key are there at once, again and again: which of them is seen first is a matter of luck.
    for (n, (screen, shows)) in
        [("2", "Trace"), ("1", "emulator-5554")].into_iter().cycle().take(12).enumerate()
    {
        run.signal(rustix::process::Signal::STOP);
        run.resize(40, if n % 2 == 0 { 118 } else { 120 });
        run.press(screen);
        run.signal(rustix::process::Signal::CONT);
        run.wait_for_text(shows);
    }
}

#[test]
fn the_first_key_is_taken_where_the_terminal_answers_nothing() {
    let mut run = Terminal::run_as("xterm-256color", preview(true), 40, 120);
    run.wait_for_text("emulator-5554");
    run.press("3");
    run.wait_for_text("Deleting the picture");
}

#[test]
fn it_is_suspended_and_comes_back() {
    let mut run = start(true);
    run.wait_for_text("emulator-5554");
    run.signal(rustix::process::Signal::STOP);
    std::thread::sleep(Duration::from_millis(100));
    let written = run.output().len();
    run.signal(rustix::process::Signal::CONT);
    run.wait_for("a frame painted anew", |run| run.output().len() > written + 2_000);
    run.press("q");
    run.wait_for_end();
}

/// The editor has the terminal to itself, and the cockpit goes on with what was saved.
#[test]
fn a_question_is_answered_in_the_editor() {
    let mut command = preview(true);
    command.env("PREVIEW_PEOPLE", "1");
    command.env_remove("VISUAL");
    // Leaves the comments, and puts what is typed in place of the reply.
    let editor = r##"sh -c 'grep "^#" "$1" > "$1.new"; echo edited; read line; echo "$line" >> "$1.new"; mv "$1.new" "$1"' sh"##;
    command.env("EDITOR", editor);
    let mut run = Terminal::run(command, 40, 120);
    run.wait_for_text("emulator-5554");
    run.press("l5");
    run.wait_for_text("Waiting for people");
    for (reply, expected) in [("{}", "`widget` is missing"), ("{\"widget\": 3}", "question 7 is answered")] {
        run.press("e");
        run.wait_for_text("edited");
        run.press(&format!("{reply}\r"));
        run.wait_for_text(expected);
        assert!(run.is_alternate(), "the cockpit is back");
    }
    run.press("q");
    run.wait_for_end();
}

#[test]
fn another_size_is_another_layout() {
    let run = start(true);
    run.wait_for_text("emulator-5554");
    run.resize(12, 50);
    run.wait_for_text("too small");
}

#[test]
fn the_tour_goes_on_with_the_keys_it_names() {
    let mut command = preview(true);
    command.env("PREVIEW_TOUR", "1");
    let mut run = Terminal::run(command, 24, 80);
    for (keys, title) in [
        ("", "Tour 1 of 12"),
        ("\r", "Tour 2 of 12"),
        ("k", "Tour 3 of 12"),
        ("3", "Tour 4 of 12"),
        ("\r", "Tour 5 of 12"),
        ("\t", "Tour 6 of 12"),
        ("v", "Tour 7 of 12"),
        ("\x1bOQ", "Tour 6 of 12"),
    ] {
        run.press(keys);
        run.wait_for_text(title);
    }
    run.press("\x1bOS");
    run.wait_for("a screen without the tour", |run| !run.screen().contains("Tour"));
}
