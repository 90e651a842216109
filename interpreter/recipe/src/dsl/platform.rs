//! `platform?`, `platform_family?`, `value_for_platform`, `value_for_platform_family` (SPEC-compile 3.2).

use crate::run::run_mut;
use rchef_model::platform_values::{ByFamily, ByPlatform};
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Symbol, Value, Vm, any, def, sym};

/// `node[key]` of the run's node as text; empty if it is not set.
pub fn fact(vm: &mut Vm, key: &str) -> Res<String> {
    let node = run_mut(vm).node.clone();
    fact_of(vm, &node, key)
}
/// `node[key]` as text, of the object's `node` if it has one, else of the run's node.
fn own_fact(vm: &mut Vm, this: &Value, key: &str) -> Res<String> {
    let asked = Symbol::intern_static("node");
    let node = if vm.respond_to(this, asked, true)? { vm.call(this, asked, &[])? } else { run_mut(vm).node.clone() };
    fact_of(vm, &node, key)
}
fn fact_of(vm: &mut Vm, node: &Value, key: &str) -> Res<String> {
    if node.is_nil() {
        return Ok(String::new());
    }
    let value = vm.call(node, sym::AREF, &[Value::str(key)])?;
    if value.is_nil() { Ok(String::new()) } else { vm.to_s_text(&value) }
}
fn any_equal(vm: &mut Vm, args: Args<'_>, actual: &str) -> Res {
    for arg in args.pos {
        for item in vm.to_array(arg)? {
            if vm.to_s_text(&item)? == actual {
                return Ok(Value::True);
            }
        }
    }
    Ok(Value::False)
}
fn is_platform(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let actual = own_fact(vm, this, "platform")?;
    any_equal(vm, args, &actual)
}
fn is_family(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let actual = own_fact(vm, this, "platform_family")?;
    any_equal(vm, args, &actual)
}

/// The pairs that the value's `each` yields.
fn pairs(vm: &mut Vm, value: &Value) -> Res<Vec<(Value, Value)>> {
    if let Value::Hash(hash) = value {
        return Ok(hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect());
    }
    let rows = vm.call_name(value, "each", &[])?;
    let mut pairs = Vec::new();
    for row in vm.to_array(&rows)? {
        let row = vm.to_array(&row)?;
        let at = |at: usize| row.get(at).cloned().unwrap_or_default();
        pairs.push((at(0), at(1)));
    }
    Ok(pairs)
}
fn names(vm: &mut Vm, key: &Value) -> Res<Vec<String>> {
    let mut found = Vec::new();
    for item in vm.to_array(key)? {
        found.push(vm.to_s_text(&item)?);
    }
    Ok(found)
}

/// Parses the Hash of `value_for_platform`.
fn by_platform(vm: &mut Vm, given: &Value) -> Res<ByPlatform<Value>> {
    let mut made = ByPlatform::default();
    for (key, value) in pairs(vm, given)? {
        if vm.to_s_text(&key)? == "default" {
            made.set_default(value);
            continue;
        }
        if !matches!(value, Value::Hash(_)) {
            let (shown, platforms) = (vm.inspect(&value)?, vm.to_s_text(&key)?);
            return Err(vm.argument_error(format!(
                "platform dependent values must be specified in the format :platform => {{:version => value}} \
                 you gave a value {shown} for platform(s) {platforms}"
            )));
        }
        let mut versions = Vec::new();
        for (keys, value) in pairs(vm, &value)? {
            versions.extend(names(vm, &keys)?.into_iter().map(|version| (version, value.clone())));
        }
        for platform in names(vm, &key)? {
            made.set(&platform, versions.clone());
        }
    }
    Ok(made)
}
/// Selects the value: exact version, then a single matching constraint, then the platform's default, then the general default.
fn chosen(vm: &mut Vm, values: &ByPlatform<Value>, platform: &str, version: &str) -> Res {
    match values.find(platform, version) {
        Ok(found) => {
            let matched = found.matched.filter(|value| value.truthy());
            Ok(found.exact.or(matched).or(found.default).cloned().unwrap_or_default())
        }
        Err(keys) => {
            let keys = Value::array(keys.into_iter().map(Value::str).collect());
            let mut all = Vec::new();
            for (platform, versions) in values.iter() {
                let versions = versions.iter().map(|(version, value)| (Value::str(version), value.clone())).collect();
                all.push((Value::str(platform), vm.new_hash(versions)?));
            }
            all.extend(values.default_value().map(|value| (Value::str("default"), value.clone())));
            let all = vm.new_hash(all)?;
            let (all, keys) = (vm.inspect(&all)?, vm.inspect(&keys)?);
            let text = format!("Multiple matches detected for {platform} with values {all}. The matches are: {keys}");
            Err(vm.runtime_error(text))
        }
    }
}
fn value_for_platform(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let values = by_platform(vm, args.at(0))?;
    let (platform, version) = (own_fact(vm, this, "platform")?, own_fact(vm, this, "platform_version")?);
    chosen(vm, &values, &platform, &version)
}
/// Parses the Hash of `value_for_platform_family`.
fn by_family(vm: &mut Vm, given: &Value) -> Res<ByFamily<Value>> {
    let mut made = ByFamily::default();
    for (key, value) in pairs(vm, given)? {
        for family in names(vm, &key)? {
            made.set(&family, value.clone());
        }
    }
    Ok(made)
}
fn value_for_platform_family(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let values = by_family(vm, args.at(0))?;
    let family = own_fact(vm, this, "platform_family")?;
    Ok(values.find(&family).cloned().unwrap_or_default())
}

