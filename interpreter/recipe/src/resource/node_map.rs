//! `Chef::NodeMap`: classes by key with filters for nodes, by the rules of [`registry`](super::registry).

use super::class_body::filters;
use super::registry::{Filters, insert_by_rank, matches};
use crate::run::class;
use rchef_ruby::embed::class::OrderedMap;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Symbol, Value, Vm, at_least, def};

/// The feature that the autoload of the constant requires.
pub const FEATURE: &str = "chef/rchef/node_map";

/// A class with its filters.
#[derive(Clone)]
struct Matcher {
    class: Value,
    filters: Filters,
    /// The original filters, in Chef's order.
    given: Vec<(Symbol, Value)>,
    /// Whether the entry existed when the map was locked: a later class for its key causes a warning.
    locked: bool,
}

/// The entries of a map by key, most specific filters first.
#[derive(Clone, Default)]
struct Map {
    entries: OrderedMap<Symbol, Vec<Matcher>>,
    locked: bool,
}

impl NativeData for Map {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        for (_, matchers) in self.entries.iter() {
            for matcher in matchers {
                visit(&matcher.class);
                matcher.given.iter().for_each(|(_, value)| visit(value));
                matcher.filters.block.iter().for_each(&mut *visit);
            }
        }
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

static METHODS: &[MethodDef] = &[
    at_least("set", set, 2),
    def("get", get, 2),
    def("list", list, 2),
    def("delete_class", delete_class, 1),
    def("lock!", lock, 0),
    def("locked?", is_locked, 0),
];

/// Defines the class.
///
/// # Errors
/// The class `Chef` is not defined.
pub fn load(vm: &mut Vm) -> Res<()> {
    let chef = class(vm, |classes| classes.chef)?;
    let map = vm.define_class(chef, "NodeMap", ClassId::OBJECT);
    vm.class_mut(map).allocator = Some(|_, class| Ok(Value::data(class, Map::default())));
    vm.define_methods(map, METHODS);
    Ok(())
}

/// The entries of a key.
fn entries(vm: &mut Vm, this: &Value, key: &Value) -> Res<Vec<Matcher>> {
    let key = vm.to_name(key)?;
    Ok(vm.data::<Map>(this).and_then(|map| map.entries.get(&key)).cloned().unwrap_or_default())
}

/// `set(key, klass, **filters) { |node| … }`
fn set(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    // the keywords are checked first: an unknown keyword is reported before an invalid name
    let Some(found) = filters(vm, &args)? else { return Ok(Value::Nil) };
    let (key, class) = (vm.to_name(args.at(0))?, args.at(1).clone());
    let mut given = Vec::new();
    if let Some(hash) = args.split().1 {
        for name in ["platform", "platform_version", "platform_family", "os", "override"] {
            let value = vm.hash_get(hash, &Value::sym(name))?.unwrap_or_default();
            if !value.is_nil() {
                given.push((Symbol::intern_static(name), value));
            }
        }
        let target = vm.hash_get(hash, &Value::sym("target_mode"))?.unwrap_or_default();
        given.push((Symbol::intern_static("target_mode"), target));
    } else {
        given.push((Symbol::intern_static("target_mode"), Value::Nil));
    }
    if let Some(block) = &found.block {
        given.insert(0, (Symbol::intern_static("block"), block.clone()));
    }
    let known = vm.data::<Map>(this).and_then(|map| map.entries.get(&key));
    if known.is_some_and(|known| known.iter().any(|matcher| matcher.locked)) {
        warn_of_collision(vm, key, &class)?;
    }
    if let Some(map) = vm.data_mut::<Map>(this) {
        let matcher = Matcher { class, filters: found, given, locked: false };
        insert_by_rank(map.entries.entry(key).or_default(), matcher, |matcher| &matcher.filters);
    }
    Ok(Value::Nil)
}

fn warn_of_collision(vm: &mut Vm, key: Symbol, class: &Value) -> Res<()> {
    let mut kind = "class";
    if let Value::Class(id) = class {
        for (base, name) in [("Chef::Resource", "resource"), ("Chef::Provider", "provider")] {
            if vm.class_named(base).is_some_and(|base| vm.is_subclass(*id, base)) {
                kind = name;
            }
        }
    }
    let mut shown = kind.to_string();
    shown[..1].make_ascii_uppercase();
    let text = format!(
        "{shown} {key} built into Chef Infra Client is being overridden by the {kind} from a cookbook. Please upgrade your cookbook \
         or remove the cookbook from your run_list."
    );
    let log = vm.class_named("Chef::Log").map(Value::Class).unwrap_or_default();
    vm.call_name(&log, "warn", &[Value::str(text)])?;
    Ok(())
}

/// Whether an entry matches the node; without a node all do.
fn lets_through(vm: &mut Vm, matcher: &Matcher, node: &Value) -> Res<bool> {
    if !node.truthy() { Ok(true) } else { matches(vm, &matcher.filters, node) }
}

/// `get(node, key)`: the class of the first entry that matches the node, or nil.
fn get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for matcher in entries(vm, this, args.at(1))? {
        if lets_through(vm, &matcher, args.at(0))? {
            return Ok(matcher.class);
        }
    }
    Ok(Value::Nil)
}

/// `list(node, key)`: the classes of all entries that match the node.
fn list(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut found = Vec::new();
    for matcher in entries(vm, this, args.at(1))? {
        if lets_through(vm, &matcher, args.at(0))? {
            found.push(matcher.class);
        }
    }
    Ok(Value::array(found))
}

/// `delete_class(klass)`: the removed entries by key, as Hashes of their arguments.
fn delete_class(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Value::Class(_) = args.at(0) else {
        return Err(vm.runtime_error("please use a Class type for the klass argument"));
    };
    let wanted = vm.to_s_text(args.at(0))?;
    let keys: Vec<Symbol> =
        vm.data::<Map>(this).map(|map| map.entries.iter().map(|(key, _)| *key).collect()).unwrap_or_default();
    let mut deleted = Vec::new();
    for key in keys {
        let (mut gone, mut kept) = (Vec::new(), Vec::new());
        for matcher in entries(vm, this, &Value::Sym(key))? {
            if vm.to_s_text(&matcher.class)? == wanted {
                let pairs = std::iter::once((Symbol::intern_static("klass"), matcher.class)).chain(matcher.given);
                gone.push(vm.new_hash(pairs.map(|(name, value)| (Value::Sym(name), value)).collect())?);
            } else {
                kept.push(matcher);
            }
        }
        if gone.is_empty() {
            continue;
        }
        deleted.push((Value::Sym(key), Value::array(gone)));
        if let Some(map) = vm.data_mut::<Map>(this) {
            if kept.is_empty() {
                map.entries.shift_remove(&key);
            } else {
                map.entries.insert(key, kept);
            }
        }
    }
    vm.new_hash(deleted)
}

/// `lock!`: later classes for the existing keys cause a warning.
fn lock(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if let Some(map) = vm.data_mut::<Map>(this) {
        map.entries.values_mut().flatten().for_each(|matcher| matcher.locked = true);
        map.locked = true;
    }
    Ok(Value::True)
}

fn is_locked(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.data::<Map>(this).is_some_and(|map| map.locked)))
}
