//! VisionDroid: three agents that look. The Explorer acts, the Monitor follows and names the
//! functions, the Detector says whether each did what it is for.
//!
//! In: a session definition, then screens and the replies of language models, or of fixed rules in
//! their place. Out: tours, the questions of the three agents with descriptions of pictures, and the
//! Detector's objections as violations, each with the page, the widget and the reasoning.
//!
//! Invariants: all that is known of a test is its `Chronicle`, read off its turns, so that driver, oracle and planner
//! cannot disagree. A reply is hostile text: whatever it says, a test goes on or ends cleanly. Widgets are named to
//! models by number and found again by selector. A violation's key is made of what is on the screens, never of a
//! model's words. No prompt holds the text of a password field.

mod chronicle;
#[cfg(test)]
mod confirmation_tests;
mod detector;
mod driver;
mod entry;
mod excerpt;
mod explorer;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod inquiry;
mod inspection;
mod lore;
mod misreply;
mod monitor;
mod oracle;
mod page;
mod phrase;
mod pictures;
mod planner;
mod prompt;
mod recital;
#[cfg(test)]
mod recital_tests;
mod rules;
mod settings;
mod step;
#[cfg(test)]
mod tests;
mod tour;

pub use driver::TourDriver;
pub use entry::ENTRY;
pub use inspection::InspectionDriver;
pub use oracle::VisiondroidOracle;
pub use planner::VisiondroidPlanner;
pub use settings::{PICTURE, VisiondroidSettings};
pub use tour::Tour;
