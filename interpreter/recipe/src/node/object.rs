//! `Chef::Node`. Facts: chef 18, lib/chef/node.rb; SPEC-compile 2.7.

use super::classes::{Component, Kinds, define_hook};
use super::saved::Saved;
use super::track::NodeData;
use super::{attribute, filter, immutable, mash, merge};
use crate::run::chef_error;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, def, opt, sym};

static METHODS: &[MethodDef] = &[
    any("initialize", initialize).private(),
    def("node", itself, 0),
    opt("name", name, 0, 1),
    opt("chef_environment", environment, 0, 1),
    opt("environment", environment, 0, 1),
    def("chef_environment=", environment, 1),
    opt("policy_name", policy_name, 0, 1),
    def("policy_name=", policy_name, 1),
    opt("policy_group", policy_group, 0, 1),
    def("policy_group=", policy_group, 1),
    def("attributes", attributes_of, 0),
    def("attribute", attributes_of, 0),
    def("construct_attributes", attributes_of, 0),
    def("default_attrs", reader::<0>, 0),
    def("normal_attrs", reader::<4>, 0),
    def("override_attrs", reader::<5>, 0),
    def("automatic_attrs", reader::<9>, 0),
    def("default_attrs=", writer::<0>, 1),
    def("normal_attrs=", writer::<4>, 1),
    def("override_attrs=", writer::<5>, 1),
    def("automatic_attrs=", writer::<9>, 1),
    def("run_state", run_state, 0),
    def("run_state=", set_run_state, 1),
    def("run_context", run_context, 0),
    def("lazy", crate::resource::lazy::lazy, 0),
    def("run_context=", set_run_context, 1),
    def("recipe_list", recipe_list, 0),
    def("recipe_list=", set_recipe_list, 1),
    def("primary_runlist", primary_runlist, 0),
    any("override_runlist", override_runlist),
    def("override_runlist=", set_override_runlist, 1),
    def("override_runlist_set?", override_runlist_set, 0),
    def("select_run_list", select_run_list, 0),
    any("run_list", run_list),
    def("run_list=", set_run_list, 1),
    def("run_list?", has_in_run_list, 1),
    def("recipe?", has_recipe, 1),
    def("role?", has_role, 1),
    def("loaded_recipe", loaded_recipe, 2),
    def("tags", tags, 0),
    any("tag", tag),
    any("untag", untag),
    any("tagged?", tagged),
    any("include_attribute", include_attribute),
    def("consume_external_attrs", consume_external_attrs, 2),
    def("consume_ohai_data", consume_ohai_data, 1),
    def("consume_attributes", consume_attributes, 1),
    def("consume_run_list", consume_run_list, 1),
    def("consume_chef_environment", consume_chef_environment, 1),
    def("fix_automatic_attributes", fix_automatic_attributes, 0),
    def("reset_defaults_and_overrides", reset_defaults_and_overrides, 0),
    def("update_from!", update_from, 1),
    def("to_hash", to_hash, 0),
    def("to_h", to_hash, 0),
    def("display_hash", display_hash, 0),
    def("for_json", for_json, 0),
    def("data_for_save", data_for_save, 0),
    any("to_json", to_json),
    def("to_s", to_s, 0),
    def("==", equal, 1),
    def("<=>", compare, 1),
];
static SINGLETON: &[MethodDef] = &[def("build", build, 1), def("from_hash", from_hash, 1)];

pub(super) fn boot(vm: &mut Vm, kinds: Kinds) {
    vm.class_mut(kinds.node).allocator = Some(allocate);
    vm.define_methods(kinds.node, METHODS);
    vm.define_singleton_methods(kinds.node, SINGLETON);
    define_hook(vm, kinds.node, "method_missing", method_missing);
    define_hook(vm, kinds.node, "respond_to_missing?", respond_to_missing);
}

