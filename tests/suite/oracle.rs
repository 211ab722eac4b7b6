//! The oracles on hand-made jobs: what is a violation, what is masked, what is inconclusive, and which violations count
//! as the same bug.

use std::collections::BTreeMap;
use std::sync::Arc;

use droidmux::gui::{
    Bounds, EffectForm, Event, EventKind, Flags, Layout, LayoutBuilder, LayoutHash, NewWidget, Resolution,
    WidgetId,
};
use droidmux::record::*;
use droidmux::technique::{GenieSettings, judge};
use proptest::prelude::*;

const MAIN: &str = "org.notes.Main";

/// A page in a line: widgets separated by `|`, each `id=text`; an id in parentheses is a button,
/// one in brackets a row of the page's list. `@Name` in front gives the activity.
#[derive(Clone, Debug)]
struct Page(String);

impl Page {
    fn activity(&self) -> String {
        match self.0.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
            Some((name, _)) => format!("org.notes.{name}"),
            None => MAIN.into(),
        }
    }

    fn layout(&self) -> Layout {
        let line = match self.0.strip_prefix('@') {
            Some(rest) => rest.split_once(' ').map_or("", |(_, line)| line),
            None => &self.0,
        };
        let mut builder = LayoutBuilder::new();
        let whole = Bounds::new(0, 0, 1080, 1920);
        let node = |class| NewWidget { class, bounds: whole, ..NewWidget::default() };
        builder.open(node("android.widget.FrameLayout"));
        builder.open(node("android.widget.LinearLayout"));
        let widgets: Vec<(&str, &str)> = line
            .split('|')
            .filter_map(|w| w.split_once('='))
            .map(|(id, text)| (id.trim(), text.trim()))
            .collect();
        for (id, text) in widgets.iter().filter(|(id, _)| !id.starts_with('[')) {
            let (class, id) = match id.strip_prefix('(') {
                Some(id) => ("android.widget.Button", id.trim_end_matches(')')),
                None => ("android.widget.TextView", *id),
            };
            leaf(&mut builder, class, id, text);
        }
        builder.open(NewWidget { resource_id: "org.notes:id/list", ..node("android.widget.ListView") });
        for (id, text) in widgets.iter().filter(|(id, _)| id.starts_with('[')) {
            builder.open(node("android.widget.LinearLayout"));
            leaf(&mut builder, "android.widget.TextView", id.trim_matches(['[', ']']), text);
            leaf(&mut builder, "android.widget.CheckBox", "done", "");
            builder.close();
        }
        builder.finish()
    }
}

fn leaf(builder: &mut LayoutBuilder, class: &str, id: &str, text: &str) {
    let clickable = class.ends_with("Button") || class.ends_with("CheckBox");
    let id = if id.is_empty() { String::new() } else { format!("org.notes:id/{id}") };
    builder.open(NewWidget {
        class,
        resource_id: &id,
        text,
        bounds: Bounds::new(0, 0, 10, 10),
        flags: Flags::ENABLED.with(Flags::CLICKABLE, clickable),
        ..NewWidget::default()
    });
    builder.close();
}

