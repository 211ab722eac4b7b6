//! What the policy says; what is enforced, the program itself is tried with (`tests/suite/prison.rs`).

use super::*;

#[test]
fn the_limit_of_memory_goes_with_the_heap() {
    let limit = |given: &[&str]| heap(given.iter().map(|text| (*text).to_owned())) >> 30;
    let cases: [(&[&str], u64); 6] = [
        (&[], 4),
        (&["512m"], 4),
        (&["6g", "1g"], 9),
        (&["2097152k"], 5),
        (&["99999999999999999999g", "x", "", "\u{e9}"], 4),
        (&["18446744073709551615g"], 4),
    ];
    for (given, expected) in cases {
        assert_eq!(limit(given), expected, "{given:?}");
    }
}

#[test]
fn a_script_gets_a_home_of_its_own_and_nothing_of_the_environment() {
    let confinement = Confinement::by("/bin/false".into(), false);
    assert_eq!(confinement.means(), &Means::NOTHING, "who says nothing confines nothing");
    assert_eq!(
        confinement.gaps().as_deref(),
        Some("apps could read and write your files, use the network, start programs on this computer")
    );
    let confined = confinement.command(Path::new("/usr/bin/env"), &["/an/app".into()], &[]);
    let Confined { mut command, folder } = confined.expect("a command");
    let said = command.output().expect("env runs");
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let own = folder.path().join(OWN);
    let value = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    assert_eq!((value("HOME"), value("TMPDIR")), (own.to_str(), own.to_str()));
    let policy: Policy = serde_json::from_str(value(POLICY).expect("a policy")).expect("JSON");
    assert_eq!((policy.folder.as_path(), policy.writable.as_slice()), (own.as_path(), &[own.clone()][..]));
    assert!(policy.readable.contains(&"/an/app".into()) && !policy.readable.contains(&"/etc/hosts".into()));
    let given: Vec<&str> =
        said.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    let ours = [PROGRAM, POLICY, "HOME", "TMPDIR", "LANG", "DROIDMUX_FRAMEWORK_FAULTS"];
    assert!(given.iter().all(|name| KEPT.contains(name) || ours.contains(name)), "{given:?}");
    let path = folder.path().to_owned();
    drop(folder);
    assert!(!path.exists());
}
