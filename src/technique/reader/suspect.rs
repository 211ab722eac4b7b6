//! A suspicion whose evidence exists, as a test can show it again.

use super::evidence::Proof;
use super::suspicion::Suspicion;
use droidmux_account::{NoPixels, Veil, tell};
use droidmux_record::{Harm, JobRun, Layouts, Suspected};
use droidmux_words::printable;

/// What is kept of a suspicion; `None` where its last step cannot be told.
///
/// Its key comes from the screens and not from the reader's words: the page, what was done last to what kind of
/// widget, what it does to a person, and how a program sees it.
pub fn suspected(
    run: &JobRun,
    suspicion: &Suspicion,
    proof: &Proof,
    layouts: &dyn Layouts,
) -> Option<Suspected> {
    let told = tell(run, layouts, &mut Veil::default(), &NoPixels);
    let step = told.iter().flat_map(|test| &test.steps).find(|step| step.turn == proof.turns.1)?;
    let harm = harm(&suspicion.kind);
    let event = step.kind.map(|kind| kind.name()).unwrap_or_default();
    let key = format!("reader\n{}\n{event}\n{}\n{harm:?}\n{}", proof.page, step.target, proof.check.name());
    let words = |text: &str| printable(text.trim()).into_owned();
    Some(Suspected {
        key,
        done: words(&suspicion.done),
        shown: words(&suspicion.shown),
        expected: words(&suspicion.expected),
        harm,
        check: proof.check.clone(),
        needed: proof.needed.clone(),
    })
}

/// What a suspicion of this kind does to a person; what is not one of the kinds that were asked for is a wrong display.
fn harm(kind: &str) -> Harm {
    let kind = kind.to_lowercase();
    let is = |words: &[&str]| words.iter().any(|word| kind.contains(word));
    if is(&["lost data", "data loss"]) {
        Harm::LostData
    } else if is(&["object", "wrong row"]) {
        Harm::WrongObject
    } else if is(&["function", "event"]) {
        Harm::LostFunction
    } else {
        Harm::WrongDisplay
    }
}
