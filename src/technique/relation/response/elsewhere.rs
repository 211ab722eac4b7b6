//! Whether a press that changes nothing on its page does something elsewhere: 'Add to queue' in a row's menu.
//!
//! In: a press about a row. Out: whether a page that did not show the row before it does so afterwards, or the row's menu no
//! longer offers what was pressed, with nothing else done to the row in between; and whether anybody looked.

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
    let is_untouched = |until: usize| is_untouched(trail, number, until, label);
    let has_come = |at: usize, page: &Shot<'_>| {
        let lists = page.lists().iter().any(|list| list.labelled(label).next().is_some());
        lists
            && !page.is_same_page(origin)
            && is_untouched(at)
            && was_without(trail, press.origin, page, label)
    };
    let mut later = trail.shots().iter().enumerate().skip(number + 1);
    later.any(|(at, shot)| match shot.look().window {
        Window::Menu => is_menu(trail, press, at, label) && !shot.shows(&press.word) && is_untouched(at - 1),
        _ => shot.shows_page() && has_come(at, shot),
    })
}

/// Whether the press chose something in a row's menu, and nobody opened that menu again to see what it offers then.
pub fn is_unseen(trail: &Trail<'_>, press: &Press, number: usize) -> bool {
    let Some(label) = label(trail, press.origin) else { return false };
    let in_menu = number > press.origin + 1
        && trail.shot(number - 1).is_some_and(|shot| shot.look().window == Window::Menu);
    let again = |at: usize| is_menu(trail, press, at, label) && is_untouched(trail, number, at - 1, label);
    in_menu && !(number + 1..trail.shots().len()).any(again)
}

/// Whether this shot is the row's menu, opened in the same way as for the press.
fn is_menu(trail: &Trail<'_>, press: &Press, at: usize, row: &str) -> bool {
    let (Some(menu), Some(first)) = (trail.shot(at), trail.shot(press.origin + 1)) else { return false };
    let are_menus = [menu, first].iter().all(|shot| shot.look().window == Window::Menu);
    are_menus && menu.kind() == first.kind() && label(trail, at - 1) == Some(row) && !press.word.is_empty()
}

/// Whether nothing was done to the row from one shot up to another.
fn is_untouched(trail: &Trail<'_>, from: usize, until: usize, row: &str) -> bool {
    (from..until).all(|at| label(trail, at) != Some(row))
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
    fn what_is_chosen_in_a_rows_menu_counts_once_the_menu_was_opened_again() {
        let pressed = |more: &str| format!("{LIST}heard\n{MENU}{LIST}heard\n{more}");
        let again = "> long milk\n@menu\nlist menu\n- Add to cart\n- Share\n> back\n";
        let more = "@ Main Shop\nlist items\n- milk\n- bread\n- eggs\nheard\n";
        let others = again.replace("long milk", "long bread");
        let dialog = pressed("").replace("@menu", "@dialog What");
        let add = "@ Main Shop\n(Add)\nlist items\n- milk\nheard\n";
        for (what, trace, unseen) in [
            ("never opened again", pressed(""), true),
            ("opened again", pressed(again), false),
            ("another row's was", pressed(&others), true),
            ("opened to choose once more", pressed(&format!("> wait\n{more}{MENU}{more}")), false),
            ("a dialog, which closes", dialog, true),
            ("a button of the page", format!("{add}> click Add\n{add}"), false),
        ] {
            let broken = Script::read(&trace).broken(&RESPONSE);
            let choice = broken.iter().find(|broken| broken.sentence.contains("Add"));
            let choice = choice.unwrap_or_else(|| panic!("{what}: {broken:?}"));
            assert_eq!(choice.slight, unseen, "{what}: {}", choice.what);
        }
        let what = |trace: &str| Script::read(trace).broken(&RESPONSE).pop().expect("a break").what;
        assert_ne!(what(&pressed("")), what(&pressed(again)), "one that was looked at is no other's doubt");
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
