//! `AndroidManifest.xml` in its binary form.

use super::chunk::{
    Chunk, END_ELEMENT, REFERENCE, RESOURCE_MAP, START_ELEMENT, STRING, XML, place_at, u8_at, u16_at, u32_at,
};
use super::string_pool::StringPool;
use super::{Apk, ApkFault};

/// How deeply elements may be nested.
const MAX_DEPTH: usize = 64;
const MAX_ELEMENTS: usize = 50_000;
const MAX_ATTRIBUTES: usize = 200;
/// The most activities, permissions or services of an app.
const MAX_DECLARED: usize = 2_000;
/// The minimum number of bytes of an attribute.
const ATTRIBUTE: usize = 20;
/// The longest name Android takes.
const MAX_NAME: usize = 255;

/// Attributes of the framework, by their numbers: that is what tools that shorten names leave.
const ATTRIBUTES: [(u32, &str); 9] = [
    (0x0101_0001, "label"),
    (0x0101_0003, "name"),
    (0x0101_0006, "permission"),
    (0x0101_000e, "enabled"),
    (0x0101_020c, "minSdkVersion"),
    (0x0101_021b, "versionCode"),
    (0x0101_021c, "versionName"),
    (0x0101_0270, "targetSdkVersion"),
    (0x0101_0272, "testOnly"),
];

/// The name by which the app says people should call it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum ManifestLabel {
    #[default]
    None,
    Text(String),
    /// A resource's number.
    Resource(u32),
}

