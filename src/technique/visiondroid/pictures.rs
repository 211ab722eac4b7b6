//! The pictures that go with the prompts, as descriptions. A session without screenshots sends none.

use super::chronicle::{Chronicle, Function};
use super::phrase;
use super::step::Step;
use droidmux_account::sentence::{id_of, row_label};
use droidmux_gui::{Layout, Operable, Widget};
use droidmux_record::{Frame, Layouts, Mark, Picture};

/// Icons in one prompt.
const MOST_ICONS: usize = 6;

/// The screens on which steps acted, the acted widget boxed and the function under it: the newest
/// `most` of those worth a picture.
pub fn history(
    chronicle: &Chronicle,
    steps: std::ops::RangeInclusive<usize>,
    most: u32,
) -> Vec<(String, Picture)> {
    let frames = frames(chronicle, steps, most);
    if frames.is_empty() {
        return Vec::new();
    }
    let words = "The history: the screens on which the last steps acted, the widget boxed, left to right and \
                 top to bottom.";
    vec![(words.to_owned(), Picture::History(frames))]
}

/// The frames of such a picture.
pub fn frames(chronicle: &Chronicle, steps: std::ops::RangeInclusive<usize>, most: u32) -> Vec<Frame> {
    let mut frames: Vec<Frame> =
        steps.rev().filter_map(|number| frame(chronicle, number)).take(most as usize).collect();
    frames.reverse();
    frames
}

fn frame(chronicle: &Chronicle, number: usize) -> Option<Frame> {
    let step = chronicle.steps.get(number.checked_sub(1)?).filter(|step| step.shown)?;
    let before = chronicle.sights.get(number - 1)?;
    let marks =
        step.acted.iter().map(|&(bounds, interaction)| Mark { bounds, interaction, label: String::new() });
    Some(Frame {
        screenshot: before.screenshot?,
        layout: before.layout,
        marks: marks.collect(),
        caption: caption(chronicle, number, step),
    })
}

fn caption(chronicle: &Chronicle, number: usize, step: &Step) -> String {
    let holds = |function: &&Function| (function.first..=chronicle.last_of(function)).contains(&number);
    let function = chronicle.functions.iter().find(holds).map(|function| function.name.as_str());
    format!("{number} {} · {}", step.kind.name(), function.unwrap_or("-"))
}

/// The current screen, everything that can be operated marked by its number.
pub fn current(chronicle: &Chronicle, layouts: &dyn Layouts) -> Vec<(String, Picture)> {
    let layout = chronicle.here().and_then(|here| layouts.layout(here.layout));
    layout.map(|layout| marked(chronicle, &layout)).unwrap_or_default()
}

/// The screen after a step, marked likewise: what a step did belongs to it, whatever was done since.
pub fn after(chronicle: &Chronicle, step: usize, layouts: &dyn Layouts) -> Vec<(String, Picture)> {
    if step == chronicle.steps.len() {
        return current(chronicle, layouts);
    }
    let picture = chronicle.sights.get(step).and_then(|sight| {
        let layout = layouts.layout(sight.layout)?;
        Some(Picture::Screen(Frame::marked(sight.screenshot?, &layout)))
    });
    picture.map(|picture| (format!("The screen after step {step}:"), picture)).into_iter().collect()
}

/// The widgets of the screen that nothing explains, cropped: no text, no id, and no row that they are in.
pub fn icons(chronicle: &Chronicle, layout: &Layout, operable: &[Operable]) -> Vec<(String, Picture)> {
    let Some(screenshot) = chronicle.here().and_then(|here| here.screenshot) else { return Vec::new() };
    let icon = |operable: &Operable| {
        let nameless = |widget: &Widget<'_>| {
            phrase::label(*widget).is_empty() && id_of(*widget).or_else(|| row_label(*widget)).is_none()
        };
        let widget = layout.get(operable.widget).filter(nameless)?;
        let frame = Frame { screenshot, layout: layout.hash(), marks: Vec::new(), caption: String::new() };
        let words = format!("Widget {}, which has no text:", operable.number);
        (!widget.is_editable()).then(|| (words, Picture::Icon { frame, bounds: widget.bounds() }))
    };
    operable.iter().filter_map(icon).take(MOST_ICONS).collect()
}

/// The same, for a layout that is at hand.
pub fn marked(chronicle: &Chronicle, layout: &Layout) -> Vec<(String, Picture)> {
    let screenshot = chronicle.here().and_then(|here| here.screenshot);
    let picture = screenshot.map(|screenshot| Picture::Screen(Frame::marked(screenshot, layout)));
    picture.map(|picture| ("The current screen:".to_owned(), picture)).into_iter().collect()
}
