//! Parts of Chef's API that are Ruby source (`ruby/*.rb`): each source loads when one of its constants or methods is first used. The lists here say
//! which ones those are.

use crate::cookbook::{run_list_item, version_class};
use crate::run::{class, run_mut};
use rchef_ruby::library::Library;
use rchef_ruby::method::Arity;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, at_least, def, opt};
use std::rc::Rc;

const FEATURE: &str = "chef/rchef/api";
static SOURCE: &str =
    concat!(include_str!("ruby/api.rb"), "\nclass Chef\n  VERSION = VersionString.new('", chef_version!(), "')\nend\n");
/// `VersionString` has a source of its own: every node has one from the start, as its `platform_version`.
const VERSION_STRING: &str = "chef/rchef/version_string";
static VERSION_STRING_SOURCE: &str =
    concat!(include_str!("ruby/version_string.rb"), "\nclass Chef\n  VersionString = ChefUtils::VersionString\nend\n");
/// More sources, each with the constants of Chef that it defines.
static SOURCES: &[(&str, &str, &str)] = &[
    (run_list_item::SOURCE_FEATURE, include_str!("ruby/run_list.rb"), ""),
    ("chef/rchef/formatters", include_str!("ruby/formatters.rb"), "Formatters"),
    ("chef/rchef/handler", include_str!("ruby/handler.rb"), "Handler RunStatus ActionCollection Client"),
    (VERSIONED, include_str!("ruby/mixin/versioned.rb"), "ServerAPIVersions"),
    (HTTP, concat!(include_str!("ruby/http.rb"), include_str!("ruby/http_parts.rb")), "HTTP ServerAPI"),
    ("chef/rchef/api_client", include_str!("ruby/api_client.rb"), "ApiClient"),
    ("chef/rchef/deprecated", include_str!("ruby/deprecated.rb"), "Deprecated"),
    ("chef/rchef/node_map", include_str!("ruby/node_map.rb"), "NodeMap"),
    ("chef/rchef/guard_interpreter", include_str!("ruby/guard_interpreter.rb"), "GuardInterpreter"),
    (NODE, include_str!("ruby/node_api.rb"), ""),
    (DATA_BAG, include_str!("ruby/data_bag.rb"), ""),
    (COOKBOOK, include_str!("ruby/cookbook_version.rb"), ""),
    (RESOURCES, include_str!("ruby/resource_api.rb"), ""),
    (CONTEXT, include_str!("ruby/run_context.rb"), ""),
    ("chef/rchef/role", include_str!("ruby/role.rb"), "Role Environment RoleOrEnvironment"),
];
const COLLECTION: &str = "chef/rchef/collection";
static COLLECTION_SOURCE: &str = include_str!("ruby/collection.rb");
const VERSIONED: &str = "chef/rchef/versioned";
/// The same for constants that are deeper: the outer module, the feature, its source, the constants.
static INNER: &[(&str, &str, &str, &str)] = &[
    ("Chef::EventDispatch", EVENTS, include_str!("ruby/events.rb"), "Base Dispatcher DSL EventsOutputStream"),
    (
        "Chef::Mixin",
        SMALL_MIXINS,
        include_str!("ruby/mixin/small.rb"),
        "LazyModuleInclude NotifyingBlock Deprecation DescendantsTracker Provides FileClass GetSourceFromPackage \
         UserContext DefaultPaths PathSanity SubclassDirective Unformatter VersionedAPI CreatePath PowershellTypeCoercions XMLEscape",
    ),
    ("Chef::Mixin::Securable", SMALL_MIXINS, "", "WindowsMacros WindowsSecurableAttributes"),
    ("Chef::Cookbook", METADATA, include_str!("ruby/metadata.rb"), "MinimalMetadata"),
    (
        "Chef::Cookbook::Metadata",
        METADATA,
        "",
        "FIELDS COMPARISON_FIELDS VERSION_CONSTRAINTS NAME DESCRIPTION LONG_DESCRIPTION MAINTAINER MAINTAINER_EMAIL LICENSE PLATFORMS DEPENDENCIES \
         PROVIDING RECIPES VERSION SOURCE_URL ISSUES_URL PRIVACY CHEF_VERSIONS OHAI_VERSIONS GEMS EAGER_LOAD_LIBRARIES",
    ),
    (
        "Chef::EncryptedDataBagItem",
        ENCRYPTED,
        include_str!("ruby/encrypted.rb"),
        "ALGORITHM AEAD_ALGORITHM EncryptionFailure Assertions Encryptor Decryptor CheckEncrypted",
    ),
    ("Chef::DataBag", DATA_BAG, "", "VALID_NAME RESERVED_NAMES"),
    ("Chef::DataBagItem", DATA_BAG, "", "VALID_ID"),
    ("Chef::CookbookVersion", COOKBOOK, "", "COOKBOOK_SEGMENTS"),
    ("Chef::Resource", RESOURCES, "", "FORBIDDEN_IVARS HIDDEN_IVARS ConditionalActionNotNothing"),
    ("Chef::DSL", DSL, include_str!("ruby/dsl.rb"), "RenderHelpers ReaderHelpers"),
    ("Chef::DSL::PlatformIntrospection", DSL, "", "PlatformDependentValue PlatformFamilyDependentValue"),
    ("Chef::Mixin", "chef/rchef/why_run", include_str!("ruby/mixin/why_run.rb"), "WhyRun"),
    ("Chef::Mixin", VERSIONED, "", "VersionedAPIFactory ApiVersionRequestHandling"),
];
const UTIL: &str = "chef/rchef/util";
const EVENTS: &str = "chef/rchef/events";
const HTTP: &str = "chef/rchef/http";
const NODE: &str = "chef/rchef/node";
const DATA_BAG: &str = "chef/rchef/data_bag";
const DSL: &str = "chef/rchef/dsl";
const COOKBOOK: &str = "chef/rchef/cookbook_version";
const METADATA: &str = "chef/rchef/metadata";
const ENCRYPTED: &str = "chef/rchef/encrypted";
const RESOURCES: &str = "chef/rchef/resource";
const CONTEXT: &str = "chef/rchef/run_context";
const SMALL_MIXINS: &str = "chef/rchef/mixin";
const VALIDATE: &str = "chef/rchef/params_validate";
static VALIDATE_SOURCE: &str = include_str!("ruby/params_validate.rb");

