//! The Chef model. It knows no particular resource; `providers` registers those.
//!
//! - [`process`], [`converge`], [`run`]: the state of a process, a converge and a compile; [`events`]: events for formatters and handlers;
//!   [`subscribers`]: Ruby objects that subscribe to them;
//! - [`exceptions`]: `Chef::Exceptions`; [`chef_class`]: other Ruby-level names (`Chef::Config`, `Chef::Log` …); [`ruby_sources`]: names whose Ruby
//!   source loads on first use; [`features`]: `require` of Chef's own files;
//! - [`cookbook`]: discovery, metadata, load order, run list; [`recipe`]: `Chef::Recipe`;
//! - [`node`]: `Chef::Node`, the ten attribute components, deep merge, Mash and its immutable forms;
//! - [`resource`]: `Chef::Resource`, properties, validation, guards, notifications, custom resources; [`resource::def`]: definitions of shipped
//!   resources;
//! - [`provider`]: `Chef::Provider`, action classes, the runner; [`context`]: run contexts and the resource collection; [`notification`]:
//!   notifications, `notification_class`: `Chef::Resource::Notification`; [`secrets`]: texts that dumps mask;
//! - [`dsl`]: methods of recipes, attribute files and actions;
//! - [`data`]: data bags, search, roles, environments;
//! - [`compile`]: phases 0 to 2; [`dump`]: `rchef-dump/1`;
//! - [`erb`]: ERB templates by the rules of Erubis;
//! - [`shell_out`]: the module `Chef::Mixin::ShellOut`.

/// The literal of [`CHEF_VERSION`], for use in `concat!`.
macro_rules! chef_version {
    () => {
        "18.11.21"
    };
}

mod archive_class;
pub mod chef_class;
pub mod compile;
pub mod context;
pub mod converge;
pub mod cookbook;
pub mod data;
mod diff_class;
pub mod dsl;
pub mod dump;
pub mod erb;
mod error_inspectors;
pub mod events;
pub mod exceptions;
pub mod features;
pub mod log;
pub mod names;
pub mod node;
pub mod notification;
mod notification_class;
pub mod ohai;
pub mod policyfile;
pub mod process;
pub mod provider;
pub mod reboot;
pub mod recipe;
pub mod resource;
pub mod ruby_sources;
pub mod run;
pub mod secrets;
pub mod shell_out;
pub mod subject;
pub mod subscribers;
pub mod unsent;

use rchef_ruby::{ClassId, Res, Vm};
use resource::def::ResourceDef;

pub use process::CHEF_VERSION;

