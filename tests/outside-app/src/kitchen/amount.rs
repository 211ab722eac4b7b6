//! Ingredients and their amounts.

/// How much of what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ingredient {
    /// In hundredths of the unit; 0 when none is told.
    pub amount: u64,
    pub unit: Unit,
    pub name: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Unit {
    #[default]
    Piece,
    Gram,
    Millilitre,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Self::Piece => "",
            Self::Gram => "g",
            Self::Millilitre => "ml",
        }
    }
}

/// More of anything is taken for a name.
const MOST: u64 = 1_000_000;

impl Ingredient {
    /// Reads a line such as `200 g Flour`, `2 Egg` or `Salt`; `None` when it is blank.
    pub(super) fn read(line: &str) -> Option<Self> {
        let line = line.trim();
        if line.is_empty() {
            return None;
        }
        let plain = Self { amount: 0, unit: Unit::Piece, name: line.to_owned() };
        let Some((number, rest)) = line.split_once(' ') else { return Some(plain) };
        let Some(amount) = hundredths(number) else { return Some(plain) };
        let rest = rest.trim();
        let measured = match rest.split_once(' ') {
            Some(("g", name)) => Some((Unit::Gram, name.trim())),
            Some(("ml", name)) => Some((Unit::Millilitre, name.trim())),
            _ => None,
        };
        let (unit, name) = measured.unwrap_or((Unit::Piece, rest));
        Some(Self { amount, unit, name: name.to_owned() })
    }

    /// Reads lines.
    pub(super) fn list(lines: &str) -> Vec<Self> {
        lines.lines().filter_map(Self::read).collect()
    }

    /// As [`Ingredient::read`] reads it.
    pub(super) fn line(&self) -> String {
        self.written(&number_text(self.amount), self.unit.name())
    }

    /// As it is shown: in ounces where these are wanted.
    pub(super) fn text(&self, ounces: bool) -> String {
        if ounces && self.unit == Unit::Gram && self.amount > 0 {
            // 28.35 g to the ounce, to a tenth of an ounce.
            let tenths = (self.amount * 10).div_ceil(2_835).max(1);
            return self.written(&number_text(tenths * 10), "oz");
        }
        self.line()
    }

    fn written(&self, number: &str, unit: &str) -> String {
        match (self.amount, unit) {
            (0, _) => self.name.clone(),
            (_, "") => format!("{number} {}", self.name),
            _ => format!("{number} {unit} {}", self.name),
        }
    }

    /// For another number of servings.
    pub(super) fn scaled(&self, servings: u64, serves: u64) -> Self {
        Self { amount: self.amount.saturating_mul(servings) / serves.max(1), ..self.clone() }
    }

    /// Whether both can stand in one row of a list.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        self.unit == other.unit
            && (self.amount == 0) == (other.amount == 0)
            && self.name.to_lowercase() == other.name.to_lowercase()
    }
}

/// Reads `1.5` as 150.
fn hundredths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) || part.len() > 2 {
        return None;
    }
    let whole: u64 = whole.parse().ok().filter(|whole| *whole < MOST)?;
    let part: u64 = format!("{part:0<2}").parse().ok()?;
    Some(whole * 100 + part).filter(|amount| *amount > 0)
}

/// Writes 150 as `1.5`.
fn number_text(hundredths: u64) -> String {
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_written() {
        let cases = [
            ("200 g Flour", "200 g Flour", "7.1 oz Flour"),
            (" 2  Egg ", "2 Egg", "2 Egg"),
            ("1.50 ml Milk", "1.5 ml Milk", "1.5 ml Milk"),
            ("Salt", "Salt", "Salt"),
            ("2 g", "2 g", "2 g"),
            ("0 g Salt", "0 g Salt", "0 g Salt"),
            ("9999999 g Salt", "9999999 g Salt", "9999999 g Salt"),
            ("1.234 g Salt", "1.234 g Salt", "1.234 g Salt"),
            ("x g Salt", "x g Salt", "x g Salt"),
        ];
        for (line, written, ounces) in cases {
            let read = Ingredient::read(line).expect("not blank");
            assert_eq!((read.line().as_str(), read.text(true).as_str()), (written, ounces), "{line}");
            assert_eq!(Ingredient::read(written), Some(read));
        }
        assert_eq!(Ingredient::read("  "), None);
        assert_eq!(Ingredient::list("1 Egg\n\n3 Plum").len(), 2);
    }

    #[test]
    fn amounts_follow_the_servings() {
        for (line, servings, serves, expected) in
            [("200 g Flour", 3, 2, "300 g Flour"), ("1 Egg", 1, 4, "0.25 Egg"), ("Salt", 5, 1, "Salt")]
        {
            let read = Ingredient::read(line).expect("not blank");
            assert_eq!(read.scaled(servings, serves).line(), expected);
        }
    }
}
