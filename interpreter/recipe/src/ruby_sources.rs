//! Parts of Chef's API that are Ruby source (`ruby/*.rb`): each file loads when one of its constants or methods is first used.

use crate::context::lists;
use crate::cookbook::{compiler, run_list_class, version_class};
use crate::data::role_class;
use crate::provider::names;
use crate::resource::node_map;
use crate::resource::registry::{self, Registry};
use crate::run::class;
use crate::{archive_class, diff_class, error_inspectors, node};
use rchef_ruby::embed::library::{Library, Text};
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, at_least, def, opt, sym};
use std::rc::Rc;

/// A Ruby source of Chef's API and the names it defines; `build.rs` makes the list.
struct Source {
    /// Its name for `require`.
    feature: &'static str,
    text: Text,
    modules: &'static [Module],
}

/// The names that a source defines in one class or module.
struct Module {
    /// The name of the module; empty for the top level.
    path: &'static str,
    methods: &'static [&'static str],
    class_methods: &'static [&'static str],
    constants: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/ruby_sources.rs"));

/// A source for native classes: the feature defines the classes, and then loads the source.
struct NativeFirst {
    feature: &'static str,
    source: &'static str,
    load: fn(&mut Vm) -> Res<()>,
}

static NATIVE_FIRST: &[NativeFirst] = &[
    NativeFirst {
        feature: run_list_class::FEATURE,
        source: run_list_class::SOURCE_FEATURE,
        load: run_list_class::load,
    },
    NativeFirst { feature: compiler::FEATURE, source: compiler::SOURCE_FEATURE, load: compiler::load },
    NativeFirst { feature: archive_class::FEATURE, source: archive_class::SOURCE_FEATURE, load: archive_class::load },
    NativeFirst { feature: diff_class::FEATURE, source: diff_class::SOURCE_FEATURE, load: diff_class::load },
    NativeFirst {
        feature: error_inspectors::FEATURE,
        source: error_inspectors::SOURCE_FEATURE,
        load: error_inspectors::load,
    },
    NativeFirst { feature: lists::FEATURE, source: lists::SOURCE_FEATURE, load: lists::load },
    NativeFirst { feature: role_class::FEATURE, source: role_class::SOURCE_FEATURE, load: role_class::load },
    NativeFirst { feature: node::DECORATOR, source: node::DECORATOR_SOURCE, load: node::load_decorator },
];

const UTIL: &str = "chef/rchef/util";
const VERSION: &str = "chef/rchef/release";

/// Defines a method that loads the source, which redefines the method, and calls it again.
fn stub(vm: &mut Vm, owner: ClassId, name: &'static str, feature: &'static str) {
    let symbol = Symbol::intern_static(name);
    if vm.find_method(owner, symbol).is_some_and(|id| vm.method(id).owner == owner) {
        return;
    }
    let again = move |vm: &mut Vm, this: &Value, args: Args<'_>| {
        if !rchef_ruby::embed::load::require(vm, feature)? {
            return Err(vm.not_implemented(format!("{name} is not there")));
        }
        vm.call_args(this, symbol, args)
    };
    vm.define_closure(owner, symbol, Arity::ANY, Rc::new(again));
}

static RESOURCE_RESOLVER: &[MethodDef] = &[
    at_least("resolve", resolve_resource, 1),
    at_least("list", list_resources, 1),
    def("handlers", resource_handlers, 2).private(),
    def("forget", forget_resource, 1).private(),
];
static RESOURCE_RESOLVER_NEW: &[MethodDef] = &[
    def("initialize", resource_resolver_initialize, 2).private(),
    def("resolve", resolve_own, 0),
    def("list", list_own, 0),
    def("provided_by?", is_provided_by, 1),
];
static PROVIDER_RESOLVER_NEW: &[MethodDef] = &[
    def("initialize", resolver_initialize, 3).private(),
    def("resolve", resolve_provider, 0),
    def("enabled_handlers", enabled_handlers, 0),
];
static PROVIDER_RESOLVER: &[MethodDef] =
    &[def("handlers", provider_handlers, 2).private(), def("forget", forget_provider, 1).private()];
static RESOURCE: &[MethodDef] =
    &[opt("resource_for_node", resource_for_node, 2, 2), opt("resource_matching_short_name", resolve_resource, 1, 1)];

