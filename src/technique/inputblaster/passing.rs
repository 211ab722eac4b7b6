//! How a driver finds texts that pass its form, and what lies behind it.

use super::answer;
use super::context::FieldContext;
use super::driver::{BASE_RUNS, Doing, FormDriver, Proposed};
use super::errand::FormKnown;
use super::fill::{End, Fill, Filling};
use super::form::Form;
use super::history::{beyond, shown_of};
use super::landing::Landing;
use super::prompt::{self, PageContext, Try};
use droidmux_gui::{Event, EventKind};
use droidmux_record::{Act, Consultation, Ending, Layouts};

/// The most complaints that are kept.
const MOST_COMPLAINTS: usize = 12;

impl FormDriver {
    pub(super) fn visit(&mut self) -> Act {
        let filling = self.filling(None);
        self.fill(filling, Doing::Visit)
    }

    pub(super) fn visited(&mut self, fill: &Fill, end: End, layouts: &dyn Layouts) -> Act {
        if end != End::Landed || !self.read_form(fill, layouts) {
            return self.finish(Ending::Stuck);
        }
        self.find_valid()
    }

    /// Reads what prompts say about the form; false when it cannot be read.
    fn read_form(&mut self, fill: &Fill, layouts: &dyn Layouts) -> bool {
        let Some(seen) = fill.form_seen() else { return false };
        let Some(layout) = layouts.layout(seen.screen.layout) else { return false };
        let Some(form) = Form::of(&seen.screen, &layout) else { return false };
        self.fields = form.fields.len();
        self.boxes = !form.ticks().is_empty();
        self.page = Some(PageContext {
            app: self.terms.app.clone(),
            activity: seen.screen.activity.clone(),
            start_at: self.terms.start_at,
            fields: FieldContext::all(&form),
        });
        true
    }

    /// Asks for texts that pass, or draws them.
    pub(super) fn find_valid(&mut self) -> Act {
        if self.history.tries.len() >= self.terms.settings.valid_tries as usize {
            return self.nothing_passes();
        }
        if self.terms.random {
            let texts = (0..self.fields).map(|_| self.random()).collect();
            let filling = self.filling(Some(texts));
            return self.fill(filling, Doing::Try);
        }
        let Some(page) = &self.page else { return self.finish(Ending::Stuck) };
        let question = prompt::valid_input(page, &self.history.tries);
        self.ask(Consultation::Ask(question), Doing::AskValid)
    }

    /// The baseline goes on with what was drawn last; without it there is nothing to mutate.
    fn nothing_passes(&mut self) -> Act {
        let Some(last) = self.history.tries.last().filter(|_| self.terms.random) else {
            return self.finish(Ending::Stuck);
        };
        let valid = last.texts.clone();
        self.draw();
        self.trial_with(valid)
    }

    /// Enters the texts that a model proposes.
    pub(super) fn propose(&mut self, reply: &str) -> Act {
        let Some(reply) = answer::valid_input(reply, self.fields) else {
            // No input in it: asked again as after texts that did not pass.
            self.history.tally.in_vain += 1;
            let texts = vec![String::new(); self.fields];
            return self.again(Try { texts, ..Try::default() });
        };
        let shown = |tried: &&Try| reply.accepted && !tried.appeared.is_empty() && !tried.crashed;
        let last = self.history.tries.last().filter(shown).map(|tried| tried.texts.clone());
        if let (Some(texts), true) = (last, self.proposed.submit.is_some()) {
            self.pass(texts, true);
            return self.base();
        }
        self.proposed.constraints = reply.constraints;
        let filling = self.filling(Some(reply.texts));
        self.fill(filling, Doing::Try)
    }

