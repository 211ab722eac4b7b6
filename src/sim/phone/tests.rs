//! What a phone does around its apps, with an app that does a little of everything.

use super::*;
use droidmux_gui::{Flags, Layout, Point, Widget, read_dump};
use droidmux_sim_toolkit::{ActivityState, App, Ctx, Dialog, Input, Manifest, Screen, Throwable, View};

const PACKAGE: &str = "org.example.specimen";
const MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Specimen",
    version_name: "1.0",
    version_code: 1,
    activities: &["MainActivity", "FormActivity"],
    permissions: &["android.permission.CAMERA"],
};

#[derive(Clone, Default)]
struct Specimen {
    count: u32,
    answered: Option<bool>,
}

#[derive(Clone)]
enum Action {
    Add,
    Form,
    Crash,
    Hang,
    Ask,
    Dialog,
    Name,
    Spin,
    Pick(usize),
}

impl App for Specimen {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        if page.activity() == "FormActivity" {
            let body = View::column()
                .fill()
                .child(View::field("name", "Name"))
                .child(View::field("secret", "Secret").password())
                .child(View::label("lost", page.variable("lost")))
                .child(View::label("kept", page.variable("kept")));
            return Screen::new("Form", body).up();
        }
        let row = |n: usize| View::label("row", format!("Row {n}")).high(56).on_click(Action::Pick(n));
        let banner = env.volatile(7).map_or("steady".to_owned(), |n| n.to_string());
        let body = View::column()
            .fill()
            .child(View::label("count", format!("Counted {}", self.count)))
            .child(View::label("picked", page.variable("picked")))
            .child(View::label("answered", format!("{:?}", self.answered)))
            .child(View::label("banner", banner))
            .child(View::button("add", "Add", Action::Add))
            .child(View::recycler("rows").share_height().children((0..40).map(row)));
        let screen = Screen::new("Specimen", body)
            .drawer("Add one", false, Action::Add)
            .menu("Form", Action::Form)
            .menu("Crash", Action::Crash)
            .menu("Hang", Action::Hang)
            .menu("Ask", Action::Ask)
            .menu("Dialog", Action::Dialog)
            .menu("Spin", Action::Spin);
        if page.variable("spinning").is_empty() { screen } else { screen.restless() }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(Action::Add) => self.count += 1,
            Input::Act(Action::Form) => ctx.start("FormActivity", ""),
            Input::Act(Action::Crash) => ctx.crash(Throwable {
                class: "java.lang.NullPointerException",
                message: "it was null".into(),
                frames: vec!["org.example.specimen.MainActivity.onClick(MainActivity.java:42)"],
            }),
            Input::Act(Action::Hang) => ctx.hang("Input dispatching timed out (waiting)"),
            Input::Act(Action::Ask) => ctx.ask("android.permission.CAMERA"),
            Input::Act(Action::Dialog) => {
                ctx.show(Dialog::new("Rename").field("new_name", "Name", "old").positive("OK", Action::Name))
            }
            Input::Act(Action::Name) => ctx.save("picked", ctx.field("new_name")),
            Input::Act(Action::Spin) => ctx.save("spinning", 1),
            Input::Act(Action::Pick(n)) => ctx.save("picked", n),
            Input::Answered { granted, .. } => self.answered = Some(granted),
            Input::Opened { again: false } => {
                ctx.set("lost", "variable");
                ctx.save("kept", "saved");
            }
            _ => {}
        }
    }
}

fn phone_with(options: PhoneOptions) -> Phone {
    let app = SimApp::new(MANIFEST, &[], |_| Specimen::default());
    let mut phone = Phone::new(options, &[app], &DefectSwitches::all());
    phone.launch("org.example.specimen/.MainActivity").expect("starts");
    phone
}

fn phone() -> Phone {
    phone_with(PhoneOptions::default())
}

fn layout(phone: &Phone) -> Layout {
    let xml = phone.dump().expect("a dump");
    read_dump(xml.as_bytes()).expect("readable").layout
}

fn is(widget: Widget<'_>, what: &str) -> bool {
    widget.text() == what || widget.description() == what || widget.short_id() == what
}

