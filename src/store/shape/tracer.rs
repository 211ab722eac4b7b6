//! The shape of a type as it is encoded, derived from its `Deserialize`: the names of fields and variants in order, and
//! the types in them.
//!
//! In: a type. Out: lines of text, one per type, that change whenever its postcard encoding does, and when something in
//! it is renamed. Types are walked by deserialising them again and again, each time with other variants of their enums,
//! until all variants have been met.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use serde::de::value::{Error, U32Deserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

/// The most walks; the store's types need about a hundred.
const WALKS: u32 = 20_000;
/// How deeply types may be nested.
const DEPTH: usize = 100;

/// The shape of a type.
pub(super) fn shape_of<T: DeserializeOwned>() -> String {
    let mut tracer = Tracer::default();
    let mut root = String::new();
    for _ in 0..WALKS {
        root.clear();
        let walk = Walk { tracer: &mut tracer, shape: &mut root, shallow: false };
        T::deserialize(walk).unwrap_or_else(|error| panic!("{}: {error}", std::any::type_name::<T>()));
        if tracer.is_complete() {
            return tracer.told(&root);
        }
    }
    panic!("{}: some variants are never met", std::any::type_name::<T>());
}

/// What is known of the types met so far, by name; two may have the same.
#[derive(Default)]
struct Tracer {
    structs: BTreeMap<(&'static str, &'static [&'static str]), String>,
    enums: BTreeMap<(&'static str, &'static [&'static str]), Vec<Option<String>>>,
    /// The names of the types that the walk is currently in.
    open: Vec<&'static str>,
    /// Which variant comes next after all have been met.
    turn: u64,
}

impl Tracer {
    fn is_complete(&self) -> bool {
        self.enums.values().flatten().all(Option::is_some)
    }

    fn told(&self, root: &str) -> String {
        let mut lines = BTreeSet::new();
        for ((name, _), shape) in &self.structs {
            lines.insert(format!("{name} = {shape}"));
        }
        for ((name, variants), shapes) in &self.enums {
            let told = variants.iter().zip(shapes).enumerate();
            let told =
                told.map(|(n, (variant, shape))| format!("{n} {variant}{}", shape.as_deref().unwrap_or("")));
            lines.insert(format!("{name} = {}", told.collect::<Vec<_>>().join(" | ")));
        }
        let lines: String = lines.into_iter().map(|line| line + "\n").collect();
        format!("{root}\n{lines}")
    }

    /// A variant that has not been met yet, or any.
    fn choose(&mut self, of: (&'static str, &'static [&'static str])) -> usize {
        let known = self.enums.entry(of).or_insert_with(|| vec![None; of.1.len()]);
        if let Some(unknown) = known.iter().position(Option::is_none) {
            return unknown;
        }
        // The multiplier of PCG: any will do that visits all in an irregular order.
        self.turn = self.turn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((self.turn >> 33) % known.len().max(1) as u64).unwrap_or(0)
    }
}

/// The walk through one value.
struct Walk<'a> {
    tracer: &'a mut Tracer,
    /// Receives the shape of the value.
    shape: &'a mut String,
    /// Inside a type of the same name: take the shortest way out.
    shallow: bool,
}

impl Walk<'_> {
    fn is(self, shape: impl Display) {
        *self.shape = shape.to_string();
    }

    fn inside<'a>(tracer: &'a mut Tracer, shape: &'a mut String, shallow: bool) -> Walk<'a> {
        Walk { tracer, shape, shallow }
    }

    /// Visits the parts of a value: their shapes, and what the visitor makes of them.
    fn parts<'de, V: Visitor<'de>>(
        &mut self,
        count: usize,
        visitor: V,
    ) -> Result<(Vec<String>, V::Value), Error> {
        let mut parts = Parts { tracer: self.tracer, left: count, shapes: Vec::new(), shallow: self.shallow };
        let value = visitor.visit_seq(&mut parts)?;
        Ok((parts.shapes, value))
    }

    /// Enters a type with a name.
    fn enter(&mut self, name: &'static str) -> Result<(), Error> {
        if self.tracer.open.len() > DEPTH {
            return Err(Error::custom(format!("{name} goes too deep")));
        }
        self.shallow |= self.tracer.open.contains(&name);
        self.tracer.open.push(name);
        name.clone_into(self.shape);
        Ok(())
    }

    fn know(&mut self, name: &'static str, fields: &'static [&'static str], shape: String) {
        self.tracer.open.pop();
        if !self.shallow {
            self.tracer.structs.insert((name, fields), shape);
        }
    }
}

fn tuple(shapes: &[String]) -> String {
    format!("({})", shapes.join(", "))
}

fn named(fields: &[&str], shapes: &[String]) -> String {
    let told: Vec<_> = fields.iter().zip(shapes).map(|(field, shape)| format!("{field}: {shape}")).collect();
    format!("{{ {} }}", told.join(", "))
}

macro_rules! plain {
    ($($method:ident $visit:ident $shape:literal $value:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.is($shape);
            visitor.$visit($value)
        })*
    };
}

impl<'de> de::Deserializer<'de> for Walk<'_> {
    type Error = Error;

    plain! {
        deserialize_bool visit_bool "bool" false;
        deserialize_i8 visit_i8 "i8" 0;
        deserialize_i16 visit_i16 "i16" 0;
        deserialize_i32 visit_i32 "i32" 0;
        deserialize_i64 visit_i64 "i64" 0;
        deserialize_i128 visit_i128 "i128" 0;
        deserialize_u8 visit_u8 "u8" 0;
        deserialize_u16 visit_u16 "u16" 0;
        deserialize_u32 visit_u32 "u32" 0;
        deserialize_u64 visit_u64 "u64" 0;
        deserialize_u128 visit_u128 "u128" 0;
        deserialize_f32 visit_f32 "f32" 0.0;
        deserialize_f64 visit_f64 "f64" 0.0;
        deserialize_char visit_char "char" 'a';
        deserialize_str visit_str "text" "";
        deserialize_string visit_string "text" String::new();
        deserialize_bytes visit_bytes "bytes" &[];
        deserialize_byte_buf visit_byte_buf "bytes" Vec::new();
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.is("()");
        visitor.visit_unit()
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("postcard cannot read what does not say what it is"))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.shallow {
            return visitor.visit_none();
        }
        let mut inner = String::new();
        let value = visitor.visit_some(Walk::inside(self.tracer, &mut inner, false))?;
        *self.shape = format!("{inner}?");
        Ok(value)
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let count = usize::from(!self.shallow);
        let (shapes, value) = self.parts(count, visitor)?;
        self.is(format!("[{}]", shapes.join(", ")));
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(mut self, len: usize, visitor: V) -> Result<V::Value, Error> {
        let (shapes, value) = self.parts(len, visitor)?;
        match shapes.first() {
            Some(first) if len > 3 && shapes.iter().all(|shape| shape == first) => {
                self.is(format!("[{first}; {len}]"));
            }
            _ => self.is(tuple(&shapes)),
        }
        Ok(value)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let left = 2 * usize::from(!self.shallow);
        let mut parts = Parts { tracer: self.tracer, left, shapes: Vec::new(), shallow: self.shallow };
        let value = visitor.visit_map(&mut parts)?;
        *self.shape = format!("map {}", tuple(&parts.shapes));
        Ok(value)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.enter(name)?;
        self.know(name, &[], "()".to_owned());
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.enter(name)?;
        let mut inner = String::new();
        let value = visitor.visit_newtype_struct(Walk::inside(self.tracer, &mut inner, self.shallow))?;
        self.know(name, &[], format!("({inner})"));
        Ok(value)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.enter(name)?;
        let (shapes, value) = self.parts(len, visitor)?;
        self.know(name, &[], tuple(&shapes));
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.enter(name)?;
        let (shapes, value) = self.parts(fields.len(), visitor)?;
        self.know(name, fields, named(fields, &shapes));
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.enter(name)?;
        let chosen = if self.shallow { 0 } else { self.tracer.choose((name, variants)) };
        let mut shape = String::new();
        let walk = Walk::inside(self.tracer, &mut shape, self.shallow);
        let value = visitor.visit_enum(Variant { walk, chosen })?;
        self.tracer.open.pop();
        let known = self.tracer.enums.get_mut(&(name, variants)).and_then(|known| known.get_mut(chosen));
        if let Some(known) = known.filter(|_| !self.shallow) {
            *known = Some(shape);
        }
        Ok(value)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The parts of a struct, a tuple, a list or a map.
struct Parts<'a> {
    tracer: &'a mut Tracer,
    left: usize,
    shapes: Vec<String>,
    shallow: bool,
}

impl Parts<'_> {
    fn next<'de, S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        self.left = self.left.saturating_sub(1);
        let mut shape = String::new();
        let value = seed.deserialize(Walk::inside(self.tracer, &mut shape, self.shallow))?;
        self.shapes.push(shape);
        Ok(value)
    }
}

impl<'de> SeqAccess<'de> for &mut Parts<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        if self.left == 0 { Ok(None) } else { self.next(seed).map(Some) }
    }
}

