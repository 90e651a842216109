//! Struct and the classes created by it.

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::coerce::mix;
use crate::core::natives::{no_block, once, paired};
use crate::error::{Error, Res};
use crate::frame::{Block, Definee};
use crate::heap::Gc;
use crate::method::{Arity, Method, MethodDef, Visibility, any, at_least, def};
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_syntax::symbol::sym;
use rchef_text::encoding::{CodeRange, Encoding};
use std::rc::Rc;

/// A class created by Struct.new.
#[derive(Clone)]
pub struct StructClass {
    /// Names of the members in order.
    pub members: Rc<[Symbol]>,
    /// `keyword_init:`; None if it is not given or nil.
    pub keyword_init: Option<bool>,
}
impl NativeData for StructClass {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

/// An instance of a Struct class.
#[derive(Clone)]
pub struct StructData {
    /// Values in the order of the members.
    pub values: Vec<Value>,
}
impl NativeData for StructData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.values.iter().for_each(visit);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("initialize_copy", initialize_copy, 1).private(),
    def("==", equal, 1),
    def("eql?", eql, 1),
    def("hash", hash, 0),
    def("[]", get, 1),
    def("[]=", set, 2),
    at_least("dig", dig, 1),
    def("each", each, 0),
    def("each_pair", each_pair, 0),
    def("select", select, 0),
    def("filter", select, 0),
    def("to_a", to_a, 0),
    def("deconstruct", to_a, 0),
    def("values", to_a, 0),
    def("to_h", to_h, 0),
    def("deconstruct_keys", deconstruct_keys, 1),
    def("members", members, 0),
    def("size", size, 0),
    def("length", size, 0),
    any("values_at", values_at),
    def("inspect", inspect, 0),
    def("to_s", inspect, 0),
];
static SINGLETON: &[MethodDef] = &[any("new", new)];
/// Singleton methods of each Struct class.
static MADE: &[MethodDef] = &[
    any("[]", create),
    def("members", class_members, 0),
    def("inspect", class_inspect, 0),
    def("keyword_init?", class_keyword_init, 0),
];

/// The members of a Struct class or one of its subclasses.
pub fn members_of(vm: &Vm, class: ClassId) -> Option<Rc<[Symbol]>> {
    described(vm, class).map(|found| found.members.clone())
}
fn described(vm: &Vm, class: ClassId) -> Option<&StructClass> {
    vm.class(class).mro.iter().find_map(|ancestor| {
        let data: &dyn NativeData = vm.class(*ancestor).data.as_deref()?;
        (data as &dyn std::any::Any).downcast_ref::<StructClass>()
    })
}
fn this_members(vm: &mut Vm, this: &Value) -> Res<Rc<[Symbol]>> {
    match members_of(vm, vm.class_of(this)) {
        Some(found) => Ok(found),
        None => Err(vm.type_error("uninitialized struct")),
    }
}
fn values(vm: &mut Vm, this: &Value) -> Res<Vec<Value>> {
    match vm.data::<StructData>(this) {
        Some(data) => Ok(data.values.clone()),
        None => Err(vm.type_error("uninitialized struct")),
    }
}
fn value_at(vm: &Vm, this: &Value, index: usize) -> Value {
    vm.data::<StructData>(this).and_then(|data| data.values.get(index)).cloned().unwrap_or_default()
}
fn store(vm: &mut Vm, this: &Value, index: usize, value: Value) {
    if let Some(slot) = vm.data_mut::<StructData>(this).and_then(|data| data.values.get_mut(index)) {
        *slot = value;
    }
}

