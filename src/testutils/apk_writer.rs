//! Writes small APKs: binary manifests, resource tables, archives. For tests.
//!
//! In: elements and attributes as they appear in a manifest. Out: the bytes that a build tool would produce, with no
//! code in them.

/// An element of a manifest.
#[derive(Clone, Debug)]
pub struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, Value)>,
    children: Vec<Element>,
}

/// A value of an attribute.
#[derive(Clone, Debug)]
pub enum Value {
    Text(String),
    Number(u32),
    Bool(bool),
    Resource(u32),
}

/// The resource that [`table`] gives a text.
pub const LABEL: u32 = 0x7f01_0000;

/// Attributes of the framework that have a number.
const NUMBERED: [(&str, u32); 9] = [
    ("label", 0x0101_0001),
    ("name", 0x0101_0003),
    ("permission", 0x0101_0006),
    ("enabled", 0x0101_000e),
    ("minSdkVersion", 0x0101_020c),
    ("versionCode", 0x0101_021b),
    ("versionName", 0x0101_021c),
    ("targetSdkVersion", 0x0101_0270),
    ("testOnly", 0x0101_0272),
];

pub fn element(name: &'static str) -> Element {
    Element { name, attributes: Vec::new(), children: Vec::new() }
}

impl Element {
    pub fn with(mut self, name: &'static str, value: Value) -> Element {
        self.attributes.push((name, value));
        self
    }

    pub fn text(self, name: &'static str, text: &str) -> Element {
        self.with(name, Value::Text(text.to_owned()))
    }

    pub fn child(mut self, child: Element) -> Element {
        self.children.push(child);
        self
    }

    /// With a filter for this action and, unless it is empty, this category.
    pub fn hearing(self, action: &str, category: &str) -> Element {
        let mut filter = element("intent-filter").child(element("action").text("name", action));
        if !category.is_empty() {
            filter = filter.child(element("category").text("name", category));
        }
        self.child(filter)
    }
}

/// A manifest of this package with one application.
pub fn manifest(package: &str, version: u32, application: Element) -> Element {
    element("manifest")
        .text("package", package)
        .with("versionCode", Value::Number(version))
        .text("versionName", &format!("{version}.0"))
        .child(
            element("uses-sdk")
                .with("minSdkVersion", Value::Number(21))
                .with("targetSdkVersion", Value::Number(33)),
        )
        .child(element("uses-permission").text("name", "android.permission.CAMERA"))
        .child(element("uses-permission").text("name", "android.permission.INTERNET"))
        .child(application)
}

/// An activity with a launcher icon.
pub fn launcher(class: &str) -> Element {
    let activity = element("activity").text("name", class);
    activity.hearing("android.intent.action.MAIN", "android.intent.category.LAUNCHER")
}

/// A signed archive with a manifest and, for [`LABEL`], a table with this text.
pub fn apk(manifest: &Element, label: Option<&str>) -> Vec<u8> {
    packed(manifest, label, &[("META-INF/CERT.RSA", b"a signature".to_vec())])
}

/// The same without a signature.
pub fn unsigned(manifest: &Element, label: Option<&str>) -> Vec<u8> {
    packed(manifest, label, &[])
}

fn packed(manifest: &Element, label: Option<&str>, signatures: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut files = vec![("AndroidManifest.xml", xml(manifest))];
    files.extend(label.map(|label| ("resources.arsc", table(label))));
    files.push(("classes.dex", b"dex\n035\0".to_vec()));
    files.extend_from_slice(signatures);
    archive(&files)
}

/// A zip of these files, the first one packed.
pub fn archive(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    use std::io::Write;
    let mut bytes = Vec::new();
    let mut zip = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (number, (name, content)) in files.iter().enumerate() {
        let packed = number == 0;
        let method =
            if packed { rawzip::CompressionMethod::DEFLATE } else { rawzip::CompressionMethod::STORE };
        let (mut entry, config) =
            zip.new_file(name).compression_method(method).start().expect("an entry begins");
        let descriptor = if packed {
            let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::fast());
            let mut writer = config.wrap(encoder);
            writer.write_all(content).expect("written");
            let (encoder, descriptor) = writer.finish().expect("checked");
            encoder.finish().expect("packed");
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(content).expect("written");
            writer.finish().expect("checked").1
        };
        entry.finish(descriptor).expect("an entry ends");
    }
    zip.finish().expect("an archive");
    bytes
}

/// A manifest in its binary form.
pub fn xml(root: &Element) -> Vec<u8> {
    // Names with numbers come first, in the order of the resource map.
    let mut strings: Vec<String> = NUMBERED.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut events = Vec::new();
    write(root, &mut strings, &mut events);
    let map: Vec<u8> = NUMBERED.iter().flat_map(|(_, id)| id.to_le_bytes()).collect();
    let body = [pool(&strings, false), chunk(0x0180, &[], &map), events].concat();
    chunk(0x0003, &[], &body)
}