    pub(super) fn tried(&mut self, fill: &Fill, end: End, layouts: &dyn Layouts) -> Act {
        let texts = fill.filling().texts.clone().unwrap_or_default();
        let landing = fill.landing(&self.terms.app, layouts);
        self.proposed.submit = fill.submitted().cloned();
        self.proposed.ticks = fill.filling().ticks;
        let passes = |l: &&Landing| !l.crashed && !l.stays && l.end.in_app && !fill.went_back();
        if let Some(landing) = landing.as_ref().filter(passes) {
            self.pass(texts, false);
            self.looked = shown_of(self.valid(), &landing.filled, &landing.page);
            self.beyond = beyond(landing);
            self.beyond.reverse();
            return self.go_beyond();
        }
        // Cancelled or left: another widget submits.
        let left = landing.as_ref().is_some_and(|l| !l.stays && !l.crashed);
        let unmoved = landing.as_ref().is_some_and(|l| l.stays && l.page.hash() == l.filled.hash());
        if left || unmoved {
            self.submit_from += 1;
        }
        let appeared = landing.as_ref().filter(|l| l.stays).map(|l| l.appeared()).unwrap_or_default();
        let held = landing.as_ref().map(|landing| landing.held(&texts)).unwrap_or_default();
        self.again(Try { texts, appeared, held, crashed: end == End::Crashed })
    }

    fn again(&mut self, tried: Try) -> Act {
        self.history.tries.push(tried);
        self.find_valid()
    }

    fn pass(&mut self, valid: Vec<String>, in_place: bool) {
        let Proposed { constraints, submit, ticks } = std::mem::take(&mut self.proposed);
        let submit = submit.unwrap_or_else(|| Event::global(EventKind::Enter));
        let (rounds, complaints) = (Vec::new(), self.complaints(in_place));
        let known = FormKnown { valid, submit, look: None, ticks, in_place, constraints, complaints, rounds };
        self.history.known = Some(known);
    }

    /// What the form said to the texts that did not pass, each once; what it said last is no complaint where it is the
    /// result of those that passed `in_place`.
    fn complaints(&self, in_place: bool) -> Vec<String> {
        let tries = &self.history.tries;
        let refused = tries.iter().take(tries.len().saturating_sub(usize::from(in_place)));
        let mut complaints: Vec<String> = Vec::new();
        for said in refused.filter(|tried| !tried.crashed).flat_map(|tried| &tried.appeared) {
            if complaints.len() < MOST_COMPLAINTS && !complaints.contains(&said.text) {
                complaints.push(said.text.clone());
            }
        }
        complaints
    }

    /// Looks at the pages behind the one that the form led to: forms may be there, and what was
    /// entered may show there only.
    fn go_beyond(&mut self) -> Act {
        let Some(click) = self.beyond.pop() else { return self.base() };
        let filling = Filling { then: Some(click.clone()), ..self.filling(Some(self.valid().to_vec())) };
        self.fill(filling, |fill| Doing::Beyond(fill, click))
    }

    pub(super) fn went_beyond(&mut self, fill: &Fill, click: Event, layouts: &dyn Layouts) -> Act {
        if let Some(landing) = fill.landing(&self.terms.app, layouts).filter(|l| !l.crashed && l.end.in_app) {
            let shows = shown_of(self.valid(), &landing.filled, &landing.page);
            if shows > self.looked
                && let Some(known) = &mut self.history.known
            {
                self.looked = shows;
                known.look = Some(click);
            }
        }
        self.go_beyond()
    }

    /// The valid texts again.
    pub(super) fn base(&mut self) -> Act {
        let filling = self.filling(Some(self.valid().to_vec()));
        self.fill(filling, Doing::Base)
    }

    pub(super) fn based(&mut self, fill: &Fill, end: End, layouts: &dyn Layouts) -> Act {
        let number = self.number();
        if self.page.is_none() && !self.read_form(fill, layouts) {
            return self.finish(Ending::Stuck);
        }
        match fill.landing(&self.terms.app, layouts).filter(|_| end == End::Landed) {
            Some(landing) => {
                self.history.valid.push(number);
                self.history.base.push(landing);
            }
            // What passed once does not any more.
            None => return self.finish(Ending::Stuck),
        }
        if self.history.valid.len() < BASE_RUNS { self.base() } else { self.round() }
    }
}