#[derive(Default)]
struct Album(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Album {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

/// One test: its role and the pages it went through, with the events between them given by the text of the clicked
/// button.
#[derive(Clone)]
struct Played {
    role: Role,
    pages: Vec<Page>,
    clicks: Vec<String>,
}

/// `page -click-> page -click-> page`; an event `!click` fails.
fn played(role: Role, line: &str) -> Played {
    let mut pages = Vec::new();
    let mut clicks = Vec::new();
    for part in line.split("->") {
        let (page, click) = part.rsplit_once(" -").map_or((part, None), |(page, click)| (page, Some(click)));
        pages.push(Page(page.trim().to_owned()));
        clicks.extend(click.map(|click| click.trim().to_owned()));
    }
    Played { role, pages, clicks }
}

fn seed(line: &str) -> Played {
    played(Role::Seed, line)
}

fn mutant(pivot: u16, length: u16, line: &str) -> Played {
    played(Role::Mutant(Insertion { pivot, length }), line)
}

fn event(click: &str, page: &Page) -> Event {
    let layout = page.layout();
    let name = click.trim_start_matches('!');
    let widget = layout.widgets().find(|w| w.text() == name).map_or(WidgetId(u32::MAX), |w| w.id());
    Event::on(EventKind::Click, layout.selector(widget))
}

fn job(tests: &[Played]) -> (JobRun, Album) {
    let mut album = Album::default();
    let mut turns = Vec::new();
    let mut batch = Batch { purpose: Purpose::Mutants { seed: 0 }, tests: Vec::new() };
    for test in tests {
        let mut events = Vec::new();
        for (n, page) in test.pages.iter().enumerate() {
            let layout = page.layout();
            let hash = layout.hash();
            album.0.insert(hash, Arc::new(layout));
            let click = n.checked_sub(1).map(|n| (&test.clicks[n], &test.pages[n]));
            let act = click.map_or(Act::Reset, |(click, page)| Act::Perform(event(click, page)));
            if let Act::Perform(event) = &act {
                events.push(event.clone());
            }
            let failed = click.is_some_and(|(click, _)| click.starts_with('!'));
            let observation = if failed { Observation::Failed(Failure::NotFound) } else { seen(hash, page) };
            turns.push(Turn { act, observation, at_ms: 0, took_ms: 0 });
        }
        batch.tests.push(Test { role: test.role.clone(), events });
    }
    let job = Job { slot: Slot(3), rng: 0, work: Work::Batch(batch) };
    let app = AppBuild { package: "org.notes".into(), ..AppBuild::default() };
    (JobRun { job, attempt: 1, device: DeviceInfo::default(), app, turns }, album)
}

fn seen(layout: LayoutHash, page: &Page) -> Observation {
    Observation::Seen(Box::new(Seen {
        screen: Screen {
            layout,
            package: "org.notes".into(),
            activity: page.activity(),
            in_app: true,
            rotation: 0,
            keyboard: false,
        },
        settling: droidmux::record::Settling::Strict,
        dumps: 2,
        toast: None,
        hears_toasts: false,
        resolution: Some(Resolution::Exact(WidgetId(0))),
        signals: Vec::new(),
        setup: Vec::new(),
        dialogs: Vec::new(),
        screenshot: None,
    }))
}

fn definition() -> SessionDefinition {
    toml::from_str("technique = \"genie\"\napp = \"org.notes\"").expect("a session file")
}

fn judged(tests: &[Played], definition: &SessionDefinition, edits: &[MaskEdit]) -> Judgement {
    let (run, album) = job(tests);
    judge(&run, definition, edits, &album)
}

/// The seed, one mutant, the seed again.
fn verdict(first: &str, pivot: u16, length: u16, middle: &str, last: &str) -> Verdict {
    let tests = [seed(first), mutant(pivot, length, middle), seed(last)];
    let mut verdicts = judged(&tests, &definition(), &[]).verdicts;
    assert_eq!(verdicts.len(), 1);
    verdicts.remove(0)
}

fn effects(verdict: &Verdict) -> &[UnmatchedEffect] {
    match &verdict.evidence {
        Evidence::Effects(effects) => effects,
        _ => &[],
    }
}

const HEAD: &str = "title=Notes|(delete)=Delete|(other)=Other|(more)=More";

#[test]
fn an_insertion_may_add_effects_and_never_remove_any() {
    let three = format!("{HEAD}|[t]=Milk|[t]=Tea|[t]=Jam");
    let without = |gone: &str| three.replace(&format!("|[t]={gone}"), "");
    let with = |line: &str, row: &str| format!("{line}|[t]={row}");
    let done = |line: String| line.replace("title=Notes", "title=Deleted");
    let (milk, tea) = (done(without("Milk")), done(without("Tea")));
    let seed = format!("{three} -Delete-> {milk}");
    let cases = [
        ("nothing else", format!("{three} -Other-> {three} -Delete-> {milk}"), Outcome::Pass),
        (
            "an effect of its own",
            format!("{three} -Other-> {} -Delete-> {}", with(&three, "Ham"), with(&milk, "Ham")),
            Outcome::Pass,
        ),
        ("the wrong row goes", format!("{three} -Other-> {three} -Delete-> {tea}"), Outcome::Violation),
        ("nothing goes", format!("{three} -Other-> {three} -Delete-> {three}"), Outcome::Violation),
        (
            "another page of the app comes",
            format!("{three} -Other-> {three} -Delete-> @Help about=Help"),
            Outcome::Violation,
        ),
    ];
    for (what, middle, expected) in cases {
        let verdict = verdict(&seed, 1, 1, &middle, &seed);
        assert_eq!(verdict.outcome, expected, "{what}: {verdict:#?}");
        let diverged = effects(&verdict).iter().any(|effect| effect.diverged);
        assert_eq!(diverged, what.starts_with("another page"), "{what}");
        assert_eq!(verdict.key.is_empty(), expected == Outcome::Pass, "{what}");
    }
}

#[test]
fn evidence_names_widget_pair_and_layouts() {
    let three = format!("{HEAD}|[t]=Milk|[t]=Tea");
    let tea_left = format!("{HEAD}|[t]=Tea");
    let seed = format!("{three} -Delete-> {tea_left}");
    let verdict =
        verdict(&seed, 1, 2, &format!("{three} -More-> {three} -Other-> {three} -Delete-> {three}"), &seed);
    let first = &effects(&verdict)[0];
    assert_eq!((first.seed, first.mutant, first.kind), ((1, 2), (1, 4), EffectKind::Deleted));
    let milk = effects(&verdict).iter().find(|e| e.before.as_ref().is_some_and(|w| w.text == "Milk"));
    assert!(milk.is_some_and(|e| e.after.is_none()), "{verdict:#?}");
    assert_eq!(first.layouts[0], Page(three).layout().hash());
    assert_eq!(
        verdict.title,
        "Clicking 'Delete' removes 'Milk', but not after clicking 'More' and clicking 'Other': it stays."
    );
    assert_eq!((verdict.slot, verdict.test), (Slot(3), 1));
}

#[test]
fn the_inserted_traces_own_layouts_are_never_compared() {
    let page = |text: &str| format!("{HEAD}|state={text}");
    let seed = format!("{} -Delete-> {}", page("idle"), page("gone"));
    // What happens inside the insertion is undone at its end.
    let middle = format!(
        "{} -More-> {} -Other-> {} -Delete-> {}",
        page("idle"),
        page("open"),
        page("idle"),
        page("gone")
    );
    assert_eq!(verdict(&seed, 1, 2, &middle, &seed).outcome, Outcome::Pass);
}

/// A batch whose mutant differs from its seed by a clock alone.
fn with_a_clock() -> [Played; 3] {
    let page = |clock: &str, state: &str| format!("{HEAD}|clock={clock}|state={state}");
    let run = |a: &str, b: &str, inserted: &str| {
        format!("{}{inserted} -Delete-> {}", page(a, "idle"), page(b, "gone"))
    };
    [
        seed(&run("10:01", "10:02", "")),
        mutant(1, 1, &run("10:05", "10:06", &format!(" -Other-> {}", page("10:05", "idle")))),
        seed(&run("10:08", "10:09", "")),
    ]
}

/// The run of that batch with its layouts, what the oracle says about it, and its session.
pub fn masked_run() -> (JobRun, Vec<Arc<Layout>>, Judgement, SessionDefinition) {
    let (run, album) = job(&with_a_clock());
    let judgement = judge(&run, &definition(), &[], &album);
    (run, album.0.into_values().collect(), judgement, definition())
}

#[test]
fn volatile_widgets_are_masked_before_anything_is_compared() {
    let tests = with_a_clock();
    let judgement = judged(&tests, &definition(), &[]);
    assert_eq!(judgement.verdicts[0].outcome, Outcome::Pass, "{:#?}", judgement.verdicts[0]);
    assert_eq!(judgement.unmasked, 1);
    let [mask] = &judgement.masks[..] else { panic!("{:?}", judgement.masks) };
    assert_eq!((mask.activity.as_str(), mask.resource_id.as_str()), (MAIN, "org.notes:id/clock"));
    assert_eq!(mask.path, "FrameLayout/LinearLayout/TextView#clock");

    let lifted = [MaskEdit { mask: mask.clone(), masked: false }];
    let judgement = judged(&tests, &definition(), &lifted);
    assert_eq!(judgement.verdicts[0].outcome, Outcome::Violation);
    assert!(judgement.masks.is_empty());
    assert!(judgement.verdicts[0].hints.iter().any(|hint| hint.cause == "volatile"));

    let everything = Mask { activity: MAIN.into(), ..no_mask() };
    let judgement = judged(&tests, &definition(), &[MaskEdit { mask: everything, masked: true }]);
    assert_eq!(judgement.verdicts[0].outcome, Outcome::Pass);
}

fn no_mask() -> Mask {
    let none = String::new;
    Mask {
        activity: none(),
        class: none(),
        resource_id: none(),
        description: none(),
        path: none(),
        example: (none(), none()),
    }
}

#[test]
fn up_to_its_pivot_a_mutant_is_a_run_of_the_seed_too() {
    let page = |banner: &str, state: &str| format!("{HEAD}|banner={banner}|state={state}");
    let seed = format!("{} -Delete-> {}", page("A", "idle"), page("B", "gone"));
    // Both runs of the seed show the same banners by chance; the mutant's first page does not.
    let middle =
        format!("{} -Other-> {} -Delete-> {}", page("C", "idle"), page("C", "idle"), page("C", "gone"));
    assert_eq!(verdict(&seed, 1, 1, &middle, &seed).outcome, Outcome::Pass);
}

#[test]
fn ignore_rules_leave_widgets_and_pages_out() {
    let page = |state: &str| format!("{HEAD}|state={state}");
    let run = format!("{} -Delete-> {}", page("idle"), page("gone"));
    let middle = format!("{} -Other-> {} -Delete-> {}", page("idle"), page("idle"), page("idle"));
    let tests = [seed(&run), mutant(1, 1, &middle), seed(&run)];
    let rules = [
        (IgnoreRule { resource_id: "state".into(), ..IgnoreRule::default() }, Outcome::Pass),
        (IgnoreRule { activity: MAIN.into(), ..IgnoreRule::default() }, Outcome::Pass),
        (IgnoreRule { resource_id: "title".into(), ..IgnoreRule::default() }, Outcome::Violation),
    ];
    for (rule, expected) in rules {
        let definition = SessionDefinition { ignore: vec![rule.clone()], ..definition() };
        let judgement = judged(&tests, &definition, &[]);
        assert_eq!(judgement.verdicts[0].outcome, expected, "{rule:?}");
    }
}

#[test]
fn what_did_not_run_as_planned_is_inconclusive() {
    let page = |state: &str| format!("{HEAD}|state={state}");
    let run = format!("{} -Delete-> {}", page("idle"), page("gone"));
    let lost_seed = format!("{} -!Delete-> {}", page("idle"), page("gone"));
    let middle = format!("{} -Other-> {} -Delete-> {}", page("idle"), page("idle"), page("gone"));
    let lost = format!("{} -!Other-> {} -Delete-> {}", page("idle"), page("idle"), page("gone"));
    let away =
        format!("{} -Other-> @Help about=Help|a=1|b=2|c=3|d=4 -Delete-> {}", page("idle"), page("gone"));
    let cases = [
        (&run, &lost, "the mutant was not replayable: event 1 of 2 (click): its receiver was not found"),
        (
            &lost_seed,
            &middle,
            "the seed was not replayable: event 1 of 1 (click): its receiver was not found",
        ),
        (&run, &away, "dropped: the layout after the insertion is 38 % like the pivot's"),
    ];
    for (last, middle, expected) in cases {
        let verdict = verdict(&run, 1, 1, middle, last);
        assert_eq!(verdict.outcome, Outcome::Inconclusive(expected.into()));
        assert!(verdict.key.is_empty() && effects(&verdict).is_empty());
    }
}

#[test]
fn a_job_cut_short_or_without_layouts_is_inconclusive() {
    let page = |state: &str| format!("{HEAD}|state={state}");
    let run = format!("{} -Delete-> {}", page("idle"), page("gone"));
    let middle = format!("{} -Other-> {} -Delete-> {}", page("idle"), page("idle"), page("gone"));
    let (mut run, album) = job(&[seed(&run), mutant(1, 1, &middle), seed(&run)]);
    let blind = judge(&run, &definition(), &[], &Album::default());
    assert!(
        matches!(&blind.verdicts[0].outcome, Outcome::Inconclusive(why) if why.contains("missing in the store"))
    );
    run.turns.truncate(4);
    let cut = judge(&run, &definition(), &[], &album);
    let expected = "the mutant was not replayable: only 1 of 2 events ran";
    assert_eq!(cut.verdicts[0].outcome, Outcome::Inconclusive(expected.into()));
}

#[test]
fn the_same_bug_has_one_key_and_another_bug_another() {
    let list = |rows: &[&str]| rows.iter().fold(HEAD.to_owned(), |page, row| format!("{page}|[t]={row}"));
    let seed = |a: &str, b: &str| format!("{} -Delete-> {}", list(&[a, b]), list(&[b]));
    let wrong = |a: &str, b: &str| {
        let before = list(&[a, b]);
        format!("{before} -Other-> {before} -Delete-> {}", list(&[a]))
    };
    let key = |first: &str, middle: &str| verdict(first, 1, 1, middle, first).key;
    let milk = key(&seed("Milk", "Tea"), &wrong("Milk", "Tea"));
    assert_eq!(milk, key(&seed("Ham 12", "Tea"), &wrong("Ham 12", "Tea")), "other texts, the same bug");
    let longer_seed = format!("{} -More-> {}", list(&["A", "B"]), seed("A", "B"));
    let longer = format!("{} -More-> {}", list(&["A", "B"]), wrong("A", "B"));
    assert_eq!(milk, verdict(&longer_seed, 2, 1, &longer, &longer_seed).key, "another seed");

    let added = format!("{} -More-> {}", list(&["A"]), list(&["A", "B"]));
    let not_added = format!("{0} -Other-> {0} -More-> {0}", list(&["A"]));
    let page = |text: &str| format!("{HEAD}|state={text}");
    let changed = format!("{} -More-> {}", page("idle"), page("done"));
    let not_changed = format!("{0} -Other-> {0} -More-> {0}", page("idle"));
    let keys = [milk, key(&added, &not_added), key(&changed, &not_changed)];
    assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2], "{keys:#?}");
    assert!(keys.iter().all(|key| !key.contains("Milk") && !key.contains("Tea")), "{keys:#?}");
}