static METHODS: &[MethodDef] = &[
    any("platform?", is_platform),
    any("platform_family?", is_family),
    def("value_for_platform", value_for_platform, 1),
    def("value_for_platform_family", value_for_platform_family, 1),
];

/// The values of a `PlatformDependentValue`.
#[derive(Clone, Default)]
struct Platforms(ByPlatform<Value>);
impl NativeData for Platforms {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        let versions = self.0.iter().flat_map(|(_, versions)| versions.iter().map(|(_, value)| value));
        versions.chain(self.0.default_value()).for_each(visit);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}
#[derive(Clone, Default)]
struct Families(ByFamily<Value>);
impl NativeData for Families {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.0.values().for_each(visit);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

static PLATFORM_VALUE: &[MethodDef] =
    &[def("initialize", set_platforms, 1).private(), def("value_for_node", platform_value, 1)];
static FAMILY_VALUE: &[MethodDef] =
    &[def("initialize", set_families, 1).private(), def("value_for_node", family_value, 1)];

fn set_platforms(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let values = by_platform(vm, args.at(0))?;
    if let Some(data) = vm.data_mut::<Platforms>(this) {
        data.0 = values;
    }
    Ok(Value::Nil)
}
fn platform_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let values = vm.data::<Platforms>(this).cloned().unwrap_or_default();
    let (platform, version) =
        (symbol_fact(vm, args.at(0), "platform")?, symbol_fact(vm, args.at(0), "platform_version")?);
    chosen(vm, &values.0, &platform, &version)
}
fn set_families(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let values = by_family(vm, args.at(0))?;
    if let Some(data) = vm.data_mut::<Families>(this) {
        data.0 = values;
    }
    Ok(Value::Nil)
}
fn family_value(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let values = vm.data::<Families>(this).cloned().unwrap_or_default();
    let family = symbol_fact(vm, args.at(0), "platform_family")?;
    Ok(values.0.find(&family).cloned().unwrap_or_default())
}
/// `node[:key]` as text, since a node that is a plain Hash has Symbol keys.
fn symbol_fact(vm: &mut Vm, node: &Value, key: &'static str) -> Res<String> {
    let value = vm.call(node, sym::AREF, &[Value::sym(key)])?;
    if value.is_nil() { Ok(String::new()) } else { vm.to_s_text(&value) }
}

/// Registers the classes in `Chef::DSL::PlatformIntrospection`.
pub fn boot_values(vm: &mut Vm, introspection: ClassId) {
    let platforms = vm.define_class(introspection, "PlatformDependentValue", ClassId::OBJECT);
    vm.class_mut(platforms).allocator = Some(|_, class| Ok(Value::data(class, Platforms::default())));
    vm.define_methods(platforms, PLATFORM_VALUE);
    let families = vm.define_class(introspection, "PlatformFamilyDependentValue", ClassId::OBJECT);
    vm.class_mut(families).allocator = Some(|_, class| Ok(Value::data(class, Families::default())));
    vm.define_methods(families, FAMILY_VALUE);
}

/// Registers the helpers in `Chef::DSL::Universal` and ChefUtils.
pub fn boot(vm: &mut Vm, universal: ClassId) {
    vm.define_methods(universal, METHODS);
    super::utils::boot(vm, universal);
}
