//! What an app needs that the framework lab lacks or has in part.
//!
//! In: what the translator found in the app. Out: needs, the gravest first, each in a sentence. Invariant: the table says
//! what the lab does, not what an app makes of it: an app may call something that its users never see.

use super::pretended::{Called, groups};
use droidmux_sim::TranslatedApp;

/// What becomes of an app for want of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lack {
    /// It shows nothing, or ends at once.
    Hopeless,
    /// What needs it fails, as it does on a phone without it.
    Fails,
    /// What needs it does something else than on a phone, or nothing.
    Pretended,
    /// It is there, in a plain form.
    Plain,
}

/// Something an app needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) lack: Lack,
    /// What it is, e.g. `web view`.
    pub(super) what: String,
    /// What the lab does instead.
    pub(super) words: String,
    /// Places in the code that call for it, where that was counted.
    pub(super) places: Option<u64>,
    /// The framework's methods among them that the lab only pretends, the most called first.
    pub(super) methods: Vec<Called>,
    /// It is one of the many packages that have such methods, and nothing with a sentence of its own.
    pub(super) is_package: bool,
}

impl Need {
    fn new(lack: Lack, what: impl Into<String>, words: impl Into<String>, places: Option<u64>) -> Self {
        Need { lack, what: what.into(), words: words.into(), places, methods: Vec::new(), is_package: false }
    }
}

/// What the lab does, by the areas that the translator counts.
const AREAS: [(&str, Lack, &str); 26] = [
    ("web view", Lack::Plain, "texts, links and simple forms of pages are shown; scripts do not run"),
    ("camera preview", Lack::Pretended, "there is no camera to open"),
    ("recording", Lack::Pretended, "nothing is recorded"),
    ("media codecs", Lack::Pretended, "nothing is encoded or decoded"),
    ("OpenGL", Lack::Pretended, "what is drawn by it stays empty"),
    ("Bluetooth", Lack::Pretended, "the adapter is off and finds nobody"),
    ("NFC", Lack::Pretended, "no tag is ever near"),
    ("sensors", Lack::Pretended, "they never report anything"),
    ("USB", Lack::Pretended, "nothing is plugged in"),
    ("biometrics", Lack::Pretended, "nobody is enrolled"),
    ("location", Lack::Pretended, "no place is ever known"),
    ("telephony", Lack::Pretended, "there is no network and no number"),
    ("speech", Lack::Pretended, "nothing is recognised or spoken"),
    ("printing", Lack::Pretended, "there is no printer"),
    ("downloads", Lack::Pretended, "downloads never end"),
    ("app widgets", Lack::Pretended, "there is no launcher to put them on"),
    ("live wallpaper", Lack::Pretended, "it is never shown"),
    ("input methods", Lack::Pretended, "the app cannot be the keyboard"),
    ("accessibility services", Lack::Pretended, "the app cannot be one"),
    ("VPN", Lack::Pretended, "no connection is made"),
    ("accounts", Lack::Pretended, "there are none"),
    ("Play services", Lack::Fails, "absent, as on phones without them"),
    ("Play billing", Lack::Fails, "nothing can be bought"),
    ("RenderScript", Lack::Fails, "its scripts are native code"),
    ("Firebase", Lack::Fails, "its servers are not reached"),
    ("code loaded later", Lack::Fails, "code that is no part of the APKs is not translated"),
];

/// Classes of a list that are named.
const NAMED: usize = 5;

/// What this app needs, the gravest first.
pub(super) fn needs(app: &TranslatedApp) -> Vec<Need> {
    let mut needs: Vec<Need> = app.engines_that_draw.iter().map(|engine| drawn_by(engine)).collect();
    needs.extend(without_code(app));
    needs.extend(native(app));
    needs.extend(untranslated(app));
    needs.extend(missing(app));
    let mut groups = groups(app);
    for (area, lack, words) in AREAS {
        let group = groups.iter().position(|group| group.name == area).map(|at| groups.remove(at));
        let places = app.uses.get(area).copied().or(group.as_ref().map(|group| group.calls()));
        if places.is_some() {
            let methods = group.map(|group| group.methods).unwrap_or_default();
            needs.push(Need { methods, ..Need::new(lack, area, words, places) });
        }
    }
    needs.extend(groups.into_iter().map(|group| {
        let need = Need::new(Lack::Pretended, &group.name, group.words(), Some(group.calls()));
        Need { methods: group.methods, is_package: true, ..need }
    }));
    needs.sort_by_key(|need| (need.lack, std::cmp::Reverse(need.places)));
    needs
}

fn drawn_by(engine: &str) -> Need {
    let words = "draws the whole app by native code of its own: the lab shows nothing of it".to_owned();
    Need::new(Lack::Hopeless, engine, words, None)
}

fn without_code(app: &TranslatedApp) -> Option<Need> {
    let lack = if app.is_a_part() { Lack::Hopeless } else { Lack::Fails };
    Some(Need::new(lack, "activities without code", missing_code(app)?, None))
}

