//! Run contexts and the resource collection (SPEC-compile 3.3; Chef::RunContext, Chef::ResourceCollection).

pub mod lists;

use crate::names::N;
pub use crate::notification::{
    Notification, NotificationData, Timing, notifications, notify, resolve_target, unresolved, validate_spec,
};
use crate::resource::state;
use crate::run::{chef_error, class, process_mut, run_mut};
use rchef_model::lookup::Lookup;
use rchef_model::notification::Graph;
use rchef_model::specificity::Wanted;
use rchef_ruby::embed::class::OrderedMap;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Slots, Symbol, Value, Vm, any, def, opt, sym};

/// State of a run context.
#[derive(Clone, Default)]
pub struct RunContextState {
    /// The parent context; nil at the root.
    pub parent: Value,
    pub collection: Value,
    /// The notifications that its resources send.
    pub notifications: Graph<Notification>,
    /// The loaded recipes as `cookbook::recipe`.
    pub loaded_recipes: Vec<String>,
    /// The loaded attribute files.
    pub loaded_attributes: Vec<String>,
    /// Whether resources run as soon as they are declared.
    pub unified: bool,
    /// The resource whose action this context belongs to.
    pub owner: Value,
    /// The label of its `run_recipe` unit.
    pub unit: Option<String>,
    /// The arguments of a `Chef::RunContext.new` outside of a run, and an action collection set by code.
    pub given: [Option<Value>; GIVEN.len()],
}

/// The instance variables of a run context that Ruby code can see, in Chef's order; the indices are those of `given`.
const GIVEN: [&str; 4] = ["@events", "@node", "@cookbook_collection", "@action_collection"];
const EVENTS: usize = 0;
const NODE: usize = 1;
const COOKBOOKS: usize = 2;
const ACTIONS: usize = 3;

impl RunContextState {
    fn values(&self) -> impl Iterator<Item = &Value> {
        let sent = self.notifications.iter();
        let of_notifications = sent.flat_map(|sent| [&sent.resource, &sent.action, &sent.notifying]);
        of_notifications.chain([&self.parent, &self.collection, &self.owner]).chain(self.given.iter().flatten())
    }
}
impl NativeData for RunContextState {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.values().for_each(visit);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
    fn slots(&self) -> Option<&dyn Slots> {
        Some(self)
    }
    fn slots_mut(&mut self) -> Option<&mut dyn Slots> {
        Some(self)
    }
}
impl Slots for RunContextState {
    fn get(&self, vm: &Vm, _: &Value, name: Symbol) -> Option<Value> {
        match name.as_str() {
            "@node" if self.given[NODE].is_none() && self.parent.is_nil() => {
                vm.extension_ref::<crate::run::Run>().map(|run| run.node.clone())
            }
            "@resource_collection" => Some(self.collection.clone()),
            "@parent_run_context" if !self.parent.is_nil() => Some(self.parent.clone()),
            name => self.given[GIVEN.iter().position(|known| *known == name)?].clone(),
        }
    }
    fn set(&mut self, name: Symbol, value: Value, _: usize) -> Result<(), Value> {
        match name.as_str() {
            "@resource_collection" => self.collection = value,
            "@parent_run_context" => self.parent = value,
            name => match GIVEN.iter().position(|known| *known == name) {
                Some(at) => self.given[at] = Some(value),
                None => return Err(value),
            },
        }
        Ok(())
    }
    fn clear(&mut self, name: Symbol) {
        if let Some(at) = GIVEN.iter().position(|known| *known == name.as_str()) {
            self.given[at] = None;
        }
    }
    fn names(&self, others: &[Symbol]) -> Vec<Symbol> {
        let own = GIVEN.iter().zip(&self.given).filter(|(_, value)| value.is_some());
        own.map(|(name, _)| Symbol::intern_static(name)).chain(others.iter().copied()).collect()
    }
}

