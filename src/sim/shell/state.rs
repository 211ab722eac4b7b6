//! What a shell knows, and what a sub-shell gets a copy of: variables, functions, arguments, options,
//! traps.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::arith::Names;
use super::syntax::Script;
use super::trap::Signal;

/// Most variables, functions and arguments, and all their bytes together.
const MAX_NAMES: usize = 10_000;
const MAX_BYTES: usize = 4 << 20;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Variable {
    /// `None` when it was only marked.
    pub(super) value: Option<String>,
    pub(super) exported: bool,
    pub(super) readonly: bool,
}

/// The letters of `set`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// `-e`
    pub(super) errexit: bool,
    /// `-u`
    pub(super) nounset: bool,
    /// `-x`
    pub(super) xtrace: bool,
    /// `-f`
    pub(super) noglob: bool,
    /// `-a`
    pub(super) allexport: bool,
    pub(super) pipefail: bool,
}

impl Options {
    /// The option for a letter.
    pub(super) fn letter(&mut self, letter: char) -> Option<&mut bool> {
        Some(match letter {
            'a' => &mut self.allexport,
            'e' => &mut self.errexit,
            'f' => &mut self.noglob,
            'u' => &mut self.nounset,
            'x' => &mut self.xtrace,
            _ => return None,
        })
    }

    /// The option for a name, as `set -o` takes it.
    pub(super) fn named(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "allexport" => self.letter('a'),
            "errexit" => self.letter('e'),
            "noglob" => self.letter('f'),
            "nounset" => self.letter('u'),
            "xtrace" => self.letter('x'),
            "pipefail" => Some(&mut self.pipefail),
            _ => None,
        }
    }

    /// `$-`.
    pub(super) fn letters(&self) -> String {
        let mut options = *self;
        "aefux".chars().filter(|letter| options.letter(*letter).is_some_and(|on| *on)).collect()
    }
}

/// See the module's description.
#[derive(Clone, Debug)]
pub(super) struct State {
    variables: Arc<BTreeMap<String, Variable>>,
    bytes: usize,
    pub(super) functions: Arc<BTreeMap<String, Arc<Script>>>,
    /// `$0`.
    pub(super) name: String,
    pub(super) arguments: Arc<Vec<String>>,
    pub(super) options: Options,
    pub(super) traps: BTreeMap<Signal, String>,
    /// What `local` hides, a list for each function that runs.
    pub(super) hidden: Vec<Vec<(String, Option<Variable>)>>,
    /// How many loops run around the present command, within this function.
    pub(super) loops: u32,
    /// `$!`.
    pub(super) background: Option<u32>,
}

impl State {
    /// A shell as `adbd` starts it.
    pub(super) fn new() -> Self {
        let exported = [
            ("ANDROID_DATA", "/data"),
            ("ANDROID_ROOT", "/system"),
            ("EXTERNAL_STORAGE", "/sdcard"),
            ("HOME", "/"),
            ("HOSTNAME", "sim"),
            ("PATH", "/product/bin:/system/bin:/system/xbin:/vendor/bin"),
            ("SHELL", "/bin/sh"),
            ("TMPDIR", "/data/local/tmp"),
            ("USER", "shell"),
        ];
        let plain =
            [("IFS", " \t\n"), ("OPTIND", "1"), ("PPID", "400"), ("PS1", "$ "), ("PS4", "+ "), ("PWD", "/")];
        let variable = |(name, value): (&str, &str), exported| {
            (name.to_owned(), Variable { value: Some(value.to_owned()), exported, readonly: false })
        };
        let all = exported.into_iter().map(|pair| variable(pair, true));
        let all = all.chain(plain.into_iter().map(|pair| variable(pair, false)));
        State::with(all.collect())
    }

    fn with(variables: BTreeMap<String, Variable>) -> Self {
        State {
            bytes: 0,
            variables: Arc::new(variables),
            functions: Arc::default(),
            name: "/system/bin/sh".to_owned(),
            arguments: Arc::default(),
            options: Options::default(),
            traps: BTreeMap::new(),
            hidden: Vec::new(),
            loops: 0,
            background: None,
        }
    }

