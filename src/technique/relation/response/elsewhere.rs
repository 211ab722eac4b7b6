//! Whether a press that changes nothing on its page does something elsewhere: 'Add to queue' in a row's menu.
//!
//! In: a press about a row. Out: whether a page that did not show the row before it does so afterwards, or the row's menu no
//! longer offers what was pressed; with nothing else done to the row in between.

use super::super::deed::object;
use super::super::trail::{Shot, Trail};
use super::press::Press;
use droidmux_account::look::Window;
use droidmux_gui::Flags;

/// Whether the row of a press, which led to the shot of this number, has come to another page since.
pub fn shows_elsewhere(trail: &Trail<'_>, press: &Press, number: usize) -> bool {
    let (Some(origin), Some(label)) = (trail.shot(press.origin), label(trail, press.origin)) else {
        return false;
    };
    let is_untouched = |until: usize| (number..until).all(|at| self::label(trail, at) != Some(label));
    let has_come = |at: usize, page: &Shot<'_>| {
        let lists = page.lists().iter().any(|list| list.labelled(label).next().is_some());
        lists
            && !page.is_same_page(origin)
            && is_untouched(at)
            && was_without(trail, press.origin, page, label)
    };
    let mut later = trail.shots().iter().enumerate().skip(number + 1);
    later.any(|(at, shot)| match shot.look().window {
        Window::Menu => is_menu_without(trail, press, at, label) && is_untouched(at - 1),
        _ => shot.shows_page() && has_come(at, shot),
    })
}

/// Whether this shot is the row's menu, opened in the same way as for the press, and does not offer that any more.
fn is_menu_without(trail: &Trail<'_>, press: &Press, at: usize, row: &str) -> bool {
    let (Some(menu), Some(first)) = (trail.shot(at), trail.shot(press.origin + 1)) else { return false };
    let is_same = menu.kind() == first.kind() && label(trail, at - 1) == Some(row);
    first.look().window == Window::Menu && is_same && !press.word.is_empty() && !menu.shows(&press.word)
}

/// The label of the row that the event from this shot acted on.
fn label<'t>(trail: &'t Trail<'_>, from: usize) -> Option<&'t str> {
    let (_, row) = object(trail, from)?.on(trail.shot(from)?)?;
    Some(&row.label)
}

/// Whether this page was seen whole up to a shot, and last without the row.
fn was_without(trail: &Trail<'_>, until: usize, page: &Shot<'_>, label: &str) -> bool {
    let earlier = trail.shots().iter().take(until + 1);
    let seen = earlier.rev().find(|shot| shot.shows_page() && shot.is_same_page(page));
    seen.is_some_and(|shot| {
        !shot.shows(label) && !shot.layout().widgets().any(|widget| widget.has(Flags::SCROLLABLE))
    })
}

#[cfg(test)]
mod tests {
    use super::super::RESPONSE;
    use crate::relation::script::Script;

    const LIST: &str = "@ Main Shop\nlist items\n- milk\n- bread\n";
    const MENU: &str = "> long milk\n@menu\nlist menu\n- Add to cart\n- Share\n> click Add to cart\n";

    /// The page on which what was added shows, with these rows.
    fn cart(rows: &str) -> String {
        let rows: String = rows.split_whitespace().map(|row| format!("- {row}\n")).collect();
        format!("@ Main Cart\nlabel note=Cart\nlist cart\n{rows}")
    }

    #[test]
    fn what_comes_to_another_page_is_a_response() {
        let go = |page: &str| format!("> wait\n{page}");
        let menu = |first: &str| format!("@menu\nlist menu\n- {first}\n- Share\n");
        let (with, without) = (cart("eggs milk"), cart("eggs"));
        let pressed = format!("{LIST}{MENU}{LIST}");
        let came = format!("{without}> wait\n{pressed}{}", go(&with));
        assert_eq!(Script::read(&came).held(&RESPONSE).len(), 2, "to being held, and to the choice");
        for (what, trace, responds) in [
            ("it came", came.clone(), true),
            ("it did not", format!("{without}> wait\n{pressed}{}", go(&without)), false),
            ("it was there", format!("{with}> wait\n{pressed}{}", go(&with)), false),
            ("nobody knows whether it was there", format!("{pressed}{}", go(&with)), false),
            (
                "the row was touched once more",
                format!(
                    "{without}> wait\n{pressed}> click milk\n@ Detail milk\nlabel kind=fresh\n> back\n{LIST}{}",
                    go(&with)
                ),
                false,
            ),
            (
                "its menu offers something else",
                format!("{pressed}> long milk\n{}", menu("Take from basket")),
                true,
            ),
            ("its menu is as it was", format!("{pressed}> long milk\n{}", menu("Add to cart")), false),
            (
                "the menu of another row",
                format!("{pressed}> long bread\n{}", menu("Take from basket")),
                false,
            ),
            (
                "the page scrolls",
                format!("{without}> wait\n{pressed}{}", go(&with)).replace("list cart", "list cart..."),
                false,
            ),
        ] {
            let script = Script::read(&trace);
            assert_eq!(script.broken(&RESPONSE).is_empty(), responds, "{what}");
        }
    }

    #[test]
    fn a_number_that_is_pressed_and_comes_is_a_response() {
        let page = |speed: &str| format!("@ Main Player\nlabel speed={speed}\nlabel time=10:01\n(Speed)\n");
        let choose = "> click Speed\n@menu\nlist menu\n- 1.0x\n- 2.0x\n> click 2.0x\n";
        let held =
            |after: &str| Script::read(&format!("{}{choose}{after}", page("1.0x"))).held(&RESPONSE).len();
        assert_eq!(held(&page("2.0x")), 2, "the button, and the choice");
        assert_eq!(held(&page("1.0x").replace("10:01", "10:02")), 1, "a clock went on");
    }
}
