//! `getprop` values and the size of the screen: `wm size`, `dumpsys window displays`.

use super::capped;

/// Reads `wm size`: width and height in pixels as in portrait. The override wins.
pub(crate) fn read_size(text: &str) -> Option<(u32, u32)> {
    let size = |key: &str| upright(text.lines().find_map(|line| line.trim().strip_prefix(key))?);
    size("Override size:").or_else(|| size("Physical size:"))
}

/// The same from the window manager's dump, for devices whose `wm` is missing or refused: `init=1080x2400 420dpi
/// base=720x1600 280dpi cur=…` of the main display, else of the first one. The base is what an override sets it to.
/// AOSP: `DisplayContent.dump`.
pub(crate) fn read_window_size(text: &str) -> Option<(u32, u32)> {
    let main = text.split_once("mDisplayId=0").map_or(text, |(_, main)| main);
    let word = |key: &str| main.split_whitespace().find_map(|word| word.strip_prefix(key));
    let size = |key: &str| upright(word(key)?);
    size("base=").or_else(|| size("init="))
}

/// `1920x1080`, the shorter side first.
fn upright(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.trim().split_once('x')?;
    let (a, b): (u32, u32) = (width.trim().parse().ok()?, height.trim().parse().ok()?);
    (a > 0 && b > 0).then_some((a.min(b), a.max(b)))
}

/// A property's value as printed by `getprop NAME`: one line, at most 200 characters.
pub(crate) fn usable_property(text: &str) -> String {
    capped(text.lines().next().unwrap_or_default().trim(), 200)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases = [
            ("Physical size: 1080x1920\nOverride size: 480x1024\nPhysical density: 480\n", Some((480, 1024))),
            ("Physical size: 1080x1920\n", Some((1080, 1920))),
            ("Physical size: 2560x1600\r\n", Some((1600, 2560))),
            ("Physical size: 0x0\n", None),
            ("wm: not found", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read_size(text), expected, "{text}");
        }
    }

    #[test]
    fn sizes_without_wm() {
        let cases = [
            (
                "  Display: mDisplayId=0\n    init=1080x2400 420dpi cur=2400x1080 app=2400x1014\n",
                Some((1080, 2400)),
            ),
            ("    init=1080x2400 420dpi base=720x1600 280dpi cur=720x1600\n", Some((720, 1600))),
            (
                "  Display: mDisplayId=2\n    init=400x300 160dpi\n  Display: mDisplayId=0\n    init=800x1280 213dpi\n",
                Some((800, 1280)),
            ),
            ("  Display: mDisplayId=3\n    init=400x300 160dpi\n", Some((300, 400))),
            ("init=0x0 base=x", None),
            ("Can't find service: window\n", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read_window_size(text), expected, "{text}");
        }
    }
}
