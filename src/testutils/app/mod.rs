//! What the authors of apps for the simulated lab test them with.
//!
//! In: an app as [`SimApp`](droidmux_sim_toolkit::SimApp), and what an author knows of it: the shortest trigger of each defect, what
//! shows each trap. Out: what is wrong with the app, in words. A [`Probe`] is a finger that finds widgets in the dump
//! by what they say, a [`Case`] a defect with its trigger, a [`TrapCase`] a trap; walks do at random what no correct
//! app may take amiss.
//!
//! Invariants: everything goes through the phone as a person holds it, and is the same each time.
//!
//! ```
//! # use droidmux_sim_toolkit::{App, Ctx, Env, Input, Manifest, ActivityState, Screen, View};
//! # use droidmux_sim_toolkit::{Defect, DefectKind, DefectSwitches, SimApp};
//! use droidmux_testutils::app::{Case, walk};
//!
//! # const MANIFEST: Manifest = Manifest { package: "com.example.lamp", label: "Lamp", version_name: "1.0",
//! #     version_code: 1, activities: &["MainActivity"], permissions: &[] };
//! # const STUCK: Defect = Defect { id: "lamp.stuck", kind: DefectKind::FunctionLost, what: "stays on", seed: "made up" };
//! # #[derive(Clone)]
//! # struct Lamp { on: bool, defects: DefectSwitches }
//! # #[derive(Clone)]
//! # struct Switch;
//! # impl App for Lamp {
//! #     type Action = Switch;
//! #     fn view(&self, _page: &ActivityState, _env: &Env) -> Screen<Switch> {
//! #         let body = View::column().child(View::label("state", if self.on { "Lit" } else { "Dark" }));
//! #         Screen::new("Lamp", body.child(View::button("switch", "Switch", Switch)))
//! #     }
//! #     fn on(&mut self, input: Input<Switch>, _ctx: &mut Ctx<'_, Switch>) {
//! #         if let Input::Act(Switch) = input && !self.defects.strikes(&STUCK, self.on) {
//! #             self.on = !self.on;
//! #         }
//! #     }
//! # }
//! # let lamp = SimApp::new(MANIFEST, &[STUCK], |defects| Lamp { on: false, defects: defects.clone() });
//! let case = Case {
//!     id: "lamp.stuck",
//!     package: "com.example.lamp",
//!     functions: &["light", "put out"],
//!     trigger: |probe| {
//!         probe.tap("Switch").tap("Switch");
//!     },
//!     is_right: |probe| probe.shows("Dark"),
//! };
//! assert_eq!(case.check(&[lamp.clone()]), Vec::<String>::new());
//! assert_eq!(walk(&[lamp], "com.example.lamp", 1, 50).err(), None);
//! ```

mod case;
mod probe;
mod walk;

pub use case::{Case, TrapCase};
pub use probe::Probe;
pub use walk::{take_step, walk, walk_beside};
