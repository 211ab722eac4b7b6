//! What the terminal can do, as checks of the doctor.
//!
//! In: the environment, and what the terminal answers. Out: a check for each thing that makes the cockpit worse or
//! better. The questions are those of the cockpit; nothing waits for their answers longer than a moment.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use tokio::time::{Instant, timeout_at};

use super::TuiOptions;
use super::picture::{Shows, Way, may_ask};
use super::terminal::{ARE_YOU_READY, Answer, Heard, Input, WHAT_CAN_YOU_SHOW};
use super::theme::ColourDepth;
use droidmux_proto::{CheckView, Subject};

/// A terminal that has not answered by then is not going to.
const ANSWERS_WITHIN: Duration = Duration::from_millis(1_500);
/// Smaller terminals show less than the screens were made for.
const LEAST: (u16, u16) = (80, 24);

/// What a terminal said when it was asked.
struct Answers {
    /// How long it took to answer; `None` when it did not.
    ready: Option<Duration>,
    way: Option<Way>,
}

/// Looks at the terminal of this process and asks it what it can do. Standard output must not be in use meanwhile.
pub async fn examine(options: &TuiOptions) -> Vec<CheckView> {
    let terminal = Subject::Terminal;
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        return vec![CheckView::skipped(
            &terminal,
            "size",
            "standard input and output are no terminal; run it in the one that the cockpit will be in",
        )];
    }
    let size = crossterm::terminal::size().ok();
    let mut checks = seen(options, size);
    checks.extend(match ask(options).await {
        Ok(answers) => answered(options, &answers),
        Err(error) => vec![CheckView::doubtful(
            &terminal,
            "answers",
            format!("it cannot be set up: {error}"),
            "run it in another terminal",
        )],
    });
    checks
}

/// What can be said without asking: size, colours, signs.
pub(super) fn seen(options: &TuiOptions, size: Option<(u16, u16)>) -> Vec<CheckView> {
    let terminal = Subject::Terminal;
    let size = match size {
        None => {
            CheckView::doubtful(&terminal, "size", "it does not tell its size", "run it in another terminal")
        }
        Some((width, height)) if width < LEAST.0 || height < LEAST.1 => CheckView::doubtful(
            &terminal,
            "size",
            format!("{width}x{height}"),
            format!("the screens need {}x{} to show all they have", LEAST.0, LEAST.1),
        ),
        Some((width, height)) => CheckView::good(&terminal, "size", format!("{width}x{height}")),
    };
    let colours = match options.colours {
        ColourDepth::True => CheckView::good(&terminal, "colours", "24 bits"),
        ColourDepth::Indexed => CheckView::good(&terminal, "colours", "256"),
        ColourDepth::Sixteen => CheckView::doubtful(
            &terminal,
            "colours",
            "16, as TERM and COLORTERM say",
            "set COLORTERM=truecolor where the terminal has them; over SSH, have the server accept it (AcceptEnv)",
        ),
        ColourDepth::None => CheckView::good(&terminal, "colours", "none, as NO_COLOR or TERM=dumb say"),
    };
    let signs = match options.ascii {
        false => CheckView::good(&terminal, "signs", "UTF-8"),
        true => CheckView::doubtful(
            &terminal,
            "signs",
            "ASCII alone, as the locale or `ascii` of config.toml say",
            "set LANG to a locale with UTF-8, as C.UTF-8",
        ),
    };
    vec![size, colours, signs]
}

