//! The translator against programs of a few lines, without a JVM.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::{Confinement, TranslateError, Translation, Translator};
use droidmux_testutils::write_shell_script;

/// Writes what a translator writes, and notes that it ran.
const SOUND: &str = r#"
for out; do :; done
echo ran >> "$(dirname "$0")/runs"
echo '{"droidmux-apk":1,"translator":1,"package":"org.example.app","version":"1.2","classes":7,"new":[]}' > "$out/app.json"
echo code > "$out/classes.jar"
"#;

/// Before it, writes a mutant where mutants are wanted.
const WEAVING: &str = r#"
if [ "$1" = --mutants ]; then
  for out; do :; done
  echo '{"droidmux-mutants":1,"mutants":[{"number":0,"operator":"lost-write","class":"a.B","method":"c()V","line":7,"what":"w"}]}' > "$out/mutants.json"
fi
"#;

struct Lab {
    folder: TempDir,
}

impl Lab {
    fn new(script: &str) -> Self {
        let lab = Self { folder: tempfile::tempdir().expect("a folder") };
        let program = lab.path("host/translate");
        fs::create_dir_all(lab.path("host/target")).expect("a folder");
        fs::write(lab.path("host/target/droidmux-framework-1.jar"), "translator").expect("a jar");
        write_shell_script(&program, script);
        lab
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("a file");
        path
    }

    fn translate(&self, apks: &[PathBuf]) -> Result<Translation, TranslateError> {
        self.translate_until(apks, &CancellationToken::new())
    }

    fn translate_until(
        &self,
        apks: &[PathBuf],
        stop: &CancellationToken,
    ) -> Result<Translation, TranslateError> {
        self.translator().translate(apks, stop)
    }

    fn translator(&self) -> Translator {
        let confinement = Confinement::by("/bin/false".into(), false);
        Translator::new(self.path("host"), self.path("cache"), confinement)
    }

    fn runs(&self) -> usize {
        fs::read_to_string(self.path("host/runs")).map_or(0, |runs| runs.lines().count())
    }

    /// What is in the cache, finished or not.
    fn kept(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path("cache")).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    }
}

#[test]
fn the_same_bytes_are_translated_once() {
    let lab = Lab::new(SOUND);
    let (base, split) = (lab.file("base.apk", "base"), lab.file("split.apk", "split"));
    let made = lab.translate(&[base.clone(), split.clone()]).expect("translated");
    assert!(made.fresh && made.folder.join("classes.jar").is_file());
    assert_eq!((made.app.package.as_str(), made.app.classes), ("org.example.app", 7));
    let copy = lab.file("other name.apk", "base");
    let again = lab.translate(&[split.clone(), copy]).expect("translated");
    assert_eq!((again.fresh, &again.folder, lab.runs()), (false, &made.folder, 1));
    // Other bytes, fewer parts, another translator, something half gone: each is another translation.
    lab.translate(&[lab.file("base2.apk", "base2"), split.clone()]).expect("translated");
    lab.translate(std::slice::from_ref(&base)).expect("translated");
    lab.file("host/target/droidmux-framework-1.jar", "a newer translator");
    lab.translate(&[base.clone(), split.clone()]).expect("translated");
    assert_eq!(lab.runs(), 4);
    let made = lab.translate(&[base.clone(), split.clone()]).expect("translated");
    fs::remove_file(made.folder.join("classes.jar")).expect("removed");
    assert!(lab.translate(&[base, split]).expect("translated").fresh);
    assert_eq!((lab.runs(), lab.kept().len()), (5, 4), "nothing unfinished is left");
}

#[test]
fn an_app_with_mutants_is_another_translation() {
    let lab = Lab::new(&format!("{WEAVING}{SOUND}"));
    let apk = [lab.file("x.apk", "base")];
    let plain = lab.translate(&apk).expect("translated");
    let stop = CancellationToken::new();
    let weaving = lab.translator().with_mutants();
    let woven = weaving.translate(&apk, &stop).expect("translated");
    assert_eq!((plain.mutants.len(), woven.mutants.len(), lab.runs()), (0, 1, 2));
    assert_ne!(plain.folder, woven.folder);
    let again = weaving.translate(&apk, &stop).expect("translated");
    assert_eq!((again.fresh, again.mutants), (false, woven.mutants));
    fs::remove_file(woven.folder.join("mutants.json")).expect("removed");
    assert!(weaving.translate(&apk, &stop).expect("translated").fresh);
}

#[test]
fn what_cannot_be_translated_is_told_in_a_line_and_leaves_nothing() {
    let cases = [
        ("echo 'at a stack' >&2; echo 'translate: x.apk: no APK' >&2; exit 2", "x.apk: no APK"),
        ("exit 7", "translate: ended with exit status: 7"),
        (
            "for out; do :; done; echo nonsense > $out/app.json; touch $out/classes.jar",
            "no description of an app",
        ),
        (
            "for out; do :; done; echo '{\"droidmux-apk\":9}' > $out/app.json; touch $out/classes.jar",
            "a description of format 9; 1 is known",
        ),
        (
            "for out; do :; done; echo '{\"droidmux-apk\":1,\"package\":\"a.b;rm\"}' > $out/app.json",
            "an app without a package",
        ),
        ("yes translate: long | head -c 3000000 >&2; exit 2", "long"),
    ];
    for (script, words) in cases {
        let lab = Lab::new(script);
        let apk = lab.file("x.apk", "base");
        let said = lab.translate(&[apk]).expect_err(script).to_string();
        assert!(said.contains(words), "{script}: {said}");
        assert_eq!(lab.kept(), Vec::<PathBuf>::new(), "{script}");
    }
}

#[test]
fn what_is_not_there_is_named() {
    let lab = Lab::new(SOUND);
    let said = lab.translate(&[lab.path("none.apk")]).expect_err("no file").to_string();
    assert!(said.contains("none.apk: No such file"), "{said}");
    let said = lab.translate(&[lab.path("host")]).expect_err("a folder").to_string();
    assert!(said.ends_with("host: not a file"), "{said}");
    fs::remove_dir_all(lab.path("host/target")).expect("removed");
    let apk = lab.file("x.apk", "base");
    assert!(matches!(lab.translate(&[apk]), Err(TranslateError::NoTranslator(_))));
    assert_eq!(lab.runs(), 0);
}

#[test]
fn an_interrupted_translation_ends_and_leaves_nothing() {
    let lab = Lab::new("echo $$ > \"$(dirname \"$0\")/pid\"; exec sleep 600");
    let apk = lab.file("x.apk", "base");
    let stop = CancellationToken::new();
    let ended = std::thread::scope(|scope| {
        let translating = scope.spawn(|| lab.translate_until(&[apk], &stop));
        let begun = || !fs::read_to_string(lab.path("host/pid")).unwrap_or_default().is_empty();
        while !begun() && !translating.is_finished() {
            std::thread::yield_now();
        }
        stop.cancel();
        translating.join().expect("no panic")
    });
    assert!(matches!(ended, Err(TranslateError::Interrupted)), "{ended:?}");
    assert_eq!(lab.kept(), Vec::<PathBuf>::new());
    let pid = fs::read_to_string(lab.path("host/pid")).expect("a pid");
    assert!(!Path::new("/proc").join(pid.trim()).exists(), "the program is gone");
}