/// The state of a resource collection.
#[derive(Default)]
pub struct CollectionData {
    /// Resources in order.
    pub list: Vec<Value>,
    /// The last resource with each key.
    pub keys: OrderedMap<String, Value>,
    /// The index after which resources are inserted while the collection converges.
    pub insert_after: Option<usize>,
    /// The run context of the collection.
    pub context: Value,
}
impl CollectionData {
    /// Adds a resource to the list: at its end, or after the resource that converges now.
    fn insert(&mut self, resource: Value) {
        match &mut self.insert_after {
            Some(at) => {
                *at += 1;
                self.list.insert((*at).min(self.list.len()), resource);
            }
            None => self.list.push(resource),
        }
    }

    /// `list[index] = resource`; an index past the end fills the list with nil, as an Array does.
    fn replace(&mut self, index: i64, resource: Value) {
        let length = self.list.len() as i64;
        let at = usize::try_from(if index < 0 { index + length } else { index }).unwrap_or_default();
        if self.list.len() <= at {
            self.list.resize(at + 1, Value::Nil);
        }
        self.list[at] = resource;
    }
}
impl NativeData for CollectionData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.list.iter().chain(self.keys.values()).chain([&self.context]).for_each(visit);
    }
}

/// Creates a run context with a parent (nil for a root).
pub fn create(vm: &mut Vm, parent: &Value, unified: bool, owner: &Value) -> Res {
    let context_class = match parent {
        Value::Nil => class(vm, |classes| classes.run_context)?,
        _ => class(vm, |classes| classes.child_run_context)?,
    };
    let collection_class = class(vm, |classes| classes.collection)?;
    let collection = Value::data(collection_class, CollectionData::default());
    let (loaded_recipes, loaded_attributes) = (Vec::new(), Vec::new());
    let context = Value::data(
        context_class,
        RunContextState {
            parent: parent.clone(),
            collection: collection.clone(),
            loaded_recipes,
            loaded_attributes,
            unified,
            owner: owner.clone(),
            ..RunContextState::default()
        },
    );
    if let Some(data) = vm.data_mut::<CollectionData>(&collection) {
        data.context = context.clone();
    }
    Ok(context)
}

pub fn data<'a>(vm: &'a mut Vm, context: &'a Value) -> Res<&'a mut RunContextState> {
    if vm.data::<RunContextState>(context).is_none() {
        // Chef first calls `node` on a context, so nil raises NoMethodError
        vm.call(context, Symbol::intern_static("node"), &[])?;
        return Err(vm.type_error("wrong argument type (expected Chef::RunContext)"));
    }
    match vm.data_mut::<RunContextState>(context) {
        Some(data) => Ok(data),
        None => unreachable!("checked above"),
    }
}
pub fn collection(vm: &mut Vm, context: &Value) -> Res {
    Ok(data(vm, context)?.collection.clone())
}
/// The outermost parent of a context.
pub fn root(vm: &mut Vm, context: &Value) -> Res {
    let mut at = context.clone();
    loop {
        let parent = data(vm, &at)?.parent.clone();
        if parent.is_nil() {
            return Ok(at);
        }
        at = parent;
    }
}
/// The resources of a context, in order.
pub fn resources(vm: &mut Vm, context: &Value) -> Res<Vec<Value>> {
    let collection = collection(vm, context)?;
    Ok(vm.data::<CollectionData>(&collection).map(|data| data.list.clone()).unwrap_or_default())
}

/// `declared_key`: `type[name]`, with the DSL name by which the resource was declared.
pub fn declared_key(vm: &mut Vm, resource: &Value) -> Res<String> {
    let kind = state::state(vm, resource).map(|state| state.declared_type.clone()).filter(|value| !value.is_nil());
    let class = vm.class_of(resource);
    if kind.is_none() || !overridden(vm, class, N.declared_key) {
        if let Some(kind) = kind {
            let name = vm.ivar_get(resource, N.i_name).unwrap_or_default();
            let mut key = vm.to_s_text(&kind)?;
            let name = vm.to_s_text(&name)?;
            key.reserve_exact(name.len() + 2);
            key.push('[');
            key.push_str(&name);
            key.push(']');
            return Ok(key);
        }
        return vm.to_s_text(resource);
    }
    let key = vm.call(resource, N.declared_key, &[])?;
    vm.to_s_text(&key)
}
fn overridden(vm: &mut Vm, class: ClassId, name: Symbol) -> bool {
    !vm.is_native_method(class, name)
}

