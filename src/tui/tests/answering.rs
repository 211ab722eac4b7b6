//! Questions that wait for people are answered from the Transcripts screen.

use std::path::PathBuf;
use std::sync::Arc;

use super::Cockpit;
use crate::TuiOptions;
use crate::app::Msg;
use droidmux_record::BlobHash;
use droidmux_testutils::fixtures::FakeLab;

fn cockpit(options: TuiOptions) -> Cockpit {
    let lab = FakeLab { people: true, ..FakeLab::new(100) };
    let mut cockpit = Cockpit::with(120, 40, lab, TuiOptions { images: false, ..options });
    cockpit.press("l 5");
    cockpit
}

/// The status line.
fn status(cockpit: &Cockpit) -> String {
    cockpit.screen().lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_reply_is_edited_until_it_is_taken() {
    let mut cockpit = cockpit(TuiOptions::default());
    // What the person saves, and what is then said.
    let saved: [(Result<&str, &str>, &str); 5] = [
        (Err("no editor is named by VISUAL or EDITOR"), "no editor is named by VISUAL or EDITOR"),
        (Ok("# only\n# comments\n"), "question 7 waits on: the reply is empty"),
        (Ok("# 1\n{\"a\": 1}\n"), "question 7 waits on: `widget` is missing (2 faults in all); e goes on"),
        (Ok("{\"a\": 2}"), "question 7 waits on: `widget` is missing (2 faults in all); e goes on"),
        (Ok("{\"widget\": 3}"), "question 7 is answered"),
    ];
    let mut drafts = Vec::new();
    for (text, expected) in saved {
        cockpit.effects.clear();
        cockpit.press("e");
        let opened = cockpit.effects.iter().find(|effect| effect.starts_with("Edit { number: 7")).cloned();
        drafts.push(opened.unwrap_or_else(|| panic!("{:?}", cockpit.effects)));
        cockpit.tell(Msg::Edited(7, text.map(str::to_owned).map_err(str::to_owned)));
        assert!(status(&cockpit).contains(expected), "{expected}: {}", cockpit.screen());
    }
    let holds: Vec<_> =
        drafts.iter().map(|draft| (draft.contains("not taken"), draft.contains("{\\\"a\\\": 1}"))).collect();
    assert_eq!(
        holds,
        [(false, false), (false, false), (false, false), (true, true), (true, false)],
        "{drafts:?}"
    );
    assert!(cockpit.effects.iter().any(|sent| sent.contains("Answer { number: 7")), "{:?}", cockpit.effects);
}

#[test]
fn nothing_is_answered_where_nothing_waits_or_nothing_may_change() {
    let mut quiet = Cockpit::new(120, 40, 100);
    quiet.press("l 5 e");
    assert!(status(&quiet).contains("no question waits for people"), "{}", quiet.screen());
    let mut looking = cockpit(TuiOptions { read_only: true, ..TuiOptions::default() });
    looking.press("e");
    assert!(status(&looking).contains("this viewer may only look"), "{}", looking.screen());
}

#[test]
fn the_editor_opens_with_the_pictures_in_files_and_names_them() {
    let files = ["/pictures/0101010101010101.png", "/pictures/0202020202020202.png"];
    // Which of the two pictures the lab has, and what is told of each.
    for (has, told) in [
        (&[1, 2][..], [files[0], files[1]]),
        (&[2], ["Picture 1 is gone", files[1]]),
        (&[], ["Picture 1 is gone", "Picture 2 is gone"]),
    ] {
        let pictures = has.iter().map(|number| (BlobHash([*number; 32]), Arc::new(vec![*number]))).collect();
        let lab = FakeLab { people: true, pictures, ..FakeLab::new(100) };
        let folder = Some(PathBuf::from("/pictures"));
        let options = TuiOptions { images: false, picture_folder: folder, ..TuiOptions::default() };
        let mut cockpit = Cockpit::with(120, 40, lab, options);
        cockpit.press("l 5");
        assert!(cockpit.screen().contains("tokens, 2 pictures: The function"), "{}", cockpit.screen());
        cockpit.press("e");
        let opened: Vec<&String> =
            cockpit.effects.iter().filter(|effect| effect.starts_with("Edit {")).collect();
        let [edit] = opened.as_slice() else { panic!("once: {opened:?}") };
        for words in told {
            assert!(edit.contains(words), "{words} in {edit}");
        }
        for (number, file) in (1_u8..).zip(files) {
            let written = format!("(\"{file}\", [{number}])");
            assert_eq!(edit.contains(&written), has.contains(&number), "{written} in {edit}");
        }
    }
}
