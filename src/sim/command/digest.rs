//! `md5sum`, and `toybox` in front of any command.

use super::text::content;
use super::{Call, Command, find, heavy, light};
use droidmux_words::number::whole;

pub(super) const COMMANDS: &[Command] = &[heavy("md5sum", md5sum), light("toybox", toybox)];

/// `toybox COMMAND …`: the command itself.
fn toybox(call: &mut Call) -> i32 {
    call.words.remove(0);
    match find(&call.words).filter(|command| command.name != "toybox") {
        Some(command) => (command.run)(call),
        None => {
            call.unknown();
            let name = call.arg(0).to_owned();
            call.complain(&format!("toybox: Unknown command {name} (see \"toybox --help\")"));
            127
        }
    }
}

fn md5sum(call: &mut Call) -> i32 {
    let mut files: Vec<String> =
        call.words.iter().skip(1).filter(|word| !word.starts_with('-')).cloned().collect();
    if files.is_empty() {
        files.push("-".to_owned());
    }
    let mut code = 0;
    for file in files {
        match content(call, "md5sum", std::slice::from_ref(&file)) {
            Ok(bytes) => call.line(&format!("{}  {file}", hex(md5(&bytes)))),
            Err(failed) => code = failed,
        }
    }
    code
}

fn hex(digest: [u32; 4]) -> String {
    digest.iter().flat_map(|word| word.to_le_bytes()).map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of RFC 1321, in its order of words.
fn md5(bytes: &[u8]) -> [u32; 4] {
    const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
    // The whole part of 2³² times a sine, as the RFC defines its table; always within 32 bits.
    let sine = |n: u32| whole((f64::from(n).sin().abs() * 4_294_967_296.0).floor());
    let table: Vec<u32> = (1..=64).map(|n| u32::try_from(sine(n)).unwrap_or(u32::MAX)).collect();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    // Up to 8 bytes before the end of a block, where the length goes.
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((bytes.len() as u64).wrapping_mul(8).to_le_bytes());
    let mut state: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in padded.as_chunks::<64>().0 {
        let words: Vec<u32> = block.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let [mut a, mut b, mut c, mut d] = state;
        for (n, sine) in table.iter().enumerate() {
            let (mixed, at) = match n / 16 {
                0 => (b & c | !b & d, n),
                1 => (d & b | !d & c, 5 * n + 1),
                2 => (b ^ c ^ d, 3 * n + 5),
                _ => (c ^ (b | !d), 7 * n),
            };
            let word = words.get(at % 16).copied().unwrap_or_default();
            let shift = SHIFTS.get(n / 16).and_then(|row| row.get(n % 4)).copied().unwrap_or_default();
            let sum = a.wrapping_add(mixed).wrapping_add(*sine).wrapping_add(word);
            (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(shift)));
        }
        for (sum, word) in state.iter_mut().zip([a, b, c, d]) {
            *sum = sum.wrapping_add(word);
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digests_of_the_rfc() {
        let cases = [
            ("".to_owned(), "d41d8cd98f00b204e9800998ecf8427e"),
            ("abc".to_owned(), "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest".to_owned(), "f96b697d7cb7938d525a2f31aaf161d0"),
            ("1234567890".repeat(8), "57edf4a22be3c955ac49da2e2107b67a"),
            // At and around the place where the length no longer fits into the block.
            ("a".repeat(55), "ef1772b6dff9a122358552954ad0df65"),
            ("a".repeat(56), "3b0c8ac703f828b04c6c197006d17218"),
            ("a".repeat(64), "014842d480b571495a4a0363793f7367"),
        ];
        for (text, expected) in cases {
            assert_eq!(hex(md5(text.as_bytes())), expected, "{text}");
        }
    }
}