fn shows(phone: &Phone, what: &str) -> bool {
    layout(phone).widgets().any(|widget| is(widget, what))
}

fn place(phone: &Phone, what: &str) -> Point {
    let layout = layout(phone);
    let widget = layout.widgets().find(|widget| is(*widget, what));
    widget.unwrap_or_else(|| panic!("no {what}")).bounds().center()
}

fn tap(phone: &mut Phone, what: &str) {
    let at = place(phone, what);
    phone.tap(at);
}

fn menu(phone: &mut Phone, item: &str) {
    tap(phone, "More options");
    tap(phone, item);
}

#[test]
fn a_list_shows_and_takes_only_what_is_on_the_screen() {
    let mut phone = phone();
    assert!(shows(&phone, "Row 0") && !shows(&phone, "Row 39"));
    let (from, to) = (Point { x: 500, y: 1500 }, Point { x: 500, y: 700 });
    phone.swipe(from, to, 300);
    assert!(!shows(&phone, "Row 0") && shows(&phone, "Row 10"));
    tap(&mut phone, "Row 10");
    assert!(shows(&phone, "10"), "the row under the finger was picked");
    for _ in 0..20 {
        phone.swipe(from, to, 300);
    }
    assert!(shows(&phone, "Row 39"));
    phone.swipe(to, from, 300);
    assert!(!shows(&phone, "Row 39"));
}

#[test]
fn back_closes_one_thing_at_a_time() {
    let mut phone = phone();
    menu(&mut phone, "Form");
    tap(&mut phone, "name");
    assert!(phone.focus().keyboard);
    let steps: &[(&str, fn(&Phone) -> bool)] = &[
        ("the keyboard", |p| !p.focus().keyboard && shows(p, "Form")),
        ("the page", |p| shows(p, "Counted 0")),
        ("the app", |p| p.focus().package == "com.android.launcher3"),
        ("nothing", |p| p.focus().package == "com.android.launcher3"),
    ];
    for (what, holds) in steps {
        phone.key("KEYCODE_BACK").expect("a key");
        assert!(holds(&phone), "BACK closes {what}");
    }
    tap(&mut phone, "Specimen");
    for opener in ["Open navigation", "More options"] {
        tap(&mut phone, opener);
        assert!(!shows(&phone, "Counted 0"), "{opener}");
        phone.key("4").expect("a key");
        assert!(shows(&phone, "Counted 0"), "{opener}");
    }
}

#[test]
fn text_goes_to_the_focused_field() {
    let mut phone = phone();
    menu(&mut phone, "Form");
    tap(&mut phone, "name");
    phone.text("ab c").expect("typable");
    assert_eq!(phone.text("aé"), Err(Untypable('é')));
    phone.key("DEL").expect("a key");
    phone.key("KEYCODE_X").expect("a key");
    assert!(shows(&phone, "ab x"));
    phone.commit_text("é😀");
    assert!(shows(&phone, "ab xé.."), "a dump cannot hold what lies beyond the basic plane");
    phone.commit_text("\u{10d83d}");
    assert!(shows(&phone, "ab xé..."), "nor half of it");
    tap(&mut phone, "secret");
    phone.text("1234").expect("typable");
    assert!(shows(&phone, "••••") && !shows(&phone, "1234"));
    assert!(phone.set_field_text("xyz"));
    assert!(shows(&phone, "•••"));
    assert!(phone.key("KEYCODE_NONSENSE").is_err());
}

#[test]
fn turning_recreates_the_activity() {
    let mut phone = phone();
    menu(&mut phone, "Form");
    tap(&mut phone, "name");
    phone.text("typed").expect("typable");
    assert!(shows(&phone, "variable") && shows(&phone, "saved"));
    phone.set_rotation(1);
    assert_eq!((phone.rotation(), phone.size()), (1, (1920, 1080)));
    assert_eq!(layout(&phone).rotation(), 1);
    assert!(shows(&phone, "typed") && shows(&phone, "saved") && !shows(&phone, "variable"));
    phone.set_setting("system", "accelerometer_rotation", Some("0"));
    phone.set_setting("system", "user_rotation", Some("0"));
    assert_eq!(phone.rotation(), 0);
}

