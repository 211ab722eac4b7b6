//! Defects that only show through events that Android promises are neutral: turning the screen and turning
//! it back, leaving and returning, the process killed in the background, screen off and on, settings changed
//! and put back.

use super::Defect;

/// First words of the titles of the papers on them: Thor (ISSTA 2015) and SetDroid (ISSTA 2021).
const PAPERS: [&str; 2] = [
    "Systematic Execution of Android Test Suites in Adverse Conditions",
    "Understanding and Finding System Setting-Related Defects in Android Apps",
];

impl Defect {
    /// Whether it only shows through an event that should change nothing; such defects are counted apart.
    pub fn is_neutral(&self) -> bool {
        PAPERS.iter().any(|paper| self.seed.starts_with(paper))
    }
}
