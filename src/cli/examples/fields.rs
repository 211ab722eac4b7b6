//! The fields of an example on the command line.

use clap::Args;

use crate::Usage;
use droidmux_record::{BugExample, Example, InputExample};

/// Fields that are given; those of one kind go together.
#[derive(Debug, Default, Args)]
pub(super) struct Fields {
    /// Package of the app it was found in; sessions on that app are not shown it
    #[arg(long)]
    app: Option<String>,
    /// Unusual texts: the field in words, what it is and what stands near it
    #[arg(long, value_name = "WORDS")]
    context: Option<String>,
    /// Unusual texts: the mutation rule
    #[arg(long, value_name = "WORDS")]
    rule: Option<String>,
    /// Unusual texts: the text
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    input: Option<String>,
    /// Bugs: the name of the page, by which it is found
    #[arg(long, value_name = "NAME")]
    activity: Option<String>,
    /// Bugs: the function that has it
    #[arg(long, value_name = "WORDS")]
    function: Option<String>,
    /// Bugs: what was done, step by step. May be repeated
    #[arg(long = "step", value_name = "WORDS")]
    steps: Vec<String>,
    /// Bugs: what should happen
    #[arg(long, value_name = "WORDS")]
    expected: Option<String>,
    /// Bugs: what happens
    #[arg(long, value_name = "WORDS")]
    actual: Option<String>,
}

impl Fields {
    pub(super) fn are_given(&self) -> bool {
        self.app.is_some() || self.of_inputs() || self.of_bugs()
    }

    /// A new example.
    ///
    /// # Errors
    /// When the fields do not tell its kind, or a text has no input.
    pub(super) fn example(&self) -> Result<Example, Usage> {
        let blank = match (self.of_inputs(), self.of_bugs()) {
            (true, _) if self.input.is_none() => return Err(Usage::new("`--input TEXT` is missing")),
            (true, _) => Example::Input(InputExample::default()),
            (false, true) => Example::Bug(BugExample::default()),
            (false, false) => {
                let why = "say what the example is: `--finding FINDING`, `--context … --input …`, or `--activity \
                           … --expected … --actual …`";
                return Err(Usage::new(why));
            }
        };
        self.changed(&blank)
    }

    /// An example with these fields changed.
    ///
    /// # Errors
    /// When a field belongs to the other kind.
    pub(super) fn changed(&self, example: &Example) -> Result<Example, Usage> {
        let mut changed = example.clone();
        match &mut changed {
            Example::Input(_) if self.of_bugs() => {
                Err(Usage::new("an unusual text has the fields --app, --context, --rule and --input"))
            }
            Example::Bug(_) if self.of_inputs() => {
                let fields = "--app, --activity, --function, --step, --expected and --actual";
                Err(Usage::new(format!("a bug has the fields {fields}")))
            }
            Example::Input(InputExample { app, context, rule, input, .. }) => {
                set([(app, &self.app), (context, &self.context), (rule, &self.rule), (input, &self.input)]);
                Ok(changed)
            }
            Example::Bug(BugExample { app, activity, function, steps, expected, actual, .. }) => {
                set([(app, &self.app), (activity, &self.activity), (function, &self.function)]);
                set([(expected, &self.expected), (actual, &self.actual)]);
                if !self.steps.is_empty() {
                    steps.clone_from(&self.steps);
                }
                Ok(changed)
            }
        }
    }

    fn of_inputs(&self) -> bool {
        self.context.is_some() || self.rule.is_some() || self.input.is_some()
    }

    fn of_bugs(&self) -> bool {
        let one = [&self.activity, &self.function, &self.expected, &self.actual].iter().any(|f| f.is_some());
        one || !self.steps.is_empty()
    }
}

fn set<const N: usize>(fields: [(&mut String, &Option<String>); N]) {
    for (field, given) in fields {
        if let Some(given) = given {
            field.clone_from(given);
        }
    }
}