fn allocate(vm: &mut Vm, class: ClassId) -> Res {
    let (attributes, owner) = attribute::new_attributes(vm);
    let run_state = vm.new_hash(Vec::new())?;
    let data = NodeData {
        attributes,
        owner,
        name: Value::Nil,
        environment: Value::str("_default"),
        policy_name: Value::Nil,
        policy_group: Value::Nil,
        primary_runlist: Value::Nil,
        override_runlist: Value::Nil,
        override_set: false,
        run_state,
        run_context: Value::Nil,
        recipe_list: Value::Nil,
    };
    Ok(Value::data(class, data))
}
/// A new node without a name.
pub(crate) fn new_node(vm: &mut Vm) -> Value {
    let class = super::classes::kinds(vm).node;
    allocate(vm, class).unwrap_or_default()
}
fn field(vm: &Vm, this: &Value, pick: fn(&NodeData) -> &Value) -> Value {
    vm.data::<NodeData>(this).map(|data| pick(data).clone()).unwrap_or_default()
}
fn set_field(vm: &mut Vm, this: &Value, pick: fn(&mut NodeData) -> &mut Value, value: &Value) {
    if let Some(data) = vm.data_mut::<NodeData>(this) {
        *pick(data) = value.clone();
    }
}

fn initialize(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Nil)
}
fn itself(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this.clone())
}

/// Raises ValidationFailed unless the value is a String with a line that consists of letters, digits and `extra` only.
fn check_name(vm: &mut Vm, option: &str, value: &Value, extra: &str, regexp: &str, or_nil: bool) -> Res<()> {
    let Value::Str(text) = value else {
        let (shown, kinds) = (vm.inspect(value)?, if or_nil { "[String, NilClass]" } else { "[String]" });
        return Err(chef_error(
            vm,
            "ValidationFailed",
            format!("Option {option} must be a kind of {kinds}!  You passed {shown}."),
        ));
    };
    let text = text.get(vm).to_text().into_owned();
    if option == "name" && text.trim().is_empty() {
        return Err(chef_error(vm, "ValidationFailed", "Option name cannot be blank"));
    }
    let fits = |line: &str| !line.is_empty() && line.chars().all(|c| c.is_alphanumeric() || extra.contains(c));
    if text.split('\n').any(fits) {
        return Ok(());
    }
    Err(chef_error(
        vm,
        "ValidationFailed",
        format!("Property {option}'s value {text} does not match regular expression {regexp}"),
    ))
}
fn name(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !args.at(0).is_nil() {
        check_name(vm, "name", args.at(0), "-_:.", "/^[\\-[:alnum:]_:.]+$/", false)?;
        set_field(vm, this, |data| &mut data.name, args.at(0));
    }
    Ok(field(vm, this, |data| &data.name))
}
fn environment(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !args.at(0).is_nil() {
        check_name(vm, "chef_environment", args.at(0), "-_", "/^[\\-[:alnum:]_]+$/", false)?;
        set_field(vm, this, |data| &mut data.environment, args.at(0));
    }
    Ok(field(vm, this, |data| &data.environment))
}
fn policy_name(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(value) = args.get(0) {
        let names = match value {
            Value::Nil => Vec::new(),
            Value::Array(gc) => gc.get(vm).items.clone(),
            other => vec![other.clone()],
        };
        for name in &names {
            check_name(vm, "policy_name", name, "-:._", "/^[\\-:.[:alnum:]_]+$/", true)?;
        }
        set_field(vm, this, |data| &mut data.policy_name, value);
    }
    Ok(field(vm, this, |data| &data.policy_name))
}
fn policy_group(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(value) = args.get(0) {
        if !value.is_nil() {
            check_name(vm, "policy_group", value, "-:._", "/^[\\-:.[:alnum:]_]+$/", true)?;
        }
        set_field(vm, this, |data| &mut data.policy_group, value);
    }
    Ok(field(vm, this, |data| &data.policy_group))
}
fn attributes_of(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(field(vm, this, |data| &data.attributes))
}
fn reader<const C: usize>(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    attribute::component_of(vm, this, Component::ALL[C])
}
fn writer<const C: usize>(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    attribute::assign(vm, this, Component::ALL[C], args.at(0))?;
    Ok(args.at(0).clone())
}
fn run_state(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(field(vm, this, |data| &data.run_state))
}
fn set_run_state(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    set_field(vm, this, |data| &mut data.run_state, args.at(0));
    Ok(args.at(0).clone())
}
fn run_context(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(field(vm, this, |data| &data.run_context))
}
fn set_run_context(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    set_field(vm, this, |data| &mut data.run_context, args.at(0));
    Ok(args.at(0).clone())
}
fn recipe_list(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(field(vm, this, |data| &data.recipe_list))
}
fn set_recipe_list(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    set_field(vm, this, |data| &mut data.recipe_list, args.at(0));
    Ok(args.at(0).clone())
}

