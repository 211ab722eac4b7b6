//! Which display is which: `dumpsys window displays` and `dumpsys activity activities`, cut into displays; `dumpsys
//! display`, which says how the compositor calls them.
//!
//! Phones that fold, cars and desktops have several displays, each with a focus of its own, in any order.

use super::focus::{Focus, read_focus, read_rotation};

/// What has the focus of one display.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DisplayFocus {
    /// As the window manager counts.
    pub id: u32,
    pub focus: Focus,
    pub rotation: u8,
}

/// The most displays that are read.
const MOST: usize = 32;

/// The displays of a dump, in its order; none where it does not tell them apart.
pub(crate) fn read_displays(text: &str) -> Vec<DisplayFocus> {
    let mut parts: Vec<(u32, String)> = Vec::new();
    for line in text.lines() {
        if let Some(id) = heading(line) {
            if parts.len() < MOST {
                parts.push((id, String::new()));
            }
        } else if let Some((_, part)) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    let read = |(id, part): (u32, String)| DisplayFocus {
        id,
        focus: read_focus(&part),
        rotation: read_rotation(&part).unwrap_or_default(),
    };
    parts.into_iter().map(read).collect()
}

/// The number in `Display: mDisplayId=2 (organized)` and `Display #2 (activities from top to bottom):`.
fn heading(line: &str) -> Option<u32> {
    let line = line.trim();
    let number = line.strip_prefix("Display: mDisplayId=").or_else(|| line.strip_prefix("Display #"))?;
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    number.get(..end)?.parse().ok()
}

/// The compositor's number of a display, from `dumpsys display`: `displayId=2, uniqueId='local:46…'` in the viewports,
/// `displayId 2, … uniqueId "local:46…"` in the displays' descriptions. Displays that are no panel, such as a recorder's,
/// have none.
pub(crate) fn read_physical(text: &str, display: u32) -> Option<u64> {
    let forms = [
        (format!("displayId={display},"), "uniqueId='local:"),
        (format!("displayId {display},"), "uniqueId \"local:"),
        (format!("displayId {display}\""), "uniqueId \"local:"),
    ];
    forms.iter().find_map(|(named, unique)| {
        text.match_indices(named.as_str()).find_map(|(at, _)| {
            let line = text.get(at + named.len()..)?.lines().next()?;
            // What follows may already be another display's.
            let own = line.find("displayId").map_or(line, |next| line.get(..next).unwrap_or(line));
            let (_, number) = own.split_once(unique)?;
            let end = number.find(|c: char| !c.is_ascii_digit())?;
            number.get(..end)?.parse().ok()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_display_has_its_own_focus() {
        let windows = "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  \
            Display: mDisplayId=3 (organized)\n  mCurrentFocus=Window{1 u0 org.dash/org.dash.Dials}\n  \
            mFocusedApp=ActivityRecord{2 u0 org.dash/.Dials t4}\n    mRotation=1\n  \
            Display: mDisplayId=0\n  mCurrentFocus=null\n  mFocusedApp=ActivityRecord{3 u10 org.shop/.Main t8}\n";
        let activities = "Display #3 (activities from top to bottom):\n    topResumedActivity=ActivityRecord{2 u0 org.dash/.Dials t4}\n\
            Display #0 (activities from top to bottom):\n    mResumedActivity: ActivityRecord{3 u10 org.shop/.Main t8}\n  \
            ResumedActivity: ActivityRecord{2 u0 org.dash/.Dials t4}\n";
        let one = "  mCurrentFocus=Window{1 u0 org.shop/org.shop.Main}\n  mRotation=1\n";
        let cases: [(&str, &[(u32, &str, u8)]); 4] = [
            (windows, &[(3, "org.dash.Dials", 1), (0, "org.shop.Main", 0)]),
            (activities, &[(3, "org.dash.Dials", 0), (0, "org.shop.Main", 0)]),
            (one, &[]),
            ("Display: mDisplayId=x\nDisplay #\n", &[]),
        ];
        for (text, expected) in cases {
            let read = read_displays(text);
            let read: Vec<_> = read
                .iter()
                .map(|d| (d.id, d.focus.page().map(|(_, activity)| activity).unwrap_or_default(), d.rotation))
                .collect();
            let read: Vec<_> =
                read.iter().map(|(id, activity, turns)| (*id, activity.as_str(), *turns)).collect();
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn the_compositor_counts_otherwise() {
        let viewports = "mViewports=[DisplayViewport{type=EXTERNAL, displayId=2, uniqueId='local:4619', physicalPort=1}, \
            DisplayViewport{type=INTERNAL, displayId=0, uniqueId='local:77', physicalPort=0}]";
        let described = "mBaseDisplayInfo=DisplayInfo{\"Built-in\", displayId 0, FLAG_SECURE, real 1080 x 2400, uniqueId \"local:77\", app 1080 x 2400}\n\
            mBaseDisplayInfo=DisplayInfo{\"HDMI\", displayId 2\", displayGroupId 0, uniqueId \"local:4619\"}\n\
            mBaseDisplayInfo=DisplayInfo{\"Recorder\", displayId 7, uniqueId \"virtual:org.rec,1000,Rec,0\"}";
        let cases = [
            (viewports, 2, Some(4_619)),
            (viewports, 0, Some(77)),
            (viewports, 1, None),
            (described, 0, Some(77)),
            (described, 2, Some(4_619)),
            (described, 7, None),
            ("displayId=2, displayId=0, uniqueId='local:77'", 2, None),
            ("displayId=2, uniqueId='local:", 2, None),
        ];
        for (text, display, expected) in cases {
            assert_eq!(read_physical(text, display), expected, "{display} in {text}");
        }
    }
}
