//! Ruby values: 16 bytes, immediate or a reference-counted handle.

use crate::Vm;
use crate::class::ClassId;
use crate::double::Double;
use crate::frame::{Env, RProc};
use crate::hash::{Element, Table};
use crate::heap::{self, Gc, Heap, Visit};
use crate::items::Items;
use crate::ivars::Ivars;
use crate::string::RString;
use num_bigint::BigInt;
use rchef_syntax::Symbol;
use std::any::Any;

#[derive(Default)]
pub enum Value {
    #[default]
    Nil,
    False,
    True,
    /// Integer that fits 64 bits.
    Int(i64),
    Float(Double),
    Sym(Symbol),
    /// Class, module or singleton class. Never freed.
    Class(ClassId),
    /// A String (or of a subclass).
    Str(Gc<RString>),
    /// An Array (or of a subclass).
    Array(Gc<RArray>),
    /// A Hash (or of a subclass).
    Hash(Gc<RHash>),
    /// Integer that does not fit 64 bits.
    Big(Gc<RBig>),
    Range(Gc<RRange>),
    Proc(Gc<RProc>),
    /// Any other object: plain objects, and those with a native payload (exceptions, methods, times, files …).
    Object(Gc<RObject>),
    /// No value: a missing argument or an empty hash slot. Not visible to Ruby code.
    Undef,
}

impl Value {
    /// Whether it is a handle to the heap.
    #[inline(always)]
    pub(crate) fn is_cell(&self) -> bool {
        !matches!(
            self,
            Value::Nil
                | Value::False
                | Value::True
                | Value::Int(_)
                | Value::Float(_)
                | Value::Sym(_)
                | Value::Class(_)
                | Value::Undef
        )
    }
    /// Drops it, without a function call unless it is the last handle of an object.
    #[inline(always)]
    pub(crate) fn give_up(self) {
        heap::give_up(self);
    }
    /// Replaces it, dropping the value before as [`Value::give_up`] does.
    #[inline(always)]
    pub(crate) fn put(&mut self, value: Value) {
        std::mem::replace(self, value).give_up();
    }
}

impl Clone for Value {
    #[inline(always)]
    fn clone(&self) -> Value {
        heap::share(self)
    }
}

/// Contents of a Hash.
pub type RHash = Table<Value>;

impl Element for Value {
    const DELETED: Value = Value::Undef;
    #[inline(always)]
    fn is_deleted(&self) -> bool {
        matches!(self, Value::Undef)
    }
}

/// Contents of an Array.
#[derive(Default)]
pub struct RArray {
    pub items: Items<Value>,
}

/// Contents of a big Integer.
pub struct RBig(pub BigInt);

/// Contents of a Range; immutable.
pub struct RRange {
    /// Begin; nil when beginless.
    pub begin: Value,
    /// End; nil when endless.
    pub end: Value,
    pub exclusive: bool,
}

/// Contents of an object that is none of the above.
#[derive(Default)]
pub struct RObject {
    pub ivars: Ivars<Value>,
}

/// Native data of an object: implement this for a type, and access it with [`Vm::data`] and [`Vm::data_mut`].
pub trait NativeData: Any {
    /// Visits every value that it owns, once per reference; the garbage collector finds cycles this way. Values that are omitted, or shared with
    /// others (in an `Rc`), are treated as referenced from outside and stay alive.
    fn trace(&self, _visit: &mut dyn FnMut(&Value)) {}
    /// The captured scope that it owns.
    fn scope(&self) -> Option<&Gc<Env>> {
        None
    }
    /// A copy for `dup` and `clone`; None if the data cannot be copied (the copy then has no payload).
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        None
    }
    /// Fields that are instance variables in Ruby code.
    fn slots(&self) -> Option<&dyn Slots> {
        None
    }
    /// [`NativeData::slots`], mutable.
    fn slots_mut(&mut self) -> Option<&mut dyn Slots> {
        None
    }
}

