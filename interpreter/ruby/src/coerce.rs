//! Implicit conversions and common protocols for natives, with MRI's error messages: to_int, to_str, to_ary, ==, eql?, hash, <=>, to_s, inspect.

mod c_types;

use crate::Symbol;
use crate::Vm;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::hash::RHash;
use crate::heap::Gc;
use crate::method::MethodBody;
use crate::string::RString;
use crate::value::{RArray, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rchef_syntax::symbol::sym;
use rchef_text::encoding::Encoding;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

impl Vm {
    /// A value in error messages: `nil`, `true`, `false`, or its class.
    pub fn describe(&self, value: &Value) -> String {
        match value {
            Value::Nil => "nil".into(),
            Value::True => "true".into(),
            Value::False => "false".into(),
            _ => self.class_name_of(value),
        }
    }
    /// What the value's class says that it is, in the texts of errors: its own `to_s`, where Ruby code defines one.
    fn class_stated(&mut self, value: &Value) -> String {
        let class = self.real_class_of(value);
        let stated = Value::Class(class);
        let meta = self.class_of(&stated);
        let own = self.find_method(meta, sym::TO_S).is_some_and(|id| self.method(id).owner != ClassId::MODULE);
        match own.then(|| self.rescue(ClassId::STANDARD_ERROR, |vm| vm.to_s_text(&stated), |_, _| Ok(String::new()))) {
            Some(Ok(text)) if !text.is_empty() => text,
            _ => self.class_name(class),
        }
    }
    #[cold]
    fn no_conversion(&mut self, value: &Value, into: &str) -> Error {
        let described = match value {
            Value::Nil | Value::True | Value::False => self.describe(value),
            _ => self.class_stated(value),
        };
        self.type_error_of(value, format!("no implicit conversion of {described} into {into}"))
    }
    #[cold]
    fn bad_conversion(&mut self, value: &Value, into: &str, method: Symbol, gave: &Value) -> Error {
        let (class, gave) = (self.class_name_of(value), self.class_name_of(gave));
        self.type_error(format!("can't convert {class} to {into} ({class}#{method} gives {gave})"))
    }

    /// Calls a conversion method if the value responds to it.
    pub fn try_convert(&mut self, value: &Value, method: Symbol) -> Res<Option<Value>> {
        if self.respond_to(value, method, true)? {
            // a redefined `respond_to?` may return true without such a method
            let class = self.class_of(value);
            if self.find_method(class, method).is_none() && self.is_native_method(class, sym::METHOD_MISSING) {
                return Ok(None);
            }
            return self.call(value, method, &[]).map(Some);
        }
        self.convert_by_method_missing(value, method)
    }
    /// A conversion through `method_missing`, unless a redefined `respond_to?` or `respond_to_missing?` has already returned false.
    fn convert_by_method_missing(&mut self, value: &Value, method: Symbol) -> Res<Option<Value>> {
        let class = self.class_of(value);
        if [sym::RESPOND_TO, sym::RESPOND_TO_MISSING]
            .iter()
            .any(|name| self.find_method(class, *name).is_some() && !self.is_native_method(class, *name))
            || self.find_method(class, sym::METHOD_MISSING).is_none()
            || self.is_native_method(class, sym::METHOD_MISSING)
        {
            return Ok(None);
        }
        // any NoMethodError means that there is no such conversion (MRI's check_funcall)
        self.rescue(ClassId::NO_METHOD_ERROR, |vm| vm.call(value, method, &[]).map(Some), |_, _| Ok(None))
    }

    /// Converts to a BigInt with `to_int`.
    pub fn to_bigint(&mut self, value: &Value) -> Res<BigInt> {
        match value {
            Value::Int(number) => Ok(BigInt::from(*number)),
            Value::Big(gc) => Ok(gc.get(self).0.clone()),
            _ => match self.to_integer(value)? {
                Value::Int(number) => Ok(BigInt::from(number)),
                Value::Big(gc) => Ok(gc.get(self).0.clone()),
                _ => Ok(BigInt::from(0)),
            },
        }
    }
    /// Converts to an Integer with `to_int`.
    pub fn to_integer(&mut self, value: &Value) -> Res {
        match value {
            Value::Int(_) | Value::Big(_) => Ok(value.clone()),
            Value::Float(number) => self.float_to_integer(number.get()),
            Value::Nil => Err(self.type_error_of(value, "no implicit conversion from nil to integer")),
            Value::True | Value::False => {
                let described = self.describe(value);
                Err(self.type_error(format!("no implicit conversion of {described} into Integer")))
            }
            _ => match self.try_convert(value, sym::TO_INT)? {
                Some(found @ (Value::Int(_) | Value::Big(_))) => Ok(found),
                Some(other) => Err(self.bad_conversion(value, "Integer", sym::TO_INT, &other)),
                None => Err(self.no_conversion(value, "Integer")),
            },
        }
    }
    /// The same, with MRI's message for nil in `rb_to_int`.
    pub fn implicit_integer(&mut self, value: &Value) -> Res {
        if value.is_nil() {
            return Err(self.type_error_of(value, "no implicit conversion of nil into Integer"));
        }
        self.to_integer(value)
    }
    /// The Range that an index stands for: itself, or that of an object which has `begin`, `end` and `exclude_end?` (MRI's rb_range_values).
    #[inline]
    pub fn as_range(&mut self, value: &Value) -> Res<Option<Value>> {
        match value {
            Value::Range(_) => Ok(Some(value.clone())),
            Value::Object(_) => self.like_range(value),
            _ => Ok(None),
        }
    }
    fn like_range(&mut self, value: &Value) -> Res<Option<Value>> {
        let mut parts = [Value::Nil, Value::Nil, Value::Nil];
        if self.is_a(value, ClassId::ARITHMETIC_SEQUENCE) {
            return Ok(None);
        }
        for (name, part) in ["begin", "end", "exclude_end?"].into_iter().zip(&mut parts) {
            let name = Symbol::intern_static(name);
            if !self.respond_to(value, name, true)? {
                return Ok(None);
            }
            *part = self.call(value, name, &[])?;
        }
        let [begin, end, exclusive] = parts;
        Ok(Some(Value::range(begin, end, exclusive.truthy())))
    }
    /// Truncates a Float to an Integer; FloatDomainError for NaN and infinities.
    pub fn float_to_integer(&mut self, number: f64) -> Res {
        if !number.is_finite() {
            let text = if number.is_nan() {
                "NaN"
            } else if number > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            };
            return Err(self.error(ClassId::FLOAT_DOMAIN_ERROR, text));
        }
        let truncated = number.trunc();
        if truncated.abs() < 9.0e18 {
            return Ok(Value::Int(truncated as i64));
        }
        Ok(num_traits::FromPrimitive::from_f64(truncated).map_or(Value::Int(0), Value::big))
    }
    /// Converts to an i64 with `to_int`; RangeError if it does not fit.
    pub fn to_int(&mut self, value: &Value) -> Res<i64> {
        const TWO_63: f64 = 9_223_372_036_854_775_808.0;
        match value {
            Value::Int(number) => Ok(*number),
            Value::Float(number) if !(number.get() >= -TWO_63 && number.get() < TWO_63) => {
                let shown = match *number {
                    number if number.get().is_nan() => "NaN".to_string(),
                    number if number.get().is_infinite() => if number.get() > 0.0 { "Inf" } else { "-Inf" }.to_string(),
                    number => short_exponential(number.get()),
                };
                Err(self.range_error(format!("float {shown} out of range of integer")))
            }
            _ => match self.to_integer(value)? {
                Value::Int(number) => Ok(number),
                Value::Float(number) => Ok(number.get() as i64),
                _ => Err(self.range_error("bignum too big to convert into `long'")),
            },
        }
    }
    /// Converts to a Float, by Ruby's rules for numeric arguments (no Strings).
    pub fn to_f64(&mut self, value: &Value) -> Res<f64> {
        match value {
            Value::Float(number) => Ok(number.get()),
            Value::Int(number) => Ok(*number as f64),
            Value::Big(gc) => Ok(gc.get(self).0.to_f64().unwrap_or(f64::NAN)),
            Value::Nil | Value::True | Value::False => {
                let described = self.describe(value);
                Err(self.type_error(format!("can't convert {described} into Float")))
            }
            _ if self.is_a(value, ClassId::NUMERIC) => match self.try_convert(value, sym::TO_F)? {
                Some(Value::Float(number)) => Ok(number.get()),
                None => {
                    let described = self.describe(value);
                    Err(self.type_error(format!("can't convert {described} into Float")))
                }
                Some(other) => Err(self.bad_conversion(value, "Float", sym::TO_F, &other)),
            },
            _ => {
                let described = self.describe(value);
                Err(self.type_error(format!("can't convert {described} into Float")))
            }
        }
    }
    /// Converts to a String with `to_str`.
    #[inline]
    pub fn to_str(&mut self, value: &Value) -> Res<Gc<RString>> {
        match value {
            Value::Str(gc) => Ok(gc.clone()),
            _ => self.convert_to_str(value),
        }
    }
    #[cold]
    fn convert_to_str(&mut self, value: &Value) -> Res<Gc<RString>> {
        match self.check_str(value)? {
            Some(found) => Ok(found),
            None => Err(self.no_conversion(value, "String")),
        }
    }
    /// Converts to a String with `to_str`; None if there is no conversion.
    pub fn check_str(&mut self, value: &Value) -> Res<Option<Gc<RString>>> {
        match value {
            Value::Str(gc) => Ok(Some(gc.clone())),
            Value::Nil | Value::Int(_) | Value::Sym(_) | Value::True | Value::False | Value::Float(_) => Ok(None),
            _ => match self.try_convert(value, sym::TO_STR)? {
                Some(Value::Str(gc)) => Ok(Some(gc)),
                None | Some(Value::Nil) => Ok(None),
                Some(other) => Err(self.bad_conversion(value, "String", sym::TO_STR, &other)),
            },
        }
    }
    /// Converts to text with `to_str`; invalid bytes are replaced.
    pub fn to_text(&mut self, value: &Value) -> Res<String> {
        let string = self.to_str(value)?;
        Ok(string.get(self).to_text().into_owned())
    }
    /// Converts to an Array with `to_ary`.
    pub fn to_ary(&mut self, value: &Value) -> Res<Gc<RArray>> {
        match self.check_ary(value)? {
            Some(found) => Ok(found),
            None => Err(self.no_conversion(value, "Array")),
        }
    }
    /// Converts to an Array with `to_ary`; None if there is no conversion.
    pub fn check_ary(&mut self, value: &Value) -> Res<Option<Gc<RArray>>> {
        match value {
            Value::Array(gc) => Ok(Some(gc.clone())),
            Value::Object(_) | Value::Class(_) | Value::Hash(_) | Value::Proc(_) | Value::Range(_) | Value::Str(_) => {
                match self.try_convert(value, sym::TO_ARY)? {
                    Some(Value::Array(gc)) => Ok(Some(gc)),
                    None | Some(Value::Nil) => Ok(None),
                    Some(other) => Err(self.bad_conversion(value, "Array", sym::TO_ARY, &other)),
                }
            }
            _ => Ok(None),
        }
    }
    /// `*value`: converts with `to_a`, else the value itself.
    pub fn splat(&mut self, value: &Value) -> Res<Vec<Value>> {
        match value {
            Value::Array(gc) => Ok(gc.get(self).items.clone()),
            Value::Nil => Ok(Vec::new()),
            Value::Int(_) | Value::Sym(_) | Value::Str(_) | Value::True | Value::False | Value::Float(_) => {
                Ok(vec![value.clone()])
            }
            _ => match self.try_convert(value, sym::TO_A)? {
                Some(Value::Array(gc)) => Ok(gc.get(self).items.clone()),
                None | Some(Value::Nil) => Ok(vec![value.clone()]),
                Some(other) => Err(self.bad_conversion(value, "Array", sym::TO_A, &other)),
            },
        }
    }
    /// `Array(value)`
    pub fn to_array(&mut self, value: &Value) -> Res<Vec<Value>> {
        if let Some(array) = self.check_ary(value)? {
            return Ok(array.get(self).items.clone());
        }
        self.splat(value)
    }
    /// Converts to a Hash with `to_hash`.
    pub fn to_hash(&mut self, value: &Value) -> Res<Gc<RHash>> {
        match self.check_hash(value)? {
            Some(found) => Ok(found),
            None => Err(self.no_conversion(value, "Hash")),
        }
    }
    /// Converts to a Hash with `to_hash`; None if there is no conversion.
    pub fn check_hash(&mut self, value: &Value) -> Res<Option<Gc<RHash>>> {
        match value {
            Value::Hash(gc) => Ok(Some(gc.clone())),
            Value::Object(_) | Value::Class(_) | Value::Array(_) => match self.try_convert(value, sym::TO_HASH)? {
                Some(Value::Hash(gc)) => Ok(Some(gc)),
                None | Some(Value::Nil) => Ok(None),
                Some(other) => Err(self.bad_conversion(value, "Hash", sym::TO_HASH, &other)),
            },
            _ => Ok(None),
        }
    }
    /// Converts to a name (of a method, variable or constant): a Symbol, or a String with `to_str`.
    pub fn to_name(&mut self, value: &Value) -> Res<Symbol> {
        match value {
            Value::Sym(symbol) => Ok(*symbol),
            Value::Str(gc) => Ok(Symbol::intern_bytes(gc.get(self).bytes())),
            _ => match self.check_str(value)? {
                Some(gc) => Ok(Symbol::intern_bytes(gc.get(self).bytes())),
                None => {
                    let shown = self.inspect(value)?;
                    Err(self.type_error(format!("{shown} is not a symbol nor a string")))
                }
            },
        }
    }
    /// Converts a `&` argument to a Proc with `to_proc`; None for nil.
    pub fn to_proc(&mut self, value: &Value) -> Res<Option<Gc<crate::frame::RProc>>> {
        match value {
            Value::Nil => Ok(None),
            Value::Proc(gc) => Ok(Some(gc.clone())),
            Value::Sym(symbol) => {
                let kind = crate::frame::ProcKind::Symbol(*symbol);
                Ok(Some(Gc::new(ClassId::PROC, crate::frame::RProc { kind, lambda: true })))
            }
            _ => match self.try_convert(value, sym::TO_PROC)? {
                Some(Value::Proc(gc)) => Ok(Some(gc)),
                Some(other) => Err(self.bad_conversion(value, "Proc", sym::TO_PROC, &other)),
                None => {
                    let described = self.describe(value);
                    Err(self.type_error(format!("wrong argument type {described} (expected Proc)")))
                }
            },
        }
    }

    /// Whether the method is the native one defined by the core.
    pub fn is_native_method(&mut self, class: ClassId, name: Symbol) -> bool {
        self.find_method(class, name).is_some_and(|id| matches!(self.method(id).body, MethodBody::Native(..)))
    }

    /// `to_s` as in String interpolation: the result is always a String.
    pub fn to_s(&mut self, value: &Value) -> Res<Gc<RString>> {
        match value {
            Value::Str(gc) => return Ok(gc.clone()),
            Value::Sym(symbol) => return Ok(Gc::new(ClassId::STRING, RString::of_symbol(*symbol))),
            Value::Int(number) if !self.redefined => {
                return Ok(Gc::new(ClassId::STRING, RString::of_int(*number)));
            }
            _ => {}
        }
        match self.call(value, sym::TO_S, &[])? {
            Value::Str(gc) => Ok(gc),
            _ => Ok(Gc::new(ClassId::STRING, RString::about(&self.default_to_s(value), Encoding::Binary))),
        }
    }
    /// `to_s` as text; invalid bytes are replaced.
    pub fn to_s_text(&mut self, value: &Value) -> Res<String> {
        match value {
            Value::Str(text) => {
                if let Ok(text) = std::str::from_utf8(text.get(self).bytes()) {
                    return Ok(text.to_string());
                }
            }
            Value::Sym(name) => return Ok(name.as_str().to_string()),
            _ => {}
        }
        let string = self.to_s(value)?;
        Ok(string.get(self).to_text().into_owned())
    }
    /// `inspect` as text.
    pub fn inspect(&mut self, value: &Value) -> Res<String> {
        let string = self.inspect_str(value)?;
        Ok(string.get(self).to_text().into_owned())
    }
    pub fn inspect_str(&mut self, value: &Value) -> Res<Gc<RString>> {
        let shown = self.call(value, sym::INSPECT, &[])?;
        self.to_s(&shown)
    }

    /// `==`
    pub fn eq(&mut self, a: &Value, b: &Value) -> Res<bool> {
        match (a, b) {
            _ if self.redefined => {}
            (Value::Int(a), Value::Int(b)) => return Ok(a == b),
            (Value::Sym(a), Value::Sym(b)) => return Ok(a == b),
            (Value::Str(x), Value::Str(y)) if x.class() == ClassId::STRING => {
                return Ok(x.same(y) || self.str_eq(x, y));
            }
            (Value::Nil, Value::Nil) | (Value::True, Value::True) | (Value::False, Value::False) => return Ok(true),
            (Value::Class(a), Value::Class(b)) if a == b => return Ok(true),
            (Value::Float(a), Value::Float(b)) => return Ok(a.get() == b.get()),
            (Value::Nil | Value::Sym(_) | Value::True | Value::False, _) => return Ok(false),
            _ => {}
        }
        Ok(self.call(a, sym::EQ, std::slice::from_ref(b))?.truthy())
    }
    /// Whether collections consider two values equal: the same object, or `==`.
    pub fn equal(&mut self, a: &Value, b: &Value) -> Res<bool> {
        Ok(a.same(b) || self.eq(a, b)?)
    }
    /// Whether two Strings have the same bytes in compatible encodings.
    pub fn str_eq(&self, a: &Gc<RString>, b: &Gc<RString>) -> bool {
        let (a, b) = (a.get(self), b.get(self));
        a.bytes() == b.bytes()
            && (a.encoding() == b.encoding() || a.bytes().is_empty() || (a.is_ascii() && b.is_ascii()))
    }
    pub fn eql(&mut self, a: &Value, b: &Value) -> Res<bool> {
        match self.eql_core(a, b) {
            Some(answer) => Ok(answer),
            None => {
                if a.same(b) {
                    return Ok(true);
                }
                Ok(self.call(a, sym::EQL, std::slice::from_ref(b))?.truthy())
            }
        }
    }
    /// `eql?` for core types; None if the method must be called.
    #[inline]
    fn eql_core(&self, a: &Value, b: &Value) -> Option<bool> {
        Some(match (a, b) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Sym(a), Value::Sym(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a.same(b) || self.str_eq(a, b),
            (Value::Nil, Value::Nil) | (Value::True, Value::True) | (Value::False, Value::False) => true,
            (Value::Float(a), Value::Float(b)) => a.get() == b.get() || a.get().to_bits() == b.get().to_bits(),
            (Value::Class(a), Value::Class(b)) => a == b,
            (Value::Big(a), Value::Big(b)) => a.get(self).0 == b.get(self).0,
            (Value::Array(_) | Value::Hash(_) | Value::Object(_) | Value::Range(_) | Value::Proc(_), _) => return None,
            _ => false,
        })
    }
    /// The hash of a key in a Hash. Strings are hashed with a random key of the process, so the number must not be shown.
    pub fn hash_value(&mut self, value: &Value) -> Res<u64> {
        self.hash_for(value, Hashed::Tables)
    }
    /// The result of `hash` in Ruby code: equal in every run for equal contents.
    pub fn hash_shown(&mut self, value: &Value) -> Res<u64> {
        self.hash_for(value, Hashed::Shown)
    }
    fn hash_for(&mut self, value: &Value, seen: Hashed) -> Res<u64> {
        if let Some(hash) = self.hash_core(value, seen) {
            return Ok(hash);
        }
        if let (Value::Proc(proc), Hashed::Tables) = (value, seen) {
            let class = self.class_of(value);
            if self.is_native_method(class, sym::HASH) {
                return Ok(crate::core::proc::table_hash(self, proc));
            }
        }
        // only these can contain themselves without running Ruby code
        let guarded = matches!(value, Value::Array(_) | Value::Hash(_)) || self.is_a(value, ClassId::STRUCT);
        if !guarded {
            return self.hash_by_call(value);
        }
        self.check_stack()?;
        self.tick_by(1)?;
        let at = value.address();
        let state = self.extension::<Hashing>();
        if state.path.contains(at) {
            state.unwinding = true;
            return Ok(0);
        }
        state.path.push(at);
        let result = match value {
            Value::Array(gc) if gc.class() == ClassId::ARRAY => self.hash_items(gc, seen),
            _ => self.hash_by_call(value),
        };
        let state = self.extension::<Hashing>();
        state.path.pop();
        if state.unwinding {
            state.unwinding = !state.path.is_empty();
            return result.map(|_| 0);
        }
        result
    }
    fn hash_items(&mut self, array: &Gc<RArray>, seen: Hashed) -> Res<u64> {
        let items = array.get(self).items.clone();
        let mut hash = 0x51_7c_c1_b7_27_22_0a_95_u64 ^ items.len() as u64;
        for item in &items {
            hash = mix(hash, self.hash_for(item, seen)?);
        }
        Ok(hash)
    }
    fn hash_by_call(&mut self, value: &Value) -> Res<u64> {
        Ok(match self.call(value, sym::HASH, &[])? {
            Value::Int(number) => number as u64,
            Value::Big(gc) => gc.get(self).0.iter_u64_digits().fold(7, mix),
            other => self.to_int(&other)? as u64,
        })
    }
    /// `hash` for core types; None if the method must be called.
    #[inline]
    pub fn hash_core(&self, value: &Value, seen: Hashed) -> Option<u64> {
        let number = match value {
            Value::Int(number) => mix(1, *number as u64),
            Value::Sym(symbol) => return Some(hash_of_symbol(*symbol)),
            Value::Str(gc) => match seen {
                Hashed::Tables => return Some(self.keyed.bytes(gc.get(self).bytes())),
                Hashed::Shown => {
                    let mut hasher = rustc_hash::FxHasher::default();
                    gc.get(self).bytes().hash(&mut hasher);
                    mix(3, hasher.finish())
                }
            },
            Value::Nil => mix(4, 0),
            Value::True => mix(4, 1),
            Value::False => mix(4, 2),
            Value::Float(number) => {
                mix(5, if number.get() == 0.0 { number.get().to_bits() & !(1 << 63) } else { number.get().to_bits() })
            }
            Value::Class(id) => mix(6, id.0),
            Value::Big(gc) => gc.get(self).0.iter_u64_digits().fold(7, mix),
            _ => return None,
        };
        Some(narrowed(number))
    }
    /// `<=>` for sorting and comparison; ArgumentError if the values cannot be compared.
    pub fn compare(&mut self, a: &Value, b: &Value) -> Res<Ordering> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) if !self.redefined => return Ok(a.cmp(b)),
            (Value::Str(x), Value::Str(y)) if !self.redefined => {
                return Ok(x.get(self).bytes().cmp(y.get(self).bytes()));
            }
            (Value::Float(a), Value::Float(b)) if !self.redefined && !a.get().is_nan() && !b.get().is_nan() => {
                return Ok(a.get().partial_cmp(&b.get()).unwrap_or(Ordering::Equal));
            }
            _ => {}
        }
        let answer = self.call(a, sym::CMP, std::slice::from_ref(b))?;
        self.ordering(&answer, a, b)
    }
    /// Converts the result of `<=>` or a sort block.
    pub fn ordering(&mut self, answer: &Value, a: &Value, b: &Value) -> Res<Ordering> {
        match answer {
            Value::Int(number) => Ok(number.cmp(&0)),
            Value::Float(number) => Ok(number.get().partial_cmp(&0.0).unwrap_or(Ordering::Equal)),
            Value::Big(gc) => Ok(gc.get(self).0.cmp(&BigInt::from(0))),
            Value::Nil => Err(self.comparison_failed(a, b)),
            _ => {
                if self.call(answer, sym::GT, &[Value::Int(0)])?.truthy() {
                    return Ok(Ordering::Greater);
                }
                Ok(if self.call(answer, sym::LT, &[Value::Int(0)])?.truthy() {
                    Ordering::Less
                } else {
                    Ordering::Equal
                })
            }
        }
    }
    /// ArgumentError: comparison of X with Y failed.
    #[cold]
    pub fn comparison_failed(&mut self, a: &Value, b: &Value) -> Error {
        let class = self.class_stated(a);
        let with = match b {
            Value::Nil | Value::True | Value::False | Value::Int(_) | Value::Float(_) | Value::Sym(_) => {
                match self.inspect(b) {
                    Ok(text) => text,
                    Err(error) => return error,
                }
            }
            _ => self.class_stated(b),
        };
        self.argument_error(format!("comparison of {class} with {with} failed"))
    }

    /// Finds the slot of a key in a Hash.
    pub fn hash_find(&mut self, hash: &Gc<RHash>, key: &Value) -> Res<Option<usize>> {
        if hash.flag(crate::heap::BY_IDENTITY) {
            let number = identity_hash(key);
            return Ok(hash.get(self).find(number, |other| other.same(key)));
        }
        if hash.get(self).is_empty() {
            return Ok(None);
        }
        let number = self.hash_value(key)?;
        self.hash_find_hashed(hash, number, key)
    }
    fn hash_find_hashed(&mut self, hash: &Gc<RHash>, number: u64, key: &Value) -> Res<Option<usize>> {
        let mut ask = false;
        let found = hash.get(self).find(number, |other| match self.eql_core(key, other) {
            Some(answer) => answer,
            None => {
                ask |= !other.same(key);
                other.same(key)
            }
        });
        if found.is_some() {
            return Ok(found);
        }
        if !ask {
            let is_object = matches!(key, Value::Object(_));
            let answers = is_object && !self.is_native_method(self.class_of(key), sym::HASH);
            return if answers { self.find_string_equal(hash, key, number) } else { Ok(None) };
        }
        for slot in hash.get(self).candidates(number) {
            let Some(other) = hash.get(self).slot(slot).map(|entry| entry.key.clone()) else { continue };
            if self.eql(key, &other)? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }
    /// Finds the String key to which an object with a `hash` of its own is equal, as a delegator is. Tables have Strings under numbers that no `hash`
    /// returns, so the keys of a table that begins with a String are compared one by one, if they are not too many.
    fn find_string_equal(&mut self, hash: &Gc<RHash>, key: &Value, number: u64) -> Res<Option<usize>> {
        const LOOKED_THROUGH: usize = 256;
        let table = hash.get(self);
        if table.slots() > LOOKED_THROUGH
            || !table.entries().next().is_some_and(|entry| matches!(entry.key, Value::Str(_)))
        {
            return Ok(None);
        }
        for slot in 0..table.slots() {
            let Some(entry) = hash.get(self).slot(slot) else { continue };
            if !matches!(entry.key, Value::Str(_)) || self.hash_core(&entry.key, Hashed::Shown) != Some(number) {
                continue;
            }
            let other = entry.key.clone();
            if self.eql(key, &other)? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }
    /// The value of a key; None if it is absent (default values are not used).
    pub fn hash_get(&mut self, hash: &Gc<RHash>, key: &Value) -> Res<Option<Value>> {
        let slot = self.hash_find(hash, key)?;
        Ok(slot.and_then(|slot| hash.get(self).value_at(slot).cloned()))
    }
    /// The value of a Symbol key; None if it is absent.
    pub fn hash_get_sym(&self, hash: &Gc<RHash>, key: Symbol) -> Option<Value> {
        let data = hash.get(self);
        let slot = data.find(hash_of_symbol(key), |other| matches!(other, Value::Sym(symbol) if *symbol == key))?;
        data.value_at(slot).cloned()
    }
    /// The value of a String key; None if it is absent.
    pub fn hash_get_str(&self, hash: &Gc<RHash>, key: &str) -> Option<Value> {
        let number = self.keyed.bytes(key.as_bytes());
        let data = hash.get(self);
        let slot =
            data.find(number, |other| matches!(other, Value::Str(text) if text.get(self).bytes() == key.as_bytes()))?;
        data.value_at(slot).cloned()
    }
    /// Stores a pair (a String key is copied and frozen, unless it is of a subclass). The caller checks whether the Hash is frozen or being iterated.
    pub fn hash_set(&mut self, hash: &Gc<RHash>, key: Value, value: Value) -> Res<()> {
        let by_identity = hash.flag(crate::heap::BY_IDENTITY);
        let number = if by_identity { identity_hash(&key) } else { self.hash_value(&key)? };
        let found = if by_identity {
            hash.get(self).find(number, |other| other.same(&key))
        } else {
            self.hash_find_hashed(hash, number, &key)?
        };
        match found {
            Some(slot) => {
                let old = hash.get_mut(self);
                old.set_value_at(slot, value);
            }
            None => {
                if hash.get(self).iterating > 0 {
                    return Err(self.runtime_error("can't add a new key into hash during iteration"));
                }
                let key = match &key {
                    Value::Str(gc)
                        if !gc.frozen() && !by_identity && self.real_class(gc.class()) == ClassId::STRING =>
                    {
                        let copy = Value::string(gc.get(self).clone());
                        copy.set_flag(crate::heap::FROZEN, true);
                        copy
                    }
                    _ => key,
                };
                hash.get_mut(self).push(number, key, value);
            }
        }
        Ok(())
    }
    /// Sets the value of a Symbol in a Hash that is being made and compares keys by `eql?`.
    #[inline]
    pub(crate) fn hash_set_symbol(&mut self, hash: &Gc<RHash>, name: Symbol, value: Value) {
        let number = hash_of_symbol(name);
        let table = hash.get_mut(self);
        match table.find(number, |other| matches!(other, Value::Sym(other) if *other == name)) {
            Some(slot) => table.set_value_at(slot, value),
            None => table.push(number, Value::Sym(name), value),
        }
    }
    /// Deletes a key and returns its value.
    pub fn hash_delete(&mut self, hash: &Gc<RHash>, key: &Value) -> Res<Option<Value>> {
        let slot = self.hash_find(hash, key)?;
        Ok(slot.and_then(|slot| hash.get_mut(self).remove_at(slot)).map(|(_, value)| value))
    }
    /// Creates a Hash.
    pub fn new_hash(&mut self, pairs: Vec<(Value, Value)>) -> Res {
        let hash = Gc::new(ClassId::HASH, RHash::with_capacity(pairs.len()));
        for (key, value) in pairs {
            self.hash_set(&hash, key, value)?;
        }
        Ok(Value::Hash(hash))
    }
}

/// As wide as what `hash` returns in Ruby code, so that an object whose `hash` is that of its content finds the content's entry.
#[inline]
fn narrowed(number: u64) -> u64 {
    (number as i64 >> 2) as u64
}
#[inline]
fn hash_of_symbol(name: Symbol) -> u64 {
    narrowed(mix(2, u64::from(name.id())))
}

/// The objects being hashed, outermost first, to detect those that contain themselves: the hash of all of these is 0.
#[derive(Default)]
struct Hashing {
    path: Trail,
    unwinding: bool,
}

/// The addresses of objects being visited, innermost last; lookup is fast at any depth.
#[derive(Default)]
pub(crate) struct Trail {
    order: Vec<usize>,
    deep: rustc_hash::FxHashSet<usize>,
}
impl Trail {
    const SHALLOW: usize = 32;

    /// Whether an object is being visited.
    pub(crate) fn contains(&self, at: usize) -> bool {
        self.order.iter().take(Self::SHALLOW).any(|known| *known == at) || self.deep.contains(&at)
    }
    /// Starts visiting an object; it must not be in the trail.
    pub(crate) fn push(&mut self, at: usize) {
        if self.order.len() >= Self::SHALLOW {
            self.deep.insert(at);
        }
        self.order.push(at);
    }
    pub(crate) fn pop(&mut self) {
        if let Some(at) = self.order.pop()
            && self.order.len() >= Self::SHALLOW
        {
            self.deep.remove(&at);
        }
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}

/// Formats a large Float like C's `%.10g`.
fn short_exponential(number: f64) -> String {
    let text = format!("{number:.9e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e+{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'))
}

/// What a hash is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hashed {
    /// Hash tables.
    Tables,
    Shown,
}

/// Combines two hashes.
#[inline]
pub fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^ (x >> 32)
}

/// The hash of a key under `compare_by_identity`.
fn identity_hash(key: &Value) -> u64 {
    match key {
        Value::Int(number) => mix(1, *number as u64),
        Value::Sym(symbol) => mix(2, u64::from(symbol.id())),
        Value::Float(number) => mix(5, number.get().to_bits()),
        Value::Class(id) => mix(6, id.0),
        Value::Nil => 11,
        Value::True => 12,
        Value::False => 13,
        other => mix(8, other.address() as u64),
    }
}