#[test]
fn hints_rest_on_evidence() {
    let page = |rate: &str, sum: &str| format!("{HEAD}|rate={rate}|sum={sum}");
    let run = format!("{} -Delete-> {}", page("one", "none"), page("one", "many"));
    let cases = [
        // The inserted click changes the very widget.
        (
            format!(
                "{} -Other-> {} -Delete-> {}",
                page("one", "none"),
                page("one", "few"),
                page("one", "few")
            ),
            Some("not-independent"),
        ),
        // It changes another one on the same page, which need not be independent either.
        (
            format!(
                "{} -Other-> {} -Delete-> {}",
                page("one", "none"),
                page("two", "none"),
                page("two", "none")
            ),
            Some("not-independent"),
        ),
        // It only adds to the page, as an independent one may do.
        (format!("{0} -Other-> {0}|note=new -Delete-> {0}|note=new", page("one", "none")), None),
        // The seed's own click was already in the insertion.
        (format!("{0} -Delete-> {0} -Delete-> {0}", page("one", "none")), Some("not-independent")),
    ];
    for (middle, expected) in cases {
        let verdict = verdict(&run, 1, 1, &middle, &run);
        assert_eq!(verdict.outcome, Outcome::Violation, "{middle}");
        let cause = verdict.hints.iter().map(|hint| hint.cause.as_str()).find(|c| *c == "not-independent");
        assert_eq!(cause, expected, "{middle}: {:?}", verdict.hints);
    }
    let headed = |head: &str, text: &str| {
        format!("title=Notes|(delete)=Delete|(other)=Other|head={head}|state={text}")
    };
    let run = format!("{} -Delete-> {}", headed("New", "idle"), headed("New", "gone"));
    let middle = format!(
        "{} -Other-> {} -Delete-> {}",
        headed("New", "idle"),
        headed("Garden", "idle"),
        headed("Garden", "idle")
    );
    let hints = verdict(&run, 1, 1, &middle, &run).hints;
    assert!(hints.iter().any(|hint| hint.cause == "coarse-state"), "{hints:?}");
    // A page that comes back under another title is another page.
    let (here, gone) = (headed("New", "idle"), headed("New", "gone"));
    let elsewhere = format!("{here} -Other-> {0} -Delete-> {0}", here.replace("title=Notes", "title=Garden"));
    let dropped = verdict(&format!("{here} -Delete-> {gone}"), 1, 1, &elsewhere, &run).outcome;
    let why = dropped.why().unwrap_or_default();
    assert!(why.contains("the page 'Garden' instead of 'Notes'"), "{dropped:?}");
}

