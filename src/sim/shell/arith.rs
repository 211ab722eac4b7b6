//! Whole-number expressions: `$((…))`, `((…))`, `let`, and the numbers of `test`.
//!
//! As in mksh: 32 bits that wrap, all C operators, bases written as `0x1f` and `16#1f`, names
//! without a dollar, whose values are themselves expressions. A leading zero does not make a number
//! octal.

/// Longest expression, and how deep parentheses and values of names may lead.
const MAX_LENGTH: usize = 64 << 10;
const MAX_DEPTH: u32 = 40;
/// Operands that one evaluation may look at: values of names name others.
const MAX_OPERANDS: u32 = 20_000;

/// Where names get their values.
pub(super) trait Names {
    fn get(&self, name: &str) -> String;

    /// # Errors
    /// The name cannot be set.
    fn set(&mut self, name: &str, value: i32) -> Result<(), String>;
}

/// The value of an expression; an empty one is 0.
///
/// # Errors
/// What is wrong with it, in the shell's words.
pub(super) fn evaluate(text: &str, names: &mut dyn Names) -> Result<i32, String> {
    value_of(text, names, &mut MAX_OPERANDS.clone(), 0)
}

fn value_of(text: &str, names: &mut dyn Names, budget: &mut u32, depth: u32) -> Result<i32, String> {
    if text.len() > MAX_LENGTH || depth > MAX_DEPTH {
        return Err("expression too long".into());
    }
    let mut evaluator = Evaluator { text, rest: text, names, budget, live: true, depth };
    if evaluator.first().is_none() {
        return Ok(0);
    }
    let value = evaluator.comma()?;
    match evaluator.first() {
        None => Ok(value.number),
        Some(_) => Err(evaluator.unexpected()),
    }
}

struct Evaluator<'t, 'n> {
    text: &'t str,
    rest: &'t str,
    names: &'n mut dyn Names,
    budget: &'n mut u32,
    /// Off in the branch that is not taken: nothing is set or divided there.
    live: bool,
    depth: u32,
}

/// A number, and the name it came from, which can be assigned to.
struct Value {
    number: i32,
    name: Option<String>,
}

impl Value {
    fn of(number: i32) -> Self {
        Value { number, name: None }
    }
}

/// Binary operators and how tightly they bind; longer ones first.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<<", 8),
    (">>", 8),
    ("<=", 7),
    (">=", 7),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];
/// Longest first.
const ASSIGNMENTS: [&str; 11] = ["<<=", ">>=", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "="];

impl Evaluator<'_, '_> {
    fn comma(&mut self) -> Result<Value, String> {
        let mut value = self.assignment()?;
        while self.accept(",") {
            value = self.assignment()?;
        }
        Ok(Value::of(value.number))
    }