#[test]
fn a_dialog_replaces_the_dump_and_hands_its_field_over() {
    let mut phone = phone();
    menu(&mut phone, "Dialog");
    assert!(shows(&phone, "Rename") && !shows(&phone, "Counted 0"));
    phone.key("MOVE_END").expect("a key");
    phone.text("er").expect("typable");
    tap(&mut phone, "OK");
    assert!(shows(&phone, "older"));
    menu(&mut phone, "Dialog");
    phone.tap(Point { x: 500, y: 100 });
    assert!(shows(&phone, "Counted 0"), "a touch beside a dialog closes it");
}

#[test]
fn a_crash_ends_the_app_and_is_logged() {
    let mut phone = phone();
    tap(&mut phone, "Add");
    menu(&mut phone, "Form");
    phone.key("BACK").expect("a key");
    let pid = phone.pid_of(PACKAGE).expect("running");
    menu(&mut phone, "Crash");
    assert_eq!(phone.focus().package, "com.android.launcher3");
    assert_eq!(phone.pid_of(PACKAGE), None);
    let lines: Vec<String> = phone.logcat(&[Buffer::Crash]).iter().map(|l| l.threadtime()).collect();
    let expected = [
        "E AndroidRuntime: FATAL EXCEPTION: main".to_owned(),
        format!("E AndroidRuntime: Process: {PACKAGE}, PID: {pid}"),
        "E AndroidRuntime: java.lang.NullPointerException: it was null".to_owned(),
        "E AndroidRuntime: \tat org.example.specimen.MainActivity.onClick(MainActivity.java:42)".to_owned(),
    ];
    for (line, end) in lines.iter().zip(&expected) {
        assert!(line.ends_with(end), "{line:?} ends with {end:?}");
    }
    phone.clear_logcat(&[Buffer::Crash]);
    assert!(phone.logcat(&[Buffer::Crash]).is_empty());
    assert!(phone.launch("org.example.specimen/.MainActivity").expect("starts").cold);
    assert!(shows(&phone, "Counted 1"), "data outlives the process");
    assert_ne!(phone.pid_of(PACKAGE), Some(pid));
}

#[test]
fn an_app_that_hangs_is_reported_and_can_be_closed() {
    let mut phone = phone();
    menu(&mut phone, "Hang");
    let focus = phone.focus();
    assert_eq!(focus.window, format!("Application Not Responding: {PACKAGE}"));
    assert_eq!(focus.package, PACKAGE);
    assert!(phone.logcat(&[Buffer::System]).iter().any(|line| {
        line.tag == "ActivityManager"
            && line.message == "ANR in org.example.specimen (org.example.specimen/.MainActivity)"
    }));
    tap(&mut phone, "Wait");
    assert_eq!(phone.dump(), Err(DumpFault::NoRoot), "its window does not answer");
    phone.tap(Point { x: 500, y: 500 });
    tap(&mut phone, "Close app");
    assert_eq!(phone.focus().package, "com.android.launcher3");
    assert_eq!(phone.pid_of(PACKAGE), None);
}

#[test]
fn permissions_are_asked_for_once_granted_and_taken_back_by_clear() {
    let mut phone = phone();
    menu(&mut phone, "Ask");
    assert_eq!(phone.focus().package, "com.android.permissioncontroller");
    assert!(shows(&phone, "Allow Specimen to take pictures and record video?"));
    tap(&mut phone, "While using the app");
    assert!(shows(&phone, "Some(true)"));
    menu(&mut phone, "Ask");
    assert_eq!(phone.focus().package, PACKAGE, "not asked again");
    tap(&mut phone, "Add");
    assert!(phone.clear(PACKAGE) && !phone.clear("org.example.none"));
    let granted = |phone: &Phone| phone.package(PACKAGE).expect("installed").permissions[0].1;
    assert!(!granted(&phone));
    phone.launch("org.example.specimen/org.example.specimen.MainActivity").expect("starts");
    assert!(shows(&phone, "Counted 0"), "cleared");
    phone.grant(PACKAGE, "android.permission.CAMERA", true).expect("requested");
    assert!(granted(&phone));
    assert!(phone.grant(PACKAGE, "android.permission.INTERNET", true).is_err());
    assert!(phone.grant("org.example.none", "android.permission.CAMERA", true).is_err());
}