/// Fields of a native payload that Ruby code reads and writes as instance variables (`@name`, `instance_variable_get`, `attr_reader`,
/// `instance_variables`), while native code uses the fields. A slot's name is never used for an ordinary instance variable of the same object;
/// ordinary ones are looked up first, so that objects without slots have no extra cost.
pub trait Slots {
    /// The value of a slot; None if the name is not a slot or has no value yet.
    fn get(&self, vm: &Vm, object: &Value, name: Symbol) -> Option<Value>;
    /// Sets a slot; if the name is not a slot, returns the value. `others` is the number of ordinary instance variables.
    fn set(&mut self, name: Symbol, value: Value, others: usize) -> Result<(), Value>;
    /// Removes a slot's value, for `remove_instance_variable`.
    fn clear(&mut self, name: Symbol);
    /// The names of all instance variables in order: the given ordinary ones, and the slots with a value.
    fn names(&self, others: &[Symbol]) -> Vec<Symbol>;
}

impl Heap for RArray {
    fn trace<V: Visit>(&self, visit: &mut V) {
        self.items.iter().for_each(|value| visit.value(value));
    }
    fn hollow(&mut self) {
        self.items = Items::default();
    }
}
impl Heap for RBig {
    fn trace<V: Visit>(&self, _visit: &mut V) {}
    fn hollow(&mut self) {}
}
impl Heap for RRange {
    fn trace<V: Visit>(&self, visit: &mut V) {
        visit.value(&self.begin);
        visit.value(&self.end);
    }
    fn hollow(&mut self) {
        (self.begin, self.end) = (Value::Nil, Value::Nil);
    }
}
impl Heap for RObject {
    fn trace<V: Visit>(&self, visit: &mut V) {
        self.ivars.values().iter().for_each(|value| visit.value(value));
    }
    fn hollow(&mut self) {
        let gone = std::mem::take(self);
        drop(gone);
    }
}

/// Visits the values owned by a native payload.
pub(crate) fn trace_data<V: Visit>(data: &dyn NativeData, visit: &mut V) {
    data.trace(&mut |value| visit.value(value));
    if let Some(env) = data.scope() {
        visit.cell(env);
    }
}

/// The `object_id` of the first class, and the distance to the next one's.
const FIRST_CLASS: i64 = 200_000_000;
const CLASS_STEP: i64 = 16;

/// The `object_id` of a Float: MRI's word for it, which exists for all but very large and very small Floats.
fn float_id(number: f64) -> i64 {
    let bits = number.to_bits();
    let exponent = bits >> 60 & 7;
    if bits == 0 {
        i64::MIN | 2
    } else if matches!(exponent, 3 | 4) {
        (bits.rotate_left(3) & !3 | 2) as i64
    } else {
        (bits >> 2) as i64 | 2
    }
}
/// The Float with an `object_id`.
pub(crate) fn float_of_id(id: i64) -> Option<f64> {
    let word = id as u64;
    let number =
        if id == i64::MIN | 2 { 0.0 } else { f64::from_bits(((2 - (word >> 63)) | (word & !3)).rotate_right(3)) };
    (float_id(number) == id).then_some(number)
}

