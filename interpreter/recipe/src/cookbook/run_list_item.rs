//! `Chef::RunList::RunListItem` over [`rchef_model::run_list::Item`].

use crate::run::{Subject, about};
use rchef_model::run_list::Item;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Symbol, Value, Vm, def, sym};

/// The parts of an entry as Ruby values, since a Hash may give a type or version that no text can express.
#[derive(Clone)]
struct ItemData {
    kind: Value,
    name: Value,
    version: Value,
}
impl NativeData for ItemData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        [&self.kind, &self.name, &self.version].into_iter().for_each(visit);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

static METHODS: &[MethodDef] = &[
    def("initialize", initialize, 1).private(),
    def("type", kind, 0),
    def("name", name, 0),
    def("version", version, 0),
    def("role?", is_role, 0),
    def("recipe?", is_recipe, 0),
    def("to_s", to_s, 0),
    def("==", equal, 1),
    def("assert_hash_is_valid_run_list_item!", assert_hash, 1),
];

fn blank() -> ItemData {
    ItemData { kind: Value::Nil, name: Value::Nil, version: Value::Nil }
}
fn of(vm: &Vm, this: &Value) -> ItemData {
    vm.data::<ItemData>(this).cloned().unwrap_or_else(blank)
}
/// The value of a key that may be a String or a Symbol.
fn part(vm: &mut Vm, hash: &Value, key: &'static str) -> Res {
    let value = vm.call(hash, sym::AREF, &[Value::str(key)])?;
    if value.truthy() { Ok(value) } else { vm.call(hash, sym::AREF, &[Value::sym(key)]) }
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let given = args.at(0);
    let made = match given {
        Value::Hash(_) => {
            assert_hash(vm, this, args)?;
            let kind = part(vm, given, "type")?;
            let kind = vm.call(&kind, sym::TO_SYM, &[])?;
            ItemData { kind, name: part(vm, given, "name")?, version: part(vm, given, "version")? }
        }
        Value::Str(_) => {
            let text = vm.to_s_text(given)?;
            match Item::parse(&text) {
                Ok(item) => parts_of(item),
                Err(_) => return refuse(vm, this, given, "must be recipe[] or role[]"),
            }
        }
        other => return refuse(vm, this, other, "must be a Hash or String"),
    };
    if let Some(data) = vm.data_mut::<ItemData>(this) {
        *data = made;
    }
    Ok(Value::Nil)
}
fn refuse(vm: &mut Vm, this: &Value, given: &Value, rule: &str) -> Res {
    let (own, class, shown) = (vm.class_name_of(this), vm.class_name_of(given), vm.inspect(given)?);
    let error = vm.argument_error(format!("Unable to create {own} from {class}:{shown}: {rule}"));
    Err(about(vm, error, Subject::RunListItem))
}
/// Raises ArgumentError unless a Hash has a type and a name.
fn assert_hash(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for key in ["type", "name"] {
        let text = vm.call_name(args.at(0), "key?", &[Value::str(key)])?.truthy();
        if !text && !vm.call_name(args.at(0), "key?", &[Value::sym(key)])?.truthy() {
            let own = vm.class_name_of(this);
            let text = format!("Initializing a {own} from a hash requires that it have a 'type' and 'name' key");
            return Err(vm.argument_error(text));
        }
    }
    Ok(Value::Nil)
}
fn kind(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(of(vm, this).kind)
}
fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(of(vm, this).name)
}
fn version(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(of(vm, this).version)
}
fn is_kind(vm: &Vm, this: &Value, wanted: &str) -> Value {
    Value::bool(matches!(of(vm, this).kind, Value::Sym(kind) if kind.as_str() == wanted))
}
fn is_role(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(is_kind(vm, this, "role"))
}
fn is_recipe(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(is_kind(vm, this, "recipe"))
}
fn shown(vm: &mut Vm, this: &Value) -> Res<String> {
    let own = of(vm, this);
    let (kind, name) = (vm.to_s_text(&own.kind)?, vm.to_s_text(&own.name)?);
    if !own.version.truthy() {
        return Ok(format!("{kind}[{name}]"));
    }
    let version = vm.to_s_text(&own.version)?;
    Ok(format!("{kind}[{name}@{version}]"))
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    shown(vm, this).map(Value::str)
}
/// Equal to the same text, or to an entry with the same type, name and version.
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    if let Value::Str(_) = other {
        let (own, other) = (shown(vm, this)?, vm.to_s_text(other)?);
        return Ok(Value::bool(own == other));
    }
    let own = of(vm, this);
    for (part, value) in [("type", own.kind), ("name", own.name), ("version", own.version)] {
        let part = Symbol::intern_static(part);
        if !vm.respond_to(other, part, false)? {
            return Ok(Value::False);
        }
        let theirs = vm.call(other, part, &[])?;
        if !vm.eq(&theirs, &value)? {
            return Ok(Value::False);
        }
    }
    Ok(Value::True)
}

/// The item for an object of the class, or for one with the same methods.
///
/// # Errors
/// What the object's methods raise.
pub(super) fn item_of(vm: &mut Vm, entry: &Value) -> Res<Item> {
    let parts = match vm.data::<ItemData>(entry) {
        Some(data) => data.clone(),
        None => ItemData {
            kind: vm.call_name(entry, "type", &[])?,
            name: vm.call_name(entry, "name", &[])?,
            version: vm.call_name(entry, "version", &[])?,
        },
    };
    let name = vm.to_s_text(&parts.name)?;
    if matches!(parts.kind, Value::Sym(kind) if kind.as_str() == "role") {
        return Ok(Item::Role(name));
    }
    let version = if parts.version.truthy() { Some(vm.to_s_text(&parts.version)?) } else { None };
    Ok(Item::Recipe(name, version))
}

/// The parts of an item as Ruby values.
fn parts_of(item: Item) -> ItemData {
    let (kind, name, version) = match item {
        Item::Recipe(name, version) => ("recipe", name, version),
        Item::Role(name) => ("role", name, None),
    };
    ItemData { kind: Value::sym(kind), name: Value::str(name), version: version.map(Value::str).unwrap_or_default() }
}

/// An item as an object of the class.
///
/// # Errors
/// The class is not defined.
pub(super) fn object(vm: &mut Vm, item: &Item) -> Res {
    let class = vm.class_named("Chef::RunList::RunListItem");
    let class = class.ok_or_else(|| vm.runtime_error("Chef::RunList::RunListItem is not there"))?;
    Ok(Value::data(class, parts_of(item.clone())))
}

/// Defines the class in `Chef::RunList`.
pub(super) fn define(vm: &mut Vm, list: ClassId) {
    let item = vm.define_class(list, "RunListItem", ClassId::OBJECT);
    vm.class_mut(item).allocator = Some(|_, class| Ok(Value::data(class, blank())));
    vm.define_methods(item, METHODS);
}