/// Constants under `Chef`.
static CONSTANTS: &[&str] = &[
    "Digester",
    "FileCache",
    "Platform",
    "Application",
    "User",
    "UserV1",
    "ApiClientV1",
    "Org",
    "HandlerMap",
    "ResourceDefinitionList",
    "VERSION",
];

/// Methods of modules that are there from the start.
static METHODS: &[(&str, &str)] = &[
    (
        "Chef::DSL::Universal",
        "render_json render_yaml render_toml parse_json parse_yaml parse_toml parse_file tagged? reboot_pending? registry_key_exists? registry_has_subkeys? registry_value_exists? registry_data_exists? \
         valid_windows_architecture? assert_windows_architecture! wow64_architecture_override_required? forced_32bit_override_required? is_i386_process_on_x86_64_windows? registry_get_values \
         registry_get_subkeys node_windows_architecture wow64_directory with_os_architecture powershell_exec powershell_exec! ps_credential default_secret_service default_secret_config with_secret_service \
         with_secret_config secret",
    ),
    ("Chef::Recipe", "from_json_file from_json from_yaml_file from_yaml from_hash"),
    ("Chef::Mixin::Checksum", "checksum short_cksum checksum_match?"),
    (
        "Chef::Mixin::ConvertToClassName",
        "convert_to_class_name normalize_snake_case_name convert_to_snake_case constantize snake_case_basename filename_to_qualified_string",
    ),
];
/// The same from other sources.
static OTHER_METHODS: &[(&str, &str, &str)] = &[
    (SMALL_MIXINS, "Chef::Mixin::Securable", "owner user group mode"),
    (SMALL_MIXINS, "Chef::Mixin::Uris", "uri_scheme? as_uri"),
    (SMALL_MIXINS, "Chef::Mixin::FromFile", "from_file class_from_file source_file source_file="),
    (NODE, "Chef::Node", "expand! apply_expansion_attributes save create destroy chef_server_rest logger"),
    (DATA_BAG, "Chef::DataBag", "initialize"),
    (
        DATA_BAG,
        "Chef::DataBagItem",
        "chef_server_rest validate_id! object_name name to_json pretty_print destroy create save",
    ),
    (
        COOKBOOK,
        "Chef::CookbookVersion",
        "initialize metadata metadata= dependencies root_paths full_name frozen_version? freeze_version inspect <=> files_for each_file \
         manifest_records_by_path manifest checksums segment_filenames attribute_filenames_by_short_filename recipe_yml_filenames_by_name \
         recipe_json_filenames_by_name fully_qualified_recipe_names load_recipe has_template_for_node? has_cookbook_file_for_node? preferred_manifest_record \
         preferred_filename_on_disk_location relative_filenames_in_preferred_directory preferred_manifest_records_for_directory display \
         metadata_json_file metadata_rb_file has_metadata_file? reload_metadata! chef_server_rest all_files= name= version=",
    ),
    (
        RESOURCES,
        "Chef::Resource",
        "resource_initializing resource_initializing= action_description executed_by_runner= lookup_provider_constant notifies_before \
         notifies_immediately notifies_delayed should_skip? validate_action with_umask customize_exception value_to_text for_json as_json to_json",
    ),
    (
        METADATA,
        "Chef::Cookbook::Metadata",
        "== errors valid? chef_versions ohai_versions to_json from_json gem_requirements_from_array gem_requirements_to_array \
         recipes_from_cookbook_version validate_chef_version! validate_ohai_version!",
    ),
    (RESOURCES, "Chef::Resource::Conditional", "short_description"),
    (RESOURCES, "Chef::Provider", "requirements after_resource="),
    (RESOURCES, "Chef::Runner", "events run_all_actions updated_resources"),
    (
        CONTEXT,
        "Chef::RunContext",
        "rest rest= rest_clean rest_clean= input_collection profile_collection waiver_collection runner runner= reboot_info reboot_info= updated_resources \
         updated_resources= default_secret_service default_secret_service= default_secret_config default_secret_config= node= reboot_requested? \
         request_reboot cancel_reboot loaded_recipes_hash transport_connection logger open_stream",
    ),
    (DSL, "Chef::DSL::IncludeAttribute", "include_attribute parse_attribute_file_spec"),
];
/// Methods of the classes themselves.
static CLASS_METHODS: &[(&str, &str, &str)] = &[
    (HTTP, "Chef::LocalData", "put post delete"),
    (HTTP, "Chef::Config", "proxy_uri export_proxies"),
    (NODE, "Chef::Node", "chef_server_rest list list_by_environment load find_or_create json_create"),
    (DATA_BAG, "Chef::DataBag", "chef_server_rest from_hash json_create list load validate_name!"),
    (DATA_BAG, "Chef::DataBagItem", "chef_server_rest object_name json_create load"),
    (METADATA, "Chef::Cookbook::Metadata", "from_hash from_json validate_json"),
    (SMALL_MIXINS, "Chef::Mixin", "deprecated_constants deprecate_constant"),
    (ENCRYPTED, "Chef::EncryptedDataBagItem", "encrypt_data_bag_item"),
    (
        RESOURCES,
        "Chef::Resource",
        "resource_classes sorted_descendants find_subclass_by_name json_create from_json from_hash",
    ),
    (
        COOKBOOK,
        "Chef::CookbookVersion",
        "cache chef_server_rest checksum_cookbook_file from_hash from_cb_artifact_data",
    ),
];
/// Methods of `Chef` itself.
static CHEF: &str = "resource_handler_map provider_handler_map resource_priority_map provider_priority_map get_resource_priority_array get_provider_priority_array set_resource_priority_array set_provider_priority_array set_resource_priority_map set_provider_priority_map";

