//! Files of word vectors in word2vec's two formats.
//!
//! Both begin with a line of two numbers, how many words and how many dimensions. Text: one line per word, the word and
//! its numbers separated by spaces. Binary: a word, a space, its numbers as little-endian 32-bit floats; a line feed
//! may come between words. The bytes after the first word show which one it is.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::{MOST_DIMENSIONS, VectorsError};
use droidmux_file as file;

/// The most words that are kept; files list the frequent ones first.
const MOST_WORDS: usize = 500_000;
/// Numbers that are kept: a quarter of a gigabyte.
const MOST_NUMBERS: usize = 64 << 20;
/// Bytes of a word.
const MOST_WORD: usize = 1_000;
/// Bytes of a number in text.
const MOST_DIGITS: usize = 40;

/// The words of a file with their vectors.
#[derive(Debug)]
pub struct Word2vec {
    dimensions: usize,
    rows: HashMap<Box<str>, usize>,
    numbers: Vec<f32>,
}

impl Word2vec {
    /// Reads a file; of a large one, only the first words.
    ///
    /// # Errors
    /// When it cannot be read or is cut off or malformed, with the line or the byte.
    pub fn read(path: &Path) -> Result<Self, VectorsError> {
        let file = file::open(path).map_err(|error| Fault::new("its beginning", &error).at(path))?;
        let mut reader = Reader { from: BufReader::with_capacity(1 << 16, file), offset: 0, line: 1 };
        reader.all().map_err(|fault| fault.at(path))
    }

    /// The vector of a word, as it is or in lower case.
    pub fn vector(&self, word: &str) -> Option<&[f32]> {
        let row = self.rows.get(word).or_else(|| self.rows.get(word.to_lowercase().as_str()))?;
        self.numbers.get(row * self.dimensions..(row + 1) * self.dimensions)
    }

    /// How many words it knows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True when it knows no word at all.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// If a word occurs twice, its first vector counts.
    fn add(&mut self, word: &str, numbers: &[f32]) {
        let row = self.rows.len();
        if !self.rows.contains_key(word) {
            self.rows.insert(word.into(), row);
            self.numbers.extend_from_slice(numbers);
        }
    }
}

/// What is wrong, and where.
struct Fault {
    place: String,
    why: String,
}

impl Fault {
    fn new(place: impl Into<String>, why: &dyn ToString) -> Self {
        Self { place: place.into(), why: why.to_string() }
    }

    fn at(self, path: &Path) -> VectorsError {
        VectorsError::File { path: path.to_owned(), place: self.place, why: self.why }
    }
}

struct Reader<R> {
    from: BufReader<R>,
    /// Bytes read.
    offset: u64,
    /// Lines begun, in the text format.
    line: u64,
}

impl<R: Read> Reader<R> {
    fn all(&mut self) -> Result<Word2vec, Fault> {
        let (words, dimensions) = self.header()?;
        let kept = words.min(MOST_WORDS).min(MOST_NUMBERS / dimensions);
        let mut vectors = Word2vec { dimensions, rows: HashMap::new(), numbers: Vec::new() };
        let is_text = self.is_text()?;
        for number in 0..kept {
            let (word, numbers) = match is_text {
                true => self.text_row(dimensions)?,
                false => self.binary_row(dimensions)?,
            };
            if let Some(bad) = numbers.iter().find(|number| !number.is_finite()) {
                return Err(self.fault(is_text, &format!("word {}: {bad} is no number to go by", number + 1)));
            }
            vectors.add(&word, &numbers);
        }
        Ok(vectors)
    }

    /// `3000000 300`
    fn header(&mut self) -> Result<(usize, usize), Fault> {
        let line = self.until(b'\n', 100).map_err(|error| self.fault(true, &error))?;
        let text = String::from_utf8_lossy(&line);
        let mut numbers = text.split_whitespace().map(str::parse::<usize>);
        let (Some(Ok(words)), Some(Ok(dimensions)), None) = (numbers.next(), numbers.next(), numbers.next())
        else {
            return Err(self.fault(true, &"expected are two numbers, of words and of dimensions"));
        };
        if dimensions == 0 || dimensions > MOST_DIMENSIONS {
            let why = format!("{dimensions} dimensions; expected are 1 to {MOST_DIMENSIONS}");
            return Err(self.fault(true, &why));
        }
        self.line += 1;
        Ok((words, dimensions))
    }

    /// Whether digits follow the first word.
    fn is_text(&mut self) -> Result<bool, Fault> {
        let ahead = match self.from.fill_buf() {
            Ok(ahead) => ahead,
            Err(error) => return Err(self.fault(true, &error)),
        };
        let numbers =
            ahead.iter().skip_while(|byte| **byte != b' ').take(24).take_while(|byte| **byte != b'\n');
        Ok(numbers.into_iter().all(|byte| byte.is_ascii_digit() || b" +-.eE\t\r".contains(byte)))
    }