impl Value {
    /// Whether it is neither nil nor false.
    #[inline(always)]
    pub fn truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::False)
    }
    #[inline(always)]
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }
    #[inline(always)]
    pub fn is_undef(&self) -> bool {
        matches!(self, Value::Undef)
    }
    #[inline(always)]
    pub fn bool(value: bool) -> Value {
        if value { Value::True } else { Value::False }
    }
    pub fn or_nil(value: Option<Value>) -> Value {
        value.unwrap_or(Value::Nil)
    }
    #[inline]
    pub fn len(value: usize) -> Value {
        Value::Int(value as i64)
    }
    /// An Integer of any size.
    pub fn big(value: BigInt) -> Value {
        match i64::try_from(&value) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::Big(Gc::new(ClassId::INTEGER, RBig(value))),
        }
    }
    pub fn u64(value: u64) -> Value {
        i64::try_from(value).map_or_else(|_| Value::big(BigInt::from(value)), Value::Int)
    }
    pub fn i128(value: i128) -> Value {
        i64::try_from(value).map_or_else(|_| Value::big(BigInt::from(value)), Value::Int)
    }
    pub fn array(items: Vec<Value>) -> Value {
        Value::Array(Gc::new(ClassId::ARRAY, RArray { items: items.into() }))
    }
    /// An Array of a subclass.
    pub fn array_of(class: ClassId, items: Vec<Value>) -> Value {
        Value::Array(Gc::new(class, RArray { items: items.into() }))
    }
    #[inline(always)]
    pub fn float(number: f64) -> Value {
        Value::Float(Double::new(number))
    }
    /// A UTF-8 String.
    pub fn str(text: impl AsRef<str>) -> Value {
        Value::Str(Gc::new(ClassId::STRING, RString::from_text(text.as_ref())))
    }
    pub fn string(contents: RString) -> Value {
        Value::Str(Gc::new(ClassId::STRING, contents))
    }
    /// A String with the encoding UTF-8; the bytes may be invalid.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Value {
        Value::string(RString::utf8(bytes.into()))
    }
    pub fn sym(name: &str) -> Value {
        Value::Sym(Symbol::intern(name))
    }
    /// A Range, without checking that its ends can be compared.
    pub fn range(begin: Value, end: Value, exclusive: bool) -> Value {
        let range = Gc::new(ClassId::RANGE, RRange { begin, end, exclusive });
        range.set_flag(heap::FROZEN, true);
        Value::Range(range)
    }
    pub fn hash(contents: RHash) -> Value {
        Value::Hash(Gc::new(ClassId::HASH, contents))
    }
    /// A new object with a native payload.
    pub fn data(class: ClassId, data: impl NativeData) -> Value {
        Value::boxed_data(class, Box::new(data))
    }
    /// [`Value::data`] with a payload of any type.
    pub fn boxed_data(class: ClassId, data: Box<dyn NativeData>) -> Value {
        Value::Object(Gc::with_data(class, RObject::default(), data))
    }
    /// A new plain object.
    pub fn object(class: ClassId) -> Value {
        Value::Object(Gc::new(class, RObject::default()))
    }

    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Nil, Value::Nil)
            | (Value::True, Value::True)
            | (Value::False, Value::False)
            | (Value::Undef, Value::Undef) => true,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.get().to_bits() == b.get().to_bits(),
            (Value::Sym(a), Value::Sym(b)) => a == b,
            (Value::Class(a), Value::Class(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a.same(b),
            (Value::Array(a), Value::Array(b)) => a.same(b),
            (Value::Hash(a), Value::Hash(b)) => a.same(b),
            (Value::Big(a), Value::Big(b)) => a.same(b),
            (Value::Range(a), Value::Range(b)) => a.same(b),
            (Value::Proc(a), Value::Proc(b)) => a.same(b),
            (Value::Object(a), Value::Object(b)) => a.same(b),
            _ => false,
        }
    }

    /// The address of a heap object; 0 for immediates.
    pub fn address(&self) -> usize {
        match self {
            Value::Str(gc) => gc.address(),
            Value::Array(gc) => gc.address(),
            Value::Hash(gc) => gc.address(),
            Value::Big(gc) => gc.address(),
            Value::Range(gc) => gc.address(),
            Value::Proc(gc) => gc.address(),
            Value::Object(gc) => gc.address(),
            _ => 0,
        }
    }

    /// Whether a flag of [`crate::heap`] is set; immediates have none.
    pub fn flag(&self, flag: u32) -> bool {
        match self {
            Value::Str(gc) => gc.flag(flag),
            Value::Array(gc) => gc.flag(flag),
            Value::Hash(gc) => gc.flag(flag),
            Value::Big(gc) => gc.flag(flag),
            Value::Range(gc) => gc.flag(flag),
            Value::Proc(gc) => gc.flag(flag),
            Value::Object(gc) => gc.flag(flag),
            _ => false,
        }
    }

    /// Sets or clears a flag of [`crate::heap`]; does nothing on immediates.
    pub fn set_flag(&self, flag: u32, on: bool) {
        match self {
            Value::Str(gc) => gc.set_flag(flag, on),
            Value::Array(gc) => gc.set_flag(flag, on),
            Value::Hash(gc) => gc.set_flag(flag, on),
            Value::Big(gc) => gc.set_flag(flag, on),
            Value::Range(gc) => gc.set_flag(flag, on),
            Value::Proc(gc) => gc.set_flag(flag, on),
            Value::Object(gc) => gc.set_flag(flag, on),
            _ => {}
        }
    }
}

