//! Whether a theme's texts can be read on what is behind them.

use ratatui::style::{Color, Modifier};

use super::{Role, Theme};

/// The least contrast of what is read, and of what is only glanced at, as WCAG counts it.
const READ: f64 = 4.5;
const GLANCED: f64 = 3.0;

/// Roles that draw lines and bars, no text.
const DRAWN: [Role; 5] = [Role::Border, Role::BorderFocus, Role::Progress, Role::ProgressRest, Role::Spark];
/// Roles of texts that nobody has to read.
const FAINT: [Role; 4] = [Role::Dim, Role::Heading, Role::Tab, Role::Badge];

/// The roles whose text is too much like its background, in words.
pub(super) fn faults(theme: &Theme) -> Vec<String> {
    let texts = Role::ALL.into_iter().filter(|role| !DRAWN.contains(role));
    let judged = texts.filter_map(|role| {
        let style = theme.style(role);
        let (text, back) = (rgb(style.fg?)?, rgb(style.bg?)?);
        let least = if FAINT.contains(&role) { GLANCED } else { READ };
        let found = contrast(text, back);
        let name = role.name();
        (found < least && !style.add_modifier.contains(Modifier::REVERSED))
            .then(|| format!("`{name}` has a contrast of {found:.1}, it needs {least:.1} to be read"))
    });
    judged.collect()
}

/// `None` for colours that only the terminal knows.
fn rgb(colour: Color) -> Option<[u8; 3]> {
    match colour {
        Color::Rgb(r, g, b) => Some([r, g, b]),
        _ => None,
    }
}

fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance([r, g, b]: [u8; 3]) -> f64 {
    let part = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_the_standard() {
        let cases = [
            ([0, 0, 0], [255, 255, 255], 21.0),
            ([255, 255, 255], [255, 255, 255], 1.0),
            ([118, 118, 118], [255, 255, 255], 4.54),
            ([0, 0, 255], [255, 255, 255], 8.59),
        ];
        for (a, b, expected) in cases {
            assert!((contrast(a, b) - expected).abs() < 0.01, "{a:?} on {b:?}: {}", contrast(a, b));
        }
    }
}
