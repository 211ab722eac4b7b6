//! A terminal that hangs up under the real program.

use portable_pty::CommandBuilder;

use crate::terminal::Terminal;

#[test]
fn a_hang_up_ends_the_cockpit_by_itself() {
    // Whether the signal or the writer notices first is a matter of luck: hence several tries. The message on standard
    // error has no reader either.
    for attempt in 0..5 {
        let home = tempfile::tempdir().expect("a folder");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_droidmux"));
        command.args(["demo", "--max-events", "1000"]);
        for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TMPDIR"] {
            command.env(name, home.path());
        }
        let mut terminal = Terminal::run(command, 40, 120);
        terminal.wait_for_text("sim-1");
        // The demo writes all the time: its next output makes the reader exit.
        terminal.stop_reading();
        terminal.press("2");
        std::thread::sleep(std::time::Duration::from_millis(300));
        terminal.close();
        let status = terminal.wait_for_end();
        assert_eq!(status.signal(), None, "attempt {attempt}: it ends by itself");
    }
}
