//! A session on the page: what it was, what it counted, what it covered, its findings ranked.

use super::chart;
use crate::SessionPart;
use crate::escape::markup;
use droidmux_proto::MapView;
use droidmux_record::{DeviceInfo, Finding, Progress, SessionId, Use};

/// The most states of the model that are listed, most visited first.
const MOST_STATES: usize = 60;

/// Everything before the findings.
pub(super) fn head(session: &SessionPart) -> String {
    let (id, record) = (session.id, &session.record);
    let technique = record.definition.technique.name();
    let app = markup(&record.definition.app);
    let mut html = format!(
        "<section id=\"{id}\">\n<h2>Session {id}: {technique} on {app}</h2>\n\
         <p>{}</p>\n<dl class=\"facts\">\n",
        session.counts().words()
    );
    let mut fact = |name: &str, value: String| {
        html += &format!("<dt>{name}</dt><dd>{}</dd>\n", markup(&value));
    };
    fact("began", moment(record.started_ms));
    fact("under way for", duration(session.took_ms()));
    fact("ended", record.ending.clone().unwrap_or_else(|| "it has not ended".into()));
    fact("RNG seed", record.rng.to_string());
    fact("droidmux", record.droidmux.clone());
    for build in &session.builds {
        fact("app", format!("{} {} ({})", build.package, build.version_name, build.version_code));
    }
    for device in &session.devices {
        fact("device", device_words(device));
    }
    html += "</dl>\n";
    let chart = chart::growth(&session.map.growth);
    let parts = [
        ("funnel", "funnel", session.progress.is_some()),
        ("coverage", "coverage over time", !chart.is_empty()),
        ("model", "model", !session.map.growth.is_empty()),
        ("findings", "findings", session.told().next().is_some()),
    ];
    let links = parts.iter().filter(|(.., there)| *there);
    let links: Vec<String> =
        links.map(|(part, words, _)| format!("<a href=\"#{id}-{part}\">{words}</a>")).collect();
    html += &format!("<p class=\"parts\">{}</p>\n", links.join(" · "));
    html += &funnel(id, session.progress.as_ref(), &session.uncounted);
    if !chart.is_empty() {
        html += &format!("<h3 id=\"{id}-coverage\">Coverage over time</h3>\n{chart}");
    }
    html += &model(id, &session.map);
    html + &ranking(session)
}

/// A device in a line.
pub(crate) fn device_words(device: &DeviceInfo) -> String {
    let DeviceInfo { serial, model, android, api, build, width, height } = device;
    format!("{serial}: {model}, Android {android} (API {api}), {width}×{height}, {build}")
}

fn funnel(id: SessionId, progress: Option<&Progress>, uncounted: &str) -> String {
    let Some(progress) = progress else {
        return match uncounted {
            "" => String::new(),
            why => format!("<p class=\"quiet\">No funnel: {}.</p>\n", markup(why)),
        };
    };
    let stages = progress.stages.iter().map(|stage| (stage.name.to_string(), stage.number));
    let mut html =
        format!("<h3 id=\"{id}-funnel\">Funnel</h3>\n{}", chart::bars(&stages.collect::<Vec<_>>()));
    html += &format!("<p class=\"quiet\">{} events of {} at most.", progress.events, progress.max_events);
    let uses = Some(Use::words(&progress.uses)).filter(|words| !words.is_empty());
    for line in progress.summary.iter().chain(&uses) {
        html += &format!(" {}", markup(line));
    }
    html + "</p>\n"
}

fn model(id: SessionId, map: &MapView) -> String {
    let Some(grown) = map.growth.last() else { return String::new() };
    let mut html = format!(
        "<details class=\"card\" id=\"{id}-model\"><summary><h4>Model of the app</h4>: {} states, {} transitions, {} activities</summary>\n\
         <div class=\"wide\"><table>\n<tr><th>state</th><th class=\"number\">visits</th>\
         <th class=\"number\">untried events</th><th>shortest way</th></tr>\n",
        grown.states, grown.transitions, grown.activities
    );
    let mut states: Vec<_> = map.states.iter().collect();
    states.sort_by_key(|state| std::cmp::Reverse(state.visits));
    let more = map.more_states + u64::try_from(states.len().saturating_sub(MOST_STATES)).unwrap_or(0);
    for state in states.into_iter().take(MOST_STATES) {
        let way = match &state.way {
            Some(way) if way.is_empty() => "where the app starts".to_owned(),
            Some(way) => way.iter().map(|event| map.event(*event)).collect::<Vec<_>>().join(", "),
            None => "no short way is known".to_owned(),
        };
        html += &format!(
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{} of {}</td><td>{}</td></tr>\n",
            markup(&state.name()),
            state.visits,
            state.untried,
            state.offers,
            markup(&way)
        );
    }
    html += "</table></div>\n";
    if more > 0 {
        html += &format!("<p class=\"quiet\">{more} further states.</p>\n");
    }
    html + "</details>\n"
}

/// The findings that stand for themselves, with links to their descriptions.
fn ranking(session: &SessionPart) -> String {
    let told: Vec<&Finding> = session.told().collect();
    if told.is_empty() {
        return "<p>No findings.</p>\n".into();
    }
    let mut html = format!(
        "<h3 id=\"{}-findings\">Findings, ranked</h3>\n<div class=\"wide\"><table>\n<tr><th>tier</th><th>finding</th><th>harm</th>\
         <th class=\"number\">replays</th></tr>\n",
        session.id
    );
    for finding in told {
        let (tier, c) = (finding.tier.name(), &finding.confirmation);
        html += &format!(
            "<tr><td><span class=\"chip {tier}\">{tier}</span></td><td><a href=\"#f-{}\">{}</a></td><td>{}</td>\
             <td class=\"number\">{} of {}</td></tr>\n",
            finding.id,
            markup(&finding.verdict.title),
            finding.verdict.harm.words(),
            c.shown,
            u64::from(c.shown) + u64::from(c.absent) + u64::from(c.unfaithful),
        );
    }
    html + "</table></div>\n"
}

/// A moment in UTC.
pub(crate) fn moment(ms: u64) -> String {
    let moment = i64::try_from(ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    moment.map_or_else(|| "unknown".into(), |moment| moment.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}

fn duration(ms: u64) -> String {
    let seconds = ms / 1_000;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) => format!("{minutes} min {seconds} s"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}
