//! What simulated apps are made with.
//!
//! In: an [`App`]: plain state, a declarative [`View`] of each activity, a reaction to each [`Input`].
//! Out: a [`SimApp`] that any simulated phone can install. The toolkit does what Android does for every
//! app: back stack, dialogs, menus, drawers, snackbars, scrolling, text entry, saved state, and recreation
//! when the screen is turned or becomes dark, when the language or the size of the font changes, and when
//! the process was killed in the background.
//!
//! Invariants: everything is deterministic; an app sees the time and chance only through [`Env`];
//! what is scrolled off the screen is in no dump and takes no touch; what is generic over an app or its actions is
//! a thin cover (`untyped.rs` says how), because it is compiled anew with each app.
//!
//! # An app
//!
//! ```
//! use droidmux_sim::{Phone, PhoneOptions};
//! use droidmux_sim_toolkit::{ActivityState, App, Ctx, DefectSwitches, Env, Input, Manifest, Screen, SimApp, View};
//!
//! const MANIFEST: Manifest = Manifest {
//!     package: "com.example.counter",
//!     label: "Counter",
//!     version_name: "1.0",
//!     version_code: 1,
//!     activities: &["MainActivity"],
//!     permissions: &[],
//! };
//!
//! #[derive(Clone, Default)]
//! struct Counter {
//!     count: u32,
//! }
//!
//! #[derive(Clone)]
//! enum Action {
//!     Add,
//! }
//!
//! impl App for Counter {
//!     type Action = Action;
//!
//!     fn view(&self, _page: &ActivityState, _env: &Env) -> Screen<Action> {
//!         let body = View::column()
//!             .child(View::label("count", format!("Counted {}", self.count)))
//!             .child(View::button("add", "Add", Action::Add));
//!         Screen::new("Counter", body)
//!     }
//!
//!     fn on(&mut self, input: Input<Action>, _ctx: &mut Ctx<'_, Action>) {
//!         if let Input::Act(Action::Add) = input {
//!             self.count += 1;
//!         }
//!     }
//! }
//!
//! let app = SimApp::new(MANIFEST, &[], |_defects| Counter::default());
//! let mut phone = Phone::new(PhoneOptions::default(), &[app], &DefectSwitches::none());
//! phone.launch("com.example.counter/.MainActivity")?;
//! assert!(phone.dump()?.contains("Counted 0"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod activity_state;
mod alert;
mod app;
mod compound;
mod context;
mod declaration;
mod defect;
mod dialog;
mod env;
mod fields;
mod installable;
pub mod keycode;
mod layout;
mod neutral;
mod pickers;
mod process;
mod program;
mod scaffold;
mod scene;
mod screen;
mod set_off;
mod style;
mod time;
mod tree;
mod typeset;
mod undo;
mod untyped;
mod view;
mod widgets;
mod window;

pub use activity_state::ActivityState;
pub use app::{App, Input, Manifest, Throwable};
pub use context::Ctx;
pub use defect::{Defect, DefectKind, DefectSwitches, Trap, UnknownDefect};
pub use dialog::{Dialog, MenuItem};
pub use env::Env;
pub use fields::Keys;
pub use installable::SimApp;
pub use screen::Screen;
pub use style::{Color, Icon, TextSize};
pub use time::Moment;
pub use undo::Undo;
pub use view::{Arrange, Extent, Gravity, View};

/// The other side of an app: what a phone needs of the apps that are installed on it. Authors of apps need none of it.
pub mod platform {
    pub use crate::declaration::{Declaration, DeclaredActivity};
    pub use crate::env::{Frame, scramble};
    pub use crate::fields::{Edit, Motion};
    pub use crate::program::{Answered, AppData, AppKey, Effect, Meanwhile, News, Program, Touch};
    pub use crate::scene::{Node, Scene};
    pub use crate::style::Control;
    pub use crate::typeset::{CELL, columns, dot_pixels, wrapped};
    pub use crate::window::{Floating, floating};
}
