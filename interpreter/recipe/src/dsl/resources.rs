//! Declaring, finding, editing and deleting resources (SPEC-compile 3.3, 3.4).

use crate::context;
use crate::dsl::modes::Base;
use crate::names::N;
use crate::resource::state::{self, Slot};
use crate::resource::{instance, registry};
use crate::run::{class, converge_mut, process_mut, run_mut};
use rchef_ruby::embed::method::MethodBody;
use rchef_ruby::{Args, Block, ClassId, MethodDef, Res, Symbol, Value, Vm, any, def, opt, sym};

fn ivar(vm: &Vm, this: &Value, name: Symbol) -> Value {
    vm.ivar_get(this, name).unwrap_or_default()
}

/// The run context into which a recipe, provider or resource declares.
pub fn context_of(vm: &mut Vm, this: &Value) -> Res {
    let found = ivar(vm, this, N.i_run_context);
    if !found.is_nil() {
        return Ok(found);
    }
    // objects of cookbooks that include the DSL answer with a method
    if vm.respond_to(this, N.run_context, true)? {
        let given = vm.call(this, N.run_context, &[])?;
        if !given.is_nil() {
            return Ok(given);
        }
    }
    Ok(run_mut(vm).root.clone())
}

/// The run context and the place of a declaration.
pub(super) struct Target {
    pub(super) context: Value,
    /// `created_at:`, a line of a backtrace.
    pub(super) created_at: Option<Value>,
    /// The DSL method that declares for its caller, since then Chef's own source line is the resource's place (SPEC-compile 6.3).
    pub(super) via: Option<&'static str>,
    /// What a `Chef::ResourceBuilder` was given; None for a declaration of the DSL, whose receiver tells it.
    pub(super) builder: Option<Builder>,
}

/// The provider that a `Chef::ResourceBuilder` builds for, and the value that its block gets.
pub(super) struct Builder {
    pub(super) enclosing_provider: Value,
    pub(super) new_resource: Value,
}

impl Target {
    pub(super) fn of(context: &Value) -> Target {
        Target { context: context.clone(), created_at: None, via: None, builder: None }
    }
    fn via(self, method: &'static str) -> Target {
        Target { via: Some(method), ..self }
    }
}

/// A resource with its block evaluated, not in a collection yet (SPEC-compile 3.4, steps 1 to 7).
pub(super) fn build(
    vm: &mut Vm,
    this: &Value,
    kind: Symbol,
    name: &Value,
    target: &Target,
    block: Option<Block<'_>>,
) -> Res {
    let context = &target.context;
    let id = registry::class_for(vm, kind)?;
    let holder = Value::Class(id);
    let meta = vm.class_of(&holder);
    let plain = vm.find_method(meta, sym::NEW).is_some_and(|new| matches!(vm.method(new).body, MethodBody::Native(..)));
    let resource = if plain {
        let made = Value::data(id, state::ResourceState::default());
        vm.call(&made, sym::INITIALIZE, &[name.clone(), context.clone()])?;
        made
    } else {
        vm.call(&holder, sym::NEW, &[name.clone(), context.clone()])?
    };
    if vm.call(&resource, N.resource_name, &[])?.is_nil() {
        return Err(crate::run::chef_error(
            vm,
            "InvalidResourceSpecification",
            format!(
                "{}.resource_name is `nil`! Did you forget to put `provides :blah` or `resource_name :blah` in your resource class?",
                vm.class_name(id)
            ),
        ));
    }
    let line = match &target.created_at {
        Some(given) => given.clone(),
        None => vm.current_frame_line().map(Value::str).unwrap_or_default(),
    };
    let mut places = vm.places();
    if let Some(state) = state::state_mut(vm, &resource) {
        if target.created_at.is_none() {
            state.origin.via = target.via;
        }
        if places.len() > 1 {
            places.remove(0);
            state.origin.callers = places;
        }
    }
    state::write(vm, &resource, Slot::SourceLine, line);
    state::write(vm, &resource, Slot::DeclaredType, Value::Sym(kind));
    let is_provider = process_mut(vm).classes.provider.is_some_and(|provider| vm.is_a(this, provider));
    let (cookbook, recipe) = (
        vm.ivar_get(this, N.i_cookbook_name).unwrap_or_default(),
        vm.ivar_get(this, N.i_recipe_name).unwrap_or_default(),
    );
    state::write(vm, &resource, Slot::CookbookName, cookbook);
    state::write(vm, &resource, Slot::RecipeName, recipe);
    let enclosing = match &target.builder {
        Some(builder) => builder.enclosing_provider.clone(),
        None if is_provider => this.clone(),
        None => Value::Nil,
    };
    state::write(vm, &resource, Slot::EnclosingProvider, enclosing);
    if !is_provider && let Some(params) = vm.ivar_get(this, N.i_params) {
        state::write(vm, &resource, Slot::Params, params);
    }
    if let Some(block) = block {
        match target.builder.as_ref().map(|builder| &builder.new_resource).filter(|given| !given.is_nil()) {
            Some(given) => instance::instance_exec(vm, &resource, block, Args::new(std::slice::from_ref(given)))?,
            None => instance::eval_block(vm, &resource, block)?,
        }
    }
    vm.call(&resource, N.after_created, &[])?;
    // calls the method, since classes override the property's default or define a method of that name
    if vm.call(&resource, N.compile_time, &[])?.truthy() {
        for action in crate::provider::runner::actions(vm, &resource)? {
            crate::provider::runner::run_in_compile(vm, &resource, action)?;
        }
        state::write(vm, &resource, Slot::Action, Value::array(vec![Value::Sym(N.nothing)]));
    }
    Ok(resource)
}