/// Adds a resource to a context's collection.
pub fn insert(vm: &mut Vm, context: &Value, resource: &Value) -> Res<()> {
    let key = declared_key(vm, resource)?;
    let collection = collection(vm, context)?;
    insert_keyed(vm, &collection, key, resource);
    Ok(())
}
fn insert_keyed(vm: &mut Vm, collection: &Value, key: String, resource: &Value) {
    if let Some(data) = vm.data_mut::<CollectionData>(collection) {
        data.insert(resource.clone());
        data.keys.insert(key, resource.clone());
    }
}

/// A resource of this collection alone, by its key.
fn find_local(vm: &Vm, collection: &Value, key: &str) -> Option<Value> {
    vm.data::<CollectionData>(collection)?.keys.get(key).cloned()
}

/// The collections of its run context and the parents, innermost first.
fn chain(vm: &mut Vm, collection: &Value, recursive: bool) -> Res<Vec<Value>> {
    let mut found = vec![collection.clone()];
    if !recursive {
        return Ok(found);
    }
    let mut context = vm.data::<CollectionData>(collection).map(|data| data.context.clone()).unwrap_or_default();
    while !context.is_nil() {
        context = data(vm, &context)?.parent.clone();
        if !context.is_nil() {
            let outer = data(vm, &context)?.collection.clone();
            found.push(outer);
        }
    }
    Ok(found)
}

fn lookup_key(vm: &mut Vm, collection: &Value, key: &str, recursive: bool) -> Res<Option<Value>> {
    Ok(chain(vm, collection, recursive)?.iter().find_map(|collection| find_local(vm, collection, key)))
}

#[cold]
fn not_found(vm: &mut Vm, key: &str) -> rchef_ruby::Error {
    chef_error(vm, "ResourceNotFound", format!("Cannot find a resource matching {key} (did you define it first?)"))
}

/// The resources that specs name: Strings (`type[name]`) and Hashes of types and names.
pub fn find(vm: &mut Vm, collection: &Value, specs: &[Value], recursive: bool) -> Res<Vec<Value>> {
    let mut found = Vec::new();
    for spec in specs {
        match spec {
            Value::Hash(hash) => {
                let pairs: Vec<(Value, Value)> =
                    hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                for (kind, names) in pairs {
                    let kind = vm.to_s_text(&kind)?;
                    for name in vm.to_array(&names)? {
                        let key = format!("{kind}[{}]", vm.to_s_text(&name)?);
                        match lookup_key(vm, collection, &key, recursive)? {
                            Some(resource) => found.push(resource),
                            None => return Err(not_found(vm, &key)),
                        }
                    }
                }
            }
            Value::Str(_) => {
                let text = vm.to_s_text(spec)?;
                found.extend(find_text(vm, collection, &text, recursive)?);
            }
            _ => {
                let form = "arguments to Chef::ResourceCollection::ResourceSet#find should be of the form :resource => 'name' or 'resource[name]'";
                return Err(chef_error(vm, "InvalidResourceSpecification", form));
            }
        }
    }
    Ok(found)
}

pub fn is_resource(vm: &mut Vm, value: &Value) -> bool {
    match process_mut(vm).classes.resource {
        Some(class) => vm.is_a(value, class),
        None => false,
    }
}

fn find_text(vm: &mut Vm, collection: &Value, text: &str, recursive: bool) -> Res<Vec<Value>> {
    let Some(wanted) = Lookup::parse(text) else {
        let text = format!("Bad string format {text}, you must have a string like resource_type[name]!");
        return Err(vm.argument_error(text));
    };
    let key = wanted.key();
    if let Some(resource) = lookup_key(vm, collection, &key, recursive)? {
        return Ok(vec![resource]);
    }
    let mut found = Vec::new();
    for single in wanted.several().unwrap_or_default() {
        match lookup_key(vm, collection, &single, recursive)? {
            Some(resource) => found.push(resource),
            None => return Err(not_found(vm, &key)),
        }
    }
    if found.is_empty() {
        return Err(not_found(vm, &key));
    }
    let chef = class(vm, |classes| classes.chef)?;
    let text = Value::str("The resource_collection multi-resource syntax is deprecated");
    vm.call_name(&Value::Class(chef), "deprecated", &[Value::sym("multiresource_match"), text])?;
    Ok(found)
}

