//! What is drawn where something can be changed, and what is not.

use std::sync::Arc;

use rand::SeedableRng;

use super::*;
use droidmux_gui::LayoutHash;
use droidmux_gui::dump::read_dump;
use droidmux_model::offers;

/// A page of these nodes.
fn here(nodes: &str) -> Here {
    window(0, nodes)
}

/// A window of these nodes that begins so far from the left and the upper edge.
fn window(at: i32, nodes: &str) -> Here {
    let body =
        format!(r#"<node class="android.widget.FrameLayout" bounds="[{at},{at}][300,900]">{nodes}</node>"#);
    let dump = format!(r#"<hierarchy rotation="0">{body}</hierarchy>"#);
    let layout = Arc::new(read_dump(dump.as_bytes()).expect("a dump").layout);
    let offers = offers(&layout);
    Here { state: StateId(1), hash: LayoutHash([0; 16]), layout, offers }
}

/// A test that has just begun, where nothing is known yet.
struct Beginning {
    here: Here,
    settings: GenieSettings,
    model: GuiModel,
    harvest: Harvest,
    questions: Questions,
    executed: Executed,
    typed: Vec<String>,
    entered: Entered,
}

impl Beginning {
    fn at(here: Here) -> Self {
        let settings = GenieSettings::default();
        Self {
            here,
            model: GuiModel::new(settings.level, settings.initial_weight),
            settings,
            harvest: Harvest::default(),
            questions: Questions::default(),
            executed: Executed::new(),
            typed: Vec::new(),
            entered: Entered::default(),
        }
    }

    fn vista(&self) -> Vista<'_> {
        Vista {
            here: &self.here,
            model: &self.model,
            harvest: &self.harvest,
            questions: &self.questions,
            executed: &self.executed,
            settings: &self.settings,
            typed: &self.typed,
            entered: &self.entered,
            objects: 0,
        }
    }
}

#[test]
fn the_phone_is_turned_once_where_something_was_typed() {
    let field = |text: &str| {
        here(&format!(
            r#"<node class="android.widget.EditText" text="{text}" enabled="true" clickable="true" bounds="[0,0][300,90]"/>"#
        ))
    };
    let turned = Executed::from([((StateId(1), Action::global(EventKind::Rotate).key), 1)]);
    let usual = GenieSettings::default();
    let never = GenieSettings { random_navigation: 0, ..usual.clone() };
    for (what, here, executed, settings, expected) in [
        ("what was typed", field("tea"), Executed::new(), usual.clone(), true),
        ("the app's own text", field("milk"), Executed::new(), usual.clone(), false),
        ("nothing", field(""), Executed::new(), usual.clone(), false),
        ("turned before", field("tea"), turned, usual, false),
        ("a session without such events", field("tea"), Executed::new(), never, false),
    ] {
        let typed = vec!["tea".to_owned()];
        let test = Beginning { executed, settings, typed, ..Beginning::at(here) };
        let offered = turn(test.vista()).map(|offer| offer.kind);
        assert_eq!(offered, expected.then_some(EventKind::Rotate), "{what}");
    }
}

#[test]
fn what_one_chooses_from_counts_as_one_event_together() {
    // days of a month, where their window begins, and the least and the most of 2,000 events that press its button
    for (days, at, expected) in [(31, 40, 400..=1_400), (0, 40, 600..=1_900), (31, 0, 1..=200)] {
        let day = |n: i32| {
            let bounds = format!("[{at},{}][300,{}]", 100 + n * 20, 120 + n * 20);
            format!(
                r#"<node class="android.view.View" text="{n}" content-desc="{n} March 2024" enabled="true" clickable="true" bounds="{bounds}"/>"#
            )
        };
        let days: String = (1..=days).map(day).collect();
        let button = format!(
            r#"<node class="android.widget.Button" resource-id="android:id/button1" text="Fine" enabled="true" clickable="true" bounds="[{at},800][300,900]"/>"#
        );
        let test = Beginning::at(window(at, &format!("{days}{button}")));
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let is_button =
            |offer: &Offer| test.here.layout.get(offer.widget?).map(|widget| widget.short_id() == "button1");
        let drawn = (0..2_000).filter_map(|_| changing(test.vista(), &mut rng));
        let pressed = drawn.filter(|offer| is_button(offer) == Some(true)).count();
        assert!(expected.contains(&pressed), "{days} at {at}: {pressed}");
    }
}

#[test]
fn a_search_that_is_filled_in_is_started() {
    // the field's hint and text, and what may start its search
    for (hint, text, expected) in [
        ("Search…", "", &[][..]),
        ("Search…", "tea", &["Start search", "Suche", "Enter"]),
        ("", "Search…", &[]),
        ("", "tea", &[]),
        ("Title", "tea", &[]),
    ] {
        let leaf = |class: &str, y: i32, rest: &str| {
            format!(
                r#"<node class="android.widget.{class}" {rest} enabled="true" clickable="true" bounds="[0,{y}][300,{}]"/>"#,
                y + 90
            )
        };
        let nodes = [
            leaf("EditText", 0, &format!(r#"resource-id="a.b:id/field" text="{text}" hint="{hint}""#)),
            leaf("ImageButton", 100, r#"content-desc="Start search""#),
            leaf("Button", 200, r#"text="Suche""#),
            leaf("ImageButton", 300, r#"content-desc="Navigate up""#),
        ];
        let here = here(&nodes.concat());
        let starts = starts_of_search(&here);
        let names = starts.iter().map(|offer| match offer.widget.and_then(|id| here.layout.get(id)) {
            Some(widget) => format!("{}{}", widget.text(), widget.description()),
            None => format!("{:?}", offer.kind),
        });
        assert_eq!(names.collect::<Vec<_>>(), expected, "{hint} {text}");
    }
}
