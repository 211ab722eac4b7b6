//! Leaving and coming back.

use std::time::Duration;

use droidmux_testutils::write_shell_script;
use rustix::process::{Pid, Signal, kill_process};

use super::fixture::{Site, steps};
use super::terminal::Cockpit;

#[test]
fn a_run_goes_on_when_the_terminal_is_closed_and_is_there_for_the_next() {
    let site = Site::new(2);
    let mut run = site.session("notes-genie.toml", 100_000);
    site.wait_for("a session", |sessions| steps(sessions) > 5);
    let mut first = Cockpit::open(&site, &["attach"], &[]);
    // What happened before the first one came may cover the screen.
    first.press_past_digest("1", "org.droidmux.notes");
    let used = first.close();
    // Processor time, which is counted the same on a busy machine.
    assert!(used < Duration::from_millis(400), "{used:?} of processor time after the terminal was closed");

    // The command that started the run is killed: the run belongs to the server.
    run.kill().expect("killed");
    run.wait().expect("it ended");
    let left = steps(&site.sessions());
    site.wait_for("steps after all have left", |sessions| steps(sessions) > left + 20);

    // The runtime folder vanishes with the last login.
    let runtime = site.folder.path().join("run");
    std::fs::create_dir_all(&runtime).expect("made");
    std::fs::remove_dir_all(&runtime).expect("removed");
    let mut second = Cockpit::open(&site, &["attach"], &[]);
    second.press_past_digest("1", "1 session, 1 running");
    // Two viewers at once, one of which may only watch.
    let mut watcher = Cockpit::open(&site, &["attach", "--read-only"], &[]);
    watcher.press_past_digest("1", "read-only");
    watcher.press_past_digest("p", "this viewer may only look");
    second.press_past_digest("p", "paused");
    watcher.wait_for_text("paused");
    site.wait_for("the pause", |sessions| sessions[0]["state"] == "paused");
    second.press("q");
}

#[test]
fn a_killed_server_goes_on_with_its_sessions_as_people_left_them_when_it_starts_again() {
    let site = Site::new(2);
    let mut run = site.session("notes-genie.toml", 600);
    let before = site.wait_for("a session", |sessions| steps(sessions) > 20);
    for asked in [&["pause", "s1"][..], &["priority", "s1", "5"]] {
        let (code, said) = site.run(&[&["session"], asked].concat());
        assert_eq!(code, Some(0), "{said}");
    }
    let process = Pid::from_raw(site.process()).expect("a process");
    kill_process(process, Signal::KILL).expect("killed");
    run.wait().expect("its command ends with the server");
    let (code, said) = site.run(&["lab", "status"]);
    assert_eq!((code, said.as_str()), (Some(3), "no lab server runs here\n"));
    site.start(2);
    let paused = site.wait_for("the pause", |sessions| {
        sessions.first().is_some_and(|session| session["why"] == "by hand" && session["priority"] == 5)
    });
    assert!(paused[0]["state"] == "paused" && steps(&paused) > 0, "{paused:?}");
    let (code, said) = site.run(&["session", "resume", "s1"]);
    assert_eq!(code, Some(0), "{said}");
    let after = site
        .wait_for("its end", |sessions| sessions.first().is_some_and(|session| session["state"] == "done"));
    assert_eq!(after[0]["session"], before[0]["session"]);
    assert!(steps(&after) > steps(&before), "{before:?} {after:?}");
    assert!(after[0]["events"].as_u64() > before[0]["events"].as_u64(), "{before:?} {after:?}");
    let (code, said) = site.run(&["store", "verify", "--rederive"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn labs_of_other_hosts_are_seen_through_ssh_and_lost_links_come_back() {
    let [near, far] = [Site::new(1), Site::new(1)];
    // Used in place of ssh: the host's name says whose folders are meant.
    let script = near.folder.path().join("ssh");
    let text = "while [ \"$1\" != -- ]; do shift; done\nshift\nF=/tmp/$1; shift\n\
                export HOME=$F XDG_DATA_HOME=$F XDG_STATE_HOME=$F XDG_CONFIG_HOME=$F\n\
                echo $$ > $F/ssh.pid\nexec \"$@\"\n";
    write_shell_script(&script, text);
    let name = |site: &Site| site.folder.path().file_name().expect("a name").to_string_lossy().into_owned();
    let urls = [&near, &far].map(|site| format!("ssh://{}", name(site)));
    let ssh = script.display().to_string();
    let environment = [("DROIDMUX_SSH", ssh.as_str()), ("DROIDMUX_REMOTE", env!("CARGO_BIN_EXE_droidmux"))];
    let mut run = far.session("notes-genie.toml", 100_000);
    far.wait_for("a session", |sessions| steps(sessions) > 5);

    let mut cockpit = Cockpit::open(&near, &["attach", "--to", &urls[0], "--to", &urls[1]], &environment);
    cockpit.wait_for_text("0 sessions");
    cockpit.press("}");
    cockpit.wait_for_text("1 session, 1 running");
    let link = std::fs::read_to_string(far.folder.path().join("ssh.pid")).expect("written");
    let link = link.trim().parse().ok().and_then(Pid::from_raw).expect("a process");
    kill_process(link, Signal::KILL).expect("killed");
    cockpit.wait_for_text("the lab is back");
    cockpit.wait_for_text("1 session, 1 running");
    cockpit.press("q");
    run.kill().expect("killed");
    let _ = run.wait();
}