#[test]
fn what_is_not_installed_does_not_start() {
    let mut phone = phone();
    for component in ["org.example.specimen/.None", "org.example.none/.Main", "nonsense"] {
        assert!(phone.launch(component).is_err(), "{component}");
    }
    assert!(phone.uninstall(PACKAGE) && !phone.uninstall(PACKAGE));
    assert!(phone.launch("org.example.specimen/.MainActivity").is_err());
    assert_eq!(phone.focus().package, "com.android.launcher3");
}

#[test]
fn recent_apps_and_the_navigation_bar() {
    let mut phone = phone();
    phone.key("APP_SWITCH").expect("a key");
    assert!(shows(&phone, "task_name"));
    tap(&mut phone, "Specimen");
    assert!(shows(&phone, "Counted 0"));
    phone.tap(Point { x: 540, y: 1900 });
    assert_eq!(phone.focus().package, "com.android.launcher3");
    assert!(shows(&phone, "Specimen"));
}

#[test]
fn a_screen_that_never_rests_or_is_off_has_no_dump() {
    let mut phone = phone();
    menu(&mut phone, "Spin");
    assert_eq!(phone.dump(), Err(DumpFault::NotIdle));
    phone.key("POWER").expect("a key");
    assert_eq!(phone.dump(), Err(DumpFault::NoRoot));
    assert!(!phone.is_screen_on());
    phone.key("WAKEUP").expect("a key");
    assert!(phone.is_screen_on());
}

#[test]
fn volatile_content_differs_between_launches_only_when_not_steady() {
    let restart = |phone: &mut Phone| {
        phone.force_stop(PACKAGE);
        phone.launch("org.example.specimen/.MainActivity").expect("starts");
        phone.dump().expect("a dump")
    };
    let mut steady = phone();
    let first = steady.dump().expect("a dump");
    assert_eq!(restart(&mut steady), first);
    let volatile = PhoneOptions { steady: false, ..PhoneOptions::default() };
    let (mut one, mut same) = (phone_with(volatile.clone()), phone_with(volatile.clone()));
    let first = one.dump().expect("a dump");
    assert_eq!(same.dump().expect("a dump"), first, "the same seed and launches");
    assert_ne!(restart(&mut one), first, "another launch");
    assert_eq!(restart(&mut one), {
        restart(&mut same);
        restart(&mut same)
    });
    let other = phone_with(PhoneOptions { seed: 2, ..volatile });
    assert_ne!(other.dump().expect("a dump"), first, "another phone");
}

#[test]
fn the_clock_moves_with_input_only() {
    let mut phone = phone();
    let before = phone.now_ms();
    let _ = (phone.dump(), phone.focus(), phone.screenshot(), phone.packages());
    assert_eq!(phone.now_ms(), before);
    phone.tap(Point { x: 1, y: 900 });
    assert!(phone.now_ms() > before);
}

#[test]
fn dumps_follow_the_genuine_form() {
    let mut phone = phone();
    let xml = phone.dump().expect("a dump");
    assert!(xml.starts_with("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" package=\"org.example.specimen\" content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" focusable=\"false\" focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" bounds=\"[0,0][1080,1920]\">"), "{xml}");
    assert!(xml.ends_with("</node></hierarchy>"));
    assert!(!xml.contains("hint="));
    let scrollable = layout(&phone).widgets().filter(|w| w.has(Flags::SCROLLABLE)).count();
    assert_eq!(scrollable, 1);
    menu(&mut phone, "Form");
    assert!(layout(&phone).widgets().any(|w| w.short_id() == "name" && w.has(Flags::FOCUSED)));
    let newer = phone_with(PhoneOptions { sdk: 34, release: "14".into(), ..PhoneOptions::default() });
    assert!(newer.dump().expect("a dump").contains("drawing-order=\"1\" hint=\"\""));
}