/// Struct.new("Name", :member, …, keyword_init: nil) { … }
fn new(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    // a Hash behind a name is taken for keywords, too
    let options = matches!(args.pos, [_, .., Value::Hash(_)]);
    let (pos, [keyword_init]) = args.with_keywords(args.keywords || options).take_keywords(vm, [sym::KEYWORD_INIT])?;
    if pos.is_empty() {
        return Err(vm.arity_error(0, "1+"));
    }
    let Value::Class(superclass) = *this else { return Ok(Value::Nil) };
    let mut names = pos;
    let mut constant = None;
    match &pos[0] {
        Value::Sym(_) => {}
        Value::Nil => names = &pos[1..],
        first => {
            let name = vm.to_text(first)?;
            if !name.starts_with(|first: char| first.is_uppercase())
                || !name.chars().all(|c| c.is_alphanumeric() || c == '_')
            {
                return Err(vm.name_error(
                    format!("identifier {name} needs to be constant"),
                    this,
                    Symbol::intern(&name),
                ));
            }
            constant = Some(Symbol::intern(&name));
            names = &pos[1..];
        }
    }
    let mut members: Vec<Symbol> = Vec::with_capacity(names.len());
    for name in names {
        let name = vm.to_name(name).map_err(|error| match name {
            Value::Sym(_) | Value::Str(_) => error,
            _ => match vm.inspect(name) {
                Ok(shown) => vm.type_error(format!("{shown} is not a symbol")),
                Err(error) => error,
            },
        })?;
        if name.as_str().strip_suffix('=').is_some_and(|name| name.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        {
            return Err(vm.argument_error(format!("invalid struct member: {name}")));
        }
        if members.contains(&name) {
            return Err(vm.argument_error(format!("duplicate member: {name}")));
        }
        members.push(name);
    }
    let keyword_init = keyword_init.filter(|value| !value.is_nil()).map(|value| value.truthy());
    let class = make_class(vm, superclass, &members, keyword_init);
    let value = Value::Class(class);
    if let Some(name) = constant {
        if vm.const_own(superclass, name).is_some() {
            let outer = vm.class_name(superclass);
            vm.warn(&format!("redefining constant {outer}::{name}"))?;
        }
        vm.const_set(superclass, name, value.clone());
    }
    vm.call(this, sym::INHERITED, std::slice::from_ref(&value))?;
    if let Some(block) = args.block {
        vm.call_block_as(block, &value, Some(Definee::Module(class)), Args::new(std::slice::from_ref(&value)))?;
    }
    Ok(value)
}
/// Creates a Struct class, for natives.
pub fn make_class(vm: &mut Vm, superclass: ClassId, members: &[Symbol], keyword_init: Option<bool>) -> ClassId {
    let class = vm.new_class(superclass);
    vm.class_mut(class).data = Some(Box::new(StructClass { members: Rc::from(members), keyword_init }));
    let meta = vm.meta(class);
    if let Some(id) = vm.find_method(ClassId::CLASS, sym::NEW) {
        let body = vm.method(id).body.clone();
        vm.add_method(meta, sym::NEW, Method { name: sym::NEW, owner: meta, visibility: Visibility::Public, body });
    }
    vm.define_methods(meta, MADE);
    for (index, name) in members.iter().enumerate() {
        vm.define_closure(
            class,
            *name,
            Arity { min: 0, max: Some(0) },
            Rc::new(move |vm, this, _| Ok(value_at(vm, this, index))),
        );
        let setter = Symbol::intern_bytes(&[name.as_bytes(), b"="].concat());
        vm.define_closure(
            class,
            setter,
            Arity { min: 1, max: Some(1) },
            Rc::new(move |vm, this, args| {
                vm.check_frozen(this)?;
                store(vm, this, index, args.at(0).clone());
                Ok(args.at(0).clone())
            }),
        );
    }
    class
}
/// Creates an instance of a Struct class without calling `initialize`.
pub fn new_struct(class: ClassId, values: Vec<Value>) -> Value {
    Value::data(class, StructData { values })
}
fn allocate(vm: &mut Vm, class: ClassId) -> Res {
    match members_of(vm, class) {
        Some(members) => Ok(new_struct(class, vec![Value::Nil; members.len()])),
        None => {
            let name = vm.class_name(class);
            Err(vm.type_error(format!("allocator undefined for {name}")))
        }
    }
}
fn create(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.call_args(this, sym::NEW, args)
}
fn class_members(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Value::Class(class) = *this else { return Ok(Value::Nil) };
    let members = members_of(vm, class).unwrap_or_else(|| Rc::from([]));
    Ok(Value::array(members.iter().map(|name| Value::Sym(*name)).collect()))
}
fn class_keyword_init(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Value::Class(class) = *this else { return Ok(Value::Nil) };
    Ok(described(vm, class).and_then(|found| found.keyword_init).map(Value::bool).unwrap_or_default())
}
fn class_inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Value::Class(class) = *this else { return Ok(Value::Nil) };
    // use the class of a singleton class
    let class = vm.real_class(class);
    let name = vm.class_name(class);
    let keyword = described(vm, class).is_some_and(|found| found.keyword_init == Some(true));
    Ok(Value::str(if keyword && !name.starts_with("#<Class:") { format!("{name}(keyword_init: true)") } else { name }))
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.check_frozen(this)?;
    let members = this_members(vm, this)?;
    let class = vm.class_of(this);
    let keyword_init = described(vm, class).and_then(|found| found.keyword_init);
    if keyword_init == Some(true) {
        return initialize_keywords(vm, this, &members, args);
    }
    if args.len() > members.len() {
        return Err(vm.argument_error("struct size differs"));
    }
    if keyword_init.is_none() && args.keywords && args.len() == 1 {
        vm.warn("Passing only keyword arguments to Struct#initialize will behave differently from Ruby 3.2. Please use a Hash literal like .new({k: v}) instead of .new(k: v).")?;
    }
    let mut given = args.pos.to_vec();
    given.resize(members.len(), Value::Nil);
    if let Some(data) = vm.data_mut::<StructData>(this) {
        data.values = given;
    }
    Ok(Value::Nil)
}
fn initialize_keywords(vm: &mut Vm, this: &Value, members: &[Symbol], args: Args<'_>) -> Res {
    let given = match args.pos {
        [] => {
            if let Some(data) = vm.data_mut::<StructData>(this) {
                data.values.fill(Value::Nil);
            }
            return Ok(Value::Nil);
        }
        [Value::Hash(hash)] => hash.clone(),
        many => return Err(vm.arity_error(many.len(), "0")),
    };
    let pairs: Vec<(Value, Value)> = given.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut unknown = Vec::new();
    for (key, value) in pairs {
        let index = match &key {
            Value::Sym(_) | Value::Str(_) => {
                let name = vm.to_name(&key)?;
                members.iter().position(|member| *member == name)
            }
            _ => None,
        };
        match index {
            Some(index) => store(vm, this, index, value),
            None => unknown.push(vm.to_s_text(&key)?),
        }
    }
    if !unknown.is_empty() {
        return Err(vm.argument_error(format!("unknown keywords: {}", unknown.join(", "))));
    }
    Ok(Value::Nil)
}
fn initialize_copy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if this.same(args.at(0)) {
        return Ok(this.clone());
    }
    vm.check_frozen(this)?;
    if vm.real_class_of(this) != vm.real_class_of(args.at(0)) {
        return Err(vm.type_error("initialize_copy should take same class object"));
    }
    let copied = values(vm, args.at(0))?;
    if let Some(data) = vm.data_mut::<StructData>(this) {
        data.values = copied;
    }
    Ok(this.clone())
}
fn equality(vm: &mut Vm, this: &Value, other: &Value, strict: bool) -> Res {
    if this.same(other) {
        return Ok(Value::True);
    }
    if vm.data::<StructData>(other).is_none() || vm.real_class_of(this) != vm.real_class_of(other) {
        return Ok(Value::False);
    }
    let same = paired(vm, this, other, |vm| {
        let (a, b) = (values(vm, this)?, values(vm, other)?);
        for (a, b) in a.iter().zip(&b) {
            if !(if strict { vm.eql(a, b)? } else { vm.equal(a, b)? }) {
                return Ok(false);
            }
        }
        Ok(a.len() == b.len())
    })?;
    Ok(Value::bool(same.unwrap_or(true)))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    equality(vm, this, args.at(0), false)
}
fn eql(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    equality(vm, this, args.at(0), true)
}
fn hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut number = mix(0x7374, vm.real_class_of(this).0);
    for value in values(vm, this)? {
        number = mix(number, vm.hash_shown(&value)?);
    }
    Ok(Value::Int(number as i64 >> 2))
}

