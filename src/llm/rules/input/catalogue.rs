//! Mutation rules with their generators, in the order in which they are tried on a field of each
//! kind.

use serde_json::json;

use super::sheet::Assignment;

/// A mutation rule in words, and the body of a generator that follows it; `v` is the valid input.
struct Mutation {
    rule: &'static str,
    body: &'static str,
}

const SPECIAL: Mutation = Mutation {
    rule: "insert one character that programs handle badly: an emoji, half a surrogate pair, marks of \
           writing direction, invisible and combining ones, look-alikes",
    body: r#"
  const half = Math.floor(v.length / 2);
  const put = s => v.slice(0, half) + s + v.slice(half);
  yield "\u{1f600} " + v;
  yield put("\u202e");
  yield v + "\ud83d";
  yield put("\u200b");
  yield v.slice(0, 1) + "\u0301".repeat(9) + v.slice(1);
  yield v + "\u{1f469}\u200d\u{1f4bb}";
  yield v.replace(/[aeop]/, c => ({ a: "\u0430", e: "\u0435", o: "\u043e", p: "\u0440" })[c]);
  yield [...v].map(c => c > " " && c < "\x7f" ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c).join("");
  yield "\u05e9\u05dc\u05d5\u05dd " + v;
  yield put("\u0000");
"#,
};

const SYNTAX: Mutation = Mutation {
    rule: "add characters that have a meaning in formats, code, markup, patterns and paths",
    body: r#"
  yield v + " 100% %s %n";
  yield v + "'s";
  yield v + "\\";
  yield "\"" + v;
  yield v + "/" + v;
  yield "../../" + v;
  yield v + "\n\n" + v;
  yield v + " [(*";
  yield "<b>" + v + "</b>&amp;";
  yield v + "\\n\\u0041%zz";
"#,
};

const LENGTH: Mutation = Mutation {
    rule: "leave it empty, make it blank, make it very long",
    body: r#"
  yield "";
  yield "   ";
  yield "\u3000\u2003\t";
  yield "aB1".repeat(25);
  yield "a".repeat(30);
  yield v.repeat(Math.ceil(260 / Math.max(1, v.length)));
  yield "a".repeat(5000);
  yield " " + v + " ";
  yield v + "\n \n" + v;
  yield v.slice(0, 1);
"#,
};

const WORDS: Mutation = Mutation {
    rule: "write words and numbers that programs take for something else",
    body: r#"
  yield "null";
  yield "undefined";
  yield "NaN";
  yield "true";
  yield "0";
  yield "-1";
  yield "1e3";
  yield v.toUpperCase();
  yield "\u0130\u0131\u00df" + v;
  yield "1970-01-01";
"#,
};

const SPELLING: Mutation = Mutation {
    rule: "write the same value in another way: leading zeros, a sign, zeros after the point, blanks, \
           full-width digits",
    body: r#"
  const wide = s => s.replace(/[0-9]/g, d => String.fromCharCode(d.charCodeAt(0) + 0xfee0));
  yield "0" + v;
  yield "00" + v;
  yield wide(v);
  yield v.includes(".") ? v + "0" : v + ".0";
  yield "+" + v;
  yield " " + v + " ";
  yield "0".repeat(20) + v;
  yield v.includes(".") ? v + "0".repeat(20) : v + "." + "0".repeat(20);
  yield v + "e0";
  yield v.replace(".", ",") + ",0";
"#,
};

const RANGE: Mutation = Mutation {
    rule: "take numbers out of range: zero, negative, huge, above what an integer holds, exponents",
    body: r#"
  yield "0";
  yield "-" + v;
  yield "99999999999999999999";
  yield "2147483648";
  yield "1e3";
  yield "1e400";
  yield "-0";
  yield "0.5";
  yield "9223372036854775808";
  yield "-2147483649";
"#,
};

const DECIMALS: Mutation = Mutation {
    rule: "take numbers of many decimals and in notations of other languages",
    body: r#"
  yield v.split(".")[0] + "." + "1".repeat(20);
  yield "0.0000000000000001";
  yield "1/0";
  yield "1,5";
  yield "0x10";
  yield "\u0663\u0664";
  yield "\u00bd";
  yield "1_000";
  yield "Infinity";
  yield "5\u00b2";
"#,
};

const DAYS: Mutation = Mutation {
    rule: "take days that do not exist or lie far away, keeping the format",
    body: r#"
  const signs = v.match(/\D+/g) || ["-", "-"];
  const parts = v.split(/\D+/);
  const year = Math.max(0, parts.findIndex(p => p.length === 4));
  const day = year === 0 ? 2 : 0;
  const date = (y, m, d) => {
    const all = [];
    all[year] = y; all[1] = m; all[day] = d;
    return all[0] + signs[0] + all[1] + (signs[1] || signs[0]) + all[2];
  };
  const y = parts[year];
  yield date(y, "02", "31");
  yield date("9999", "12", "31");
  yield date(y, "13", "01");
  yield date("0000", "00", "00");
  yield date("1900", "02", "29");
  yield date(y, "1", "1");
  yield date("0001", "01", "01");
  yield date("-" + y, parts[1], parts[day]);
  yield date("292278995", "01", "01");
  yield date(y.slice(2), parts[1], parts[day]);
"#,
};

