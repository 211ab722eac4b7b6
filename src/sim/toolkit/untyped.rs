//! Apps and their actions without their types.
//!
//! In: an [`App`] and the actions its views, dialogs and menus carry, of a type that is the app's own. Out: an app that is
//! asked through [`Hosted`], and actions as an [`Act`] each. Whatever lies between (layout, windows, back stack, input)
//! knows no app's types, so it is compiled once and not once an app.
//!
//! Invariants: what authors see ([`View`](super::View), [`Screen`](super::Screen), [`Dialog`](super::Dialog), [`Ctx`]) has
//! the app's type of actions as a parameter, so that an app is handed its own actions only; inside the toolkit that
//! parameter is [`Untyped`]. What has the parameter, is a thin cover: it converts its arguments and passes them on.

use std::any::Any;
use std::fmt;

use super::scaffold::Scaffold;
use super::{ActivityState, App, Ctx, Env, Input};

/// In place of the app's type of actions, where it is not known. There is no such action.
#[derive(Clone, Copy, Debug)]
pub(super) enum Untyped {}

/// An action whose type only its app knows.
pub(super) struct Act(Box<dyn Carried>);

/// What can be done with an action without knowing its type.
trait Carried: Any + Send {
    fn copied(&self) -> Box<dyn Carried>;
}

impl<A: Clone + Send + 'static> Carried for A {
    fn copied(&self) -> Box<dyn Carried> {
        Box::new(self.clone())
    }
}

impl Act {
    pub(super) fn new<A: Clone + Send + 'static>(action: A) -> Self {
        Self(Box::new(action))
    }

    /// The action, for the app it came from; nothing for any other.
    pub(super) fn typed<A: 'static>(self) -> Option<A> {
        let action: Box<dyn Any> = self.0;
        action.downcast().ok().map(|action| *action)
    }
}

impl Clone for Act {
    fn clone(&self) -> Self {
        Self((*self.0).copied())
    }
}

impl fmt::Debug for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Act")
    }
}

/// An [`App`] that is asked without knowing its type of actions.
pub(super) trait Hosted: Send {
    /// What an activity shows now.
    fn shown(&self, page: &ActivityState, env: &Env) -> Box<Scaffold>;

    /// Something happened to the activity on top.
    fn happened(&mut self, input: Input<Act>, ctx: Ctx<'_, Untyped>);

    /// BACK; true keeps the activity.
    fn back(&mut self, ctx: Ctx<'_, Untyped>) -> bool;

    /// The process ended.
    fn died(&mut self);

    /// Another one with the same data.
    fn copied(&self) -> Box<dyn Hosted>;

    /// Whether a service in the foreground keeps the process.
    fn stays(&self) -> bool;
}

impl<T: App> Hosted for T {
    fn shown(&self, page: &ActivityState, env: &Env) -> Box<Scaffold> {
        self.view(page, env).scaffold
    }

    fn happened(&mut self, input: Input<Act>, ctx: Ctx<'_, Untyped>) {
        let input = match input {
            Input::Act(act) => match act.typed() {
                Some(action) => Input::Act(action),
                None => return,
            },
            Input::Opened { again } => Input::Opened { again },
            Input::Returned => Input::Returned,
            Input::Hidden => Input::Hidden,
            Input::Shown => Input::Shown,
            Input::Network => Input::Network,
            Input::Typed(field) => Input::Typed(field),
            Input::Answered { permission, granted } => Input::Answered { permission, granted },
        };
        self.on(input, &mut ctx.typed());
    }

    fn copied(&self) -> Box<dyn Hosted> {
        Box::new(self.clone())
    }

    fn back(&mut self, ctx: Ctx<'_, Untyped>) -> bool {
        self.on_back(&mut ctx.typed())
    }

    fn died(&mut self) {
        self.process_died();
    }

    fn stays(&self) -> bool {
        self.keeps_running()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_comes_back_as_it_was_and_only_to_its_app() {
        let act = Act::new("add".to_owned());
        assert_eq!(act.clone().typed::<u64>(), None);
        assert_eq!(act.clone().typed::<String>(), Some("add".to_owned()));
        assert_eq!(act.typed::<String>(), Some("add".to_owned()));
    }
}