static SET_OR_RETURN: &[MethodDef] = &[at_least("set_or_return", crate::resource::instance::set_or_return, 3)];

/// `Chef::Mixin::ParamsValidate`: `set_or_return` is native, the rest loads at first use.
fn validation(vm: &mut Vm) {
    vm.libraries.insert(VALIDATE, Library::Source(VALIDATE_SOURCE));
    if let Some(module) = vm.class_named("Chef::Mixin::ParamsValidate") {
        vm.define_methods(module, SET_OR_RETURN);
        for owner in [module, vm.meta(module)] {
            stub(vm, owner, "validate", VALIDATE);
        }
    }
}

/// A method that loads the source, which replaces it, and calls it again.
fn stub(vm: &mut Vm, owner: ClassId, name: &'static str, feature: &'static str) {
    let symbol = Symbol::intern_static(name);
    if vm.find_method(owner, symbol).is_some_and(|id| vm.method(id).owner == owner) {
        return;
    }
    let again = move |vm: &mut Vm, this: &Value, args: Args<'_>| {
        if !rchef_ruby::core::load::require(vm, feature)? {
            return Err(vm.not_implemented(format!("{name} is not there")));
        }
        vm.call_args(this, symbol, args)
    };
    vm.define_closure(owner, symbol, Arity { min: 0, max: None }, Rc::new(again));
}