impl Vm {
    /// The class for method lookup: the singleton class, if there is one.
    #[inline(always)]
    pub fn class_of(&self, value: &Value) -> ClassId {
        if let Some(class) = heap::class_of_cell(value) {
            return class;
        }
        match value {
            Value::Sym(_) => ClassId::SYMBOL,
            Value::Nil | Value::Undef => ClassId::NIL,
            Value::True => ClassId::TRUE,
            Value::False => ClassId::FALSE,
            Value::Float(_) => ClassId::FLOAT,
            Value::Class(id) => self.meta_of(*id),
            // the other kinds have cells
            _ => ClassId::INTEGER,
        }
    }

    /// `Object#class`: never a singleton class.
    pub fn real_class_of(&self, value: &Value) -> ClassId {
        self.real_class(self.class_of(value))
    }

    /// The native payload of an object (or of a String, Array or Hash of a native subclass), if it has this type.
    pub fn data<'a, T: NativeData>(&'a self, value: &'a Value) -> Option<&'a T> {
        (self.payload(value)? as &dyn Any).downcast_ref::<T>()
    }

    /// [`Vm::data`], mutable.
    pub fn data_mut<'a, T: NativeData>(&'a mut self, value: &'a Value) -> Option<&'a mut T> {
        (self.payload_mut(value)? as &mut dyn Any).downcast_mut::<T>()
    }

    /// The native payload of any type.
    #[inline]
    pub fn payload<'a>(&'a self, value: &'a Value) -> Option<&'a dyn NativeData> {
        match value {
            Value::Class(id) => self.class(*id).data.as_deref(),
            _ => heap::ext_of(value, self)?.data.as_deref(),
        }
    }
    fn payload_mut<'a>(&'a mut self, value: &'a Value) -> Option<&'a mut dyn NativeData> {
        match value {
            Value::Class(id) => self.class_mut(*id).data.as_deref_mut(),
            _ => heap::ext_of_mut(value, self)?.data.as_deref_mut(),
        }
    }

    /// Sets the native payload.
    pub fn set_data(&mut self, value: &Value, data: impl NativeData) {
        self.set_payload(value, Box::new(data));
    }
    /// [`Vm::set_data`] with a payload of any type.
    pub(crate) fn set_payload(&mut self, value: &Value, data: Box<dyn NativeData>) {
        match value {
            Value::Class(id) => self.class_mut(*id).data = Some(data),
            _ => {
                if let Some(ext) = heap::make_ext(value, self) {
                    ext.data = Some(data);
                }
            }
        }
    }

    /// Whether a value is frozen; immediates, Ranges and big Integers always are.
    #[inline]
    pub fn frozen(&self, value: &Value) -> bool {
        match value {
            Value::Object(gc) => gc.frozen(),
            Value::Class(id) => self.class(*id).frozen,
            Value::Str(_) | Value::Array(_) | Value::Hash(_) | Value::Proc(_) | Value::Range(_) => {
                value.flag(heap::FROZEN)
            }
            _ => true,
        }
    }