    /// What a program started by this shell inherits from it, if that program is a shell, too.
    pub(super) fn child(&self) -> Self {
        let mut fresh = State::new();
        let mut variables = (*fresh.variables).clone();
        variables.retain(|_, variable| !variable.exported);
        let passed = self.variables.iter().filter(|(_, variable)| variable.exported);
        variables.extend(
            passed.map(|(name, variable)| (name.clone(), Variable { readonly: false, ..variable.clone() })),
        );
        if let Some(cwd) = self.variables.get("PWD") {
            variables.insert("PWD".to_owned(), cwd.clone());
        }
        fresh.bytes = self.bytes;
        fresh.variables = Arc::new(variables);
        fresh.traps =
            self.traps.iter().filter(|(_, action)| action.is_empty()).map(|(s, a)| (*s, a.clone())).collect();
        fresh
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name)?.value.as_deref()
    }

    pub(super) fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.get(name)
    }

    /// All variables, by name.
    pub(super) fn variables(&self) -> &BTreeMap<String, Variable> {
        &self.variables
    }

    /// The working directory.
    pub(super) fn cwd(&self) -> &str {
        self.get("PWD").unwrap_or("/")
    }

    /// What programs see.
    pub(super) fn exported(&self) -> BTreeMap<String, String> {
        let exported = self.variables.iter().filter(|(_, variable)| variable.exported);
        exported.filter_map(|(name, variable)| Some((name.clone(), variable.value.clone()?))).collect()
    }

    /// # Errors
    /// The variable may not be changed, or there are too many.
    pub(super) fn set(&mut self, name: &str, value: String) -> Result<(), String> {
        self.change(name, |variable| variable.value = Some(value))
    }

    /// # Errors
    /// The variable may not be changed, or there are too many.
    pub(super) fn change(&mut self, name: &str, change: impl FnOnce(&mut Variable)) -> Result<(), String> {
        let before = self.variables.get(name);
        if before.is_some_and(|variable| variable.readonly) {
            return Err(format!("read-only: {name}"));
        }
        if before.is_none() && self.variables.len() >= MAX_NAMES {
            return Err("out of memory".to_owned());
        }
        let size = |variable: &Variable| variable.value.as_ref().map_or(0, String::len);
        let old = before.map_or(0, size);
        let variable = Arc::make_mut(&mut self.variables).entry(name.to_owned()).or_default();
        change(variable);
        variable.exported |= self.options.allexport;
        self.bytes = self.bytes.saturating_sub(old) + size(variable);
        if self.bytes > MAX_BYTES {
            variable.value = None;
            self.bytes = self.bytes.saturating_sub(MAX_BYTES);
            return Err("out of memory".to_owned());
        }
        Ok(())
    }

    /// Exports a variable or makes it read-only.
    ///
    /// # Errors
    /// There are too many.
    pub(super) fn mark(&mut self, name: &str, exported: bool, readonly: bool) -> Result<(), String> {
        if self.variables.len() >= MAX_NAMES {
            return Err("out of memory".to_owned());
        }
        let variable = Arc::make_mut(&mut self.variables).entry(name.to_owned()).or_default();
        variable.exported |= exported;
        variable.readonly |= readonly;
        Ok(())
    }

    /// # Errors
    /// The variable may not be changed.
    pub(super) fn unset(&mut self, name: &str) -> Result<(), String> {
        self.restore(name, None)
    }

    /// Puts back what was there.
    ///
    /// # Errors
    /// The variable may not be changed.
    pub(super) fn restore(&mut self, name: &str, before: Option<Variable>) -> Result<(), String> {
        if self.variables.get(name).is_some_and(|variable| variable.readonly) {
            return Err(format!("read-only: {name}"));
        }
        let size = |variable: &Variable| variable.value.as_ref().map_or(0, String::len);
        let added = before.as_ref().map_or(0, size);
        let variables = Arc::make_mut(&mut self.variables);
        let old = match before {
            Some(before) => variables.insert(name.to_owned(), before),
            None => variables.remove(name),
        };
        self.bytes = self.bytes.saturating_sub(old.as_ref().map_or(0, size)) + added;
        Ok(())
    }

    /// # Errors
    /// There are too many functions.
    pub(super) fn define(&mut self, name: &str, body: Arc<Script>) -> Result<(), String> {
        if self.functions.len() >= MAX_NAMES {
            return Err("out of memory".to_owned());
        }
        Arc::make_mut(&mut self.functions).insert(name.to_owned(), body);
        Ok(())
    }
}

impl Names for State {
    fn get(&self, name: &str) -> String {
        State::get(self, name).unwrap_or_default().to_owned()
    }

    fn set(&mut self, name: &str, value: i32) -> Result<(), String> {
        State::set(self, name, value.to_string())
    }
}