#[test]
fn sets_know_no_contexts_and_no_counts() {
    let mut sets = definition();
    sets.settings.put(&GenieSettings { effects: EffectForm::Sets, ..GenieSettings::default() });
    let three = format!("{HEAD}|[t]=Milk|[t]=Milk|[t]=Tea");
    let two = format!("{HEAD}|[t]=Milk|[t]=Tea");
    let run = format!("{three} -Delete-> {two}");
    let tests =
        [seed(&run), mutant(1, 1, &format!("{three} -Other-> {three} -Delete-> {three}")), seed(&run)];
    assert_eq!(judged(&tests, &sets, &[]).verdicts[0].outcome, Outcome::Pass, "a twin goes");
    assert_eq!(judged(&tests, &definition(), &[]).verdicts[0].outcome, Outcome::Violation, "a tree counts");
}

#[test]
fn crashes_are_violations_of_every_job() {
    let page = format!("{HEAD}|state=idle");
    let (mut run, album) = job(&[seed(&format!("{page} -Delete-> {page}"))]);
    let signal = Signal {
        kind: SignalKind::Crash,
        process: "org.notes".into(),
        headline: "java.lang.IllegalStateException: no row 7".into(),
        stack: vec!["at org.notes.Main.delete(Main.java:7)".into()],
    };
    if let Observation::Seen(seen) = &mut run.turns[1].observation {
        seen.signals.push(signal);
    }
    let judgement = judge(&run, &definition(), &[], &album);
    let [verdict] = &judgement.verdicts[..] else { panic!("{judgement:?}") };
    assert_eq!((verdict.oracle.as_str(), &verdict.outcome), ("crash", &Outcome::Violation));
    assert_eq!(verdict.key, "crash\njava.lang.IllegalStateException\norg.notes.Main.delete");
    assert!(matches!(verdict.evidence, Evidence::Signal { turn: 1, .. }));
}

