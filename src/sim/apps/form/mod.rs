//! What the apps with forms have in common: how a form is refused, and readers of what was entered.
//!
//! In: the texts of fields, any Unicode. Out: values, or the field that is wrong with a sentence for
//! the user. Without a defect every text is either shown again as it was entered, or refused with a
//! sentence on the page: nothing is dropped silently.
//!
//! A phone hands texts over with half a surrogate pair as U+10D800 to U+10DFFF
//! ([`text_of_units`](droidmux_gui::text_of_units)); the apps keep it like any other character.

use droidmux_sim_toolkit::{ActivityState, Arrange, Color, Ctx, TextSize, Throwable, View};

mod date;
mod letters;
mod numbers;

pub(super) use date::{Date, lenient_date, read_date};
pub(super) use droidmux_sim_toolkit::Undo;
pub(super) use letters::{is_beyond_plane, is_half_pair, is_mark, is_reordering, is_unseen, skeleton};
pub(super) use numbers::{ascii_digits, money, read_decimal, read_whole};

/// Why a form is refused: the field, and the sentence shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub field: &'static str,
    pub sentence: String,
}

/// What goes wrong with a form whose fields hold what they may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    Refused(Refusal),
    Crash(Throwable),
    /// The main thread is busy for good, with this.
    Hang(&'static str),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Refused(refusal)
    }
}

pub(super) fn refusal(field: &'static str, sentence: impl Into<String>) -> Refusal {
    Refusal { field, sentence: sentence.into() }
}

/// An exception thrown in the app's own code.
pub(super) fn thrown(class: &'static str, message: impl Into<String>, frames: &[&'static str]) -> Failure {
    Failure::Crash(Throwable { class, message: message.into(), frames: frames.to_vec() })
}

/// What a form holds, unless it failed: then the failure is shown, or happens.
pub(super) fn passed<T, A>(outcome: Result<T, Failure>, ctx: &mut Ctx<'_, A>) -> Option<T> {
    ctx.hide_keyboard();
    ctx.save(FIELD, "");
    ctx.save(SENTENCE, "");
    match outcome {
        Ok(value) => return Some(value),
        Err(Failure::Refused(refusal)) => {
            ctx.save(FIELD, refusal.field);
            ctx.save(SENTENCE, refusal.sentence);
        }
        Err(Failure::Crash(throwable)) => ctx.crash(throwable),
        Err(Failure::Hang(reason)) => ctx.hang(reason),
    }
    None
}

/// The sentence the form was refused with; empty when it was not.
pub(super) fn sentence(page: &ActivityState) -> &str {
    page.variable(SENTENCE)
}

/// Fields side by side, and below them what is wrong with one, as a `TextInputLayout` dumps them.
pub(super) fn blanks<A, const N: usize>(
    page: &ActivityState,
    fields: [(&'static str, View<A>); N],
) -> View<A> {
    let refused = fields.iter().any(|(id, _)| page.variable(FIELD) == *id);
    let row = View::row().wide().children(fields.map(|(_, field)| field.share_width()));
    let layout = View::new("com.google.android.material.textfield.TextInputLayout", Arrange::Column);
    let layout = layout.wide().child(row);
    if refused { layout.child(error("textinput_error", sentence(page))) } else { layout }
}

/// As [`blanks`], for a single field.
pub(super) fn blank<A>(page: &ActivityState, id: &'static str, field: View<A>) -> View<A> {
    blanks(page, [(id, field)])
}

/// What is wrong, in red.
pub(super) fn error<A>(id: &'static str, sentence: &str) -> View<A> {
    View::label(id, sentence).wide().multiline().text_size(TextSize::Small).ink(Color::RED)
}

/// A text without the white space around it, unless nothing is left.
pub(super) fn required(field: &'static str, text: &str, sentence: &str) -> Result<String, Refusal> {
    let text = text.trim();
    let says_nothing = text.chars().all(|char| char.is_whitespace() || is_unseen(char));
    if says_nothing { Err(refusal(field, sentence)) } else { Ok(text.to_owned()) }
}

/// A text of at most this many characters.
pub(super) fn at_most(field: &'static str, text: &str, most: usize) -> Result<(), Refusal> {
    if text.chars().count() > most {
        return Err(refusal(field, format!("At most {most} characters")));
    }
    Ok(())
}

const FIELD: &str = "refused_field";
const SENTENCE: &str = "refused_sentence";