/// Registers the model's classes and the resources that `providers` describes, parents first.
pub fn boot(vm: &mut Vm, shipped: &[&'static ResourceDef]) -> Res<()> {
    vm.hide_later_natives();
    vm.output_filter = Some(secrets::filter_output);
    vm.in_bulk(|vm| register(vm, shipped))?;
    rchef_stdlib::autoload_for_chef(vm)
}

/// The modules and the class of Windows that Chef has on every system, empty but for what only Windows can use: code asks whether they are defined.
fn windows_names(vm: &mut Vm, chef: ClassId) {
    let reserved = vm.define_module(chef, "ReservedNames");
    let windows = vm.define_module(reserved, "Win32");
    vm.define_module(windows, "API");
    vm.define_class(chef, "Win32", ClassId::OBJECT);
    vm.define_module(ClassId::OBJECT, "Win32");
}

fn register(vm: &mut Vm, shipped: &[&'static ResourceDef]) -> Res<()> {
    let chef = vm.define_class(ClassId::OBJECT, "Chef", ClassId::OBJECT);
    run::process_mut(vm).classes.chef = Some(chef);
    exceptions::boot(vm);
    windows_names(vm, chef);
    let evaluator = vm.define_class(chef, "DelayedEvaluator", ClassId::PROC);
    run::process_mut(vm).classes.delayed_evaluator = Some(evaluator);
    let dsl = vm.define_module(chef, "DSL");
    let universal = vm.define_module(dsl, "Universal");
    run::process_mut(vm).classes.dsl_universal = Some(universal);
    dsl::platform::boot(vm, universal);
    dsl::data::boot(vm, chef, universal)?;
    dsl::builder::boot(vm, chef);
    data::local::boot(vm, chef);
    data::policy::boot(vm, chef);
    for name in [
        "IncludeRecipe",
        "IncludeAttribute",
        "DataQuery",
        "PlatformIntrospection",
        "Powershell",
        "RegistryHelper",
        "RebootPending",
        "ChefVault",
        "Secret",
        "Definitions",
        "Cheffish",
    ] {
        let id = vm.define_module(dsl, name);
        if name == "PlatformIntrospection" {
            vm.include_module(id, universal);
            dsl::platform::boot_values(vm, id);
        }
    }
    recipe::boot(vm, chef, dsl)?;
    let resource = vm.define_class(chef, "Resource", ClassId::OBJECT);
    run::process_mut(vm).classes.resource = Some(resource);
    context::boot(vm, chef);
    recipe::boot_context(vm)?;
    let run_context = run::class(vm, |classes| classes.run_context)?;
    notification_class::boot(vm, resource, run_context);
    resource::guard::boot(vm, resource);
    resource::class_body::boot(vm, resource);
    resource::mixed::boot(vm, chef);
    resource::instance::boot(vm, resource)?;
    chef_class::boot(vm, chef)?;
    resource::params_validate::boot(vm);
    shell_out::boot(vm, chef)?;
    provider::class::boot(vm, chef, resource);
    provider::acting::boot(vm, resource);
    provider::runner_class::boot(vm, chef);
    let provider = run::class(vm, |classes| classes.provider)?;
    provider::names::boot(vm, provider)?;
    cookbook::boot(vm, chef);
    erb::boot(vm)?;
    dsl::resources::boot(vm, dsl)?;
    wire(vm)?;
    run::process_mut(vm).hooks = process::Hooks {
        declare: Some(dsl::resources::declare_by_method),
        add_action: Some(provider::class::add_action),
        action_base: Some(provider::native::action_base),
        run_notified: Some(provider::runner::run_notified),
        reached: Some(dump::keep),
        ready: Some(provider::preflight::check),
    };
    node::boot(vm);
    node::set_include_attribute_hook(vm, |vm, _, cookbook, file| cookbook::load::include_attribute(vm, cookbook, file));
    if let Some(rchef_ruby::Value::Class(node)) = vm.const_resolve(chef, rchef_ruby::Symbol::intern_static("Node"))? {
        vm.include_module(node, universal);
    }
    ohai::boot(vm);
    ruby_sources::boot(vm, chef)?;
    let lwrp = vm.define_class(resource, "LWRPBase", resource);
    run::process_mut(vm).classes.lwrp_resource = Some(lwrp);
    vm.name_program("chef-client");
    for shipped in shipped {
        resource::class::register(vm, shipped)?;
    }
    let not_passed = resource::class::not_passed(vm);
    vm.const_set(chef, rchef_ruby::Symbol::intern_static("NOT_PASSED"), not_passed.clone());
    vm.const_set(ClassId::OBJECT, rchef_ruby::Symbol::intern_static("NOT_PASSED"), not_passed);
    Ok(())
}

/// Includes the DSL modules into the same classes as Chef does.
fn wire(vm: &mut Vm) -> Res<()> {
    let universal = run::class(vm, |classes| classes.dsl_universal)?;
    let recipe_dsl = run::class(vm, |classes| classes.dsl_recipe)?;
    let resource = run::class(vm, |classes| classes.resource)?;
    let provider = run::class(vm, |classes| classes.provider)?;
    vm.include_module(recipe_dsl, universal);
    vm.include_module(resource, universal);
    vm.include_module(provider, universal);
    for class in [resource, provider] {
        let meta = vm.meta(class);
        vm.include_module(meta, universal);
    }
    for class in [run::class(vm, |classes| classes.action_class)?, run::class(vm, |classes| classes.lwrp_provider)?] {
        vm.include_module(class, recipe_dsl);
    }
    vm.include_module(provider, recipe_dsl);
    Ok(())
}