fn pages() -> impl Strategy<Value = String> {
    let texts = prop::collection::vec(prop::sample::select(vec!["A", "B", "C"]), 1..5);
    texts.prop_map(|texts| {
        texts
            .iter()
            .enumerate()
            .fold(HEAD.to_owned(), |page, (n, text)| format!("{page}|w{n}={text}|[t]={text}"))
    })
}

proptest! {
    /// A difference between two runs of the seed is not a violation in a mutant that repeats either.
    #[test]
    fn masks_cover_what_the_runs_differ_in(a in pages(), b in pages(), c in pages(), d in pages()) {
        let first = format!("{a} -Delete-> {b}");
        let last = format!("{c} -Delete-> {d}");
        for (from, to) in [(&a, &b), (&c, &d)] {
            let verdict = verdict(&first, 1, 1, &format!("{from} -Other-> {from} -Delete-> {to}"), &last);
            prop_assert_eq!(verdict.outcome, Outcome::Pass);
        }
    }

    /// A mutant that repeats its seed exactly passes, and judging it twice gives the same result.
    #[test]
    fn a_mutant_like_its_seed_passes(a in pages(), b in pages(), c in pages()) {
        let tests = [
            seed(&format!("{a} -Delete-> {b} -More-> {c}")),
            mutant(2, 1, &format!("{a} -Delete-> {b} -Other-> {b} -More-> {c}")),
            seed(&format!("{a} -Delete-> {b} -More-> {c}")),
        ];
        let judgement = judged(&tests, &definition(), &[]);
        prop_assert_eq!(&judgement.verdicts[0].outcome, &Outcome::Pass);
        prop_assert_eq!(judgement.unmasked, 0);
        prop_assert_eq!(&judgement, &judged(&tests, &definition(), &[]));
    }
}