    pub fn freeze(&mut self, value: &Value) {
        match value {
            Value::Class(id) => self.class_mut(*id).frozen = true,
            _ => {
                value.set_flag(heap::FROZEN, true);
                let class = self.class_of(value);
                if self.class(class).kind == crate::class::ClassKind::Singleton {
                    self.class_mut(class).frozen = true;
                }
            }
        }
    }

    /// The ordinary instance variables, without the slots of a native payload; None for values that have none.
    pub fn ivars<'a>(&'a self, value: &'a Value) -> Option<&'a Ivars<Value>> {
        Some(match value {
            Value::Object(gc) => &gc.get(self).ivars,
            Value::Class(id) => &self.class(*id).ivars,
            _ => &heap::ext_of(value, self)?.ivars,
        })
    }

    fn ivars_mut<'a>(&'a mut self, value: &'a Value) -> Option<&'a mut Ivars<Value>> {
        Some(match value {
            Value::Object(gc) => &mut gc.get_mut(self).ivars,
            Value::Class(id) => &mut self.class_mut(*id).ivars,
            _ => &mut heap::make_ext(value, self)?.ivars,
        })
    }

    fn slots<'a>(&'a self, object: &'a Value) -> Option<&'a dyn Slots> {
        match object {
            Value::Object(_) => self.payload(object)?.slots(),
            _ => None,
        }
    }

    fn slot_get(&self, object: &Value, name: Symbol) -> Option<Value> {
        self.slots(object)?.get(self, object, name)
    }

    /// Sets a slot, or adds an ordinary instance variable.
    fn ivar_add(&mut self, object: &Value, name: Symbol, mut value: Value) {
        if let Value::Object(_) = object {
            let count = self.ivar_count(object);
            if let Some(slots) = self.payload_mut(object).and_then(NativeData::slots_mut) {
                match slots.set(name, value, count) {
                    Ok(()) => return,
                    Err(back) => value = back,
                }
            }
        }
        if let Some(ivars) = self.ivars_mut(object) {
            ivars.push(name, value);
        }
    }

    /// An instance variable; None when it is not set.
    pub fn ivar_get(&self, value: &Value, name: Symbol) -> Option<Value> {
        match self.ivars(value)?.get(name) {
            Some(value) => Some(value.clone()),
            None => self.slot_get(value, name),
        }
    }

