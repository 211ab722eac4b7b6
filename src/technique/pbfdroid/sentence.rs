//! How a violated property is described, and what it means for a person.

use super::condition;
use crate::sentence::{quoted, split_name};
use droidmux_record::{Condition, Dmf, Harm, Operation, Relation};

/// What was done, what should be, and what is instead: `After 'delete note' 'milk' is still shown, though the
/// specification wants it gone.`
pub fn sentence(dmf: &Dmf, condition: &Condition, object: Option<&str>) -> String {
    let after = quoted(&dmf.name);
    let widget = quoted(&split_name(&condition.widget));
    let what = object.filter(|object| !object.trim().is_empty()).map_or_else(|| widget.clone(), quoted);
    match (condition.relation, condition.datatype.as_str()) {
        (Relation::In, "") => {
            format!("After {after} {what} is not shown, though the specification wants it there")
        }
        (Relation::NotIn, "") => {
            format!("After {after} {what} is still shown, though the specification wants it gone")
        }
        (Relation::In, datatype) => {
            format!("After {after} {widget} shows a {datatype} that was never made or is gone")
        }
        (Relation::NotIn, datatype) => {
            format!("After {after} {widget} shows a {datatype} that should not be there")
        }
        (Relation::IsEmpty | Relation::IsNotEmpty | Relation::Smaller, _) => {
            let broken = condition::broken(condition, object);
            format!("After {after} {broken}, though the specification wants it otherwise")
        }
    }
}

/// What a person loses by it.
pub fn harm(dmf: &Dmf, condition: &Condition) -> Harm {
    match (dmf.operation, condition.relation) {
        (Operation::Add | Operation::Edit, Relation::In) => Harm::LostData,
        (Operation::Delete, _) | (Operation::View | Operation::Search, Relation::In) => Harm::LostFunction,
        (Operation::Add | Operation::Edit | Operation::View | Operation::Search, _) => Harm::WrongDisplay,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violated_properties_are_told_as_sentences() {
        let dmf = |name: &str, operation| Dmf {
            name: name.into(),
            datatype: "note".into(),
            operation,
            proportion: 1,
            widgets: Vec::new(),
            preconditions: Vec::new(),
            events: Vec::new(),
            impacts: Vec::new(),
            postconditions: Vec::new(),
            fault: None,
        };
        for (operation, relation, datatype, object, told, harm) in [
            (
                Operation::Delete,
                Relation::NotIn,
                "",
                Some("milk"),
                "After 'change' 'milk' is still shown, though the specification wants it gone",
                Harm::LostFunction,
            ),
            (
                Operation::Add,
                Relation::In,
                "",
                Some("tea"),
                "After 'change' 'tea' is not shown, though the specification wants it there",
                Harm::LostData,
            ),
            (
                Operation::Search,
                Relation::In,
                "note",
                None,
                "After 'change' 'old row' shows a note that was never made or is gone",
                Harm::LostFunction,
            ),
            (
                Operation::Edit,
                Relation::NotIn,
                "",
                Some(" "),
                "After 'change' 'old row' is still shown, though the specification wants it gone",
                Harm::WrongDisplay,
            ),
        ] {
            let widget = "old_row".into();
            let condition = Condition { widget, relation, datatype: datatype.into(), layout: None };
            let dmf = dmf("change", operation);
            assert_eq!(sentence(&dmf, &condition, object), told);
            assert_eq!(self::harm(&dmf, &condition), harm);
        }
    }
}