    fn text_row(&mut self, dimensions: usize) -> Result<(String, Vec<f32>), Fault> {
        let line = self.until(b'\n', MOST_WORD + dimensions * MOST_DIGITS);
        let line = line.map_err(|error| self.fault(true, &error))?;
        let text = String::from_utf8_lossy(&line);
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let cut = fields.len().checked_sub(dimensions).filter(|cut| *cut > 0);
        let Some((word, numbers)) = cut.and_then(|cut| fields.split_at_checked(cut)) else {
            let why = format!("{} fields; expected are a word and {dimensions} numbers", fields.len());
            return Err(self.fault(true, &why));
        };
        let numbers: Result<Vec<f32>, _> = numbers.iter().map(|number| number.parse()).collect();
        let numbers = numbers.map_err(|error| self.fault(true, &error))?;
        self.line += 1;
        Ok((word.join(" "), numbers))
    }

    fn binary_row(&mut self, dimensions: usize) -> Result<(String, Vec<f32>), Fault> {
        let word = self.until(b' ', MOST_WORD).map_err(|error| self.fault(false, &error))?;
        let word = String::from_utf8_lossy(&word).trim_matches(['\n', ' ']).to_owned();
        let mut bytes = vec![0; dimensions * size_of::<f32>()];
        self.from.read_exact(&mut bytes).map_err(|error| self.fault(false, &ended(&error)))?;
        self.offset += bytes.len() as u64;
        let (numbers, _) = bytes.as_chunks::<4>();
        Ok((word, numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()))
    }

    /// The bytes up to and including this one, at most this many.
    fn until(&mut self, byte: u8, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.from.by_ref().take(most as u64).read_until(byte, &mut bytes)?;
        self.offset += bytes.len() as u64;
        match bytes.last() {
            Some(last) if *last == byte => Ok(bytes),
            _ if bytes.len() == most => Err(io::Error::other(format!("{most} bytes without an end"))),
            // A last line may lack its line feed.
            Some(_) if byte == b'\n' => Ok(bytes),
            _ => Err(io::Error::other("the file ends here, before all its words")),
        }
    }

    fn fault(&self, is_text: bool, why: &dyn ToString) -> Fault {
        let place = if is_text { format!("line {}", self.line) } else { format!("byte {}", self.offset) };
        Fault::new(place, why)
    }
}

fn ended(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the file ends here, inside a vector".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &[u8]) -> Result<Word2vec, VectorsError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("words.vec");
        std::fs::write(&path, content).expect("written");
        Word2vec::read(&path)
    }

    /// The binary form of these words.
    fn binary(words: &[(&str, &[f32])], between: &str) -> Vec<u8> {
        let mut bytes = format!("{} {}\n", words.len(), words[0].1.len()).into_bytes();
        for (word, numbers) in words {
            bytes.extend(format!("{word} ").as_bytes());
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            bytes.extend(between.as_bytes());
        }
        bytes
    }

    #[test]
    fn both_formats_give_the_same() {
        let words: [(&str, &[f32]); 3] =
            [("cat", &[1.5, -2.0]), ("größe", &[0.0, 3e-5]), ("Dog", &[1.0, 1.0])];
        let files = [
            b"3 2\ncat 1.5 -2\ngr\xc3\xb6\xc3\x9fe 0 3e-05 \nDog 1 1".to_vec(),
            b"3 2\r\ncat 1.5 -2\r\ngr\xc3\xb6\xc3\x9fe 0 3e-05\r\nDog 1 1\r\n".to_vec(),
            binary(&words, "\n"),
            binary(&words, ""),
        ];
        for file in files {
            let read = read(&file).expect("it is read");
            assert_eq!(read.len(), 3);
            for (word, numbers) in words {
                assert_eq!(read.vector(word), Some(numbers));
            }
            assert_eq!((read.vector("CAT"), read.vector("dog")), (read.vector("cat"), None));
        }
    }

    #[test]
    fn broken_files_are_told_with_their_place() {
        let whole = binary(&[("cat", &[1.5, -2.0]), ("dog", &[0.1, 0.2])], "\n");
        let cases: [(&[u8], &str); 12] = [
            (b"", "line 1: the file ends here"),
            (b"word2vec", "line 1: expected are two numbers"),
            (b"5\ncat 1", "line 1: expected are two numbers"),
            (b"1 0\ncat", "line 1: 0 dimensions"),
            (b"1 99999999999\ncat", "line 1: 99999999999 dimensions"),
            (b"2 2\ncat 1 2\n", "line 3: the file ends here"),
            (b"2 2\ncat 1 2\ndog 1\n", "line 3: 2 fields; expected are a word and 2 numbers"),
            (b"1 2\ncat 1 1e\n", "line 2: invalid float"),
            (b"1 2\ncat 1 1e99\n", "inf is no number to go by"),
            (&whole[..whole.len() - 3], "byte 21: the file ends here, inside a vector"),
            (&whole[..18], "byte 18: the file ends here, before all its words"),
            (&[b"1 1\n".as_slice(), &[b'x'; 5_000]].concat(), "bytes without an end"),
        ];
        for (content, said) in cases {
            let error = read(content).map(|read| read.len()).expect_err(said).to_string();
            assert!(error.contains(said) && error.contains("words.vec"), "{error}\nis not: {said}");
        }
        // The header promises more words than fit in memory: no memory is reserved for them.
        let error = read(b"18446744073709551615 8192\ncat 1 2\n")
            .map(|read| read.len())
            .expect_err("cut off")
            .to_string();
        assert!(error.contains("line 2: 3 fields"), "{error}");
    }
}
