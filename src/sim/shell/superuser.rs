//! `su`, on phones that let anybody be root.
//!
//! In: `su UID COMMAND…`, as emulators and systems for developers have it, and `su -c SCRIPT`. Out: the command's own
//! output and exit code. While it runs, the data of apps lies in files.

use std::io;

use super::run::Shell;
use super::streams::Streams;

impl Shell<'_, '_> {
    pub(super) async fn su(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        if !self.device.root {
            return self.complain(streams, "su: inaccessible or not found", 127).await;
        }
        let words = match args {
            [dash, script] if dash == "-c" => vec!["sh".to_owned(), "-c".to_owned(), script.clone()],
            [user, words @ ..] if !words.is_empty() && (user == "0" || user == "root") => words.to_vec(),
            _ => return self.unsupported(streams, "su without a command").await,
        };
        self.device.lay_out_data();
        let outside = std::mem::replace(&mut self.root, true);
        let ran = Box::pin(self.run_program(words, streams)).await;
        self.root = outside;
        self.device.take_data_back();
        ran
    }
}