fn found(vm: &mut Vm, name: &Value) -> Res<Option<Value>> {
    let name = vm.to_name(name)?;
    Ok(crate::resource::registry::resolve(vm, name)?.map(Value::Class))
}
/// `Chef::ResourceResolver.resolve(name, node: nil, canonical: nil)`: the class, or nil.
fn resolve_resource(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(found(vm, args.at(0))?.unwrap_or_default())
}
fn list_resources(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(Value::array(found(vm, args.at(0))?.into_iter().collect()))
}
/// `Chef::ResourceResolver.new(node, name)`
fn resource_resolver_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for (slot, index) in [("@node", 0), ("@resource_name", 1)] {
        vm.ivar_set(this, Symbol::intern_static(slot), args.at(index).clone());
    }
    Ok(Value::Nil)
}
fn resolve_own(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let name = vm.ivar_get(this, Symbol::intern_static("@resource_name")).unwrap_or_default();
    Ok(found(vm, &name)?.unwrap_or_default())
}
fn list_own(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let name = vm.ivar_get(this, Symbol::intern_static("@resource_name")).unwrap_or_default();
    list_resources(vm, this, Args::new(&[name]))
}
fn is_provided_by(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = resolve_own(vm, this, Args::none())?;
    Ok(Value::bool(found.same(args.at(0))))
}
/// `Chef::Resource.resource_for_node(name, node)`: raises NoSuchResourceType if no class provides the name.
fn resource_for_node(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    Ok(Value::Class(crate::resource::registry::class_for(vm, name)?))
}
fn resolver_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for (slot, index) in [("@node", 0), ("@resource", 1), ("@action", 2)] {
        vm.ivar_set(this, Symbol::intern_static(slot), args.at(index).clone());
    }
    Ok(Value::Nil)
}
fn resolve_provider(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = vm.ivar_get(this, Symbol::intern_static("@resource")).unwrap_or_default();
    let action = vm.ivar_get(this, Symbol::intern_static("@action")).unwrap_or_default();
    let action = vm.to_name(&action)?;
    crate::provider::class_for(vm, &resource, action)
}
fn enabled_handlers(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = resolve_provider(vm, this, args)?;
    Ok(Value::array(vec![found]))
}
/// The provider classes of a name for a node, or for all nodes.
fn provider_handlers(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(1))?;
    let found = crate::provider::handlers::enabled(vm, args.at(0), name)?;
    Ok(Value::array(found.into_iter().map(Value::Class).collect()))
}
/// The resource classes of a name for a node, or for all nodes.
fn resource_handlers(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(1))?;
    let mut found = Vec::new();
    for entry in registry::registry_mut(vm).entries(name) {
        if args.at(0).is_nil() || registry::matches(vm, &entry.filters, args.at(0))? {
            found.push(Value::Class(entry.class));
        }
    }
    Ok(Value::array(found))
}
/// The names that a class no longer answers to, with the number of entries.
fn forgotten(vm: &mut Vm, class: &Value, forget: fn(&mut Registry, ClassId) -> Vec<(Symbol, usize)>) -> Res {
    let Value::Class(class) = class else {
        return Err(vm.runtime_error("please use a Class type for the klass argument"));
    };
    let gone = forget(registry::registry_mut(vm), *class);
    vm.new_hash(gone.into_iter().map(|(name, count)| (Value::Sym(name), Value::len(count))).collect())
}
fn forget_resource(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    forgotten(vm, args.at(0), Registry::forget)
}
fn forget_provider(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    forgotten(vm, args.at(0), Registry::forget_provider)
}

fn autoload(vm: &mut Vm, outer: ClassId, name: &str, feature: &str) -> Res<()> {
    vm.call_name(&Value::Class(outer), "autoload", &[Value::sym(name), Value::str(feature)])?;
    Ok(())
}

/// Makes `require` of Chef's own files succeed; what they define exists or is autoloaded.
fn features(vm: &mut Vm) {
    vm.libraries.insert_all(crate::features::FEATURES, Library::Native(nothing));
}
/// For VMs without the model: `require` of any of Chef's own files calls `load`, which must [`boot`](crate::boot) the model.
pub fn on_require(vm: &mut Vm, load: fn(&mut Vm) -> Res<()>) {
    vm.libraries.insert_all(crate::features::FEATURES, Library::Native(load));
}
fn nothing(_: &mut Vm) -> Res<()> {
    Ok(())
}

