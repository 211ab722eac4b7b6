//! A lab reached through a genuine `sshd`: over a good line, one that is cut, and a slow one.

use std::process::Child;

use super::fixture::{Site, steps};
use super::sshd::Sshd;
use super::terminal::Cockpit;

#[test]
fn a_lab_behind_sshd_is_watched_and_comes_back_when_the_line_was_cut() {
    let site = Site::new(1);
    let Some(sshd) = Sshd::start(&site) else { return };
    let (line, mut run) = (sshd.line(), begun(&site));
    let environment = sshd.environment();
    let environment = environment.each_ref().map(|(name, value)| (*name, value.as_str()));

    let mut listing = site.program();
    listing.args(["lab", "ls", "--json", "--to", &line.url()]).envs(environment);
    let listed = listing.output().expect("it runs");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    assert!(String::from_utf8_lossy(&listed.stdout).contains("\"session\":\"s1\""), "{listed:?}");

    let mut cockpit = Cockpit::open(&site, &["attach", "--to", &line.url()], &environment);
    cockpit.wait_for_text("1 session, 1 running");
    // Cut in the middle, and restored at once.
    line.cut(false);
    cockpit.wait_for_text("the lab is back");
    // Cut for a while: what happens meanwhile concerns only the lab.
    line.cut(true);
    cockpit.wait_for_text("the link to the lab broke");
    let left = steps(&site.sessions());
    site.wait_for("steps without the viewer", |sessions| steps(sessions) > left + 5);
    line.mend();
    cockpit.wait_for_text("the lab is back");
    // Requests go through the restored line, too.
    cockpit.press_past_digest("p", "paused");
    site.wait_for("the pause", |sessions| sessions[0]["state"] == "paused");
    cockpit.press("q");
    cockpit.wait_for_end();

    // A host that does not exist is reported, with how to find out why.
    line.cut(true);
    let mut refused = site.program();
    refused.args(["lab", "ls", "--to", &line.url()]).envs(environment);
    let refused = refused.output().expect("it runs");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(3) && said.contains("cannot be reached"), "{said}");
    run.kill().expect("killed");
    let _ = run.wait();
}

#[test]
fn a_slow_line_shows_the_latest_and_takes_what_is_pressed() {
    let site = Site::new(2);
    let Some(sshd) = Sshd::start(&site) else { return };
    let (line, mut run) = (sshd.line(), begun(&site));
    let environment = sshd.environment();
    let environment = environment.each_ref().map(|(name, value)| (*name, value.as_str()));
    // A fifth of the rate of an old telephone line carrying speech.
    line.slow_down(12_000);
    let mut cockpit = Cockpit::open(&site, &["attach", "--to", &line.url()], &environment);
    cockpit.wait_for_text("1 session, 1 running");
    let (carried, at) = (line.carried(), steps(&site.sessions()));
    site.wait_for("many more steps", |sessions| steps(sessions) > at + 60);
    assert!(line.carried() > carried, "it goes on showing");
    cockpit.press_past_digest("p", "paused");
    site.wait_for("the pause", |sessions| sessions[0]["state"] == "paused");
    assert!(!cockpit.screen().contains("out of reach"), "{}", cockpit.screen());
    // A paused session does not move: the screen shows the final state.
    let now = steps(&site.sessions());
    cockpit.press("p");
    site.wait_for("it to go on", |sessions| steps(sessions) > now);
    cockpit.press("q");
    cockpit.wait_for_end();
    run.kill().expect("killed");
    let _ = run.wait();
}

/// A session that has taken some steps.
fn begun(site: &Site) -> Child {
    let run = site.session("notes-genie.toml", 100_000);
    site.wait_for("a session", |sessions| steps(sessions) > 5);
    run
}
