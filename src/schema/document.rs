//! A schema as a file in `docs/`.

use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

/// The widest line that is written.
const WIDTH: usize = 120;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

/// A schema in the making.
pub struct Document {
    /// `$schema`, `title` and `description`, which come first.
    head: Map<String, Value>,
    generator: SchemaGenerator,
}

/// What schemas of printed values have in common, whatever their types.
#[derive(Clone)]
struct Printed;

impl Document {
    /// A schema with this title.
    pub fn new(title: &str) -> Self {
        let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(Printed);
        let head = Map::from_iter([
            ("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into()),
            ("title".to_owned(), title.into()),
        ]);
        Self { head, generator: settings.into_generator() }
    }

    /// With a description in place of that of its type.
    #[must_use]
    pub fn described(mut self, description: &str) -> Self {
        self.head.insert("description".to_owned(), description.into());
        self
    }

    /// With this type among its definitions, by the name that the type has.
    #[must_use]
    pub fn with<T: JsonSchema>(mut self) -> Self {
        self.generator.subschema_for::<T>();
        self
    }

    /// The schema of this type.
    #[must_use]
    pub fn of<T: JsonSchema>(mut self) -> Value {
        let root = Value::from(self.generator.root_schema_for::<T>());
        let members = root.as_object().into_iter().flatten();
        for (key, value) in members {
            self.head.entry(key).or_insert_with(|| value.clone());
        }
        self.head.into()
    }

    /// The schema with its definitions alone.
    #[must_use]
    pub fn definitions(mut self) -> Value {
        let definitions = self.generator.take_definitions(true);
        self.head.insert("$defs".to_owned(), definitions.into());
        self.head.into()
    }

    /// Checks that a file in `docs/` is this schema; writes it anew when `DROIDMUX_WRITE_DOCS` is set.
    ///
    /// # Panics
    /// When the file is out of date; the message says how it is written anew by the tests of this package.
    pub fn keep(file: &str, schema: &Value, package: &str) {
        let path = Path::new(DOCS).join(file);
        let text = written(schema, 0, 0) + "\n";
        if std::env::var_os("DROIDMUX_WRITE_DOCS").is_some() {
            std::fs::write(&path, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        let documented = std::fs::read_to_string(&path).unwrap_or_default();
        let hint =
            format!("run `DROIDMUX_WRITE_DOCS=1 cargo test -p {package} the_documentation_is_current`");
        assert!(documented == text, "docs/{file} is out of date: {hint}");
    }
}

impl Transform for Printed {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        if let Some(Value::String(description)) = schema.get_mut("description") {
            // Doc comments speak Rust.
            *description = description.replace('\n', " ").replace("`None`", "null");
        }
        if is(schema, "integer") || is(schema, "number") {
            // The width of the type, which JSON does not have.
            schema.remove("format");
        }
        if is(schema, "object") && schema.get("properties").is_some() {
            let object = schema.ensure_object();
            object.entry("additionalProperties").or_insert(false.into());
        }
    }
}

/// JSON for people: what fits into one line is on one line. So much of the line is used before and after it.
fn written(value: &Value, indent: usize, used: usize) -> String {
    let flat = flat(value);
    if indent + used + flat.len() <= WIDTH {
        return flat;
    }
    let inner = indent + 2;
    let (open, members, close) = match value {
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                let key = format!("{key:?}: ");
                let value = written(value, inner, key.len() + 1);
                key + &value
            };
            ('{', members.iter().map(member).collect::<Vec<_>>(), '}')
        }
        Value::Array(items) => ('[', items.iter().map(|item| written(item, inner, 1)).collect(), ']'),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return flat,
    };
    let separator = format!(",\n{:inner$}", "");
    format!("{open}\n{:inner$}{}\n{:indent$}{close}", "", members.join(&separator), "")
}

/// JSON on one line.
fn flat(value: &Value) -> String {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let members = members.iter().map(|(key, value)| format!("{key:?}: {}", flat(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flat).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// Whether values of this type keep to the schema.
fn is(schema: &Schema, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
        _ => false,
    }
}
