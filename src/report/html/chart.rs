//! Drawings: numbers as bars, and how coverage grew.

use crate::escape::markup;
use droidmux_proto::Growth;
use droidmux_words::number::real;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 24.0;
const TOP: f64 = 10.0;
const RIGHT: f64 = 12.0;

/// If the ratio between the largest number and another exceeds this, the length of the bars is the number of digits.
const MOST_RATIO: u64 = 100;

/// Numbers with bars; empty when there are none.
pub(super) fn bars(numbers: &[(String, u64)]) -> String {
    let counted = || numbers.iter().map(|(_, number)| *number).filter(|number| *number > 0);
    let (Some(most), Some(least)) = (counted().max(), counted().min()) else { return String::new() };
    let by_digits = most / least > MOST_RATIO;
    let length = |number: u64| match by_digits {
        true => (real(number) + 1.0).ln() / (real(most) + 1.0).ln(),
        false => real(number) / real(most),
    };
    let mut html = String::from("<ul class=\"bars\">\n");
    for (name, number) in numbers {
        let width = if *number > 0 { 100.0 * length(*number) } else { 0.0 };
        html += &format!(
            "<li><span>{}</span><span class=\"number\">{number}</span>\
             <span><i class=\"bar\" style=\"width:{width:.1}%\"></i></span></li>\n",
            markup(name)
        );
    }
    html += "</ul>\n";
    match by_digits {
        true => html + "<p class=\"quiet\">Bars are on a logarithmic scale.</p>\n",
        false => html,
    }
}

/// Colours that can be told apart on both backgrounds, also by colour-blind people.
const LINES: [(&str, &str, fn(&Growth) -> u64); 4] = [
    ("layouts", "#d98200", |growth| growth.layouts),
    ("transitions", "#8a6fd1", |growth| growth.transitions),
    ("states", "#2b8fd6", |growth| growth.states),
    ("activities", "#3c9a5f", |growth| growth.activities),
];

/// A chart with its legend; empty when nothing grew.
pub(super) fn growth(growth: &[Growth]) -> String {
    let Some(last) = growth.last().filter(|last| last.steps > 0) else { return String::new() };
    let most = LINES.iter().map(|(_, _, of)| of(last)).max().unwrap_or(0).max(1);
    let x = |steps: u64| LEFT + (WIDTH - LEFT - RIGHT) * real(steps) / real(last.steps);
    let y = |count: u64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * real(count) / real(most);
    let (floor, end) = (y(0), x(last.steps));
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"coverage over steps\">\
         <path class=\"axis\" d=\"M{LEFT} {TOP}V{floor:.0}H{end:.0}\"/>\
         <text x=\"{LEFT}\" y=\"{:.0}\" text-anchor=\"end\" dx=\"-6\">{most}</text>\
         <text x=\"{LEFT}\" y=\"{floor:.0}\" text-anchor=\"end\" dx=\"-6\">0</text>\
         <text x=\"{end:.0}\" y=\"{:.0}\" text-anchor=\"end\">{} steps</text>",
        TOP + 10.0,
        HEIGHT - 6.0,
        last.steps
    );
    let mut legend = String::from("<p class=\"legend\">");
    for (name, color, of) in LINES {
        let start = format!("{LEFT:.1},{floor:.1}");
        let points: Vec<String> = std::iter::once(start)
            .chain(growth.iter().map(|moment| format!("{:.1},{:.1}", x(moment.steps), y(of(moment)))))
            .collect();
        svg += &format!("<polyline stroke=\"{color}\" points=\"{}\"/>", points.join(" "));
        legend += &format!("<span><i style=\"background:{color}\"></i>{} {name}</span>", of(last));
    }
    format!("{svg}</svg>\n{legend}</p>\n")
}