/// The index of a member given by name or number.
fn index_of(vm: &mut Vm, this: &Value, key: &Value) -> Res<Result<usize, Error>> {
    let members = this_members(vm, this)?;
    if let Value::Sym(_) | Value::Str(_) = key {
        let name = vm.to_name(key)?;
        return Ok(match members.iter().position(|member| *member == name) {
            Some(index) => Ok(index),
            None => Err(vm.name_error(format!("no member '{name}' in struct"), this, name)),
        });
    }
    let (index, len) = (vm.to_int(key)?, members.len() as i64);
    Ok(if index >= len {
        Err(vm.index_error(format!("offset {index} too large for struct(size:{len})")))
    } else if index < -len {
        Err(vm.index_error(format!("offset {index} too small for struct(size:{len})")))
    } else {
        Ok(if index < 0 { index + len } else { index } as usize)
    })
}
fn get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let index = index_of(vm, this, args.at(0))??;
    Ok(value_at(vm, this, index))
}
fn set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let index = index_of(vm, this, args.at(0))??;
    vm.check_frozen(this)?;
    store(vm, this, index, args.at(1).clone());
    Ok(args.at(1).clone())
}
fn dig(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let value = match index_of(vm, this, args.at(0))? {
        Ok(index) => value_at(vm, this, index),
        Err(_) => Value::Nil,
    };
    super::hash::dig_further(vm, value, &args.pos[1..])
}
fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    for index in 0..values(vm, this)?.len() {
        let value = value_at(vm, this, index);
        vm.yield1(block, value)?;
    }
    Ok(this.clone())
}
fn each_pair(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    for (index, name) in this_members(vm, this)?.iter().enumerate() {
        let value = value_at(vm, this, index);
        match block {
            Block::Ruby { code, .. } if code.params.simple && code.params.required == 2 => {
                vm.yield2(block, Value::Sym(*name), value)?
            }
            _ => vm.yield1(block, Value::array(vec![Value::Sym(*name), value]))?,
        };
    }
    Ok(this.clone())
}
fn select(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return no_block(vm, this, args) };
    let mut kept = Vec::new();
    for value in values(vm, this)? {
        if vm.yield1(block, value.clone())?.truthy() {
            kept.push(value);
        }
    }
    Ok(Value::array(kept))
}
fn to_a(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(values(vm, this)?))
}
fn to_h(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let made = super::hash::empty();
    for (name, value) in this_members(vm, this)?.iter().zip(values(vm, this)?) {
        let (key, value) = match args.block {
            None => (Value::Sym(*name), value),
            Some(block) => {
                let pair = vm.yield2(block, Value::Sym(*name), value)?;
                super::hash::pair_of(vm, &pair)?
            }
        };
        vm.hash_set(&made, key, value)?;
    }
    Ok(Value::Hash(made))
}
fn deconstruct_keys(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let wanted = match args.at(0) {
        Value::Nil => return to_h(vm, this, Args::none()),
        Value::Array(array) => array.get(vm).items.clone(),
        other => {
            let class = vm.describe(other);
            return Err(vm.type_error(format!("wrong argument type {class} (expected Array or nil)")));
        }
    };
    let members = this_members(vm, this)?;
    let made = super::hash::empty();
    if wanted.len() > members.len() {
        return Ok(Value::Hash(made));
    }
    for key in wanted {
        let Ok(index) = index_of(vm, this, &key)? else { break };
        let value = value_at(vm, this, index);
        vm.hash_set(&made, key, value)?;
    }
    Ok(Value::Hash(made))
}
fn members(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(this_members(vm, this)?.iter().map(|name| Value::Sym(*name)).collect()))
}
fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(this_members(vm, this)?.len()))
}
fn values_at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut found = Vec::new();
    for key in args.pos {
        if let Value::Range(range) = key {
            let list = values(vm, this)?;
            let begin = range.get(vm).begin.clone();
            let begin = if begin.is_nil() { 0 } else { vm.to_int(&begin)? };
            if begin > list.len() as i64 || begin < -(list.len() as i64) {
                let shown = vm.to_s_text(key)?;
                return Err(vm.range_error(format!("{shown} out of range")));
            }
            let part = vm.call(&Value::array(list), Symbol::intern_static("values_at"), std::slice::from_ref(key))?;
            found.extend(vm.to_array(&part)?);
        } else {
            let index = vm.to_int(key)?;
            let index = index_of(vm, this, &Value::Int(index))??;
            found.push(value_at(vm, this, index));
        }
    }
    Ok(Value::array(found))
}
fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    let named = !class.starts_with('#');
    let members = this_members(vm, this)?;
    let shown = once(vm, this, |vm| {
        let mut out = RString::from_text("#<struct ");
        if named {
            out.push_bytes(class.as_bytes(), None);
            out.push_bytes(b" ", Some(CodeRange::Ascii));
        }
        for (index, name) in members.iter().enumerate() {
            if index > 0 {
                out.push_bytes(b", ", Some(CodeRange::Ascii));
            }
            let text = name.as_bytes();
            if text.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80) {
                out.push_bytes(text, None);
            } else {
                out.push_bytes(&rchef_text::inspect::inspect_symbol(text, Encoding::Utf8), None);
            }
            out.push_bytes(b"=", Some(CodeRange::Ascii));
            let value = value_at(vm, this, index);
            let text: Gc<RString> = vm.inspect_str(&value)?;
            vm.append(&mut out, &text)?;
        }
        if members.is_empty() && named {
            // MRI omits the blank before the bracket here
            out.bytes_mut().pop();
        }
        out.push_bytes(b">", Some(CodeRange::Ascii));
        Ok(out)
    })?;
    Ok(Value::string(shown.unwrap_or_else(|| RString::from_text(&format!("#<struct {class}:...>")))))
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::STRUCT).allocator = Some(allocate);
    vm.include_module(ClassId::STRUCT, ClassId::ENUMERABLE);
    vm.define_methods(ClassId::STRUCT, METHODS);
    vm.define_singleton_methods(ClassId::STRUCT, SINGLETON);
}
