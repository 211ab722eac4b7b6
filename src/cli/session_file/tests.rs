use std::io;

use super::*;
use droidmux_technique::PbfdroidSettings;

/// The files that session files name here.
fn file(path: &Path) -> io::Result<String> {
    let dmf = |name: &str, widget: &str| {
        format!(
            r#"{{"datatype": "note", "name": {name:?}, "type": "add", "proportion": "0",
                "widgets": [{{"name": "w", "text": "Note"}}], "events": [{{"action": "click", "widget": {widget:?}}}]}}"#
        )
    };
    let file = |dmfs: &[String]| Ok(format!("{{\"dmfs\": [{}]}}", dmfs.join(",")));
    match path.to_str() {
        Some("good.json") => file(&[dmf("add note", "w").replace("\"0\"", "\"1\""), dmf("faulty", "v")]),
        Some("faulty.json") => file(&[dmf("faulty", "v")]),
        Some("weightless.json") => file(&[dmf("add note", "w")]),
        Some("empty.json") => file(&[]),
        Some("bad.json") => Ok("{\n\"dmfs\": 3".into()),
        Some("views.json") => Ok(r#"{"keyviews": [{"view": "<node text='Cancel' />"}]}"#.into()),
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

/// What is said of a session file: `ok`, or the line and the complaint.
fn said(text: &str) -> String {
    match parse_session(Path::new("x.toml"), text, &Default::default(), &file) {
        Ok(_) => "ok".into(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn mistakes_are_told_with_their_line() {
    let cases = [
        ("technique = \"genie\"\napp = \"a.b\"", "ok"),
        (
            "technique = \"genie\"\n[app]\npackage = \"a.b\"\nuser = 10\ndisplay = 2\nactivity = \".Main\"",
            "ok",
        ),
        ("technique = \"genie\"\napp = { package = \"a.b\", user = 10 }", "ok"),
        ("technique = \"genie\"\n[app]\nuser = 10", "missing field `package`"),
        ("technique = \"genie\"\n[app]\npackage = \"ab\"", "x.toml:2: `ab` is no Android package name"),
        ("technique = \"genie\"\n[app]\npackage = \"a.b\"\nuse = 10", "did you mean `user`?"),
        ("technique = \"genie\"\n[app]\npackage = \"a.b\"\nuser = -1", "x.toml:4: invalid value"),
        (
            "technique = \"genie\"\n[app]\npackage = \"a.b\"\nuser = 99999",
            "x.toml:4: `user` goes from 0 to 21474",
        ),
        (
            "technique = \"genie\"\n[app]\npackage = \"a.b\"\nactivity = \"a.b/.M\"",
            "x.toml:4: `a.b/.M` is no class",
        ),
        (
            "technique = \"genie\"\napp = \"a.b\"\n[app]\nuser = 1",
            "x.toml:3: duplicate key: `app` is a package, or",
        ),
        (
            "technique = \"genie\"\napp = \"a.b\"\n[lab]\nkind = \"hosts\"\nnats = \"nats://lab,tls://ann:pw@b\"",
            "x.toml:5: nats://lab,tls://b is no address of a NATS server: the user in it belongs in `nats-user`",
        ),
        (
            "technique = \"genie\"\napp = \"a.b\"\n[lab]\nkind = \"hosts\"\nnats = \"http://lab\"",
            "x.toml:5: http://lab is no address of a NATS server",
        ),
        ("technique = \"genie\"\napp = \"a.b\"\n[lab]\nkind = \"hosts\"\nnats = \"tls://a:1, b\"", "ok"),
        (
            "technique = \"genie\"\napp = 7",
            "x.toml:2: invalid type: integer `7`, expected a package, or a table",
        ),
        ("technique = \"genie\"\napp = \"a.b\"\n[run]\nmax-event = 3", "x.toml:4: unknown field `max-event`"),
        ("technique = \"genie\"\napp = \"a.b\"\n[run]\nmax-event = 3", "did you mean `max-events`?"),
        ("technique = \"genii\"\napp = \"a.b\"", "x.toml:1: there is no technique `genii`, only `genie`"),
        ("technique = \"genie\"\napp = \"a.b\"\n[run]\nwindow = \"3\"", "x.toml:4: invalid type: string"),
        ("technique = \"genie\"\n\napp = \"ab\"", "x.toml:3: `ab` is no Android package name"),
        (
            "technique = \"genie\"\napp = \"a.b\"\n[run]\n\nwindow = 0",
            "x.toml:5: `window` goes from 1 to 1000",
        ),
        (
            "technique = \"genie\"\napp = \"a.b\"\n[[ignore]]\nresource-id = \"c.d:id/x\"",
            "x.toml:4: this rule can never match: its package is `c.d`",
        ),
        ("technique = \"genie\"\napp = \"a.b\"\n[[ignore]]\n", "x.toml:3: this rule names no field"),
        (
            "technique = \"genie\"\napp = \"a.b\"\n[[setup]]\nfind = { text = \"x\" }\ndo = \"edit\"",
            "needs a `text`",
        ),
        ("technique = \"genie\"\napp = \"a.b\"\n[lab]\nstart-at = \"2026-03-01T09:00\"", "ok"),
        (
            "technique = \"genie\"\napp = \"a.b\"\n[lab]\nstart-at = \"2026-02-30T09:00\"",
            "x.toml:4: a date and a time from 2000 to 2089, like 2026-03-01T09:00, not \"2026-02-30T09:00\"",
        ),
        ("technique = ", "x.toml:1:"),
        ("technique = \"odin\"\napp = \"a.b\"\n[genie]\nlevel = \"events\"", "ok"),
        (
            "technique = \"odin\"\napp = \"a.b\"\n[odin]\nbehaviours = 11",
            "x.toml:4: `behaviours` goes from 12 to 100000, not 11",
        ),
        (
            "technique = \"odin\"\napp = \"a.b\"\n[odin]\nrules = [\"values\", \"values\"]",
            "x.toml:4: `rules` names one abstraction or more, each once",
        ),
        (
            "technique = \"odin\"\napp = \"a.b\"\n[odin]\nfrom = [\n\"s1\",\n\"x\"]",
            "x.toml:6: `x` is no session id",
        ),
        (
            "technique = \"odin\"\napp = \"a.b\"\n[odin]\nexplore-events = 0",
            "x.toml:4: without exploration there are no traces",
        ),
        (
            "technique = \"odin\"\napp = \"a.b\"\n[odin]\nfolders = [{ path = \"x\", format = \"geni\" }]",
            "did you mean `genie`?",
        ),
        (
            "technique = \"odin\"\napp = \"a.b\"\n[genie]\nseeds = 3",
            "x.toml:3: of `[genie]`, `technique = \"odin\"` uses",
        ),
        ("technique = \"neutral\"\napp = \"a.b\"\n[neutral]\ninsertions = [\"rotate\"]", "ok"),
        (
            "technique = \"neutral\"\napp = \"a.b\"\n[neutral]\ninsertions = [\"rotate\", \"rotate\"]",
            "x.toml:4: `insertions` names one insertion or more, each once",
        ),
        (
            "technique = \"neutral\"\napp = \"a.b\"\n[neutral]\nlanguage = \"German!\"",
            "x.toml:4: `language` is a BCP 47 tag such as `de-DE`",
        ),
        (
            "technique = \"neutral\"\napp = \"a.b\"\n[genie]\nmutants = 3",
            "x.toml:3: of `[genie]`, `technique = \"neutral\"` uses",
        ),
        (
            "technique = \"odin\"\napp = \"a.b\"\n[neutral]\nrounds = 2",
            "x.toml:3: `[neutral]` does nothing with `technique = \"odin\"`",
        ),
        (
            "technique = \"monkey\"\napp = \"a.b\"\n[run]\nexplore-share = 3",
            "x.toml:4: `explore-share` does nothing with `technique = \"monkey\"`",
        ),
        (
            "technique = \"genie\"\napp = \"a.b\"\n[run]\nexplore-share = 95",
            "x.toml:4: `explore-share` goes from 0 to 90, not 95",
        ),
        (
            "technique = \"genie\"\napp = \"a.b\"\n[odin]\nz = 2.0",
            "x.toml:3: `[odin]` does nothing with `technique = \"genie\"`",
        ),
        ("technique = \"odin\"\napp = \"a.b\"\n[odin]\nmajority = 0.0", "`majority` is a share above 0.0"),
    ];
    for (text, expected) in cases {
        let said = said(text);
        assert!(said.contains(expected), "{text:?}\n said {said}\n not {expected}");
    }
}

#[test]
fn pbfdroid_settings() {
    let head = "technique = \"pbfdroid\"\napp = \"a.b\"\n";
    let cases = [
        ("", "x.toml:1: `technique = \"pbfdroid\"` needs a specification"),
        ("[pbfdroid]\nspec = \"good.json\"", "ok"),
        ("[pbfdroid]\nspec = \"good.json\"\nkeyviews = \"views.json\"", "ok"),
        ("[pbfdroid]\n\nspec = \"none.json\"", "x.toml:5: none.json: entity not found"),
        ("[pbfdroid]\nspec = \"bad.json\"", "x.toml:4: bad.json:2: is no JSON"),
        ("[pbfdroid]\nspec = \"views.json\"", "x.toml:4: views.json: the file: `dmfs` is missing"),
        ("[pbfdroid]\nspec = \"empty.json\"", "x.toml:4: empty.json: has no functions"),
        (
            "[pbfdroid]\nspec = \"faulty.json\"",
            "x.toml:4: faulty.json: no function can be used; `faulty`: event 1 names the widget `v`",
        ),
        (
            "[pbfdroid]\nspec = \"weightless.json\"",
            "x.toml:4: weightless.json: all functions have the proportion 0",
        ),
        ("[pbfdroid]\nspec = \"good.json\"\nkeyviews = \"bad.json\"", "x.toml:5: bad.json:2: is no JSON"),
        (
            "[pbfdroid]\nspec = \"good.json\"\nfunctions = [\n\"add note\",\n\"add notes\"]",
            "x.toml:7: good.json: has no function `add notes` (did you mean `add note`?)",
        ),
        (
            "[pbfdroid]\nspec = \"good.json\"\nfunctions = [\"faulty\"]",
            "x.toml:5: good.json: `faulty` cannot be used: event 1 names the widget `v`",
        ),
        (
            "[pbfdroid]\nspec = \"good.json\"\nfunctions = [\"add note\", \"add note\"]",
            "x.toml:5: `functions` names `add note` twice",
        ),
        ("[pbfdroid]\nspec = \"good.json\"\nspecification = { dmfs = [], key-views = [] }", "x.toml:5: "),
        (
            "[pbfdroid]\nspec = \"good.json\"\nspecification = { dmfs = [], key_views = [] }",
            "x.toml:5: `specification` is not for session files; name a file with `spec`",
        ),
        (
            "[pbfdroid]\nspec = \"good.json\"\ntest-events = 0",
            "x.toml:5: `test-events` goes from 1 to 100000, not 0",
        ),
        ("[pbfdroid]\nspec = \"good.json\"\nrandom-swipe = 1", "unknown field `random-swipe`"),
        (
            "[pbfdroid]\nspec = \"good.json\"\nconfiguration = \"c\"",
            "x.toml:5: unknown variant `c`, expected one of `a`, `b`, `full`",
        ),
        (
            "[pbfdroid]\nspec = \"good.json\"\nrandom-click = 0\nrandom-long-click = 0\nrandom-scroll = 0\n\
             random-edit = 0\nrandom-back = 0\nrandom-home = 0",
            "x.toml:5: the weights `random-…` of all kinds are 0; for no random events set `random-weight = 0`",
        ),
        ("[genie]\nseeds = 3\n[pbfdroid]\nspec = \"good.json\"", "`[genie]` does nothing with"),
    ];
    for (text, expected) in cases {
        let said = said(&format!("{head}{text}"));
        assert!(said.contains(expected), "{text:?}\n said {said}\n not {expected}");
    }
    let other = "technique = \"genie\"\napp = \"a.b\"\n[pbfdroid]\nspec = \"good.json\"";
    assert!(said(other).contains("x.toml:3: `[pbfdroid]` does nothing with"), "{}", said(other));
}

#[test]
fn a_specification_is_part_of_the_definition() {
    let text = "technique = \"pbfdroid\"\napp = \"a.b\"\n[pbfdroid]\nspec = \"good.json\"\nkeyviews = \"views.json\"";
    let definition = parse_session(Path::new("x.toml"), text, &Default::default(), &file).expect("session");
    let settings: PbfdroidSettings = definition.settings.of();
    let specification = settings.specification.expect("specification");
    let names: Vec<&str> = specification.dmfs.iter().map(|dmf| dmf.name.as_str()).collect();
    assert_eq!(names, ["add note", "faulty"]);
    assert_eq!(specification.key_views.len(), 1);
}

#[test]
fn paths_begin_at_the_session_file() {
    let text = "technique = \"pbfdroid\"\napp = \"a.b\"\n[pbfdroid]\nspec = \"s/x.json\"";
    let error =
        parse_session(Path::new("night/x.toml"), text, &Default::default(), &file).expect_err("absent");
    assert!(error.to_string().starts_with("night/x.toml:4: night/s/x.json: "), "{error}");
}

#[test]
fn tables_of_texts_that_do_nothing() {
    for (text, complaint) in [
        ("technique = \"inputblaster\"\napp = \"a.b\"\n[inputblaster]\nattempts = 30\n", None),
        ("technique = \"inputblaster\"\napp = \"a.b\"\n[inputblaster]\nattempts = 0\n", Some("1 to 1000")),
        ("technique = \"randomtext\"\napp = \"a.b\"\n[inputblaster]\nbatch = 201\n", Some("1 to 200")),
        ("technique = \"genie\"\napp = \"a.b\"\n[inputblaster]\nattempts = 9\n", Some("does nothing")),
        (
            "technique = \"genie\"\napp = \"a.b\"\n[run]\ntext = \"inputblaster\"\n[inputblaster]\nbatch = 9\n",
            None,
        ),
        ("technique = \"inputblaster\"\napp = \"a.b\"\n[inputblaster]\nlearn = true\n", None),
        (
            "technique = \"genie\"\napp = \"a.b\"\n[run]\ntext = \"inputblaster\"\n[inputblaster]\nlearn = true\n",
            Some("`learn` does nothing"),
        ),
        ("technique = \"randomtext\"\napp = \"a.b\"\n[run]\ntext = \"inputblaster\"\n", Some("does nothing")),
    ] {
        let usual: UsualLlm = toml::from_str("").expect("nothing usual");
        let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        let outcome = parse_session(Path::new("/x/y.toml"), text, &usual, &none);
        let said = outcome.as_ref().err().map(|error| format!("{error}"));
        match complaint {
            None => assert!(outcome.is_ok(), "{text}: {said:?}"),
            Some(part) => {
                assert!(said.as_deref().is_some_and(|said| said.contains(part)), "{text}: {said:?}")
            }
        }
    }
}
