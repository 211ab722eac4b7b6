//! `package/class` as the system prints it.

/// An activity: its package and its full class name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Component {
    pub package: String,
    pub class: String,
}

impl Component {
    /// Reads `pkg/.Act` or `pkg/full.Act`; whatever follows (`,`, `}`, `:`) is dropped.
    pub fn read(word: &str) -> Option<Self> {
        let (package, class) = word.split_once('/')?;
        let name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '-' | '*');
        let class: String = class.chars().take_while(|&c| name(c)).collect();
        if package.is_empty() || class.is_empty() || !package.chars().all(name) {
            return None;
        }
        let class = if class.starts_with('.') { format!("{package}{class}") } else { class };
        Some(Self { package: package.to_owned(), class })
    }
}

impl std::fmt::Display for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.package, self.class)
    }
}
