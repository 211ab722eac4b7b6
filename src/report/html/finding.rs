//! A finding on the page, around its steps.

use super::session::device_words;
use crate::record::Tier;
use crate::report::escape::markup;
use crate::report::{FindingPart, evidence};

/// What stands over the findings of a tier.
pub(super) fn heading(tier: Tier) -> &'static str {
    match tier {
        Tier::Reported => "Reported: something speaks for a defect, and nothing explains it",
        Tier::Suspicious => "Suspicious: nothing explains it, and nothing else speaks for a defect",
        Tier::Explained => "Explained: an innocent explanation was found",
    }
}

/// Up to the steps.
pub(super) fn open(part: &FindingPart) -> String {
    let finding = part.finding();
    let (id, verdict, tier) = (&finding.id, &finding.verdict, finding.tier);
    let open = if tier == Tier::Reported { " open" } else { "" };
    let mut html = format!(
        "<details class=\"card\" id=\"f-{id}\"{open}>\n<summary><span class=\"chip {0}\">{0}</span> <h4>{1}</h4></summary>\n\
         <p>{2}</p>\n<dl class=\"facts\">\n",
        tier.name(),
        markup(&verdict.title),
        markup(&finding.because)
    );
    let mut fact = |name: &str, value: &str| html += &format!("<dt>{name}</dt><dd>{}</dd>\n", markup(value));
    fact("finding", &format!("{id}, by the oracle {}", verdict.oracle));
    fact("harm", verdict.harm.words());
    fact("replays", &evidence::confirmation(part));
    if let Some((device, app)) = part.facts() {
        fact("app", &format!("{} {} ({})", app.package, app.version_name, app.version_code));
        fact("device", &device_words(device));
    }
    html + "</dl>\n"
}

/// From the steps to the end.
pub(super) fn close(part: &FindingPart) -> String {
    let mut html = String::new();
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
    if !part.detail.members.is_empty() {
        let others = part.detail.members.iter();
        let others: String =
            others.map(|(id, title)| format!("<li>{id}: {}</li>\n", markup(title))).collect();
        html += &format!("<h5>It stands for</h5>\n<ul>\n{others}</ul>\n");
    }
    let (replay, id) = (markup(&part.replay_command()), &part.finding().id);
    html += &format!(
        "<h5>Show it again</h5>\n<pre>{replay}</pre>\n\
         <p class=\"quiet\">Without droidmux: <code>droidmux export {id} --to uiautomator2</code> writes a script.</p>\n"
    );
    html + "</details>\n"
}
