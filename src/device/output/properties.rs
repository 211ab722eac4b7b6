//! `getprop` values and `wm size`.

use super::capped;

/// Reads `wm size`: width and height in pixels as in portrait. The override wins.
pub(crate) fn read_size(text: &str) -> Option<(u32, u32)> {
    let size = |key: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(key))?;
        let (width, height) = line.trim().split_once('x')?;
        let (a, b): (u32, u32) = (width.trim().parse().ok()?, height.trim().parse().ok()?);
        (a > 0 && b > 0).then_some((a.min(b), a.max(b)))
    };
    size("Override size:").or_else(|| size("Physical size:"))
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
}