/// A class in `Chef`, autoloaded if necessary; None if there is none of that name.
fn chef_class(vm: &mut Vm, name: &'static str) -> Res<Option<Value>> {
    match vm.class_named("Chef") {
        Some(chef) => vm.const_get_from(chef, Symbol::intern_static(name), false),
        None => Ok(None),
    }
}

/// A run list of the node: a `Chef::RunList` created on first use (an Array if that class is not defined).
fn list(vm: &mut Vm, this: &Value, pick: fn(&NodeData) -> &Value, slot: fn(&mut NodeData) -> &mut Value) -> Res {
    let known = field(vm, this, pick);
    let items = match &known {
        Value::Nil => Vec::new(),
        Value::Array(gc) => gc.get(vm).items.clone(),
        _ => return Ok(known),
    };
    let made = match chef_class(vm, "RunList")? {
        Some(class) => vm.call(&class, sym::NEW, &items)?,
        None if known.is_nil() => Value::array(items),
        None => return Ok(known),
    };
    set_field(vm, this, slot, &made);
    Ok(made)
}
fn primary(vm: &mut Vm, this: &Value) -> Res {
    list(vm, this, |data| &data.primary_runlist, |data| &mut data.primary_runlist)
}
fn overriding(vm: &mut Vm, this: &Value) -> Res {
    list(vm, this, |data| &data.override_runlist, |data| &mut data.override_runlist)
}
fn reset(vm: &mut Vm, list: &Value, items: &[Value]) -> Res {
    let items = match items {
        [only @ Value::Array(_)] => only.clone(),
        [only] if matches!(only, Value::Object(_)) => only.clone(),
        _ => Value::array(items.to_vec()),
    };
    let bang = Symbol::intern_static("reset!");
    let method = if vm.respond_to(list, bang, false)? { bang } else { Symbol::intern_static("replace") };
    vm.call(list, method, &[items])
}
/// Sets the node's run list or its override; it becomes a `Chef::RunList` on first use.
pub fn store_run_list(vm: &mut Vm, node: &Value, items: Vec<Value>, overriding: bool) {
    if let Some(data) = vm.data_mut::<NodeData>(node) {
        let slot = if overriding { &mut data.override_runlist } else { &mut data.primary_runlist };
        *slot = Value::array(items);
    }
}
fn primary_runlist(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    primary(vm, this)
}
fn override_runlist(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = overriding(vm, this)?;
    if args.is_empty() {
        return Ok(list);
    }
    if let Some(data) = vm.data_mut::<NodeData>(this) {
        data.override_set = true;
    }
    reset(vm, &list, args.pos)
}
fn set_override_runlist(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    override_runlist(vm, this, args)
}
fn is_overridden(vm: &mut Vm, this: &Value) -> Res<bool> {
    if vm.data::<NodeData>(this).is_some_and(|data| data.override_set) {
        return Ok(true);
    }
    let list = field(vm, this, |data| &data.override_runlist);
    Ok(!list.is_nil() && !vm.call_name(&list, "empty?", &[])?.truthy())
}
fn override_runlist_set(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(is_overridden(vm, this)?))
}
fn select_run_list(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if is_overridden(vm, this)? { overriding(vm, this) } else { primary(vm, this) }
}
fn run_list(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = select_run_list(vm, this, Args::none())?;
    if args.is_empty() { Ok(list) } else { reset(vm, &list, args.pos) }
}
fn set_run_list(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    run_list(vm, this, args)
}
fn run_list_entries(vm: &mut Vm, this: &Value) -> Res<Vec<Value>> {
    let list = select_run_list(vm, this, Args::none())?;
    let entries = Symbol::intern_static("run_list_items");
    let list = if vm.respond_to(&list, entries, false)? { vm.call(&list, entries, &[])? } else { list };
    vm.to_array(&list)
}
fn has_in_run_list(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for entry in run_list_entries(vm, this)? {
        if vm.eq(&entry, args.at(0))? {
            return Ok(Value::True);
        }
    }
    Ok(Value::False)
}
fn listed(vm: &mut Vm, this: &Value, attribute: &str, item: &Value) -> Res<bool> {
    let list = attribute::top(vm, this, &Value::str(attribute))?;
    for known in vm.to_array(&list)? {
        if vm.eq(&known, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}
fn has_recipe(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = select_run_list(vm, this, Args::none())?;
    if vm.call_name(&list, "include?", args.pos)?.truthy() {
        return Ok(Value::True);
    }
    Ok(Value::bool(listed(vm, this, "recipes", args.at(0))?))
}
fn has_role(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    Ok(Value::bool(listed(vm, this, "roles", args.at(0))?))
}
fn loaded_recipe(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = Value::str(format!("{}::{}", vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?));
    let automatic = attribute::component_of(vm, this, Component::Automatic)?;
    let list = super::path::look(vm, &automatic, &Value::str("recipes"))?.unwrap_or_default();
    let known = vm.to_array(&list)?;
    for item in &known {
        if vm.eq(item, &name)? {
            return Ok(Value::Nil);
        }
    }
    match &list {
        Value::Array(_) => vm.call(&list, sym::LSHIFT, &[name]),
        _ => super::path::store(vm, &automatic, &[Value::str("recipes")], Value::array(vec![name])),
    }
}

/// `normal['tags']`, converted to an Array.
fn tag_list(vm: &mut Vm, this: &Value) -> Res {
    let normal = attribute::component_of(vm, this, Component::Normal)?;
    let key = Value::str("tags");
    match super::path::look(vm, &normal, &key)? {
        Some(list @ Value::Array(_)) => Ok(list),
        found => {
            let found = match found {
                Some(Value::Hash(gc)) if gc.get(vm).is_empty() => Value::Nil,
                found => Value::or_nil(found),
            };
            let list = vm.to_array(&found)?;
            vm.call(&normal, sym::ASET, &[key.clone(), Value::array(list)])?;
            vm.call(&normal, sym::AREF, &[key])
        }
    }
}
fn tags(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    tag_list(vm, this)
}
fn has_tag(vm: &mut Vm, list: &Value, tag: &Value) -> Res<bool> {
    for known in vm.to_array(list)? {
        if vm.eq(&known, tag)? {
            return Ok(true);
        }
    }
    Ok(false)
}
fn tag(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = tag_list(vm, this)?;
    for tag in args.pos {
        let tag = Value::Str(vm.to_s(tag)?);
        if !has_tag(vm, &list, &tag)? {
            vm.call(&list, sym::LSHIFT, &[tag])?;
        }
    }
    Ok(list)
}
fn untag(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = tag_list(vm, this)?;
    for tag in args.pos {
        let tag = Value::Str(vm.to_s(tag)?);
        vm.call(&list, sym::DELETE, &[tag])?;
    }
    Ok(list)
}
fn tagged(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = tag_list(vm, this)?;
    for tag in args.pos {
        let tag = Value::Str(vm.to_s(tag)?);
        if !has_tag(vm, &list, &tag)? {
            return Ok(Value::False);
        }
    }
    Ok(Value::True)
}

fn include_attribute(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(hook) = super::classes::state(vm).include else {
        return Err(vm.runtime_error("include_attribute: no cookbooks are loaded"));
    };
    let specs = vm.call_name(&Value::array(args.pos.to_vec()), "flatten", &[])?;
    for spec in vm.to_array(&specs)? {
        let spec = vm.to_text(&spec)?;
        let (cookbook, file) = spec.split_once("::").unwrap_or((&spec, "default"));
        hook(vm, this, cookbook, file)?;
    }
    Ok(Value::True)
}

/// A copy of a Hash; an empty one for nil.
fn copy_hash(vm: &mut Vm, attrs: &Value) -> Res {
    if attrs.is_nil() { vm.new_hash(Vec::new()) } else { vm.call(attrs, sym::DUP, &[]) }
}
fn take(vm: &mut Vm, hash: &Value, key: &str) -> Res {
    vm.call(hash, sym::DELETE, &[Value::str(key)])
}
fn consume_run_list(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let attrs = copy_hash(vm, args.at(0))?;
    let mut list = take(vm, &attrs, "recipes")?;
    if !list.truthy() {
        list = take(vm, &attrs, "run_list")?;
    }
    if list.truthy() {
        for key in ["recipes", "run_list"] {
            if vm.call(&attrs, sym::KEY_P, &[Value::str(key)])?.truthy() {
                let text = "please set the node's run list using the 'run_list' attribute only.";
                return Err(chef_error(vm, "AmbiguousRunlistSpecification", text));
            }
        }
        run_list(vm, this, Args::new(&[list]))?;
    }
    Ok(attrs)
}
fn consume_chef_environment(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let attrs = copy_hash(vm, args.at(0))?;
    let name = take(vm, &attrs, "chef_environment")?;
    if name.truthy() {
        environment(vm, this, Args::new(&[name]))?;
    }
    Ok(attrs)
}
fn consume_attributes(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let attrs = consume_run_list(vm, this, args)?;
    let attrs = consume_chef_environment(vm, this, Args::new(&[attrs]))?;
    super::merge_into(vm, this, Component::Normal, attrs)?;
    tag_list(vm, this)
}
fn consume_external_attrs(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    consume_attributes(vm, this, args.from(1))?;
    attribute::assign(vm, this, Component::Automatic, args.at(0))?;
    fix_automatic_attributes(vm, this, Args::none())
}
fn consume_ohai_data(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let old = attribute::component_of(vm, this, Component::Automatic)?;
    let merged = merge::group_pair(vm, &old, args.at(0))?;
    attribute::assign(vm, this, Component::Automatic, &merged)?;
    fix_automatic_attributes(vm, this, Args::none())
}
/// Sets the platform, its version as a VersionString, the name and the environment as automatic attributes.
fn fix_automatic_attributes(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut found = [Value::Nil, Value::Nil];
    let sources: [(&str, &[&str]); 2] =
        [("platform", &["platform", "os"]), ("version", &["platform_version", "os_version", "os_release"])];
    for (slot, (what, keys)) in found.iter_mut().zip(sources) {
        for key in keys {
            if !slot.truthy() {
                *slot = attribute::top(vm, this, &Value::str(key))?;
            }
        }
        if !slot.truthy() {
            let shown = vm.to_s_text(this)?;
            return Err(vm.argument_error(format!("Cannot find a {what} for {shown}")));
        }
    }
    let [platform, version] = found;
    let version = match version_string_class(vm)? {
        Some(class) => vm.call(&class, sym::NEW, &[version])?,
        None => version,
    };
    let automatic = attribute::component_of(vm, this, Component::Automatic)?;
    let (name, environment) = (field(vm, this, |data| &data.name), field(vm, this, |data| &data.environment));
    let guid = config(vm, "chef_guid")?;
    for (key, value) in [
        ("platform", platform),
        ("platform_version", version),
        ("chef_guid", guid),
        ("name", name),
        ("chef_environment", environment),
    ] {
        if key != "chef_guid" || value.truthy() {
            vm.call(&automatic, sym::ASET, &[Value::str(key), value])?;
        }
    }
    Ok(Value::Nil)
}
/// `Chef::VersionString`, autoloaded if necessary; None in a VM without Chef's API.
pub(crate) fn version_string_class(vm: &mut Vm) -> Res<Option<Value>> {
    match vm.class_named("Chef") {
        Some(chef) => vm.const_resolve(chef, Symbol::intern_static("VersionString")),
        None => Ok(None),
    }
}
/// `Chef::Config[key]`; nil if that class is not defined.
fn config(vm: &mut Vm, key: &str) -> Res {
    match vm.class_named("Chef::Config") {
        Some(class) => vm.call(&Value::Class(class), sym::AREF, &[Value::sym(key)]),
        None => Ok(Value::Nil),
    }
}
fn reset_defaults_and_overrides(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let empty = vm.new_hash(Vec::new())?;
    attribute::assign(vm, this, Component::Default, &empty)?;
    attribute::assign(vm, this, Component::Override, &empty)?;
    Ok(Value::Nil)
}
fn update_from(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = args.at(0);
    let list = vm.call_name(other, "run_list", &[])?;
    run_list(vm, this, Args::new(&[list]))?;
    for component in [Component::Automatic, Component::Normal, Component::Override, Component::Default] {
        let value = super::component(vm, other, component)?;
        attribute::assign(vm, this, component, &value)?;
    }
    let name = vm.call_name(other, "chef_environment", &[])?;
    environment(vm, this, Args::new(&[name]))?;
    Ok(this.clone())
}

fn texts(vm: &mut Vm, values: Vec<Value>) -> Res {
    let mut texts = Vec::with_capacity(values.len());
    for value in values {
        texts.push(Value::Str(vm.to_s(&value)?));
    }
    Ok(Value::array(texts))
}
fn put(vm: &mut Vm, hash: &Value, key: &str, value: Value) -> Res<()> {
    match hash {
        Value::Hash(gc) => vm.hash_set(gc, Value::str(key), value),
        _ => Ok(()),
    }
}
fn to_hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let tree = attribute::whole(vm, this)?;
    let hash = immutable::plain(vm, &tree)?;
    put(vm, &hash, "chef_type", Value::str("node"))?;
    for (key, value) in
        [("name", field(vm, this, |data| &data.name)), ("chef_environment", field(vm, this, |data| &data.environment))]
    {
        put(vm, &hash, key, value)?;
    }
    let list = select_run_list(vm, this, Args::none())?;
    for (key, method) in [("recipe", "recipe_names"), ("role", "role_names")] {
        if vm.respond_to(&list, Symbol::intern_static(method), false)? {
            let names = vm.call_name(&list, method, &[])?;
            if !vm.to_array(&names)?.is_empty() {
                put(vm, &hash, key, names)?;
            }
        }
    }
    let entries = Value::array(run_list_entries(vm, this)?);
    put(vm, &hash, "run_list", entries)?;
    Ok(hash)
}
/// The automatic and normal attributes and the two merged groups, as plain Hashes.
fn levels(vm: &mut Vm, this: &Value) -> Res<[(&'static str, Value); 4]> {
    let automatic = super::component(vm, this, Component::Automatic)?;
    let normal = super::component(vm, this, Component::Normal)?;
    let attributes = field(vm, this, |data| &data.attributes);
    let mut groups = [Value::Nil, Value::Nil];
    for (slot, method) in groups.iter_mut().zip(["combined_default", "combined_override"]) {
        let merged = vm.call_name(&attributes, method, &[])?;
        *slot = immutable::plain(vm, &merged)?;
    }
    let [default, overriding] = groups;
    Ok([("automatic", automatic), ("normal", normal), ("default", default), ("override", overriding)])
}
fn display_hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = vm.new_hash(Vec::new())?;
    for (key, value) in
        [("name", field(vm, this, |data| &data.name)), ("chef_environment", field(vm, this, |data| &data.environment))]
    {
        put(vm, &hash, key, value)?;
    }
    for (key, value) in levels(vm, this)? {
        put(vm, &hash, key, value)?;
    }
    let entries = Value::array(run_list_entries(vm, this)?);
    put(vm, &hash, "run_list", entries)?;
    Ok(hash)
}
fn for_json(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let hash = vm.new_hash(Vec::new())?;
    put(vm, &hash, "name", field(vm, this, |data| &data.name))?;
    put(vm, &hash, "chef_environment", field(vm, this, |data| &data.environment))?;
    let class = vm.class_name_of(this);
    put(vm, &hash, "json_class", Value::str(class))?;
    let [automatic, normal, default, overriding] = levels(vm, this)?;
    put(vm, &hash, automatic.0, automatic.1)?;
    put(vm, &hash, normal.0, normal.1)?;
    put(vm, &hash, "chef_type", Value::str("node"))?;
    put(vm, &hash, default.0, default.1)?;
    put(vm, &hash, overriding.0, overriding.1)?;
    let list = primary(vm, this)?;
    let entries = Symbol::intern_static("run_list");
    let list = if vm.respond_to(&list, entries, false)? { vm.call(&list, entries, &[])? } else { list };
    let entries = vm.to_array(&list)?;
    let entries = texts(vm, entries)?;
    put(vm, &hash, "run_list", entries)?;
    let (name, group) = (field(vm, this, |data| &data.policy_name), field(vm, this, |data| &data.policy_group));
    if !(name.is_nil() && group.is_nil()) {
        put(vm, &hash, "policy_name", name)?;
        put(vm, &hash, "policy_group", group)?;
    }
    Ok(hash)
}
/// The data to save: [`for_json`] filtered by the allow and block lists of each level; the deprecated settings take precedence.
fn data_for_save(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let data = for_json(vm, this, Args::none())?;
    for level in ["automatic", "default", "normal", "override"] {
        let Value::Hash(gc) = &data else { continue };
        let mut value = vm.hash_get_str(gc, level).unwrap_or_default();
        for (old, new, apply) in [
            ("whitelist", "allowed", filter::allow as fn(&mut Vm, &Value, &Value) -> Res),
            ("blacklist", "blocked", filter::block),
        ] {
            let mut list = config(vm, &format!("{level}_attribute_{old}"))?;
            if list.truthy() {
                let text = format!(
                    "Attribute {old} configurations have been deprecated. Use the {new}_LEVEL_attribute configs instead"
                );
                let kind = Value::sym(&format!("attribute_{old}_configuration"));
                if let Some(chef) = vm.class_named("Chef") {
                    vm.call_name(&Value::Class(chef), "deprecated", &[kind, Value::str(text)])?;
                }
            } else {
                list = config(vm, &format!("{new}_{level}_attributes"))?;
            }
            value = apply(vm, &value, &list)?;
        }
        put(vm, &data, level, value)?;
    }
    Ok(data)
}
fn to_json(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = for_json(vm, this, Args::none())?;
    vm.call_args(&hash, Symbol::intern_static("to_json"), args)
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let name = field(vm, this, |data| &data.name);
    Ok(Value::str(format!("node[{}]", vm.to_s_text(&name)?)))
}
fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let class = vm.real_class_of(this);
    if !vm.is_a(args.at(0), class) {
        return Ok(Value::False);
    }
    let (a, b) = (field(vm, this, |data| &data.name), field(vm, args.at(0), |data| &data.name));
    Ok(Value::bool(vm.eq(&a, &b)?))
}
fn compare(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let other = vm.call_name(args.at(0), "name", &[])?;
    let own = field(vm, this, |data| &data.name);
    vm.call(&own, sym::CMP, &[other])
}