/// Which activities lack their code, where it may be, and what to do; `None` where none does. The code of what a manifest
/// declares may be in a split, or in what an IDE leaves beside the APK.
pub fn missing_code(app: &TranslatedApp) -> Option<String> {
    (app.activities_without_code > 0).then(|| {
        let names: Vec<&str> = app.without_code.iter().map(String::as_str).collect();
        format!(
            "{} of {} in the manifest have no class in the APK ({}): their code is elsewhere (in splits, or where Instant Run \
             put it); give all APKs of the app, or one that is whole",
            app.activities_without_code,
            app.activities,
            listed(&names)
        )
    })
}

/// Native code is for another kind of system; an app may go on without it.
fn native(app: &TranslatedApp) -> Option<Need> {
    let mut names: Vec<&str> = app.native.values().flatten().map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| {
        let words = format!("{} cannot be loaded; the app goes on if it does without", listed(&names));
        Need::new(Lack::Fails, "native libraries", words, app.uses.get("native libraries").copied())
    })
}

fn untranslated(app: &TranslatedApp) -> Option<Need> {
    let count = app.methods_not_translated + app.classes_not_translated;
    (count > 0).then(|| {
        let names: Vec<&str> = app.not_translated.iter().map(String::as_str).collect();
        let words =
            format!("{count} methods and classes end with an error when they are used: {}", listed(&names));
        Need::new(Lack::Fails, "code that could not be translated", words, None)
    })
}

fn missing(app: &TranslatedApp) -> Option<Need> {
    let names: Vec<&str> = app.missing.keys().map(String::as_str).collect();
    (!names.is_empty()).then(|| {
        let words = format!("{}: neither the app nor the framework has them", listed(&names));
        Need::new(Lack::Fails, "classes that nothing defines", words, Some(app.missing.values().sum()))
    })
}

fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_sim::PretendedMethod;

    /// What the translator counts, by the name of its table.
    const COUNTED: &str =
        include_str!("../../../framework/src/main/java/org/droidmux/framework/apk/Uses.java");

    #[test]
    fn every_area_is_one_that_the_translator_counts() {
        for (area, _, _) in AREAS {
            assert!(COUNTED.contains(&format!("\", \"{area}\");")), "{area}");
        }
    }

    #[test]
    fn an_app_without_the_code_of_its_activities_is_hopeless_and_one_that_lacks_some_is_not() {
        for (without_code, lack) in [(0, None), (1, Some(Lack::Fails)), (2, Some(Lack::Hopeless))] {
            let names = ["a.b.Main", "a.b.Other"].map(str::to_owned);
            let app = TranslatedApp {
                activities: 2,
                activities_without_code: without_code,
                without_code: names.into_iter().take(usize::try_from(without_code).unwrap()).collect(),
                ..TranslatedApp::default()
            };
            let told = needs(&app);
            assert_eq!(told.first().map(|need| need.lack), lack, "{without_code}");
            let expected = format!("{without_code} of 2 in the manifest have no class in the APK (a.b.Main");
            assert!(told.iter().all(|need| need.words.starts_with(&expected)), "{told:?}");
        }
    }

    #[test]
    fn what_an_app_lacks_is_told_the_gravest_first() {
        let app = TranslatedApp {
            native: [("arm64-v8a".to_owned(), vec!["libapp.so".to_owned()])].into(),
            engines_that_draw: vec!["Flutter".to_owned()],
            uses: [("web view", 3), ("location", 2), ("something new", 9)]
                .map(|(area, places)| (area.to_owned(), places))
                .into(),
            pretended: [("location", 4), ("android.os", 1)]
                .map(|(group, calls)| PretendedMethod {
                    group: group.to_owned(),
                    class: "a.B".to_owned(),
                    method: "c".to_owned(),
                    calls,
                    ..PretendedMethod::default()
                })
                .into(),
            missing: (0..7).map(|n| (format!("org/lost/C{n}"), 1)).collect(),
            ..TranslatedApp::default()
        };
        let told: Vec<_> = needs(&app).into_iter().map(|need| (need.lack, need.what, need.places)).collect();
        let expected = [
            (Lack::Hopeless, "Flutter", None),
            (Lack::Fails, "classes that nothing defines", Some(7)),
            (Lack::Fails, "native libraries", None),
            (Lack::Pretended, "location", Some(2)),
            (Lack::Pretended, "android.os", Some(1)),
            (Lack::Plain, "web view", Some(3)),
        ];
        assert_eq!(told, expected.map(|(lack, what, places)| (lack, what.to_owned(), places)));
        let location = needs(&app).into_iter().find(|need| need.what == "location").expect("a need");
        assert_eq!(location.methods.iter().map(|method| method.name.as_str()).collect::<Vec<_>>(), ["B.c"]);
        let lost = needs(&app).into_iter().find(|need| need.places == Some(7)).expect("classes");
        assert!(
            lost.words.starts_with("org/lost/C0, ") && lost.words.contains("and 2 more"),
            "{}",
            lost.words
        );
        assert!(needs(&TranslatedApp::default()).is_empty());
    }
}