static RESOURCE_RESOLVER: &[MethodDef] =
    &[at_least("resolve", resolve_resource, 1), at_least("list", list_resources, 1)];
static PROVIDER_RESOLVER_NEW: &[MethodDef] = &[
    def("initialize", resolver_initialize, 3).private(),
    def("resolve", resolve_provider, 0),
    def("enabled_handlers", enabled_handlers, 0),
];
static PROVIDER_RESOLVER: &[MethodDef] = &[def("named", provider_named, 1)];
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
/// `Chef::Resource.resource_for_node(name, node)`: NoSuchResourceType when nothing answers to the name.
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
/// The first provider class of a name that the node's facts let through, or nil.
fn provider_named(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let node = run_mut(vm).node.clone();
    for entry in crate::resource::registry::registry_mut(vm).provider_entries(name) {
        if crate::resource::registry::matches(vm, &entry.filters, &node)? {
            return Ok(Value::Class(entry.class));
        }
    }
    Ok(Value::Nil)
}

fn autoload(vm: &mut Vm, outer: ClassId, name: &str, feature: &str) -> Res<()> {
    vm.call_name(&Value::Class(outer), "autoload", &[Value::sym(name), Value::str(feature)])?;
    Ok(())
}

/// `require` of Chef's own files: what they define is there, or loads when it is named.
fn features(vm: &mut Vm) {
    vm.libraries.insert_all(crate::features::FEATURES, Library::Native(nothing));
}
/// For machines without the model: `require` of any of Chef's own files calls `load`, which is to [`boot`](crate::boot) it.
pub fn on_require(vm: &mut Vm, load: fn(&mut Vm) -> Res<()>) {
    vm.libraries.insert_all(crate::features::FEATURES, Library::Native(load));
}
fn nothing(_: &mut Vm) -> Res<()> {
    Ok(())
}

/// Features that count as loaded from the start, and the constants of the first sources that any cookbook may name.
fn early(vm: &mut Vm, chef: ClassId) -> Res<()> {
    for name in crate::features::LOADED {
        vm.libraries.insert(name, Library::Native(nothing));
        vm.loaded.push((*name).to_string());
    }
    vm.libraries.insert(version_class::FEATURE, Library::Native(version_class::load));
    vm.libraries.insert(run_list_item::FEATURE, Library::Native(run_list_item::load));
    vm.libraries.insert(UTIL, Library::Source(include_str!("ruby/util.rb")));
    for (name, feature) in [
        ("Version", version_class::FEATURE),
        ("VersionConstraint", version_class::FEATURE),
        ("RunList", run_list_item::FEATURE),
        ("JSONCompat", UTIL),
        ("Util", UTIL),
    ] {
        if vm.const_own(chef, Symbol::intern_static(name)).is_none() {
            autoload(vm, chef, name, feature)?;
        }
    }
    let config = vm.define_module(ClassId::OBJECT, "ChefConfig");
    autoload(vm, config, "PathHelper", UTIL)
}