/// Reads a manifest; the label may be in the resource table.
pub(super) fn read(bytes: &[u8]) -> Result<(Apk, ManifestLabel), ApkFault> {
    let (xml, _) = Chunk::first(bytes).ok_or(ApkFault::Malformed("it is no binary XML"))?;
    if xml.kind != XML {
        return Err(ApkFault::Malformed("it is no binary XML"));
    }
    let mut reading = ManifestReading::default();
    let (mut strings, mut map): (Option<StringPool<'_>>, &[u8]) = (None, &[]);
    for (number, chunk) in xml.inner().enumerate() {
        if number > MAX_ELEMENTS {
            return Err(ApkFault::Malformed("it has too many elements"));
        }
        match chunk.kind {
            RESOURCE_MAP => map = chunk.body,
            START_ELEMENT => {
                let strings = strings.as_ref().ok_or(ApkFault::Malformed("its strings are missing"))?;
                let element =
                    Element::of(chunk, strings, map).ok_or(ApkFault::Malformed("an element is broken"))?;
                reading.start(element)?;
            }
            END_ELEMENT => reading.end(),
            _ => strings = strings.or_else(|| StringPool::of(chunk)),
        }
    }
    reading.finish()
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Text(String),
    Resource(u32),
    Number(u32),
}

/// The start of an element.
struct Element {
    name: String,
    attributes: Vec<(String, Value)>,
}

impl Element {
    fn of(chunk: Chunk<'_>, strings: &StringPool<'_>, map: &[u8]) -> Option<Element> {
        let body = chunk.body;
        let name = strings.get(u32_at(body, 4)?)?;
        let (start, size) = (usize::from(u16_at(body, 8)?), usize::from(u16_at(body, 10)?));
        let count = usize::from(u16_at(body, 12)?);
        if count > 0 && size < ATTRIBUTE {
            return None;
        }
        let mut attributes = Vec::new();
        for number in 0..count.min(MAX_ATTRIBUTES) {
            let at = start.checked_add(number.checked_mul(size)?)?;
            attributes.extend(attribute(body.get(at..)?, strings, map));
        }
        Some(Element { name, attributes })
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    fn text(&self, name: &str) -> Option<&str> {
        match self.value(name)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Zero when it is absent.
    fn number(&self, name: &str) -> u32 {
        match self.value(name) {
            Some(Value::Number(number)) => *number,
            Some(Value::Text(text)) => text.parse().unwrap_or(0),
            _ => 0,
        }
    }

    fn is(&self, name: &str, default: bool) -> bool {
        match self.value(name) {
            Some(Value::Number(number)) => *number != 0,
            Some(Value::Text(text)) => text == "true",
            _ => default,
        }
    }
}

/// Its name and value; `None` for one that has no name.
fn attribute(bytes: &[u8], strings: &StringPool<'_>, map: &[u8]) -> Option<(String, Value)> {
    let number = place_at(bytes, 4)?;
    let id = number.checked_mul(4).and_then(|at| u32_at(map, at));
    let known = ATTRIBUTES.iter().find(|(known, _)| Some(*known) == id);
    let name = match known {
        Some((_, name)) => (*name).to_owned(),
        None => strings.get(u32_at(bytes, 4)?)?,
    };
    let data = u32_at(bytes, 16)?;
    let value = match u8_at(bytes, 15)? {
        STRING => Value::Text(strings.get(data).or_else(|| strings.get(u32_at(bytes, 8)?))?),
        REFERENCE => Value::Resource(data),
        _ => Value::Number(data),
    };
    Some((name, value))
}

/// A part of the app that is implemented by a class.
#[derive(Default)]
struct DeclaredComponent {
    class: String,
    enabled: bool,
    permission: String,
    /// The actions and categories of all its filters that have both, filter by filter.
    filters: Vec<(Vec<String>, Vec<String>)>,
}

impl DeclaredComponent {
    fn hears(&self, action: &str) -> bool {
        self.filters.iter().any(|(actions, _)| actions.iter().any(|known| known == action))
    }

    fn has_icon(&self) -> bool {
        let has = |names: &[String], wanted: &str| names.iter().any(|name| name == wanted);
        self.enabled
            && self.filters.iter().any(|(actions, categories)| {
                has(actions, "android.intent.action.MAIN")
                    && has(categories, "android.intent.category.LAUNCHER")
            })
    }
}

/// What is read so far.
#[derive(Default)]
struct ManifestReading {
    apk: Apk,
    label: ManifestLabel,
    path: Vec<String>,
    component: DeclaredComponent,
}

impl ManifestReading {
    fn start(&mut self, element: Element) -> Result<(), ApkFault> {
        if self.path.len() >= MAX_DEPTH {
            return Err(ApkFault::Malformed("its elements lie too deep in each other"));
        }
        let above: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match (above.as_slice(), element.name.as_str()) {
            ([], "manifest") => self.manifest(&element)?,
            (["manifest"], "uses-sdk") => {
                self.apk.min_sdk = element.number("minSdkVersion");
                self.apk.target_sdk = element.number("targetSdkVersion");
            }
            (["manifest"], "uses-permission" | "uses-permission-sdk-23") => {
                let name = element.text("name").filter(|name| is_name(name));
                push(&mut self.apk.permissions, name.map(str::to_owned))?;
            }
            (["manifest"], "application") => {
                self.apk.test_only = element.is("testOnly", false);
                self.label = match element.value("label") {
                    Some(Value::Text(text)) => ManifestLabel::Text(text.clone()),
                    Some(Value::Resource(id)) => ManifestLabel::Resource(*id),
                    _ => ManifestLabel::None,
                };
            }
            (["manifest", "application"], "activity" | "activity-alias" | "service") => {
                self.component = self.component(&element)?;
            }
            (["manifest", "application", _], "intent-filter") => {
                if self.component.filters.len() >= MAX_DECLARED {
                    return Err(ApkFault::Malformed("it declares too much"));
                }
                self.component.filters.push(Default::default());
            }
            (["manifest", "application", _, "intent-filter"], kind @ ("action" | "category")) => {
                if let (Some(name), Some((actions, categories))) =
                    (element.text("name"), self.component.filters.last_mut())
                {
                    let names = if kind == "action" { actions } else { categories };
                    push(names, Some(name.to_owned()))?;
                }
            }
            _ => {}
        }
        self.path.push(element.name);
        Ok(())
    }

    fn manifest(&mut self, element: &Element) -> Result<(), ApkFault> {
        let package = element.text("package").unwrap_or_default();
        if !is_name(package) || !package.contains('.') {
            return Err(ApkFault::PackageName(package.chars().take(MAX_NAME).collect()));
        }
        self.apk.package = package.to_owned();
        self.apk.version_code = element.number("versionCode");
        self.apk.version_name = super::shown(element.text("versionName").unwrap_or_default());
        self.apk.split = super::shown(element.text("split").unwrap_or_default());
        Ok(())
    }

    fn component(&self, element: &Element) -> Result<DeclaredComponent, ApkFault> {
        let name = element.text("name").unwrap_or_default();
        let class = match name {
            _ if name.starts_with('.') => format!("{}{name}", self.apk.package),
            _ if name.contains('.') => name.to_owned(),
            _ => format!("{}.{name}", self.apk.package),
        };
        if !is_name(&class) {
            return Err(ApkFault::Malformed("a component's name is no name of a class"));
        }
        let permission = element.text("permission").unwrap_or_default().to_owned();
        Ok(DeclaredComponent { class, enabled: element.is("enabled", true), permission, filters: Vec::new() })
    }

    fn end(&mut self) {
        let Some(name) = self.path.pop() else { return };
        if self.path != ["manifest", "application"] {
            return;
        }
        let component = std::mem::take(&mut self.component);
        let list = match name.as_str() {
            "activity" | "activity-alias" => {
                if component.has_icon() && self.apk.launcher.is_none() {
                    self.apk.launcher = Some(component.class.clone());
                }
                &mut self.apk.activities
            }
            "service" if component.hears("android.view.InputMethod") => &mut self.apk.input_methods,
            "service"
                if component.hears("android.accessibilityservice.AccessibilityService")
                    || component.permission == "android.permission.BIND_ACCESSIBILITY_SERVICE" =>
            {
                &mut self.apk.accessibility
            }
            _ => return,
        };
        // Declarations beyond the limit are reported at the end of reading.
        if list.len() <= MAX_DECLARED && !list.contains(&component.class) {
            list.push(component.class);
        }
    }

    fn finish(self) -> Result<(Apk, ManifestLabel), ApkFault> {
        let apk = self.apk;
        if apk.package.is_empty() {
            return Err(ApkFault::Malformed("it has no manifest element"));
        }
        let lists = [&apk.activities, &apk.permissions, &apk.input_methods, &apk.accessibility];
        if lists.iter().any(|list| list.len() > MAX_DECLARED) {
            return Err(ApkFault::Malformed("it declares too much"));
        }
        Ok((apk, self.label))
    }
}

fn push(list: &mut Vec<String>, name: Option<String>) -> Result<(), ApkFault> {
    if list.len() >= MAX_DECLARED {
        return Err(ApkFault::Malformed("it declares too much"));
    }
    list.extend(name.filter(|name| name.len() <= MAX_NAME && !list.contains(name)));
    Ok(())
}

/// Letters, digits, `_` and `$`, in parts separated by dots, none of which begins with a digit.
fn is_name(name: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
    };
    name.len() <= MAX_NAME && name.split('.').all(part)
}
