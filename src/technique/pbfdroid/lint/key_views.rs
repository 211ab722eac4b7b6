//! Remarks on key views.

use super::{Remark, Weight};
use crate::pbfdroid::format::key_view_fault;
use droidmux_record::KeyView;

pub(super) fn lint(views: &[KeyView], remarks: &mut Vec<Remark>) {
    for (number, view) in views.iter().enumerate() {
        let mut say = |weight, what: String| {
            let about = format!("key view {}", number + 1);
            remarks.push(Remark { function: None, weight, about, what });
        };
        if let Some(fault) = key_view_fault(view) {
            say(Weight::Fault, fault);
        }
        if let Some(id) = view.resource_id.as_ref().filter(|id| !id.is_empty() && !id.contains(":id/")) {
            let what = format!(
                "its resource-id `{id}` is not of the form `PACKAGE:id/NAME`; ids are compared whole"
            );
            say(Weight::Note, what);
        }
        if let Some(twin) = views[..number].iter().position(|other| other == view) {
            say(Weight::Note, format!("is the same as key view {}", twin + 1));
        }
    }
}
