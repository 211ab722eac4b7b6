//! What only screenshots show: colours, replaced pictures, and messages in front of a page.

use super::account::Sight;
use super::chronicle::Chronicle;
use super::phrase::{self, Secrets};
use droidmux_gui::{Bounds, Flags, Layout, Widget};
use droidmux_record::{Comparison, Layouts};

/// One part in so many of a screen, from the top, is the bar of the system.
const BAR: i32 = 24;

/// Pixels by which an area that differs may reach beyond a widget: it is made of squares.
const SLACK: i32 = 16;

/// Areas told of one step.
const MOST_AREAS: usize = 4;

/// Said where the screenshots differ and the layouts do not.
const NO_WIDGET_CHANGED: &str = "no text and no widget changed; the screenshots differ";

impl Chronicle {
    /// The screenshots to compare when nothing else differs.
    pub(super) fn comparison(&self, before: &Sight, lines: &[String]) -> Option<Comparison> {
        let (earlier, later) = before.screenshot.zip(self.here()?.screenshot)?;
        lines.iter().any(|line| line == NO_WIDGET_CHANGED).then_some(Comparison { earlier, later })
    }

    /// The screenshots around the last step, as long as nobody has compared them.
    pub fn to_compare(&self) -> Option<Comparison> {
        self.steps.last()?.unclear
    }

    /// Takes down where the screenshots around the last step differ.
    pub(super) fn compared(&mut self, areas: Option<&[Bounds]>, layouts: &dyn Layouts) {
        let layout = self.here().and_then(|here| layouts.layout(here.layout));
        let told = areas.zip(layout).map(|(areas, layout)| seen_to_change(areas, &layout, &self.secrets));
        let Some(step) = self.steps.last_mut() else { return };
        if let (Some(()), Some(told)) = (step.unclear.take().map(drop), told) {
            step.outcome.retain(|line| line != NO_WIDGET_CHANGED);
            step.outcome.extend(told);
        }
    }
}

/// What to say of a screen whose layout differs in nothing from the one that its page had before. Whether a picture was
/// replaced, a colour changed or a message appeared in front of the page, only the screenshots show.
pub(super) fn unchanged(before: &Sight, here: &Sight, stayed: bool) -> &'static str {
    let shots = before.screenshot.zip(here.screenshot);
    match (stayed, shots) {
        (true, Some((before, here))) if before != here => NO_WIDGET_CHANGED,
        (true, _) => "nothing changed",
        (false, _) => "as it was then",
    }
}

/// What a person sees change where no widget says so, a line for each area: the bar of the system aside, which is never
/// still.
fn seen_to_change(areas: &[Bounds], layout: &Layout, secrets: &Secrets) -> Vec<String> {
    let screen = layout.roots().map(Widget::bounds).max_by_key(|root| root.height()).unwrap_or_default();
    let bar = screen.top + screen.height() / BAR;
    let mut lines: Vec<String> = Vec::new();
    for area in areas.iter().filter(|area| area.bottom > bar) {
        let holds = |widget: &Widget<'_>| {
            !widget.has(Flags::INVISIBLE) && widget.bounds().grown(SLACK).intersection(*area) == *area
        };
        let size =
            |widget: &Widget<'_>| i64::from(widget.bounds().width()) * i64::from(widget.bounds().height());
        let smallest = layout.widgets().filter(holds).min_by_key(size);
        let line = match smallest.filter(|widget| widget.is_leaf() || widget.is_actionable()) {
            Some(widget) => {
                let place = phrase::row_words(widget, secrets);
                format!("the picture changed at {}{place}", phrase::name(widget, secrets))
            }
            None => {
                let third = (area.center().y - screen.top).max(0) * 3 / screen.height().max(1);
                let part = ["upper", "middle", "lower"].get(usize::try_from(third).unwrap_or(0));
                format!(
                    "in the {} part of the screen something that is no widget came or went: a message in front \
                     of the page, or a picture",
                    part.unwrap_or(&"lower")
                )
            }
        };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.truncate(MOST_AREAS);
    if lines.is_empty() {
        lines.push("nothing changed".into());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::BlobHash;
    use droidmux_testutils::script::Script;

    #[test]
    fn nothing_is_said_to_have_changed_only_where_no_picture_did() {
        let script = Script::read("@ Main Notes\nlist items\n- milk");
        let seen = script.run.turns[0].observation.seen().unwrap();
        let shot =
            |n: Option<u8>| Sight { screenshot: n.map(|n| BlobHash([n; 32])), ..Sight::of(seen, "toy") };
        for (before, here, stayed, said) in [
            (Some(1), Some(1), true, "nothing changed"),
            (None, None, true, "nothing changed"),
            (Some(1), Some(2), true, NO_WIDGET_CHANGED),
            (Some(1), Some(2), false, "as it was then"),
        ] {
            assert_eq!(unchanged(&shot(before), &shot(here), stayed), said);
        }
    }

    #[test]
    fn pictures_that_changed_are_told_with_the_widget_that_shows_them() {
        let script = Script::read("@ Main Notes\nlist items\n- milk | (Delete)\n(save=Save)");
        let screen = &script.run.turns[0].observation.seen().unwrap().screen;
        let layout = script.layouts.layout(screen.layout).unwrap();
        let root = layout.roots().next().unwrap().bounds();
        let save = layout.widgets().find(|w| w.text() == "Save").unwrap().bounds();
        let told = |areas: &[Bounds]| seen_to_change(areas, &layout, &Secrets::default());
        let clock = Bounds::new(root.right - 40, root.top, root.right - 8, root.top + 16);
        let toast = Bounds::new(root.left, root.bottom - 40, root.right, root.bottom - 8);
        assert_eq!(told(&[clock]), ["nothing changed"]);
        assert_eq!(told(&[clock, save.grown(8)]), ["the picture changed at Button \"Save\" #save"]);
        assert!(told(&[toast])[0].starts_with("in the lower part of the screen something that is no widget"));
    }
}
