//! Compound parts of the toolkit, on a phone: they take touches, and a snackbar moves what lies over the page.

use super::{Phone, PhoneOptions};
use droidmux_gui::{Bounds, read_dump};
use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, DefectSwitches, Env, Gravity, Icon, Input, Manifest, Screen, SimApp, View,
};

const MANIFEST: Manifest = Manifest {
    package: "com.example.parts",
    label: "Parts",
    version_name: "1",
    version_code: 1,
    activities: &["Main"],
    permissions: &[],
};

/// Counts touches of its parts; the snackbar is there from the second on.
#[derive(Clone, Default)]
struct Parts {
    touched: u32,
}

impl App for Parts {
    type Action = ();

    fn view(&self, _page: &ActivityState, _env: &Env) -> Screen<()> {
        let items = [("a", "Left", Icon::Home, ()), ("b", "Right", Icon::Book, ())];
        let body = View::column()
            .fill()
            .child(View::spinner("choice", format!("Touched {}", self.touched), ()))
            .child(View::preference("Title", "Summary", ()))
            .child(View::loading("Waiting…").share_height())
            .child(View::bottom_bar(1, items));
        let screen =
            Screen::new("Parts", body).over(View::fab("fab", Icon::Add, "Add", ()).at(Gravity::BottomEnd));
        if self.touched > 1 { screen.snackbar("Done", "Undo", ()) } else { screen }
    }

    fn on(&mut self, input: Input<()>, _ctx: &mut Ctx<'_, ()>) {
        self.touched += u32::from(matches!(input, Input::Act(())));
    }
}

fn bounds(phone: &Phone, id: &str) -> Option<Bounds> {
    let dump = read_dump(phone.dump().expect("a dump").as_bytes()).expect("readable");
    dump.layout.widgets().find(|widget| widget.short_id() == id).map(|widget| widget.bounds())
}

#[test]
fn parts_take_touches_and_a_snackbar_pushes_what_is_over_the_body_up() {
    let app = SimApp::new(MANIFEST, &[], |_| Parts::default());
    let mut phone = Phone::new(PhoneOptions::default(), &[app], &DefectSwitches::none());
    phone.launch("com.example.parts/.Main").expect("starts");
    assert_eq!(bounds(&phone, "snackbar"), None);
    let at_foot = bounds(&phone, "fab").expect("a button");
    for (touched, id) in ["choice", "title", "a", "fab", "snackbar_action"].into_iter().enumerate() {
        assert!(phone.dump().expect("a dump").contains(&format!("Touched {touched}")), "before {id}");
        phone.tap(bounds(&phone, id).expect("there").center());
    }
    assert!(phone.dump().expect("a dump").contains("Touched 5"));
    let (fab, bar) = (bounds(&phone, "fab").expect("a button"), bounds(&phone, "snackbar").expect("a bar"));
    assert!(fab.bottom <= bar.top && fab.bottom < at_foot.bottom, "{fab:?} {bar:?}");
}