static CONTEXT: &[MethodDef] = &[
    opt("initialize", initialize_context, 0, 4).private(),
    def("node", node, 0),
    def("resource_collection", context_collection, 0),
    def("parent_run_context", parent, 0),
    def("root_run_context", root_method, 0),
    def("unified_mode", unified, 0),
    def("loaded_recipes", loaded_recipes, 0),
    opt("loaded_recipe?", is_loaded, 1, 2),
    opt("loaded_fully_qualified_recipe?", is_loaded, 2, 2),
    def("loaded_recipe", note_recipe, 2),
    def("loaded_attributes", loaded_attributes, 0),
    def("loaded_attribute", note_attribute, 2),
    def("loaded_fully_qualified_attribute?", is_attribute_loaded, 2),
    def("unreachable_cookbook?", is_unreachable, 1),
    def("create_child", create_child, 0),
    def("cookbook_collection", cookbook_collection, 0),
    def("definitions", definitions, 0),
    def("events", events, 0),
    opt("has_template_in_cookbook?", has_template, 2, 2),
    opt("has_cookbook_file_in_cookbook?", has_cookbook_file, 2, 2),
    def("action_collection", action_collection, 0),
    def("action_collection=", set_action_collection, 1),
];

static CHILD: &[MethodDef] = &[def("initialize", initialize_child, 1).private()];

/// `Chef::RunContext::ChildRunContext.new(parent)`
fn initialize_child(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    data(vm, this)?.parent = args.at(0).clone();
    let class = class(vm, |classes| classes.collection)?;
    let collection = Value::data(class, CollectionData { context: this.clone(), ..CollectionData::default() });
    data(vm, this)?.collection = collection;
    Ok(Value::Nil)
}

static COLLECTION: &[MethodDef] = &[
    opt("initialize", initialize_collection, 0, 1).private(),
    def("unified_mode", collection_unified, 0),
    def("unified_mode=", set_collection_unified, 1),
    def("run_context=", set_collection_context, 1),
    def("[]=", replace_at, 2),
    def("lookup_local", lookup_local, 1),
    any("find_local", find_local_method),
    def("all_resources", all_resources, 0),
    def("to_a", all_resources, 0),
    any("resources", find_method),
    def("resource_list", itself, 0),
    def("resource_set", itself, 0),
    def("each", each, 0),
    def("execute_each_resource", execute_each, 0),
    def("each_index", each_index, 0),
    def("size", size, 0),
    def("length", size, 0),
    def("empty?", is_empty, 0),
    def("[]", at, 1),
    any("find", find_method),
    opt("lookup", lookup, 1, 1),
    def("keys", keys, 0),
    any("insert", insert_method),
    def("<<", push, 1),
    any("push", push),
    opt("delete", delete, 1, 2),
    def("validate_lookup_spec!", validate_lookup_spec, 1),
    def("run_context", collection_context, 0),
];