    fn assignment(&mut self) -> Result<Value, String> {
        self.deeper()?;
        let left = self.choice()?;
        self.first();
        let sign = ASSIGNMENTS.into_iter().find(|sign| self.rest.starts_with(sign));
        let value = match (sign, left.name.clone()) {
            (Some(sign), _) if sign == "=" && self.rest.starts_with("==") => left,
            (Some(sign), Some(name)) => {
                self.skip(sign.len());
                let right = self.assignment()?.number;
                let number = match sign.strip_suffix('=').unwrap_or_default() {
                    "" => right,
                    operator => self.apply(operator, left.number, right)?,
                };
                self.store(&name, number)?;
                Value::of(number)
            }
            (Some(_), None) => return Err(format!("{}: not an lvalue", self.text)),
            (None, _) => left,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn choice(&mut self) -> Result<Value, String> {
        let condition = self.binary(1)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let live = self.live;
        self.live = live && condition.number != 0;
        let then = self.comma();
        self.live = live;
        let then = then?;
        if !self.accept(":") {
            return Err(self.unexpected());
        }
        self.live = live && condition.number == 0;
        let otherwise = self.assignment();
        self.live = live;
        let otherwise = otherwise?;
        Ok(Value::of(if condition.number != 0 { then.number } else { otherwise.number }))
    }

    fn binary(&mut self, least: u8) -> Result<Value, String> {
        let mut left = self.unary()?;
        loop {
            self.first();
            let found = OPERATORS.into_iter().find(|(sign, _)| self.rest.starts_with(sign));
            let Some((operator, binds)) = found.filter(|(_, binds)| *binds >= least) else { return Ok(left) };
            // `+=` and its kin, but not `<=`.
            if ASSIGNMENTS
                .iter()
                .any(|sign| sign.strip_suffix('=') == Some(operator) && self.rest.starts_with(sign))
            {
                return Ok(left);
            }
            self.skip(operator.len());
            let live = self.live;
            self.live = match operator {
                "&&" => live && left.number != 0,
                "||" => live && left.number == 0,
                _ => live,
            };
            let right = self.binary(binds + 1);
            self.live = live;
            left = Value::of(self.apply(operator, left.number, right?.number)?);
        }
    }

    fn unary(&mut self) -> Result<Value, String> {
        self.deeper()?;
        let value = match self.first() {
            Some(sign @ ('+' | '-')) if self.rest.get(1..2) == self.rest.get(..1) => {
                self.skip(2);
                let operand = self.unary()?;
                let Some(name) = operand.name else {
                    return Err(format!("{}: {sign}{sign} requires lvalue", self.text));
                };
                let number = operand.number.wrapping_add(if sign == '+' { 1 } else { -1 });
                self.store(&name, number)?;
                Value::of(number)
            }
            Some(sign @ ('!' | '~' | '+' | '-')) => {
                self.skip(1);
                let number = self.unary()?.number;
                Value::of(match sign {
                    '!' => i32::from(number == 0),
                    '~' => !number,
                    '-' => number.wrapping_neg(),
                    _ => number,
                })
            }
            _ => self.primary()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn primary(&mut self) -> Result<Value, String> {
        *self.budget = self.budget.checked_sub(1).ok_or("expression too long")?;
        match self.first() {
            Some('(') => {
                self.skip(1);
                let value = self.comma()?;
                if !self.accept(")") {
                    return Err(self.unexpected());
                }
                Ok(value)
            }
            Some('\'') => {
                let quoted = self.rest.get(1..).and_then(|rest| rest.chars().next());
                let Some(c) =
                    quoted.filter(|c| self.rest.get(1 + c.len_utf8()..).is_some_and(|r| r.starts_with('\'')))
                else {
                    return Err(self.unexpected());
                };
                self.skip(c.len_utf8() + 2);
                Ok(Value::of(i32::try_from(u32::from(c)).unwrap_or(0)))
            }
            Some(digit) if digit.is_ascii_digit() => self.number().map(Value::of),
            Some(letter) if letter.is_ascii_alphabetic() || letter == '_' => {
                let name = self.run(|c| c.is_ascii_alphanumeric() || c == '_');
                let number = if self.live {
                    let text = self.names.get(&name);
                    value_of(&text, &mut *self.names, &mut *self.budget, self.depth + 1)?
                } else {
                    0
                };
                self.first();
                for (sign, step) in [("++", 1), ("--", -1)] {
                    if self.rest.starts_with(sign) {
                        self.skip(2);
                        self.store(&name, number.wrapping_add(step))?;
                        return Ok(Value::of(number));
                    }
                }
                Ok(Value { number, name: Some(name) })
            }
            _ => Err(self.unexpected()),
        }
    }

    fn number(&mut self) -> Result<i32, String> {
        let text = self.run(|c| c.is_ascii_alphanumeric() || matches!(c, '#' | '_'));
        let bad = || format!("{text}: bad number");
        let (digits, base) = if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            (hex, 16)
        } else if let Some((base, digits)) = text.split_once('#') {
            (digits, base.parse().ok().filter(|base| (2..=36).contains(base)).ok_or_else(bad)?)
        } else {
            (text.as_str(), 10)
        };
        let number = u32::from_str_radix(digits, base).map_err(|_| bad())?;
        // The bits are what counts: 4294967295 is -1.
        Ok(i32::from_ne_bytes(number.to_ne_bytes()))
    }

    fn apply(&self, operator: &str, a: i32, b: i32) -> Result<i32, String> {
        let shift = || u32::try_from(b & 31).unwrap_or(0);
        Ok(match operator {
            "||" => i32::from(a != 0 || b != 0),
            "&&" => i32::from(a != 0 && b != 0),
            "==" => i32::from(a == b),
            "!=" => i32::from(a != b),
            "<=" => i32::from(a <= b),
            ">=" => i32::from(a >= b),
            "<" => i32::from(a < b),
            ">" => i32::from(a > b),
            "<<" => a.wrapping_shl(shift()),
            ">>" => a.wrapping_shr(shift()),
            "|" => a | b,
            "^" => a ^ b,
            "&" => a & b,
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            "/" | "%" if b == 0 && self.live => return Err(format!("{}: zero divisor", self.text)),
            "/" | "%" if b == 0 => 0,
            "/" => a.wrapping_div(b),
            "%" => a.wrapping_rem(b),
            other => return Err(format!("{}: unexpected '{other}'", self.text)),
        })
    }

    fn store(&mut self, name: &str, number: i32) -> Result<(), String> {
        if self.live { self.names.set(name, number) } else { Ok(()) }
    }

    fn run(&mut self, is: impl Fn(char) -> bool) -> String {
        let end = self.rest.find(|c| !is(c)).unwrap_or(self.rest.len());
        let text = self.rest.get(..end).unwrap_or_default().to_owned();
        self.skip(end);
        text
    }

    fn accept(&mut self, sign: &str) -> bool {
        self.first();
        let is = self.rest.starts_with(sign);
        if is {
            self.skip(sign.len());
        }
        is
    }

    /// The next non-blank character.
    fn first(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.rest.chars().next()
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err("expression nested too deeply".into()) } else { Ok(()) }
    }

    fn unexpected(&mut self) -> String {
        let what = self.first().map_or("end of expression".to_owned(), |c| c.to_string());
        format!("{}: unexpected '{what}'", self.text)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[derive(Default)]
    struct Map(BTreeMap<String, String>);

    impl Names for Map {
        fn get(&self, name: &str) -> String {
            self.0.get(name).cloned().unwrap_or_default()
        }

        fn set(&mut self, name: &str, value: i32) -> Result<(), String> {
            self.0.insert(name.to_owned(), value.to_string());
            Ok(())
        }
    }

    #[test]
    fn values_are_those_of_32_bits() {
        for (text, expected) in [
            ("", Some(0)),
            ("1+2*3", Some(7)),
            ("(1+2)*3", Some(9)),
            ("2-1-1", Some(0)),
            ("-7/2", Some(-3)),
            ("-7%3", Some(-1)),
            ("010", Some(10)),
            ("0x1F", Some(31)),
            ("16#ff", Some(255)),
            ("2147483647+1", Some(i32::MIN)),
            ("4294967295", Some(-1)),
            ("1<<33", Some(2)),
            ("1?2:3,4", Some(4)),
            ("0?1/0:5", Some(5)),
            ("0&&1/0", Some(0)),
            ("1||1/0", Some(1)),
            ("a=5,a+1", Some(6)),
            ("a=3,a++,a", Some(4)),
            ("a=3,a+=a*=2", Some(9)),
            ("b=c=2,b+c", Some(4)),
            ("- -3", Some(3)),
            ("!5+~0", Some(-1)),
            ("5>3&&2<=2&&1!=2&&1==1", Some(1)),
            ("6&3|8^1", Some(11)),
            ("'a'", Some(97)),
            ("1/0", None),
            ("1+", None),
            ("1 2", None),
            ("1e3", None),
            ("3=4", None),
            ("(1", None),
            ("1?2", None),
            ("++3", None),
            ("@", None),
        ] {
            assert_eq!(evaluate(text, &mut Map::default()).ok(), expected, "{text}");
        }
    }

    #[test]
    fn values_of_names_are_expressions() {
        let mut names = Map::default();
        for (name, value) in [("a", "b+1"), ("b", "2*3"), ("r", "r"), ("bad", "1+")] {
            names.0.insert(name.into(), value.into());
        }
        assert_eq!(evaluate("a*2", &mut names), Ok(14));
        assert!(evaluate("r", &mut names).is_err(), "for ever");
        assert!(evaluate("bad", &mut names).is_err());
        for n in 0..30 {
            names.0.insert(format!("n{n}"), format!("n{0}+n{0}", n + 1));
        }
        assert!(evaluate("n0", &mut names).is_err(), "a thousand million operands");
        assert!(evaluate(&"(".repeat(10_000), &mut names).is_err());
        assert!(evaluate(&"-".repeat(10_001), &mut names).is_err());
    }

    proptest! {
        #[test]
        fn never_panics(text in "[-+*/%<>=!~&|^?:,()#'a-c0-9x ]{0,40}") {
            let _ = evaluate(&text, &mut Map::default());
        }
    }
}