impl<'de> MapAccess<'de> for &mut Parts<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        if self.left == 0 { Ok(None) } else { self.next(seed).map(Some) }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        self.next(seed)
    }
}

struct Variant<'a> {
    walk: Walk<'a>,
    chosen: usize,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let index = u32::try_from(self.chosen).map_err(Error::custom)?;
        let index: U32Deserializer<Error> = index.into_deserializer();
        Ok((seed.deserialize(index)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        let mut inner = String::new();
        let value = seed.deserialize(Walk::inside(self.walk.tracer, &mut inner, self.walk.shallow))?;
        *self.walk.shape = format!("({inner})");
        Ok(value)
    }

    fn tuple_variant<V: Visitor<'de>>(mut self, len: usize, visitor: V) -> Result<V::Value, Error> {
        let (shapes, value) = self.walk.parts(len, visitor)?;
        self.walk.is(tuple(&shapes));
        Ok(value)
    }

    fn struct_variant<V: Visitor<'de>>(
        mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (shapes, value) = self.walk.parts(fields.len(), visitor)?;
        self.walk.is(format!(" {}", named(fields, &shapes)));
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Name(String);

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Tree {
        Leaf,
        Grown { left_side: Box<Tree>, notes: Vec<Option<Name>> },
        Pair(u8, Deep),
    }

    #[derive(Serialize, Deserialize)]
    enum Deep {
        One(f64),
        Two([u8; 16]),
    }

    #[derive(Serialize, Deserialize)]
    struct All {
        tree: Tree,
        map: BTreeMap<String, (i32, bool)>,
        nothing: (),
    }

    #[test]
    fn all_that_is_encoded_is_told() {
        let expected = "\
All
All = { tree: Tree, map: map (text, (i32, bool)), nothing: () }
Deep = 0 One(f64) | 1 Two([u8; 16])
Name = (text)
Tree = 0 leaf | 1 grown { left_side: Tree, notes: [Name?] } | 2 pair(u8, Deep)
";
        assert_eq!(shape_of::<All>(), expected);
    }
}
