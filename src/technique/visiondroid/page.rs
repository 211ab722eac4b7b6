//! The pages of an app: which screens are one page, and when each was last seen.

use super::chronicle::Chronicle;
use droidmux_account::look::Look;
use droidmux_account::row::lists;
use droidmux_gui::{Layout, LayoutHash, comparable, is_dialog};
use droidmux_record::Layouts;
use droidmux_words::number::share;

/// A page: screens of one activity that are arranged alike, whatever they hold.
#[derive(Clone, Debug)]
pub struct KnownPage {
    pub activity: String,
    pub dialog: bool,
    /// The layout it was first, and last, seen with, and after which step the latter.
    first: LayoutHash,
    last: LayoutHash,
    last_step: usize,
    /// What the Monitor calls it.
    pub description: String,
    /// Going back from here leaves the app.
    pub exit: bool,
}

/// This share of the kinds of widgets of two screens of one page is on both.
const SAME_PAGE: f64 = 0.6;

impl Chronicle {
    /// Finds the page of the present screen, or makes one. Returns the layout it was last seen
    /// with, and after which step.
    pub(super) fn enter_page(&mut self, layouts: &dyn Layouts) -> Option<(LayoutHash, usize)> {
        let step = self.sights.len().saturating_sub(1);
        let here = self.sights.last_mut()?;
        let layout = layouts.layout(here.layout)?;
        let is_here = |page: &KnownPage| {
            page.activity == here.activity
                && layouts.layout(page.first).is_some_and(|first| same_page(&first, &layout, &here.activity))
        };
        if let Some(number) = self.pages.iter().position(is_here) {
            here.page = number;
            let page = self.pages.get_mut(number)?;
            let earlier = (page.last, page.last_step);
            (page.last, page.last_step) = (here.layout, step);
            return Some(earlier);
        }
        here.page = self.pages.len();
        self.pages.push(KnownPage {
            activity: here.activity.clone(),
            dialog: is_dialog(&layout),
            first: here.layout,
            last: here.layout,
            last_step: step,
            description: String::new(),
            exit: false,
        });
        None
    }
}

/// Screens of one page are arranged alike and hold much the same kinds of widgets; how many of each
/// does not matter, so a list is the same page empty and full.
fn same_page(a: &Layout, b: &Layout, activity: &str) -> bool {
    let page = droidmux_gui::Page { package: "", activity };
    if a.rotation() != b.rotation() || !comparable((page, a), (page, b)) || title(a) != title(b) {
        return false;
    }
    let kinds = |layout: &Layout| -> std::collections::BTreeSet<(String, String)> {
        layout.widgets().map(|w| (w.class().to_owned(), w.resource_id().to_owned())).collect()
    };
    let (a, b) = (kinds(a), kinds(b));
    let fewer = a.len().min(b.len());
    fewer == 0 || share(a.intersection(&b).count(), fewer) >= SAME_PAGE
}

/// What a dialog asks: dialogs of one activity are often arranged alike, and are not one page. Empty for a whole screen.
fn title(layout: &Layout) -> String {
    if is_dialog(layout) { Look::of(layout, &lists(layout)).dialog } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_testutils::script::Script;

    #[test]
    fn dialogs_are_one_page_by_what_they_ask() {
        let page = "@ Main Notes\nlist items\n- milk\n- tea";
        for (a, b, same) in [
            ("@dialog Rename\nfield name=a\n(OK)", "@dialog Rename\nfield name=b\n(OK)", true),
            ("@dialog Rename\nfield name=a\n(OK)", "@dialog Tag\nfield name=a\n(OK)", false),
            ("@ Main Notes\nlist items\n- milk", "@ Main Notes\nlist items\n- milk\n- tea", true),
            ("@ Main Notes\nlist items\n- milk", "@ Main Done\nlist items\n- milk", true),
        ] {
            let script = Script::read(&format!("{page}\n> back\n{a}\n> back\n{b}"));
            let layout = |turn: usize| {
                let screen = &script.run.turns[turn].observation.seen().unwrap().screen;
                script.layouts.layout(screen.layout).unwrap()
            };
            assert_eq!(same_page(&layout(1), &layout(2), "toy.Main"), same, "{a} and {b}");
        }
    }
}