fn answered(options: &TuiOptions, answers: &Answers) -> Vec<CheckView> {
    let terminal = Subject::Terminal;
    let pictures = match (answers.way, options.images, may_ask()) {
        (_, false, _) => CheckView::skipped(&terminal, "pictures", "switched off (`images` of config.toml)"),
        (Some(Way::Kitty), ..) => CheckView::good(&terminal, "pictures", "as kitty shows them"),
        (Some(Way::ITerm2), ..) => CheckView::good(&terminal, "pictures", "as iTerm2 shows them"),
        (Some(Way::Sixel), ..) => CheckView::good(&terminal, "pictures", "by sixel"),
        (_, _, false) => {
            CheckView::good(&terminal, "pictures", "half blocks, since a multiplexer is in between")
        }
        _ => CheckView::good(&terminal, "pictures", "half blocks"),
    };
    let link = if options.ssh { "over SSH" } else { "on this host" };
    let answers = match answers.ready {
        Some(took) => CheckView::good(&terminal, "answers", link)
            .took(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
        None => CheckView::doubtful(
            &terminal,
            "answers",
            format!("{link}; it answers no question"),
            "what is written cannot keep to the link's pace then: see docs/slow-links.md for `link-budget`",
        ),
    };
    vec![pictures, answers]
}

/// Asks in raw mode, which is always left again.
async fn ask(options: &TuiOptions) -> io::Result<Answers> {
    enable_raw_mode()?;
    let asked = ask_raw(options).await;
    disable_raw_mode()?;
    asked
}

async fn ask_raw(options: &TuiOptions) -> io::Result<Answers> {
    let mut input = Input::open()?;
    let mut questions = Vec::new();
    if options.images && may_ask() {
        questions.extend_from_slice(WHAT_CAN_YOU_SHOW);
    }
    questions.extend_from_slice(ARE_YOU_READY);
    let began = Instant::now();
    let mut out = io::stdout();
    out.write_all(&questions)?;
    out.flush()?;
    let mut shows = Shows::new(options.budget.is_some());
    let mut answers = Answers { ready: None, way: None };
    let var = |name: &str| std::env::var(name).unwrap_or_default();
    while let Ok(Some(heard)) = timeout_at(began + ANSWERS_WITHIN, input.next()).await {
        match heard? {
            Heard::Answer(Answer::Ready) => {
                // It answers in the order it was asked.
                answers.ready = Some(began.elapsed());
                break;
            }
            Heard::Answer(answer) => {
                answers.way = shows.learn(answer, &var).map(|shower| shower.way).or(answers.way);
            }
            // Keys pressed meanwhile are dropped.
            Heard::Event(_) => {}
        }
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_proto::CheckVerdict::{Doubtful, Good};

    #[test]
    fn what_is_seen_without_asking() {
        let of = |colours, ascii| TuiOptions { colours, ascii, ..TuiOptions::default() };
        let cases = [
            (of(ColourDepth::True, false), Some((120, 40)), [Good, Good, Good]),
            (of(ColourDepth::None, false), Some((80, 24)), [Good, Good, Good]),
            (of(ColourDepth::Sixteen, true), Some((79, 40)), [Doubtful, Doubtful, Doubtful]),
            (of(ColourDepth::Indexed, false), None, [Doubtful, Good, Good]),
        ];
        for (options, size, expected) in cases {
            let checks = seen(&options, size);
            let verdicts: Vec<_> = checks.iter().map(|check| check.verdict).collect();
            assert_eq!(verdicts, expected, "{checks:?}");
            for check in checks {
                assert_eq!(check.remedy.is_empty(), check.verdict == Good, "{check:?}");
            }
        }
    }

    #[test]
    fn a_terminal_that_answers_nothing_is_told_of() {
        let options = TuiOptions::default();
        let mute = answered(&options, &Answers { ready: None, way: None });
        let quick =
            answered(&options, &Answers { ready: Some(Duration::from_millis(7)), way: Some(Way::Kitty) });
        let verdicts = |checks: &[CheckView]| checks.iter().map(|check| check.verdict).collect::<Vec<_>>();
        assert_eq!(verdicts(&mute), [Good, Doubtful]);
        assert_eq!(verdicts(&quick), [Good, Good]);
        assert_eq!(quick.last().and_then(|check| check.ms), Some(7));
    }
}