/// Registers the features that count as loaded from the start, and the autoloads of constants that any cookbook may use.
fn early(vm: &mut Vm, chef: ClassId) -> Res<()> {
    for name in crate::features::LOADED {
        vm.libraries.insert(name, Library::Native(nothing));
        vm.loaded.push((*name).to_string());
    }
    vm.libraries.insert(version_class::FEATURE, Library::Native(version_class::load));
    vm.libraries.insert(node_map::FEATURE, Library::Native(node_map::load));
    vm.libraries.insert(VERSION, Library::Native(define_version));
    for (name, feature) in [
        ("Version", version_class::FEATURE),
        ("VersionConstraint", version_class::FEATURE),
        ("RunList", run_list_class::FEATURE),
        ("NodeMap", node_map::FEATURE),
        ("VERSION", VERSION),
    ] {
        if vm.const_own(chef, Symbol::intern_static(name)).is_none() {
            autoload(vm, chef, name, feature)?;
        }
    }
    let config = vm.define_module(ClassId::OBJECT, "ChefConfig");
    autoload(vm, config, "PathHelper", UTIL)
}

fn define_version(vm: &mut Vm) -> Res<()> {
    let chef = class(vm, |classes| classes.chef)?;
    let string = vm.const_get_from(chef, Symbol::intern_static("VersionString"), false)?.unwrap_or_default();
    let version = vm.call(&string, sym::NEW, &[Value::str(crate::CHEF_VERSION)])?;
    vm.const_set(chef, Symbol::intern_static("VERSION"), version);
    Ok(())
}

/// Registers the names; the model's modules must be defined.
pub fn boot(vm: &mut Vm, chef: ClassId) -> Res<()> {
    early(vm, chef)?;
    let mixlib = vm.define_module(ClassId::OBJECT, "Mixlib");
    for (name, feature) in [("Config", "mixlib/config"), ("Log", "mixlib/log")] {
        autoload(vm, mixlib, name, feature)?;
    }
    vm.libraries.insert("chef-vault/item", Library::Source(Text::Plain("require 'chef-vault'")));
    crate::subscribers::boot(vm, chef);
    if let Some(mixin) = vm.class_named("Chef::Mixin") {
        let from_file = vm.define_module(mixin, "FromFile");
        for name in ["Chef::Node", "Chef::Cookbook::Metadata"] {
            if let Some(class) = vm.class_named(name) {
                vm.include_module(class, from_file);
            }
        }
    }
    for source in SOURCES {
        let native = NATIVE_FIRST.iter().find(|native| native.feature == source.feature);
        match native {
            Some(native) => {
                vm.libraries.insert(native.feature, Library::Native(native.load));
                vm.libraries.insert(native.source, Library::Source(source.text));
            }
            None => vm.libraries.insert(source.feature, Library::Source(source.text)),
        }
        for module in source.modules {
            offer(vm, source.feature, module)?;
        }
    }
    vm.libraries.insert(names::FEATURE, Library::Native(define_providers));
    features(vm);
    if let Some(module) = vm.class_named("Chef::Mixin::ConvertToClassName") {
        let meta = vm.meta(module);
        vm.include_module(meta, module);
    }
    let resources = vm.define_class(chef, "ResourceResolver", ClassId::OBJECT);
    vm.define_singleton_methods(resources, RESOURCE_RESOLVER);
    vm.define_methods(resources, RESOURCE_RESOLVER_NEW);
    let providers = vm.define_class(chef, "ProviderResolver", ClassId::OBJECT);
    vm.define_methods(providers, PROVIDER_RESOLVER_NEW);
    vm.define_singleton_methods(providers, PROVIDER_RESOLVER);
    let resource = class(vm, |classes| classes.resource)?;
    vm.define_singleton_methods(resource, RESOURCE);
    legacy(vm)
}

/// Defines the provider classes, and registers the names that sources define in them.
fn define_providers(vm: &mut Vm) -> Res<()> {
    names::define(vm)?;
    let paths: Vec<String> = names::TEMPLATES.iter().map(|name| format!("Chef::Provider::{name}")).collect();
    for source in SOURCES {
        for module in source.modules.iter().filter(|module| paths.iter().any(|path| path == module.path)) {
            offer(vm, source.feature, module)?;
        }
    }
    Ok(())
}

/// Registers the names of an existing class or module, so that their first use loads the source. A module that does not exist is autoloaded as a
/// constant of its outer module.
fn offer(vm: &mut Vm, feature: &'static str, module: &Module) -> Res<()> {
    let owner = if module.path.is_empty() { Some(ClassId::OBJECT) } else { vm.class_named(module.path) };
    let Some(owner) = owner else { return Ok(()) };
    module.methods.iter().for_each(|name| stub(vm, owner, name, feature));
    if !module.class_methods.is_empty() {
        let meta = vm.meta(owner);
        module.class_methods.iter().for_each(|name| stub(vm, meta, name, feature));
    }
    for name in module.constants {
        if vm.const_own(owner, Symbol::intern_static(name)).is_none() {
            autoload(vm, owner, name, feature)?;
        }
    }
    Ok(())
}