/// Registers the names; the model's modules must be there.
pub fn boot(vm: &mut Vm, chef: ClassId) -> Res<()> {
    early(vm, chef)?;
    vm.libraries.insert(FEATURE, Library::Source(SOURCE));
    for (feature, source, names) in SOURCES {
        vm.libraries.insert(feature, Library::Source(source));
        for name in names.split_ascii_whitespace() {
            autoload(vm, chef, name, feature)?;
        }
    }
    vm.libraries.insert("chef-vault", Library::Source(include_str!("ruby/chef_vault.rb")));
    vm.libraries.insert("chef-vault/item", Library::Source("require 'chef-vault'"));
    autoload(vm, ClassId::OBJECT, "ChefVault", "chef-vault")?;
    let mixlib = vm.define_module(ClassId::OBJECT, "Mixlib");
    for (name, feature) in [("Config", "mixlib/config"), ("Log", "mixlib/log")] {
        autoload(vm, mixlib, name, feature)?;
    }
    vm.libraries.insert(COLLECTION, Library::Source(COLLECTION_SOURCE));
    if let Some(collection) = vm.class_named("Chef::ResourceCollection") {
        for name in ["ResourceSet", "ResourceList", "StepableIterator", "ResourceCollectionSerialization"] {
            autoload(vm, collection, name, COLLECTION)?;
        }
    }
    crate::subscribers::boot(vm, chef);
    let meta = vm.meta(chef);
    stub(vm, meta, "event_handler", EVENTS);
    for (outer, feature, source, names) in INNER {
        if !source.is_empty() {
            vm.libraries.insert(feature, Library::Source(source));
        }
        if let Some(outer) = vm.class_named(outer) {
            for name in names.split_ascii_whitespace() {
                autoload(vm, outer, name, feature)?;
            }
        }
    }
    validation(vm);
    features(vm);
    for name in CONSTANTS {
        autoload(vm, chef, name, FEATURE)?;
    }
    vm.libraries.insert(VERSION_STRING, Library::Source(VERSION_STRING_SOURCE));
    autoload(vm, chef, "VersionString", VERSION_STRING)?;
    autoload(vm, ClassId::OBJECT, "Ohai", FEATURE)?;
    if let Some(utils) = vm.class_named("ChefUtils") {
        autoload(vm, utils, "VersionString", VERSION_STRING)?;
        autoload(vm, utils, "Dist", FEATURE)?;
    }
    if let Some(mixin) = vm.class_named("Chef::Mixin") {
        let from_file = vm.define_module(mixin, "FromFile");
        for name in ["Chef::Node", "Chef::Cookbook::Metadata"] {
            if let Some(class) = vm.class_named(name) {
                vm.include_module(class, from_file);
            }
        }
        for name in ["Homebrew", "HomebrewUser"] {
            autoload(vm, mixin, name, FEATURE)?;
        }
    }
    if let Some(dsl) = vm.class_named("Chef::DSL") {
        autoload(vm, dsl, "Toml", FEATURE)?;
    }
    method_stubs(vm);
    if let Some(module) = vm.class_named("Chef::Mixin::ConvertToClassName") {
        let meta = vm.meta(module);
        vm.include_module(meta, module);
    }
    let meta = vm.meta(chef);
    for name in CHEF.split(' ') {
        stub(vm, meta, name, FEATURE);
    }
    let resources = vm.define_class(chef, "ResourceResolver", ClassId::OBJECT);
    vm.define_singleton_methods(resources, RESOURCE_RESOLVER);
    let providers = vm.define_class(chef, "ProviderResolver", ClassId::OBJECT);
    vm.define_methods(providers, PROVIDER_RESOLVER_NEW);
    vm.define_singleton_methods(providers, PROVIDER_RESOLVER);
    let resource = class(vm, |classes| classes.resource)?;
    vm.define_singleton_methods(resource, RESOURCE);
    legacy(vm)
}

fn method_stubs(vm: &mut Vm) {
    let general = METHODS.iter().map(|(path, names)| (FEATURE, *path, *names));
    for (feature, path, names) in general.chain(OTHER_METHODS.iter().copied()) {
        let Some(owner) = vm.class_named(path) else { continue };
        names.split_ascii_whitespace().for_each(|name| stub(vm, owner, name, feature));
    }
    for (feature, path, names) in CLASS_METHODS {
        let Some(class) = vm.class_named(path) else { continue };
        let meta = vm.meta(class);
        names.split_ascii_whitespace().for_each(|name| stub(vm, meta, name, feature));
    }
}

/// Modules that old code includes where newer code has the universal DSL, and constants under their old names.
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
    if let (Some(outer), Some(config)) = (vm.class_named("ChefConfig"), vm.class_named("Chef::Config")) {
        vm.const_set(outer, Symbol::intern_static("Config"), Value::Class(config));
    }
    let node = vm.class_named("ChefUtils::Mash").or_else(|| vm.class_named("Mash"));
    if let (Some(chef), Some(mash)) = (vm.class_named("Chef"), node)
        && vm.const_own(chef, Symbol::intern_static("Mash")).is_none()
    {
        vm.const_set(chef, Symbol::intern_static("Mash"), Value::Class(mash));
    }
    Ok(())
}
