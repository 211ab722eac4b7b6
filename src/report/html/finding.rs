//! A finding on the page, around its steps.

use super::chart;
use super::session::device_words;
use crate::escape::markup;
use crate::{FindingPart, evidence};
use droidmux_record::{Deviation, Evidence, Tier};

/// The heading above the findings of a tier.
pub(super) fn heading(tier: Tier) -> &'static str {
    match tier {
        Tier::Reported => "Reported: something speaks for a defect, and nothing explains it",
        Tier::Suspicious => "Suspicious: nothing explains it, and nothing else speaks for a defect",
        Tier::Explained => "Explained: an innocent explanation was found",
    }
}

/// The part before the steps.
pub(super) fn open(part: &FindingPart) -> String {
    let finding = part.finding();
    let (id, verdict, tier) = (&finding.id, &finding.verdict, finding.tier);
    let open = if tier == Tier::Reported { " open" } else { "" };
    let mut html = format!(
        "<details class=\"card\"{open}>\n<summary><span class=\"chip {0}\">{0}</span> <h4>{1}</h4></summary>\n\
         <p id=\"f-{id}\">{2}</p>\n<dl class=\"facts\">\n",
        tier.name(),
        markup(&verdict.title),
        markup(&finding.because)
    );
    let mut fact = |name: &str, value: &str| html += &format!("<dt>{name}</dt><dd>{}</dd>\n", markup(value));
    fact("finding", &format!("{id}, by the oracle {}", verdict.oracle));
    fact("harm", verdict.harm.words());
    fact("confirmation", &evidence::confirmation(part));
    if let Some((device, app)) = part.facts() {
        fact("app", &format!("{} {} ({})", app.package, app.version_name, app.version_code));
        fact("device", &device_words(device));
    }
    html + "</dl>\n"
}

/// The part after the steps.
pub(super) fn close(part: &FindingPart) -> String {
    let mut html = String::new();
    if let Evidence::Deviation(deviation) = part.evidence()
        && !deviation.sizes.is_empty()
    {
        html +=
            &format!("<h5>How often each behaviour was seen</h5>\n{}", chart::bars(&behaviours(deviation)));
    }
    for section in evidence::sections(part) {
        let title = markup(&section.title);
        if section.verbatim {
            let lines: Vec<String> =
                section.lines.iter().map(|line| markup(&line.replace('\t', "    "))).collect();
            html += &format!("<h5>{title}</h5>\n<pre>{}</pre>\n", lines.join("\n"));
            continue;
        }
        let lines: String = section.lines.iter().map(|line| format!("<li>{}</li>\n", markup(line))).collect();
        html += &format!("<h5>{title}</h5>\n<ul>\n{lines}</ul>\n");
    }
    if part.finding().verdict.experiments.is_empty() {
        html += "<p class=\"quiet\">No experiment was made to explain it.</p>\n";
    }
    if !part.detail.members.is_empty() {
        let others = part.detail.members.iter();
        let others: String =
            others.map(|(id, title)| format!("<li>{id}: {}</li>\n", markup(title))).collect();
        html += &format!("<h5>It stands for</h5>\n<ul>\n{others}</ul>\n");
    }
    let (replay, id) = (markup(&part.replay_command()), &part.finding().id);
    html += &format!(
        "<h5>Show it again</h5>\n<pre>{replay}</pre>\n\
         <p class=\"quiet\">Without droidmux: <code>droidmux export {id} --to uiautomator2</code> writes a script. \
         For another droidmux: <code>droidmux export {id} --to droidmux -o finding.tar.zst</code></p>\n"
    );
    html + "</details>\n"
}

/// The sizes of the clusters of behaviours: as many as are listed, and in any case the deviant one's.
fn behaviours(deviation: &Deviation) -> Vec<(String, u64)> {
    let mut names = vec![(deviation.usual.size, "the usual one"), (deviation.deviant.size, "this one")];
    let mut rows = Vec::new();
    for size in deviation.sizes.iter().take(Deviation::MOST_SIZES) {
        let named = names.iter().position(|(of, _)| of == size).map(|at| names.remove(at).1);
        rows.push((named.unwrap_or("another one").to_owned(), u64::from(*size)));
    }
    rows.extend(names.into_iter().map(|(size, name)| (name.to_owned(), u64::from(size))));
    rows
}
