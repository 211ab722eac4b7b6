//! Expressions: `2 * (3 - 0.5) ^ 2 + 10 %`.

use std::iter::Peekable;
use std::str::Chars;

use crate::form::ascii_digits;

/// The deepest nesting of brackets.
pub(super) const DEEPEST: usize = 100;
/// Exponents above this are too large for any base.
const LARGEST_EXPONENT: f64 = 1e6;
/// Results above this are too large.
const LARGEST: f64 = 1e12;

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoValue {
    /// It is not an expression.
    Malformed,
    Deep,
    Zero,
    /// Also a power with such an exponent.
    Large {
        power: bool,
    },
}

/// The value of an expression. With `plain`, powers of ten are not understood and end it.
pub(super) fn evaluate(text: &str, plain: bool) -> Result<f64, NoValue> {
    let text = ascii_digits(text).replace('×', "*").replace('÷', "/").replace('−', "-");
    let mut reader = Reader { rest: text.chars().peekable(), depth: 0, plain, ended: false };
    let value = reader.sum()?;
    if reader.next().is_some() {
        return Err(NoValue::Malformed);
    }
    bounded(value)
}

fn bounded(value: f64) -> Result<f64, NoValue> {
    if value.is_finite() && value.abs() <= LARGEST { Ok(value) } else { Err(NoValue::Large { power: false }) }
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    depth: usize,
    plain: bool,
    /// Whether what follows is not looked at any more.
    ended: bool,
}

impl Reader<'_> {
    /// The next character that is not a space, still to be read.
    fn next(&mut self) -> Option<char> {
        while self.rest.next_if(|char| char.is_whitespace()).is_some() {}
        if self.ended { None } else { self.rest.peek().copied() }
    }

    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let found = self.next().filter(|char| wanted.contains(char))?;
        self.rest.next();
        Some(found)
    }

    fn sum(&mut self) -> Result<f64, NoValue> {
        let mut value = self.product()?;
        while let Some(sign) = self.take(&['+', '-']) {
            let other = self.product()?;
            value = if sign == '+' { value + other } else { value - other };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, NoValue> {
        let mut value = self.power()?;
        while let Some(sign) = self.take(&['*', '/']) {
            let other = self.power()?;
            if sign == '/' && other == 0.0 {
                return Err(NoValue::Zero);
            }
            value = if sign == '*' { value * other } else { value / other };
        }
        Ok(value)
    }

    fn power(&mut self) -> Result<f64, NoValue> {
        let base = self.signed()?;
        if self.take(&['^']).is_none() {
            return Ok(base);
        }
        let exponent = self.signed()?;
        if exponent.abs() > LARGEST_EXPONENT {
            return Err(NoValue::Large { power: true });
        }
        bounded(base.powf(exponent))
    }

    fn signed(&mut self) -> Result<f64, NoValue> {
        // Not by recursion, so that thousands of signs add no depth.
        let mut negative = false;
        while let Some(sign) = self.take(&['-', '+']) {
            negative ^= sign == '-';
        }
        let value = self.operand()?;
        let value = if self.take(&['%']).is_some() { value / 100.0 } else { value };
        Ok(if negative { -value } else { value })
    }

    fn operand(&mut self) -> Result<f64, NoValue> {
        if self.take(&['(']).is_none() {
            return self.number();
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(NoValue::Deep);
        }
        let value = self.sum()?;
        self.depth -= 1;
        match self.take(&[')']) {
            None if !self.ended => Err(NoValue::Malformed),
            _ => Ok(value),
        }
    }

    fn number(&mut self) -> Result<f64, NoValue> {
        self.next();
        let mut text = self.digits();
        if !text.is_empty() && self.rest.next_if(|char| matches!(char, 'e' | 'E')).is_some() {
            if self.plain {
                self.ended = true;
            } else {
                text.push('e');
                text.extend(self.rest.next_if(|char| matches!(char, '-' | '+')));
                text += &self.digits();
            }
        }
        text.parse().map_err(|_| NoValue::Malformed).and_then(bounded)
    }

    fn digits(&mut self) -> String {
        let mut text = String::new();
        while let Some(char) = self.rest.next_if(|char| char.is_ascii_digit() || *char == '.') {
            text.push(char);
        }
        text
    }
}

/// At most six decimals, and never a negative zero: `-0.5`, `12`.
pub(super) fn number_text(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_values() {
        let malformed = Err(NoValue::Malformed);
        for (text, value) in [
            ("1+2*3", Ok(7.0)),
            (" 2 * (3 - 0.5) ", Ok(5.0)),
            ("2^10", Ok(1024.0)),
            ("-2^2", Ok(4.0)),
            ("50%", Ok(0.5)),
            ("１２+3", Ok(15.0)),
            ("3×4÷2", Ok(6.0)),
            ("1e3+2", Ok(1002.0)),
            ("--1", Ok(1.0)),
            ("007", Ok(7.0)),
            ("1/0", Err(NoValue::Zero)),
            ("9^9999999", Err(NoValue::Large { power: true })),
            ("9^999", Err(NoValue::Large { power: false })),
            ("1e999", Err(NoValue::Large { power: false })),
            ("", malformed),
            ("1+", malformed),
            ("(1", malformed),
            ("1)", malformed),
            ("1 2", malformed),
            ("1.2.3", malformed),
            ("e3", malformed),
            ("drop table", malformed),
        ] {
            assert_eq!(evaluate(text, false), value, "{text:?}");
        }
        assert_eq!(evaluate("1e3+2", true), Ok(1.0));
        let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(evaluate(&nested(DEEPEST), false), Ok(1.0));
        assert_eq!(evaluate(&nested(10_000), false), Err(NoValue::Deep));
    }

    #[test]
    fn numbers_are_written() {
        for (value, text) in
            [(-0.5, "-0.5"), (12.0, "12"), (100.0, "100"), (-0.0, "0"), (1.0 / 3.0, "0.333333")]
        {
            assert_eq!(number_text(value), text);
        }
    }
}