    /// An ordinary instance variable, looked up first at the cached index; None if it is not at that index.
    #[inline(always)]
    pub(crate) fn ivar_ref_hinted<'a>(
        &'a self,
        value: &'a Value,
        name: Symbol,
        hint: &rchef_syntax::tree::Hint,
    ) -> Option<&'a Value> {
        let Value::Object(gc) = value else { return None };
        gc.get(self).ivars.at(hint.get() as usize, name)
    }

    /// Reads an instance variable, using the cached index.
    #[inline]
    pub(crate) fn ivar_get_hinted(&self, value: &Value, name: Symbol, hint: &rchef_syntax::tree::Hint) -> Value {
        let ivars = match value {
            Value::Object(gc) => &gc.get(self).ivars,
            _ => match self.ivars(value) {
                Some(ivars) => ivars,
                None => return Value::Nil,
            },
        };
        if let Some(value) = ivars.at(hint.get() as usize, name) {
            return value.clone();
        }
        match ivars.position(name) {
            Some(index) => {
                hint.set(index as u32);
                ivars.values()[index].clone()
            }
            None => self.slot_get(value, name).unwrap_or_default(),
        }
    }

    /// The slot of an instance variable that may be written, if it is at an index where it was before; None also for objects that are frozen or have
    /// native contents.
    #[inline(always)]
    pub(crate) fn ivar_slot_at<'v>(
        &'v mut self,
        object: &'v Value,
        index: usize,
        name: Symbol,
    ) -> Option<&'v mut Value> {
        let Value::Object(gc) = object else { return None };
        if gc.frozen() {
            return None;
        }
        gc.get_mut(self).ivars.at_mut(index, name)
    }

    /// Writes an instance variable, using the cached index; the object must not be frozen.
    #[inline]
    pub(crate) fn ivar_set_hinted(
        &mut self,
        object: &Value,
        name: Symbol,
        hint: &rchef_syntax::tree::Hint,
        value: Value,
    ) {
        let ivars = match object {
            Value::Object(gc) => &mut gc.get_mut(self).ivars,
            _ => match self.ivars_mut(object) {
                Some(ivars) => ivars,
                None => return,
            },
        };
        if let Some(slot) = ivars.at_mut(hint.get() as usize, name) {
            slot.put(value);
            return;
        }
        let index = ivars.position(name).unwrap_or(ivars.len());
        hint.set(index as u32);
        match ivars.at_mut(index, name) {
            Some(slot) => *slot = value,
            None => self.ivar_add(object, name, value),
        }
    }

    /// Sets an instance variable, even if the object is frozen.
    pub fn ivar_set(&mut self, object: &Value, name: Symbol, value: Value) {
        let Some(ivars) = self.ivars_mut(object) else { return };
        match ivars.get_mut(name) {
            Some(slot) => *slot = value,
            None => self.ivar_add(object, name, value),
        }
    }

    /// Reserves space for many instance variables.
    pub fn ivar_reserve(&mut self, object: &Value, count: usize) {
        if count > 0
            && let Some(ivars) = self.ivars_mut(object)
        {
            ivars.reserve_exact(count);
        }
    }

    /// The number of ordinary instance variables, without the slots of a native payload.
    pub fn ivar_count(&self, object: &Value) -> usize {
        self.ivars(object).map_or(0, Ivars::len)
    }

    /// Removes an instance variable and returns its value.
    pub fn ivar_remove(&mut self, object: &Value, name: Symbol) -> Option<Value> {
        let ivars = self.ivars_mut(object)?;
        if let Some(index) = ivars.position(name) {
            return Some(ivars.remove(index));
        }
        let held = self.slot_get(object, name)?;
        if let Value::Object(_) = object
            && let Some(slots) = self.payload_mut(object).and_then(NativeData::slots_mut)
        {
            slots.clear(name);
        }
        Some(held)
    }

    /// Names of the instance variables in order.
    pub fn ivar_names(&self, object: &Value) -> Vec<Symbol> {
        let ordinary: Vec<Symbol> = self.ivars(object).map(|ivars| ivars.names().collect()).unwrap_or_default();
        match self.slots(object) {
            Some(slots) => slots.names(&ordinary),
            None => ordinary,
        }
    }

    /// The class with this `object_id`.
    pub(crate) fn class_with_id(&self, number: i64) -> Option<ClassId> {
        let above = number.checked_sub(FIRST_CLASS).filter(|above| above % CLASS_STEP == 0)?;
        let index = u64::try_from(above / CLASS_STEP).ok()?;
        (index < self.classes.len() as u64).then_some(ClassId(index))
    }

    pub fn object_id(&mut self, value: &Value) -> i64 {
        match value {
            Value::False => 0,
            Value::Nil | Value::Undef => 8,
            Value::True => 20,
            Value::Int(number) => number.wrapping_mul(2).wrapping_add(1),
            Value::Sym(symbol) => i64::from(symbol.id()) * 256 + 12,
            Value::Float(number) => float_id(number.get()),
            Value::Class(id) => id.0 as i64 * CLASS_STEP + FIRST_CLASS,
            _ => {
                let next = self.next_object_id + 8;
                let Some(ext) = heap::make_ext(value, self) else { return 0 };
                if ext.id == 0 {
                    ext.id = next;
                    self.next_object_id = next;
                    self.note_number(value, next);
                    return next as i64;
                }
                ext.id as i64
            }
        }
    }
}