/// Declares a resource: builds it, adds it to the collection, and runs it if the mode says so.
fn declare(vm: &mut Vm, this: &Value, kind: Symbol, name: &Value, target: &Target, block: Option<Block<'_>>) -> Res {
    let context = &target.context;
    context::data(vm, context)?;
    let resource = build(vm, this, kind, name, target, block)?;
    if vm.ivar_get(&resource, N.i_name).is_none_or(|name| name.is_nil()) {
        // sets the default of `name`, or raises for a resource that requires one
        vm.call(&resource, N.name, &[])?;
    }
    crate::resource::property::remember_declared(vm, &resource);
    context::insert(vm, context, &resource)?;
    if converge_mut(vm).in_change
        && let Some(state) = state::state_mut(vm, &resource)
    {
        state.on_change = true;
    }
    let mode = crate::dsl::modes::mode_of(vm, this, context, &resource);
    if mode != Base::Delayed {
        crate::provider::runner::run_now(vm, context, &resource, mode == Base::Immediate)?;
    }
    crate::provider::runner::run_parked(vm, context, &resource)?;
    Ok(resource)
}

/// Declares a resource without Ruby code: for recipes in YAML or JSON, whose place is their file.
pub fn declare_at(
    vm: &mut Vm,
    this: &Value,
    (kind, name): (Symbol, &Value),
    created_at: Option<Value>,
    block: Option<Block<'_>>,
) -> Res {
    let context = context_of(vm, this)?;
    declare(vm, this, kind, name, &Target { created_at, ..Target::of(&context) }, block)
}

/// Finds a resource in the root run context by its type and name, or declares it there.
pub fn find_in_root(
    vm: &mut Vm,
    this: &Value,
    (kind, name): (Symbol, &Value),
    created_at: Option<Value>,
    block: Option<Block<'_>>,
) -> Res {
    let context = run_mut(vm).root.clone();
    let named = Named { kind: &Value::Sym(kind), name };
    if let Some(found) = try_lookup(vm, &context, &named)? {
        return Ok(found);
    }
    declare(vm, this, kind, name, &Target { created_at, ..Target::of(&context) }, block)
}

/// `file '/x' do … end`: the method of a DSL name.
pub fn declare_by_method(vm: &mut Vm, this: &Value, kind: Symbol, args: Args<'_>) -> Res {
    let (pos, keywords) = args.split();
    if keywords.is_some() || pos.len() > 1 {
        let count = pos.len();
        return Err(vm.arity_error(count + usize::from(keywords.is_some()), "0..1"));
    }
    let context = context_of(vm, this)?;
    declare(vm, this, kind, pos.first().unwrap_or(&Value::Nil), &Target::of(&context), args.block)
}

static METHODS: &[MethodDef] = &[
    any("declare_resource", declare_resource),
    any("build_resource", build_resource),
    any("find_resource!", find_resource_bang),
    any("find_resource", find_resource),
    any("edit_resource!", edit_resource_bang),
    any("edit_resource", edit_resource),
    any("delete_resource!", delete_resource_bang),
    any("delete_resource", delete_resource),
    any("resources", resources),
    def("with_run_context", with_run_context, 1),
    def("resource_class_for", resource_class_for, 1),
    def("have_resource_class_for?", have_resource_class_for, 1),
    opt("run_resources", crate::dsl::modes::run_resources, 1, 1),
    opt("exec", exec, 0, 1),
];

/// The arguments of a method that names one resource.
struct Named<'a> {
    kind: &'a Value,
    name: &'a Value,
}