/// `Chef::RunContext.new(node, cookbook_collection, events)` outside of a run: the new context is the one that the DSL and `Chef.run_context` use
/// from now on.
fn initialize_context(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for (slot, index) in [(NODE, 0), (COOKBOOKS, 1), (EVENTS, 2)] {
        data(vm, this)?.given[slot] = Some(args.at(index).clone());
    }
    let class = class(vm, |classes| classes.collection)?;
    let collection = Value::data(class, CollectionData { context: this.clone(), ..CollectionData::default() });
    data(vm, this)?.collection = collection;
    let root = run_mut(vm).root.clone();
    if root.is_nil() || given(vm, &root, NODE).is_some() {
        run_mut(vm).root = this.clone();
        run_mut(vm).node = args.at(0).clone();
        crate::chef_class::set_events(vm, args.at(2))?;
    }
    if !args.at(0).is_nil() && vm.respond_to(args.at(0), Symbol::intern_static("run_context="), false)? {
        vm.call_name(args.at(0), "run_context=", std::slice::from_ref(this))?;
        if run_mut(vm).root.same(this) && matches!(args.at(1), Value::Hash(_)) {
            crate::cookbook::versions::note(vm, args.at(1))?;
        }
    }
    Ok(Value::Nil)
}
fn given(vm: &Vm, this: &Value, slot: usize) -> Option<Value> {
    vm.data::<RunContextState>(this)?.given[slot].clone()
}
fn node(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let outermost = root(vm, this)?;
    let own = given(vm, &outermost, NODE).unwrap_or_default();
    Ok(if own.is_nil() { run_mut(vm).node.clone() } else { own })
}
fn itself(_: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(this.clone())
}
fn context_collection(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    collection(vm, this)
}
fn parent(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(data(vm, this)?.parent.clone())
}
fn root_method(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    root(vm, this)
}
fn unified(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(data(vm, this)?.unified))
}
fn loaded_recipes(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let root = root(vm, this)?;
    let names = data(vm, &root)?.loaded_recipes.clone();
    Ok(Value::array(names.iter().map(Value::str).collect()))
}
fn is_loaded(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let mut name = vm.to_s_text(args.at(0))?;
    if let Some(recipe) = args.get(1) {
        name = format!("{name}::{}", vm.to_s_text(recipe)?);
    } else if !name.contains("::") {
        name.push_str("::default");
    }
    let root = root(vm, this)?;
    Ok(Value::bool(data(vm, &root)?.loaded_recipes.contains(&name)))
}
/// `loaded_recipe(cookbook, recipe)`, `loaded_attribute(cookbook, file)`: counts it as loaded.
fn note(vm: &mut Vm, this: &Value, args: Args<'_>, list: fn(&mut RunContextState) -> &mut Vec<String>) -> Res {
    let name = format!("{}::{}", vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    let root = root(vm, this)?;
    let list = list(data(vm, &root)?);
    if !list.contains(&name) {
        list.push(name);
    }
    Ok(Value::True)
}
fn note_recipe(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    note(vm, this, args, |data| &mut data.loaded_recipes)
}
fn note_attribute(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    note(vm, this, args, |data| &mut data.loaded_attributes)
}
fn loaded_attributes(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let root = root(vm, this)?;
    let names = data(vm, &root)?.loaded_attributes.clone();
    Ok(Value::array(names.iter().map(Value::str).collect()))
}
fn is_attribute_loaded(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = format!("{}::{}", vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    let root = root(vm, this)?;
    Ok(Value::bool(data(vm, &root)?.loaded_attributes.contains(&name)))
}
fn is_unreachable(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_s_text(args.at(0))?;
    Ok(Value::bool(!crate::cookbook::is_reachable(vm, &name)))
}
fn create_child(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    create(vm, this, false, &Value::Nil)
}
fn cookbook_collection(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let outermost = root(vm, this)?;
    let own = given(vm, &outermost, COOKBOOKS).unwrap_or_default();
    if !own.is_nil() {
        return Ok(own);
    }
    crate::cookbook::collection_value(vm)
}
/// The collection of cookbooks that code can have changed: a given one, or that of the run once it is made.
pub fn made_collection(vm: &mut Vm, root: &Value) -> Option<Value> {
    given(vm, root, COOKBOOKS).filter(|own| !own.is_nil()).or_else(|| crate::cookbook::made_collection(vm))
}
fn definitions(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let pairs =
        run_mut(vm).definitions.iter().map(|(name, defaults, _)| (Value::Sym(*name), defaults.clone())).collect();
    vm.new_hash(pairs)
}
fn events(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let outermost = root(vm, this)?;
    match given(vm, &outermost, EVENTS) {
        Some(own) => Ok(own),
        None => crate::chef_class::events_value(vm),
    }
}
/// The action collection of the run, unless code has set one of its own.
fn action_collection(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let own = given(vm, this, ACTIONS).unwrap_or_default();
    if own.is_nil() { crate::subscribers::action_collection(vm, this) } else { Ok(own) }
}
fn set_action_collection(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    data(vm, this)?.given[ACTIONS] = Some(args.at(0).clone());
    Ok(args.at(0).clone())
}
fn has_template(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (cookbook, name) = (vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    Ok(Value::bool(crate::cookbook::find_file(vm, &cookbook, "templates", &Wanted::Name(name))?.is_some()))
}
fn has_cookbook_file(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (cookbook, name) = (vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    Ok(Value::bool(crate::cookbook::find_file(vm, &cookbook, "files", &Wanted::Name(name))?.is_some()))
}

fn list_of(vm: &Vm, this: &Value) -> Vec<Value> {
    vm.data::<CollectionData>(this).map(|data| data.list.clone()).unwrap_or_default()
}
fn all_resources(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(list_of(vm, this)))
}
fn each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else {
        let list = Value::array(list_of(vm, this));
        return vm.call(&list, sym::EACH, &[]);
    };
    let mut index = 0;
    while let Some(resource) = vm.data::<CollectionData>(this).and_then(|data| data.list.get(index).cloned()) {
        vm.yield1(block, resource)?;
        index += 1;
    }
    Ok(Value::array(list_of(vm, this)))
}
fn initialize_collection(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    set_collection_context(vm, this, Args::new(&[args.at(0).clone()]))
}
fn set_collection_context(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(data) = vm.data_mut::<CollectionData>(this) {
        data.context = args.at(0).clone();
    }
    Ok(args.at(0).clone())
}
fn collection_unified(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let context = collection_context(vm, this, Args::none())?;
    Ok(Value::bool(!context.is_nil() && data(vm, &context)?.unified))
}
fn set_collection_unified(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let context = collection_context(vm, this, Args::none())?;
    if !context.is_nil() {
        data(vm, &context)?.unified = args.at(0).truthy();
    }
    Ok(args.at(0).clone())
}
/// Raises ArgumentError unless a value is a resource.
fn check_resource(vm: &mut Vm, value: &Value) -> Res<()> {
    if is_resource(vm, value) {
        return Ok(());
    }
    let kind = vm.class_name_of(value);
    Err(vm.argument_error(format!(
        "Cannot insert a {kind} into a resource collection: must be a subclass of Chef::Resource"
    )))
}
fn replace_at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    check_resource(vm, args.at(1))?;
    let (index, key) = (vm.to_int(args.at(0))?, declared_key(vm, args.at(1))?);
    if let Some(data) = vm.data_mut::<CollectionData>(this) {
        data.replace(index, args.at(1).clone());
        data.keys.insert(key, args.at(1).clone());
    }
    Ok(args.at(1).clone())
}
/// Yields each resource; resources that are inserted meanwhile go directly after the current one.
fn execute_each(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return each(vm, this, args) };
    let mut index = 0;
    while let Some(resource) = vm.data::<CollectionData>(this).and_then(|data| data.list.get(index).cloned()) {
        if let Some(data) = vm.data_mut::<CollectionData>(this) {
            data.insert_after = Some(index);
        }
        vm.yield1(block, resource)?;
        index += 1;
    }
    Ok(Value::array(list_of(vm, this)))
}
fn key_of(vm: &mut Vm, value: &Value, what: &str) -> Res<String> {
    match value {
        Value::Str(_) => vm.to_s_text(value),
        resource if is_resource(vm, resource) => vm.to_s_text(resource),
        _ => Err(vm.argument_error(format!("Must pass a Chef::Resource or String to {what}"))),
    }
}
fn lookup_local(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = key_of(vm, args.at(0), "lookup")?;
    find_local(vm, this, &key).ok_or_else(|| not_found(vm, &key))
}
fn find_local_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = find(vm, this, args.pos, false)?;
    one_or_many(found)
}
fn each_index(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = Value::array(list_of(vm, this));
    vm.call_args(&list, Symbol::intern_static("each_index"), args)
}
fn size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(list_of(vm, this).len()))
}
fn is_empty(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(list_of(vm, this).is_empty()))
}
fn at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = Value::array(list_of(vm, this));
    vm.call(&list, sym::AREF, args.pos)
}
fn find_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() && args.block.is_some() {
        let list = Value::array(list_of(vm, this));
        return vm.call_args(&list, Symbol::intern_static("find"), args);
    }
    let found = find(vm, this, args.pos, true)?;
    one_or_many(found)
}
/// A single resource as itself, several as an Array.
pub fn one_or_many(mut found: Vec<Value>) -> Res {
    Ok(if found.len() == 1 { found.remove(0) } else { Value::array(found) })
}
fn lookup(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = match args.at(0) {
        resource if is_resource(vm, resource) => declared_key(vm, resource)?,
        other => key_of(vm, other, "lookup")?,
    };
    match lookup_key(vm, this, &key, true)? {
        Some(resource) => Ok(resource),
        None => Err(not_found(vm, &key)),
    }
}
fn keys(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let keys: Vec<String> =
        vm.data::<CollectionData>(this).map(|data| data.keys.keys().cloned().collect()).unwrap_or_default();
    Ok(Value::array(keys.iter().map(Value::str).collect()))
}
fn insert_method(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (pos, keywords) = args.split();
    let Some(resource) = pos.first().cloned() else { return Err(vm.arity_error(0, "1+")) };
    check_resource(vm, &resource)?;
    let mut key = declared_key(vm, &resource)?;
    if let Some(hash) = keywords {
        let name = |vm: &Vm, key: &str| vm.hash_get_sym(hash, Symbol::intern(key));
        if let (Some(kind), Some(name)) = (name(vm, "resource_type"), name(vm, "instance_name")) {
            key = format!("{}[{}]", vm.to_s_text(&kind)?, vm.to_s_text(&name)?);
        }
    }
    insert_keyed(vm, this, key, &resource);
    Ok(resource)
}
fn push(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for resource in args.pos {
        check_resource(vm, resource)?;
        let key = declared_key(vm, resource)?;
        insert_keyed(vm, this, key, resource);
    }
    Ok(this.clone())
}
/// Removes a resource with the notifications that it sends.
pub fn remove(vm: &mut Vm, collection: &Value, key: &str) -> Res<Option<Value>> {
    let Some(resource) = find_local(vm, collection, key) else { return Ok(None) };
    let mut context = Value::Nil;
    if let Some(data) = vm.data_mut::<CollectionData>(collection) {
        data.keys.shift_remove(key);
        data.list.retain(|other| !other.same(&resource));
        context = data.context.clone();
    }
    if !context.is_nil() {
        let data = data(vm, &context)?;
        data.notifications.forget(key);
    }
    Ok(Some(resource))
}
fn delete(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = match args.at(0) {
        resource if is_resource(vm, resource) => declared_key(vm, resource)?,
        other => key_of(vm, other, "delete")?,
    };
    match remove(vm, this, &key)? {
        Some(resource) => Ok(resource),
        None => Err(not_found(vm, &key)),
    }
}
fn validate_lookup_spec(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    validate_spec(vm, args.at(0))?;
    Ok(Value::True)
}
fn collection_context(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.data::<CollectionData>(this).map(|data| data.context.clone()).unwrap_or_default())
}

/// Registers `Chef::RunContext` and `Chef::ResourceCollection`.
pub fn boot(vm: &mut Vm, chef: ClassId) {
    let context = vm.define_class(chef, "RunContext", ClassId::OBJECT);
    vm.class_mut(context).allocator = Some(|_, class| Ok(Value::data(class, RunContextState::default())));
    vm.define_methods(context, CONTEXT);
    let child = vm.define_class(context, "ChildRunContext", context);
    vm.define_methods(child, CHILD);
    let collection = vm.define_class(chef, "ResourceCollection", ClassId::OBJECT);
    vm.class_mut(collection).allocator = Some(|_, class| Ok(Value::data(class, CollectionData::default())));
    vm.include_module(collection, ClassId::ENUMERABLE);
    vm.define_methods(collection, COLLECTION);
    let classes = &mut process_mut(vm).classes;
    classes.run_context = Some(context);
    classes.child_run_context = Some(child);
    classes.collection = Some(collection);
}
