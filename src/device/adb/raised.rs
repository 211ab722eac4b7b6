//! Whether the on-screen keyboard is up, on devices that may always say so.
//!
//! In: what the input method's dump says at each look, and each back that is pressed. Out: whether it is up, as far as that
//! can be believed. A keyboard that is up takes a back for itself and is gone. So, where the device goes on saying that it is
//! up, backs do not close it: they reach the app, and cost a test its page. After a few of them, or the first that led to
//! another page, the device is no longer believed, until it has said once that the keyboard is down.

/// Backs after which the device is not believed. More than one: a panel of the keyboard's own may take the first, and an app
/// may bring the keyboard back.
const MOST_BACKS: u32 = 3;

/// What was said and done so far.
#[derive(Debug, Default)]
pub(super) struct Raised {
    /// What was said last.
    up: bool,
    /// Backs since the keyboard was last said to be down.
    backs: u32,
    /// The page on which the last of them was pressed, until something else is touched.
    pressed_on: Option<String>,
    /// The page of the last look.
    page: String,
    /// It always says so.
    stuck: bool,
}

impl Raised {
    /// A back was pressed.
    pub(super) fn pressed_back(&mut self) {
        if self.up && !self.stuck {
            self.backs = self.backs.saturating_add(1);
            self.pressed_on = Some(self.page.clone());
        }
    }

    /// Something else was touched, which may lead anywhere.
    pub(super) fn touched(&mut self) {
        self.pressed_on = None;
    }

    /// Takes in what a look says, on this page; returns whether the keyboard is up.
    pub(super) fn saw(&mut self, said_up: bool, page: &str) -> bool {
        if !said_up {
            *self = Self { page: page.to_owned(), ..Self::default() };
            return false;
        }
        let led_on = self.pressed_on.as_deref().is_some_and(|before| before != page);
        self.stuck |= led_on || self.backs >= MOST_BACKS;
        (self.up, self.page) = (true, page.to_owned());
        !self.stuck
    }

    /// Whether the device is not believed.
    pub(super) fn is_stuck(&self) -> bool {
        self.stuck
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_believed_until_backs_change_nothing() {
        // U: said to be up, D: said to be down, o: said to be up on another page, b: back, t: touched. What is believed at
        // each look.
        let cases = [
            ("UUUU", "UUUU"),
            ("UbD UbD UbD UbD", "UDUDUDUD"),
            // A panel of the keyboard's takes the first back.
            ("UbUbD UbUbD", "UUDUUD"),
            // Back at the same page again and again.
            ("UbUbUbU", "UUUD"),
            ("UbUbUbUUbU", "UUUDDD"),
            // The back reached the app.
            ("Ubo", "UD"),
            ("UboU", "UDD"),
            // Once it is said to be down, it is believed again.
            ("UboDUbD", "UDDUD"),
            ("bbbbU", "U"),
            ("Uo", "UU"),
            // Too early a look, and a touch that leads elsewhere.
            ("UbUo", "UUD"),
            ("UbUto", "UUU"),
        ];
        for (story, expected) in cases {
            let mut raised = Raised::default();
            let mut believed = String::new();
            for event in story.chars().filter(|event| *event != ' ') {
                let up = match event {
                    'b' => {
                        raised.pressed_back();
                        continue;
                    }
                    't' => {
                        raised.touched();
                        continue;
                    }
                    'U' => raised.saw(true, "page"),
                    'o' => raised.saw(true, "other"),
                    _ => raised.saw(false, "page"),
                };
                believed.push(if up { 'U' } else { 'D' });
            }
            assert_eq!(believed, expected, "{story}");
        }
    }
}