const TERMS: Mutation = Mutation {
    rule: "nest brackets, divide by zero, take huge powers and results with a sign",
    body: r#"
  yield "(".repeat(150) + v + ")".repeat(150);
  yield "9^99999999";
  yield "1e3+1";
  yield "1/0";
  yield "0.25-0.75";
  yield "-" + v;
  yield v + "+";
  yield "9".repeat(40) + "*" + v;
  yield "2**3";
  yield "0.1+0.2";
"#,
};

const TEXT: &[&Mutation] = &[&SPECIAL, &SYNTAX, &LENGTH, &WORDS, &RANGE, &SPELLING];
const PASSWORD: &[&Mutation] = &[&LENGTH, &SPECIAL, &SYNTAX, &WORDS];
const NUMBER: &[&Mutation] = &[&SPELLING, &RANGE, &DECIMALS, &LENGTH, &SPECIAL, &SYNTAX, &WORDS];
const DATE: &[&Mutation] = &[&DAYS, &LENGTH, &SPELLING, &SPECIAL, &SYNTAX, &RANGE, &WORDS];
const TERM: &[&Mutation] = &[&TERMS, &RANGE, &DECIMALS, &LENGTH, &SPECIAL, &SYNTAX, &WORDS];

/// The reply to a prompt for a generator: the next rule for the field's kind that has not been tried on it. The
/// starting point moves with the number of fields tried before it, so that a page sees many rules even if each of its
/// fields is tried only once.
pub(super) fn answer(prompt: &str) -> String {
    let assignment = Assignment::read(prompt);
    let rules = rules(&assignment);
    let on_field = |rule: &str| assignment.rules.iter().any(|(n, r)| *n == assignment.number && r == rule);
    let begin = if on_any_text(rules) { assignment.rules.len() } else { 0 };
    let order = (0..rules.len()).filter_map(|n| rules.get((begin + n) % rules.len()));
    let fresh = order.clone().find(|mutation| !on_field(&told(mutation.rule)));
    let mutation = fresh.or_else(|| order.into_iter().next()).copied().unwrap_or(&SPECIAL);
    let valid = javascript(&assignment.valid);
    let code = format!("function* generate() {{\n  const v = {valid};{}}}", mutation.body);
    json!({ "rule": told(mutation.rule), "generator": code }).to_string()
}

/// A rule as prompts repeat it.
fn told(rule: &str) -> String {
    let count = rule.chars().count();
    let head: String = rule.chars().take(120).collect();
    if count > 120 { format!("{head}… ({count} characters)") } else { head }
}

/// They take turns only if no rule is made for this kind of field.
fn on_any_text(rules: &[&Mutation]) -> bool {
    std::ptr::eq(rules, TEXT)
}

fn rules(assignment: &Assignment) -> &'static [&'static Mutation] {
    let valid = assignment.valid.trim();
    let digits = valid.chars().filter(char::is_ascii_digit).count();
    let all = |signs: &str| valid.chars().all(|c| c.is_ascii_digit() || signs.contains(c));
    let groups = valid.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).count();
    if assignment.field.is_password {
        PASSWORD
    } else if digits >= 3 && groups == 3 && all("-/. ") {
        DATE
    } else if digits > 0 && valid.parse::<f64>().is_ok() {
        NUMBER
    } else if digits > 0 && all("+-*/^(). ") {
        TERM
    } else {
        TEXT
    }
}

/// A string literal of JavaScript: JSON is one.
fn javascript(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules that are given one after the other for a field with this valid input.
    fn cycle(valid: &str, is_password: bool) -> Vec<String> {
        let password = if is_password { "yes" } else { "no" };
        let mut prompt = format!(
            "Field under test, 2: \"qxz\"\n  password: {password}\nOf the field under test: {}\n",
            serde_json::to_string(valid).expect("json")
        );
        let mut given = Vec::new();
        for _ in 0..4 {
            let reply: serde_json::Value = serde_json::from_str(&answer(&prompt)).expect("json");
            let rule = reply["rule"].as_str().expect("a rule").to_owned();
            assert!(reply["generator"].as_str().expect("code").contains("function* generate()"));
            prompt += &format!("Rule for field 2: {}\n", serde_json::to_string(&rule).expect("json"));
            given.push(rule);
        }
        given
    }

    #[test]
    fn another_rule_each_time_by_the_kind_of_field() {
        for (valid, is_password, first) in [
            ("Bern", false, "insert one character"),
            ("7", false, "write the same value"),
            ("72.5", false, "write the same value"),
            ("2026-05-04", false, "take days"),
            ("2*(3+4)", false, "nest brackets"),
            ("Abcdef12", true, "leave it empty"),
        ] {
            let given = cycle(valid, is_password);
            assert!(given[0].starts_with(first), "{valid}: {given:?}");
            let mut different = given.clone();
            different.sort();
            different.dedup();
            assert_eq!(different.len(), given.len(), "{given:?}");
        }
    }
}
