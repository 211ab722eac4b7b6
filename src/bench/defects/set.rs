//! Sets of defects that somebody asks about: what do the techniques find of these?
//!
//! In: words such as `notes.*,diary.wrong-picture`. Out: the ids of the plan's defects that they mean. Invariant: a word
//! that means none is an error, since a set that is smaller than was thought makes every share too good.

use super::{BenchError, Plan};

/// Some defects of a plan's apps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefectSet {
    /// As it was asked for.
    pub name: String,
    /// Ids.
    pub defects: Vec<String>,
}

impl DefectSet {
    /// Reads ids with commas between; `*` at the end of one is any rest.
    ///
    /// # Errors
    /// When a word means no defect of the plan's apps.
    pub fn read(text: &str, plan: &Plan) -> Result<Self, BenchError> {
        let all: Vec<&str> =
            plan.apps.iter().flat_map(|app| app.defects()).map(|defect| defect.id.as_str()).collect();
        let mut defects = Vec::new();
        for word in text.split(',').map(str::trim) {
            let means = |id: &&&str| match word.strip_suffix('*') {
                Some(beginning) => id.starts_with(beginning),
                None => **id == word,
            };
            let before = defects.len();
            defects.extend(all.iter().filter(means).map(|id| (*id).to_owned()));
            if defects.len() == before {
                let known = all.iter().map(|id| (*id).to_owned()).collect();
                return Err(BenchError::Unknown { what: "defect", name: word.to_owned(), known });
            }
        }
        defects.sort();
        defects.dedup();
        Ok(Self { name: text.to_owned(), defects })
    }
}