fn write(element: &Element, strings: &mut Vec<String>, events: &mut Vec<u8>) {
    const NONE: u32 = u32::MAX;
    let name = number_of(strings, element.name);
    let line = [1_u32.to_le_bytes(), NONE.to_le_bytes()].concat();
    let mut body = Vec::new();
    for word in [NONE, name] {
        body.extend(word.to_le_bytes());
    }
    let count = u16::try_from(element.attributes.len()).expect("few attributes");
    for half in [20_u16, 20, count, 0, 0, 0] {
        body.extend(half.to_le_bytes());
    }
    for (name, value) in &element.attributes {
        let name = number_of(strings, name);
        let (kind, data) = match value {
            Value::Text(text) => (0x03_u8, number_of(strings, text)),
            Value::Number(number) => (0x10, *number),
            Value::Bool(on) => (0x12, if *on { u32::MAX } else { 0 }),
            Value::Resource(id) => (0x01, *id),
        };
        let raw = if kind == 0x03 { data } else { NONE };
        for word in [NONE, name, raw] {
            body.extend(word.to_le_bytes());
        }
        body.extend([8, 0, 0, kind]);
        body.extend(data.to_le_bytes());
    }
    events.extend(chunk(0x0102, &line, &body));
    for child in &element.children {
        write(child, strings, events);
    }
    let end: Vec<u8> = [NONE, name].into_iter().flat_map(u32::to_le_bytes).collect();
    events.extend(chunk(0x0103, &line, &end));
}

fn number_of(strings: &mut Vec<String>, text: &str) -> u32 {
    let at = strings.iter().position(|known| known == text).unwrap_or_else(|| {
        strings.push(text.to_owned());
        strings.len() - 1
    });
    u32::try_from(at).expect("few strings")
}

/// A resource table in which [`LABEL`] refers to a text.
pub fn table(label: &str) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let entry = |kind: u8, data: u32| [words(&[8, 0]), vec![8, 0, 0, kind], words(&[data])].concat();
    let kind = |language: &[u8; 2], entries: [Vec<u8>; 2]| {
        let offsets = words(&[0, 16]);
        let mut config = vec![0; 32];
        config[..4].copy_from_slice(&32_u32.to_le_bytes());
        config[8..10].copy_from_slice(language);
        let header = [words(&[1, 2, 8 + 12 + 32 + 8]), config].concat();
        chunk(0x0201, &header, &[offsets, entries.concat()].concat())
    };
    // The label is a reference to the second entry; German comes first.
    let german = kind(b"de", [entry(1, LABEL + 1), entry(3, 1)]);
    let default = kind(&[0, 0], [entry(1, LABEL + 1), entry(3, 0)]);
    let names = pool(&["string".to_owned()], true);
    let header = [words(&[0x7f]), vec![0; 256], words(&[0, 0, 0, 0, 0])].concat();
    let package = chunk(0x0200, &header, &[names, german, default].concat());
    let strings = pool(&[label.to_owned(), "Deutsch".to_owned()], true);
    chunk(0x0002, &words(&[1]), &[strings, package].concat())
}

fn pool(strings: &[String], utf8: bool) -> Vec<u8> {
    let (mut offsets, mut data) = (Vec::new(), Vec::new());
    for text in strings {
        offsets.extend(u32::try_from(data.len()).expect("short").to_le_bytes());
        if utf8 {
            for length in [text.chars().count(), text.len()] {
                data.push(u8::try_from(length).ok().filter(|length| *length < 0x80).expect("short"));
            }
            data.extend(text.bytes().chain([0]));
        } else {
            let units: Vec<u16> = text.encode_utf16().collect();
            data.extend(u16::try_from(units.len()).expect("short").to_le_bytes());
            data.extend(units.iter().chain(&[0]).flat_map(|unit| unit.to_le_bytes()));
        }
    }
    while data.len() % 4 != 0 {
        data.push(0);
    }
    let count = u32::try_from(strings.len()).expect("few");
    let start = 28 + 4 * count;
    let flags = if utf8 { 1 << 8 } else { 0 };
    let header: Vec<u8> = [count, 0, flags, start, 0].into_iter().flat_map(u32::to_le_bytes).collect();
    chunk(0x0001, &header, &[offsets, data].concat())
}

/// A chunk with this content after the first eight bytes of its header.
fn chunk(kind: u16, header: &[u8], body: &[u8]) -> Vec<u8> {
    let head = 8 + header.len();
    let size = u32::try_from(head + body.len()).expect("short");
    let head = u16::try_from(head).expect("short");
    [&kind.to_le_bytes()[..], &head.to_le_bytes(), &size.to_le_bytes(), header, body].concat()
}
