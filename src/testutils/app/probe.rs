//! A finger that finds widgets in the dump by what they say.
//!
//! A test that looks for a widget that is missing panics with everything that is there instead.

use droidmux_gui::{Layout, Widget, read_dump};
use droidmux_sim::phone::Buffer;
use droidmux_sim::{Phone, PhoneOptions};
use droidmux_sim_toolkit::{DefectSwitches, SimApp};

/// A phone with some apps, driven through what its dumps show.
pub struct Probe {
    /// The phone, for anything else that is done to it.
    pub phone: Phone,
    /// How many events it was given; entering a text counts as one.
    pub events: usize,
}

impl Probe {
    /// Starts an app on a phone with these apps and defects; it holds every permission it asks for.
    ///
    /// # Panics
    /// When the app is not among these.
    pub fn start(package: &str, apps: &[SimApp], switches: &DefectSwitches, options: PhoneOptions) -> Self {
        let mut phone = Phone::new(options, apps, switches);
        let requested = phone.package(package).expect("installed").permissions;
        for (permission, _) in requested {
            phone.grant(package, &permission, true).expect("requested");
        }
        let launcher = phone.launcher_of(package).expect("has a launcher");
        phone.launch(&launcher).expect("starts");
        Self { phone, events: 0 }
    }

    /// Brings an app to the front from its icon.
    ///
    /// # Panics
    /// When it is not there.
    pub fn launch(&mut self, package: &str) -> &mut Self {
        let launcher = self.phone.launcher_of(package).expect("has a launcher");
        self.phone.launch(&launcher).expect("starts");
        self.events += 1;
        self
    }

    /// Ends the process of an app in the background.
    pub fn kill(&mut self, package: &str) -> &mut Self {
        self.phone.kill_in_background(package);
        self.events += 1;
        self
    }

    /// What is on the screen.
    ///
    /// # Panics
    /// When the screen cannot be dumped: it is off, or never rests.
    pub fn layout(&self) -> Layout {
        let xml = self.phone.dump().expect("a dump");
        read_dump(xml.as_bytes()).expect("readable").layout
    }

    /// Whether some widget shows, is described as, or is called this.
    pub fn shows(&self, what: &str) -> bool {
        self.layout().widgets().any(|widget| is(widget, what))
    }

    /// Whether the top of one widget is higher on the screen than the other's; false when one of
    /// them is not there.
    pub fn is_above(&self, upper: &str, lower: &str) -> bool {
        let layout = self.layout();
        let top = |what| layout.widgets().find(|w| is(*w, what)).map(|w| w.bounds().top);
        matches!((top(upper), top(lower)), (Some(upper), Some(lower)) if upper < lower)
    }

    /// Whether one widget begins left of the other; false when one of them is not there.
    pub fn is_left_of(&self, first: &str, second: &str) -> bool {
        let layout = self.layout();
        let left = |what| layout.widgets().find(|w| is(*w, what)).map(|w| w.bounds().left);
        matches!((left(first), left(second)), (Some(first), Some(second)) if first < second)
    }

    /// The text of the first widget that is called or described like this; empty when there is
    /// none.
    pub fn text_of(&self, what: &str) -> String {
        let layout = self.layout();
        let found = layout.widgets().find(|widget| is(*widget, what));
        found.map(|widget| widget.text().to_owned()).unwrap_or_default()
    }

    /// The texts of all widgets that are called like this.
    pub fn texts_of(&self, id: &str) -> Vec<String> {
        let layout = self.layout();
        layout.widgets().filter(|w| w.short_id() == id).map(|w| w.text().to_owned()).collect()
    }

    /// Ends an app and starts it again.
    pub fn launch_again(&mut self, package: &str) {
        self.phone.force_stop(package);
        let launcher = self.phone.launcher_of(package).expect("has a launcher");
        self.phone.launch(&launcher).expect("starts");
    }

    /// Whether an app crashed.
    pub fn crashed(&self) -> bool {
        !self.phone.logcat(&[Buffer::Crash]).is_empty()
    }

    /// Whether the system says that an app does not respond.
    pub fn hangs(&self) -> bool {
        self.shows("aerr_wait")
    }

    /// What all widgets show.
    pub fn all_texts(&self) -> Vec<String> {
        let layout = self.layout();
        layout.widgets().map(|widget| widget.text().to_owned()).filter(|text| !text.is_empty()).collect()
    }

    /// How many widgets show this text.
    pub fn count(&self, text: &str) -> usize {
        self.layout().widgets().filter(|widget| widget.text() == text).count()
    }

    /// Touches a widget: the first that shows, is described as, or is called this, here and below.
    ///
    /// # Panics
    /// When there is none; so do all that act on a widget.
    pub fn tap(&mut self, what: &str) -> &mut Self {
        let at = self.find(what);
        self.phone.tap(at);
        self.events += 1;
        self
    }

    /// Touches and holds a widget.
    pub fn hold(&mut self, what: &str) -> &mut Self {
        let at = self.find(what);
        self.phone.long_press(at);
        self.events += 1;
        self
    }

    /// Replaces the text of a field, as a person does: tap, go to the end, delete, type.
    pub fn enter(&mut self, field: &str, text: &str) -> &mut Self {
        let before = self.events;
        self.tap(field).key("MOVE_END");
        let length = self.layout().widgets().find(|w| is(*w, field)).map_or(0, |w| w.text().len());
        for _ in 0..length {
            self.key("DEL");
        }
        self.phone.text(text).expect("typable");
        self.events = before + 1;
        self
    }

    /// Puts any text into a field, as the agent's `setText` does, and closes the keyboard.
    pub fn set(&mut self, field: &str, text: &str) -> &mut Self {
        let before = self.events;
        self.tap(field);
        assert!(self.phone.set_field_text(text), "{field} is no field");
        self.key("BACK");
        self.events = before + 1;
        self
    }

    /// Presses a key by its name, e.g. `BACK`.
    ///
    /// # Panics
    /// When there is no such key.
    pub fn key(&mut self, key: &str) -> &mut Self {
        self.phone.key(key).expect("a key");
        self.events += 1;
        self
    }

    /// Turns the screen.
    pub fn turn(&mut self) -> &mut Self {
        self.phone.set_rotation(1 - self.phone.rotation() % 2);
        self.events += 1;
        self
    }

    fn find(&self, what: &str) -> droidmux_gui::Point {
        let layout = self.layout();
        let found = layout.widgets().find(|widget| is(*widget, what));
        let Some(widget) = found else {
            let seen: Vec<String> =
                layout.widgets().map(|w| format!("{} {}", w.short_id(), w.text())).collect();
            panic!("no widget {what:?} among {seen:#?}");
        };
        widget.bounds().center()
    }
}

fn is(widget: Widget<'_>, what: &str) -> bool {
    widget.text() == what || widget.description() == what || widget.short_id() == what
}