/// Forwards unknown methods to the attributes.
fn method_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some((Value::Sym(name), _)) = args.pos.split_first() else { return Ok(Value::Nil) };
    let attributes = field(vm, this, |data| &data.attributes);
    let rest = args.from(1);
    if vm.respond_to(&attributes, *name, false)? {
        return vm.call_public(&attributes, *name, rest);
    }
    if super::classes::state(vm).legacy_dsl && rest.is_empty() {
        let key = Value::Sym(*name);
        if !attribute::contributions(vm, this, std::slice::from_ref(&key))?.is_empty() {
            vm.deprecated("node attributes as methods");
            return attribute::top(vm, this, &key);
        }
    }
    // The attributes may have a `method_missing` of a cookbook's library; without one this raises NoMethodError.
    vm.call_public(&attributes, *name, rest)
}
fn respond_to_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let attributes = field(vm, this, |data| &data.attributes);
    let name = vm.to_name(args.at(0))?;
    Ok(Value::bool(vm.respond_to(&attributes, name, false)?))
}

fn build(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let node = vm.call(this, sym::NEW, &[])?;
    name(vm, &node, args)?;
    let configured = config(vm, "environment")?;
    if let Value::Str(text) = &configured
        && !text.get(vm).to_text().trim_end_matches(['\r', '\n']).is_empty()
    {
        environment(vm, &node, Args::new(std::slice::from_ref(&configured)))?;
    }
    Ok(node)
}
/// A node from its saved form.
fn from_hash(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let from = args.at(0);
    if vm.data::<NodeData>(from).is_some() {
        return Ok(from.clone());
    }
    let gc = vm.to_hash(from)?;
    let node = inflated(vm, this, &mut |vm, key| mash::get(vm, &gc, &Value::str(key)))?;
    for (key, component) in [
        ("attributes", Component::Normal),
        ("automatic", Component::Automatic),
        ("normal", Component::Normal),
        ("default", Component::Default),
        ("override", Component::Override),
    ] {
        if let Some(value) = mash::get(vm, &gc, &Value::str(key))? {
            attribute::assign(vm, &node, component, &value)?;
        }
    }
    Ok(node)
}
/// A saved node as made by `from_hash`, but its attributes are only parsed when they are used.
pub(crate) fn from_saved(vm: &mut Vm, class: &Value, saved: Saved) -> Res {
    let node = inflated(vm, class, &mut |vm, key| saved.get(vm, key))?;
    attribute::wait(vm, &node, saved);
    Ok(node)
}
/// A new node with the fields that `get` returns, without attributes.
fn inflated(vm: &mut Vm, class: &Value, get: &mut dyn FnMut(&mut Vm, &str) -> Res<Option<Value>>) -> Res {
    let node = vm.call(class, sym::NEW, &[])?;
    let given = Value::or_nil(get(vm, "name")?);
    name(vm, &node, Args::new(&[given]))?;
    if let Some(value) = get(vm, "policy_name")? {
        policy_name(vm, &node, Args::new(&[value]))?;
    }
    if let Some(value) = get(vm, "policy_group")? {
        policy_group(vm, &node, Args::new(&[value]))?;
    }
    let group = field(vm, &node, |data| &data.policy_group);
    let place = if group.is_nil() { Value::or_nil(get(vm, "chef_environment")?) } else { group };
    environment(vm, &node, Args::new(&[place]))?;
    for key in ["run_list", "recipes"] {
        if let Some(value) = get(vm, key)? {
            run_list(vm, &node, Args::new(&[value]))?;
            break;
        }
    }
    Ok(node)
}