/// Defines modules that old code includes (now part of the universal DSL), and constants with former names.
fn legacy(vm: &mut Vm) -> Res<()> {
    let universal = class(vm, |classes| classes.dsl_universal)?;
    for path in [
        "Chef::Mixin::Which",
        "Chef::DSL::RegistryHelper",
        "Chef::DSL::RebootPending",
        "Chef::Mixin::WindowsArchitectureHelper",
        "Chef::DSL::Powershell",
        "Chef::DSL::DataQuery",
        "Chef::DSL::ChefVault",
        "Chef::DSL::Secret",
    ] {
        if let Some(module) = vm.class_named(path) {
            vm.include_module(module, universal);
        }
    }
    let recipe_dsl = class(vm, |classes| classes.dsl_recipe)?;
    if let Some(module) = vm.class_named("Chef::DSL::IncludeRecipe") {
        vm.include_module(module, recipe_dsl);
    }
    let mash = vm.class_named("ChefUtils::Mash").or_else(|| vm.class_named("Mash"));
    if let (Some(chef), Some(mash)) = (vm.class_named("Chef"), mash)
        && vm.const_own(chef, Symbol::intern_static("Mash")).is_none()
    {
        vm.const_set(chef, Symbol::intern_static("Mash"), Value::Class(mash));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::SOURCES;
    use rchef_ruby::embed::method::{MethodBody, Visibility};
    use rchef_ruby::{ClassId, Res, Symbol, Value, Vm};
    use std::rc::Rc;

    /// Every listed name is defined by its source: a stub that the source does not replace would load it for nothing. And every public method that
    /// a source adds to a class is listed: without a stub, it would not exist until something else loads the source.
    #[test]
    fn sources_define_what_is_listed() {
        let mut vm = Vm::new(Rc::new(rchef_host::RealHost::new())).unwrap();
        rchef_stdlib::register(&mut vm);
        crate::boot(&mut vm, &[]).unwrap();
        let mut wrong = Vec::new();
        let paths = SOURCES.iter().flat_map(|source| source.modules).map(|module| module.path);
        let reopened: Vec<&str> = paths.filter(|path| vm.class_named(path).is_some()).collect();
        for source in SOURCES {
            let feature = source.feature;
            let loaded: Res<bool> = rchef_ruby::embed::load::require(&mut vm, feature);
            assert!(loaded.is_ok(), "{feature}");
            for module in source.modules {
                let owner = if module.path.is_empty() { Some(ClassId::OBJECT) } else { vm.class_named(module.path) };
                let Some(owner) = owner else {
                    wrong.push(format!("{feature}: {}", module.path));
                    continue;
                };
                let meta = vm.meta(owner);
                for (class, mark, names) in [(owner, '#', module.methods), (meta, '.', module.class_methods)] {
                    for name in names {
                        let found = vm.find_method(class, Symbol::intern(name));
                        let is_stub = |id| matches!(vm.method(id).body, MethodBody::Closure(..));
                        if found.is_none_or(is_stub) {
                            wrong.push(format!("{feature}: {}{mark}{name}", module.path));
                        }
                    }
                }
                for name in module.constants {
                    let value = vm.const_get_from(owner, Symbol::intern(name), false);
                    if !matches!(value, Ok(Some(value)) if !matches!(value, Value::Nil)) {
                        wrong.push(format!("{feature}: {}::{name}", module.path));
                    }
                }
            }
        }
        for path in reopened {
            let Some(owner) = vm.class_named(path) else { continue };
            let same = SOURCES.iter().flat_map(|source| source.modules).filter(|module| module.path == path);
            let same: Vec<_> = same.collect();
            let meta = vm.meta(owner);
            let listed = |names: fn(&super::Module) -> &'static [&'static str]| -> Vec<&str> {
                same.iter().flat_map(|module| names(module)).copied().collect()
            };
            let known =
                [(owner, '#', listed(|module| module.methods)), (meta, '.', listed(|module| module.class_methods))];
            for (class, mark, listed) in known {
                let own: Vec<_> = vm.own_methods(class).iter().map(|(name, id)| (*name, *id)).collect();
                for (name, id) in own {
                    let of_source = matches!(
                        vm.method(id).body,
                        MethodBody::Ruby(_) | MethodBody::Proc(_) | MethodBody::Reader(_) | MethodBody::Writer(_)
                    );
                    if of_source && vm.method(id).visibility == Visibility::Public && !listed.contains(&name.as_str()) {
                        wrong.push(format!("{path}{mark}{name} is not listed"));
                    }
                }
            }
        }
        wrong.sort();
        wrong.dedup();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
