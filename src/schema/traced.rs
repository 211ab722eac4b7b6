//! The schema of a type that is read as it is written, from its `Deserialize`.
//!
//! A value is read from a deserialiser that invents it: whatever the type asks for is noted and given. Enums are known
//! by the names of their variants, so that the first suffices.

use schemars::{Schema, SchemaGenerator};
use serde::de::value::{Error, StrDeserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use serde_json::{Map, Value, json};

/// The schema of a type: of a number, a text, an enum without data, or lists, options and structs of those.
///
/// # Panics
/// When the type is another.
pub fn traced<T: DeserializeOwned>(_: &mut SchemaGenerator) -> Schema {
    let mut schema = Value::Null;
    T::deserialize(Tracer { schema: &mut schema })
        .unwrap_or_else(|error| panic!("{}: {error}", std::any::type_name::<T>()));
    Schema::try_from(schema).unwrap_or_else(|error| panic!("{}: {error}", std::any::type_name::<T>()))
}

/// The same, or null.
///
/// # Panics
/// When the type is another than [`traced`] knows.
pub fn traced_or_null<T: DeserializeOwned>(generator: &mut SchemaGenerator) -> Schema {
    traced::<Option<T>>(generator)
}

/// Notes what is asked for.
struct Tracer<'a> {
    schema: &'a mut Value,
}

impl Tracer<'_> {
    fn is(self, schema: Value) {
        *self.schema = schema;
    }
}

/// Numbers: the visitor gets 0, whatever the type.
macro_rules! numbers {
    ($($name:ident $visit:ident $schema:tt)*) => {
        $(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.is(json!($schema));
            visitor.$visit(Default::default())
        })*
    };
}

impl<'de> de::Deserializer<'de> for Tracer<'_> {
    type Error = Error;

    numbers! {
        deserialize_bool visit_bool { "type": "boolean" }
        deserialize_u8 visit_u8 { "type": "integer", "minimum": 0 }
        deserialize_u16 visit_u16 { "type": "integer", "minimum": 0 }
        deserialize_u32 visit_u32 { "type": "integer", "minimum": 0 }
        deserialize_u64 visit_u64 { "type": "integer", "minimum": 0 }
        deserialize_i8 visit_i8 { "type": "integer" }
        deserialize_i16 visit_i16 { "type": "integer" }
        deserialize_i32 visit_i32 { "type": "integer" }
        deserialize_i64 visit_i64 { "type": "integer" }
        deserialize_f32 visit_f32 { "type": "number" }
        deserialize_f64 visit_f64 { "type": "number" }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.is(json!({ "type": "string" }));
        visitor.visit_str("")
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut inner = Value::Null;
        let value = visitor.visit_some(Tracer { schema: &mut inner })?;
        self.is(or_null(inner));
        Ok(value)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut items = Vec::new();
        let value = visitor.visit_seq(Items { left: 1, items: &mut items })?;
        self.is(json!({ "type": "array", "items": items.first() }));
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        let mut items = Vec::new();
        let value = visitor.visit_seq(Items { left: length, items: &mut items })?;
        self.is(json!({ "type": "array", "prefixItems": items, "minItems": length, "maxItems": length }));
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let mut properties = Map::new();
        let value = visitor.visit_map(Fields { left: fields, next: "", properties: &mut properties })?;
        self.is(json!({
            "type": "object",
            "properties": properties,
            "required": fields,
            "additionalProperties": false,
        }));
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let first = variants.first().ok_or_else(|| Error::custom("an enum without variants"))?;
        self.is(json!({ "type": "string", "enum": variants }));
        visitor.visit_enum(Variant(first))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("not a number, a text, an enum, or lists, options and structs of those"))
    }

    serde::forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct tuple_struct map identifier ignored_any
    }
}

/// A schema that null keeps to, too.
fn or_null(mut schema: Value) -> Value {
    if let Some(kind @ Value::String(_)) = schema.get_mut("type") {
        *kind = json!([kind, "null"]);
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
    schema
}

/// The items of a list or a tuple.
struct Items<'a> {
    left: usize,
    items: &'a mut Vec<Value>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let mut schema = Value::Null;
        let value = seed.deserialize(Tracer { schema: &mut schema })?;
        self.items.push(schema);
        Ok(Some(value))
    }
}

/// The fields of a struct.
struct Fields<'a> {
    left: &'static [&'static str],
    next: &'static str,
    properties: &'a mut Map<String, Value>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((next, left)) = self.left.split_first() else { return Ok(None) };
        (self.next, self.left) = (next, left);
        seed.deserialize(StrDeserializer::new(next)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let mut schema = Value::Null;
        let value = seed.deserialize(Tracer { schema: &mut schema })?;
        self.properties.insert(self.next.to_owned(), schema);
        Ok(value)
    }
}

/// A variant without data.
struct Variant(&'static str);

impl<'de> EnumAccess<'de> for Variant {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        Ok((seed.deserialize(StrDeserializer::new(self.0))?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Error> {
        Err(with_data(self.0))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(with_data(self.0))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Error> {
        Err(with_data(self.0))
    }
}

fn with_data(variant: &str) -> Error {
    Error::custom(format!("{variant} has data, and so may other variants"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[allow(dead_code, reason = "only its schema is wanted")]
    enum Tier {
        Reported,
        NotSoSure,
    }

    #[derive(serde::Deserialize)]
    #[allow(dead_code, reason = "only its schema is wanted")]
    struct Seen {
        tier: Option<Tier>,
        #[serde(rename = "of")]
        counts: Vec<u16>,
        pair: (String, f32),
        note: Option<String>,
    }

    #[test]
    fn a_struct_is_told_by_what_it_asks_for() {
        let expected = json!({
            "type": "object",
            "properties": {
                "tier": { "type": ["string", "null"], "enum": ["reported", "not-so-sure", null] },
                "of": { "type": "array", "items": { "type": "integer", "minimum": 0 } },
                "pair": {
                    "type": "array",
                    "prefixItems": [{ "type": "string" }, { "type": "number" }],
                    "minItems": 2,
                    "maxItems": 2,
                },
                "note": { "type": ["string", "null"] },
            },
            "required": ["tier", "of", "pair", "note"],
            "additionalProperties": false,
        });
        assert_eq!(Value::from(traced::<Seen>(&mut SchemaGenerator::default())), expected);
    }

    #[test]
    #[should_panic(expected = "not a number")]
    fn what_cannot_be_told_is_said() {
        traced::<Value>(&mut SchemaGenerator::default());
    }
}
