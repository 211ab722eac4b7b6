//! Puts a session's files and people on a device: files as `adb push` does, people through the contacts provider.

use super::device::AdbDevice;
use super::shell::quoted;
use crate::{DeviceErrorKind, Fixtures, Person};

const STORAGE: &str = "/sdcard";
const MODE: u32 = 0o644;
/// When files were changed, for the device: the same each time. 2024-03-01 12:00 UTC.
const MODIFIED: u32 = 1_709_294_400;
/// The API level that has a command by which the media store looks for files.
const SCANS: u32 = 30;
const RAW_CONTACTS: &str = "content://com.android.contacts/raw_contacts";
const DATA: &str = "content://com.android.contacts/data";
/// By this the people of a session are known, so that the next one begins alike.
const SOURCE: &str = "droidmux";
const KIND: &str = "vnd.android.cursor.item/";

impl AdbDevice {
    pub(super) async fn furnish_now(&self, fixtures: &Fixtures) -> Result<(), DeviceErrorKind> {
        for (path, bytes) in &fixtures.files {
            self.sync().await?.store(&format!("{STORAGE}/{path}"), MODE, MODIFIED, bytes).await?;
        }
        if !fixtures.files.is_empty() {
            self.show_files(fixtures).await?;
        }
        if !fixtures.people.is_empty() {
            self.content(&format!("delete --uri {RAW_CONTACTS} --where {}", quoted(&known()))).await?;
        }
        for (number, person) in fixtures.people.iter().enumerate() {
            self.introduce(number, person).await?;
        }
        Ok(())
    }

    /// Has the media store look at the files. One that does not want to shows them later: nothing is lost.
    async fn show_files(&self, fixtures: &Fixtures) -> Result<(), DeviceErrorKind> {
        let command = if self.profile().await?.api >= SCANS {
            "content call --uri content://media --method scan_volume --arg external_primary".to_owned()
        } else {
            let told = fixtures.files.keys().map(|path| {
                let address = quoted(&format!("file://{STORAGE}/{path}"));
                format!("am broadcast -a android.intent.action.MEDIA_SCANNER_SCAN_FILE -d {address}")
            });
            told.collect::<Vec<_>>().join("; ")
        };
        self.run(&format!("({command}) >/dev/null 2>&1")).await.map(drop)
    }

    /// Adds somebody to the contacts.
    async fn introduce(&self, number: usize, person: &Person) -> Result<(), DeviceErrorKind> {
        let source = format!("{SOURCE}-{number}");
        self.content(&format!("insert --uri {RAW_CONTACTS} --bind sourceid:s:{source}")).await?;
        let condition = quoted(&format!("sourceid='{source}' AND deleted=0"));
        let told =
            self.content(&format!("query --uri {RAW_CONTACTS} --projection _id --where {condition}")).await?;
        let id = id(&told).ok_or_else(|| DeviceErrorKind::Answer(told.clone()))?;
        let names = [("name", &person.name)].into_iter();
        let phones = person.phones.iter().map(|phone| ("phone_v2", phone));
        let emails = person.emails.iter().map(|email| ("email_v2", email));
        for (kind, value) in names.chain(phones).chain(emails) {
            let value = quoted(&format!("data1:s:{value}"));
            let bound = format!("--bind raw_contact_id:i:{id} --bind mimetype:s:{KIND}{kind} --bind {value}");
            self.content(&format!("insert --uri {DATA} {bound}")).await?;
        }
        Ok(())
    }

    /// What the shell's command of this name printed. It fails with words, and on many devices with no code.
    async fn content(&self, words: &str) -> Result<String, DeviceErrorKind> {
        let line = format!("content {words} 2>&1");
        let output = self.run(&line).await?;
        let told = output.text().into_owned();
        if output.exit != 0 || told.contains("Error while accessing provider") {
            return Err(self.failure(&line, &output).await);
        }
        Ok(told)
    }
}

/// Which people an earlier session brought.
fn known() -> String {
    format!("sourceid LIKE '{SOURCE}-%'")
}

/// The number in `Row: 0 _id=5`; of several rows, the last one's.
fn id(told: &str) -> Option<u64> {
    told.lines().filter_map(|line| line.rsplit_once("_id=")?.1.trim().parse().ok()).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_rows() {
        for (told, expected) in [
            ("Row: 0 _id=5\n", Some(5)),
            ("Row: 0 _id=5\nRow: 1 _id=7", Some(7)),
            ("No result found.\n", None),
        ] {
            assert_eq!(id(told), expected, "{told}");
        }
    }
}