/// The type and name of a resource, and the values of `run_context:` and `created_at:`. The number of positional arguments is checked here, since
/// the arity in the method table would count the keywords as an argument.
fn target<'a>(vm: &mut Vm, this: &Value, args: &Args<'a>) -> Res<(Named<'a>, Target)> {
    let known = [N.run_context, N.created_at, Symbol::intern_static("enclosing_provider")];
    let (pos, _) = args.split();
    let [kind, name] = pos else { return Err(vm.arity_error(pos.len(), "2")) };
    let (_, [context, created_at, _]) = args.take_keywords(vm, known)?;
    let context = match context.filter(|value| !value.is_nil()) {
        Some(context) => context,
        None => context_of(vm, this)?,
    };
    let created_at = created_at.filter(|value| !value.is_nil());
    Ok((Named { kind, name }, Target { created_at, ..Target::of(&context) }))
}

fn declare_resource(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (named, target) = target(vm, this, &args)?;
    let kind = vm.to_name(named.kind)?;
    declare(vm, this, kind, named.name, &target, args.block)
}
fn build_resource(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (named, target) = target(vm, this, &args)?;
    let kind = vm.to_name(named.kind)?;
    build(vm, this, kind, named.name, &target, args.block)
}
fn key_of(vm: &mut Vm, named: &Named<'_>) -> Res<String> {
    let kind = vm.to_s_text(named.kind)?;
    Ok(format!("{kind}[{}]", vm.to_s_text(named.name)?))
}
fn lookup(vm: &mut Vm, context: &Value, named: &Named<'_>) -> Res {
    let key = Value::str(key_of(vm, named)?);
    let collection = context::collection(vm, context)?;
    vm.call_name(&collection, "lookup", &[key])
}
fn try_lookup(vm: &mut Vm, context: &Value, named: &Named<'_>) -> Res<Option<Value>> {
    let missing = vm.class_named("Chef::Exceptions::ResourceNotFound").unwrap_or(ClassId::STANDARD_ERROR);
    vm.rescue(missing, |vm| lookup(vm, context, named).map(Some), |_, _| Ok(None))
}
fn find_resource_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_some() {
        return Err(vm.argument_error("find_resource! does not take a block"));
    }
    let (named, target) = target(vm, this, &args)?;
    lookup(vm, &target.context, &named)
}
fn find_resource(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (named, target) = target(vm, this, &args)?;
    if let Some(found) = try_lookup(vm, &target.context, &named)? {
        return Ok(found);
    }
    match args.block {
        Some(block) => {
            let kind = vm.to_name(named.kind)?;
            declare(vm, this, kind, named.name, &target.via("find_resource"), Some(block))
        }
        None => Ok(Value::Nil),
    }
}
fn edit_resource_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (named, target) = target(vm, this, &args)?;
    let found = lookup(vm, &target.context, &named)?;
    if let Some(block) = args.block {
        edit(vm, this, &found, block)?;
    }
    Ok(found)
}
fn edit(vm: &mut Vm, this: &Value, resource: &Value, block: Block<'_>) -> Res<()> {
    let is_provider = process_mut(vm).classes.provider.is_some_and(|provider| vm.is_a(this, provider));
    if !is_provider {
        return instance::instance_exec(vm, resource, block, Args::none());
    }
    let given = crate::provider::state::new_resource(vm, this);
    instance::instance_exec(vm, resource, block, Args::new(&[given]))
}
fn edit_resource(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (named, target) = target(vm, this, &args)?;
    match try_lookup(vm, &target.context, &named)? {
        Some(found) => {
            if let Some(block) = args.block {
                edit(vm, this, &found, block)?;
            }
            Ok(found)
        }
        None => {
            let kind = vm.to_name(named.kind)?;
            declare(vm, this, kind, named.name, &target.via("edit_resource"), args.block)
        }
    }
}
fn delete_resource_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (named, target) = target(vm, this, &args)?;
    let key = Value::str(key_of(vm, &named)?);
    let collection = context::collection(vm, &target.context)?;
    vm.call_name(&collection, "delete", &[key])
}
fn delete_resource(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (named, target) = target(vm, this, &args)?;
    let key = key_of(vm, &named)?;
    let collection = context::collection(vm, &target.context)?;
    Ok(Value::or_nil(context::remove(vm, &collection, &key)?))
}
fn resources(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let context = context_of(vm, this)?;
    let collection = context::collection(vm, &context)?;
    if args.is_empty() {
        return vm.call_name(&collection, "all_resources", &[]);
    }
    let found = context::find(vm, &collection, args.pos, true)?;
    context::one_or_many(found)
}
fn with_run_context(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Err(vm.argument_error("with_run_context is useless without a block")) };
    let own = context_of(vm, this)?;
    let wanted = match args.at(0) {
        Value::Sym(name) if name.as_str() == "root" => context::root(vm, &own)?,
        Value::Sym(name) if name.as_str() == "parent" => context::data(vm, &own)?.parent.clone(),
        other if vm.data::<context::RunContextState>(other).is_some() => other.clone(),
        _ => {
            return Err(
                vm.argument_error("bad argument to run_context helper, must be :root, :parent, or a Chef::RunContext")
            );
        }
    };
    let before = vm.ivar_get(this, N.i_run_context).unwrap_or_default();
    vm.ivar_set(this, N.i_run_context, wanted);
    let result = vm.call_block_as(block, this, None, Args::none());
    vm.ivar_set(this, N.i_run_context, before);
    result
}
fn resource_class_for(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    registry::class_for(vm, name).map(Value::Class)
}
fn have_resource_class_for(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    Ok(Value::bool(registry::resolve(vm, name)?.is_some()))
}
/// `Chef::Mixin::NotifyingBlock`: declares the resources of a block in a child run context.
static NOTIFYING_BLOCK: &[MethodDef] =
    &[def("notifying_block", notifying_block, 0), opt("subcontext_block", subcontext_block, 0, 1)];

