//! The data of apps as files, for as long as root looks at them.
//!
//! In: the apps of a phone before root's command, and the files after it. Out: a file for each app, whose content stands
//! for what the app had then; and apps with the data that their files stand for now. Invariants: an app whose file is gone
//! has no data; what a file stands for is remembered for as long as any file on the device has its content.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::SimDevice;
use crate::files::Node;
use droidmux_sim_toolkit::platform::AppData;

/// Where the system keeps the data of its first user's apps.
const FOLDER: &str = "/data/user/0";

/// What the contents of files stand for.
#[derive(Debug, Default)]
pub(super) struct DataCopies {
    made: u64,
    kept: BTreeMap<Bytes, AppData>,
    /// What root was shown, by package.
    shown: BTreeMap<String, Bytes>,
}

impl DataCopies {
    fn content_of(&mut self, data: AppData) -> Bytes {
        self.made += 1;
        let content = Bytes::from(format!("data of an app, copy {:016x}\n", self.made));
        self.kept.insert(content.clone(), data);
        content
    }
}

impl SimDevice {
    /// Root begins to look.
    pub(crate) fn lay_out_data(&self) {
        let all = self.phone().data();
        let mut copies = self.data_copies();
        for (package, data) in all {
            let content = copies.content_of(data);
            copies.shown.insert(package.clone(), content.clone());
            // A full disk has no room for it: then there is nothing to see.
            let _ = self.files().write(&path(&package), content, 0o660, true);
        }
    }

    /// Root is done.
    pub(crate) fn take_data_back(&self) {
        let shown = std::mem::take(&mut self.data_copies().shown);
        for (package, before) in shown {
            let content = self.files().read(&path(&package)).ok();
            if content.as_ref() != Some(&before) {
                let data = content.and_then(|content| self.data_copies().kept.get(&content).cloned());
                self.phone().put_data(&package, data);
            }
        }
        let _ = self.files().remove(FOLDER, true);
        let files = self.files();
        let mut copies = self.data_copies();
        let all = files.below("/").unwrap_or_default();
        let is_used = |content: &Bytes| {
            all.iter().any(|(_, node)| matches!(node, Node::File { bytes, .. } if bytes == content))
        };
        copies.kept.retain(|content, _| is_used(content));
    }
}

fn path(package: &str) -> String {
    format!("{FOLDER}/{package}/files/data")
}
