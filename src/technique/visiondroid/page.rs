//! The pages of an app: which screens are one page, by what the account calls them. Two folders are two pages, since
//! each shows its name.

use super::chronicle::Chronicle;

/// A page: the screens of one activity that are called the same.
#[derive(Clone, Debug)]
pub struct KnownPage {
    pub activity: String,
    /// What the account calls it.
    pub called: String,
    /// A dialog or a menu above a page.
    pub is_window: bool,
    /// What the Monitor said of it.
    pub description: String,
    /// Going back from here leaves the app.
    pub exit: bool,
}

impl Chronicle {
    /// Finds the page of the present screen, or makes one, and says whether it did.
    pub(super) fn enter_page(&mut self) -> bool {
        let is_window = self.teller.facts().is_some_and(|facts| facts.place().page.is_window());
        let Some(here) = self.sights.last_mut() else { return false };
        let called = here.told.as_ref().map_or("", |told| &told.page);
        let known =
            self.pages.iter().position(|page| page.activity == here.activity && page.called == called);
        here.page = known.unwrap_or(self.pages.len());
        if known.is_none() {
            self.pages.push(KnownPage {
                activity: here.activity.clone(),
                called: called.to_owned(),
                is_window,
                description: String::new(),
                exit: false,
            });
        }
        known.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_testutils::script::Script;

    #[test]
    fn pages_are_told_apart_by_what_they_are_called() {
        let page = "@ Main Notes\nlist items\n- milk\n- tea";
        for (a, b, same) in [
            ("@dialog Rename\nfield name=a\n(OK)", "@dialog Rename\nfield name=b\n(OK)", true),
            ("@dialog Rename\nfield name=a\n(OK)", "@dialog Tag\nfield name=a\n(OK)", false),
            ("@ Main Notes\nlist items\n- milk", "@ Main Notes\nlist items\n- milk\n- tea", true),
            ("@ Main Work\nlist items\n- milk", "@ Main Home\nlist items\n- milk", false),
        ] {
            let script = Script::read(&format!("{page}\n> back\n{a}\n> back\n{b}"));
            let mut chronicle = Chronicle::new("toy");
            for turn in &script.run.turns {
                chronicle.note(&turn.act, &turn.observation, &script.layouts);
            }
            let pages: Vec<usize> = chronicle.sights.iter().map(|sight| sight.page).collect();
            assert_eq!(pages[1] == pages[2], same, "{a} and {b}: {pages:?}");
        }
    }
}