/// Evaluates a block in a new child context, and gives the child.
fn in_child(vm: &mut Vm, this: &Value, outer: &Value, block: Option<Block<'_>>) -> Res {
    let Some(block) = block else { return Err(vm.no_block()) };
    let child = context::create(vm, outer, false, &Value::Nil)?;
    let before = vm.ivar_get(this, N.i_run_context).unwrap_or_default();
    vm.ivar_set(this, N.i_run_context, child.clone());
    let frames = crate::dsl::modes::push_base(vm, this, crate::dsl::modes::Base::Delayed);
    let result = vm.yield_block(block, Args::none());
    crate::dsl::modes::restore(vm, this, frames);
    vm.ivar_set(this, N.i_run_context, before);
    result?;
    Ok(child)
}
fn notifying_block(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let outer = context_of(vm, this)?;
    let child = in_child(vm, this, &outer, args.block)?;
    if converge_mut(vm).mode == crate::run::ActionMode::Expand
        && let Some(resource) = converge_mut(vm).acting.last().cloned()
    {
        let action = ivar(vm, this, N.i_action);
        let action = vm.to_name(&action).unwrap_or(N.nothing);
        let made = crate::run::Expansion { nested: true, ..crate::run::Expansion::new(&resource, action, &child) };
        converge_mut(vm).expansions.push(made);
    }
    let converged = crate::provider::runner::converge_all(vm, &child);
    let updated = context::resources(vm, &child)?.iter().any(|resource| instance::is_updated(vm, resource));
    let resource = crate::provider::state::new_resource(vm, this);
    if updated && !resource.is_nil() {
        instance::mark_updated(vm, &resource, true);
    }
    converged?;
    context::collection(vm, &child)
}
/// `subcontext_block(parent = run_context)`: gives the new run context.
fn subcontext_block(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let outer = match args.get(0).filter(|given| given.truthy()) {
        Some(given) => given.clone(),
        None => context_of(vm, this)?,
    };
    in_child(vm, this, &outer, args.block)
}
fn exec(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let shown = vm.to_s_text(args.at(0))?;
    Err(crate::run::chef_error(
        vm,
        "ResourceNotFound",
        format!(
            "exec was called, but you probably meant to use an execute resource.  If not, please call Kernel#exec explicitly.  The exec block called was \"{shown}\""
        ),
    ))
}

/// All DSL names of resources, for documentation and tools.
pub fn known(vm: &mut Vm) -> Vec<Symbol> {
    crate::resource::registry::registry_mut(vm).dsl_names()
}

/// Registers the modules with the DSL methods of resources and the methods above.
pub fn boot(vm: &mut Vm, dsl: ClassId) -> Res<()> {
    let resources = vm.define_module(dsl, "Resources");
    let declare = vm.define_module(dsl, "DeclareResource");
    vm.define_methods(declare, METHODS);
    process_mut(vm).classes.dsl_resources = Some(resources);
    let chef = class(vm, |classes| classes.chef)?;
    let mixin = vm.define_module(chef, "Mixin");
    let notifying = vm.define_module(mixin, "NotifyingBlock");
    vm.define_methods(notifying, NOTIFYING_BLOCK);
    let recipe = class(vm, |classes| classes.dsl_recipe)?;
    for module in [resources, declare, notifying] {
        vm.include_module(recipe, module);
    }
    let resource = class(vm, |classes| classes.resource)?;
    vm.include_module(resource, declare);
    Ok(())
}
