//! `Chef::Recipe`: evaluation, `include_recipe`, definitions, YAML and JSON recipes (SPEC-compile 1.9, 1.10).

use crate::context;
use crate::cookbook;
use crate::dsl::modes::Base;
use crate::names::N;
use crate::run::{class, lint_about, process_mut, run_mut};
use rchef_ruby::embed::frame::Definee;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, at_least, def, opt, sym};

static METHODS: &[MethodDef] = &[
    opt("initialize", initialize, 2, 3).private(),
    def("cookbook_name", cookbook_name, 0),
    def("cookbook_name=", set_cookbook_name, 1),
    def("recipe_name", recipe_name, 0),
    def("recipe_name=", set_recipe_name, 1),
    def("run_context", run_context, 0),
    def("params", params, 0),
    def("params=", set_params, 1),
    def("to_s", to_s, 0),
    def("inspect", to_s, 0),
    def("node", node, 0),
    def("from_file", from_file, 1),
    def("source_file", source_file, 0),
    def("source_file=", set_source_file, 1),
    def("__declare_with", declare_with, 3).private(),
];
static DSL: &[MethodDef] = &[
    at_least("include_recipe", include_recipe, 0),
    at_least("require_recipe", require_recipe, 0),
    def("load_recipe", load_recipe, 1),
    at_least("run_recipe", run_recipe, 1),
    any("tag", tag),
    any("untag", tag),
];

fn node(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(run_mut(vm).node.clone())
}
fn tag(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let node = run_mut(vm).node.clone();
    let name = vm.current_native_name().unwrap_or(N.nothing);
    vm.call_args(&node, name, args)
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    for (slot, index) in [(N.i_cookbook_name, 0), (N.i_recipe_name, 1), (N.i_run_context, 2)] {
        vm.ivar_set(this, slot, args.at(index).clone());
    }
    let params = vm.new_hash(Vec::new())?;
    vm.ivar_set(this, N.i_params, params);
    Ok(Value::Nil)
}
macro_rules! accessors {
    ($($reader:ident $writer:ident $slot:ident),* $(,)?) => {
        $(
            fn $reader(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
                Ok(vm.ivar_get(this, N.$slot).unwrap_or_default())
            }
            fn $writer(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
                vm.ivar_set(this, N.$slot, args.at(0).clone());
                Ok(args.at(0).clone())
            }
        )*
    };
}
fn source_file(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.ivar_get(this, Symbol::intern_static("@source_file")).unwrap_or_default())
}
fn set_source_file(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.ivar_set(this, Symbol::intern_static("@source_file"), args.at(0).clone());
    Ok(args.at(0).clone())
}
accessors! { cookbook_name set_cookbook_name i_cookbook_name, recipe_name set_recipe_name i_recipe_name, params set_params i_params }
fn run_context(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.ivar_get(this, N.i_run_context).unwrap_or_default())
}
fn to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (cookbook, recipe) = (
        vm.ivar_get(this, N.i_cookbook_name).unwrap_or_default(),
        vm.ivar_get(this, N.i_recipe_name).unwrap_or_default(),
    );
    let (cookbook, recipe) = (
        if cookbook.is_nil() { "(none)".into() } else { vm.to_s_text(&cookbook)? },
        if recipe.is_nil() { "(none)".into() } else { vm.to_s_text(&recipe)? },
    );
    Ok(Value::str(format!("cookbook: {cookbook}, recipe: {recipe} ")))
}
fn from_file(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let path = vm.to_text(args.at(0))?;
    let host = vm.host.clone();
    let Ok(source) = rchef_host::compose::read_file(&*host, path.as_bytes()) else {
        return Err(vm.error(ClassId::IO_ERROR, format!("Cannot open or read {path}!")));
    };
    crate::run::evaluate(vm, &source, &path, this, Definee::SingletonOf(this.clone()))
}

/// A new recipe object.
pub fn create(vm: &mut Vm, cookbook: &str, recipe: &str, context: &Value) -> Res {
    let id = class(vm, |classes| classes.recipe)?;
    vm.call(&Value::Class(id), sym::NEW, &[Value::str(cookbook), Value::str(recipe), context.clone()])
}

/// Splits `cb`, `cb::recipe` and `::recipe` into cookbook and recipe.
pub fn split_name(vm: &mut Vm, name: &str, current: Option<&str>) -> Res<(String, String)> {
    let name = name.strip_prefix("recipe[").and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    let name = name.split('@').next().unwrap_or(name);
    match name.split_once("::") {
        Some(("", recipe)) => match current {
            Some(cookbook) => Ok((cookbook.to_string(), recipe.to_string())),
            None => Err(vm.runtime_error("current_cookbook is nil, cannot resolve the recipe ".to_string() + name)),
        },
        Some((cookbook, recipe)) => Ok((cookbook.to_string(), recipe.to_string())),
        None => Ok((name.to_string(), "default".to_string())),
    }
}

/// Evaluates a recipe in a context, unless it is already loaded there. Gives the recipe object, or nil.
pub fn load(vm: &mut Vm, context: &Value, cookbook: &str, recipe: &str) -> Res {
    let key = format!("{cookbook}::{recipe}");
    let root = context::root(vm, context)?;
    let data = context::data(vm, &root)?;
    if data.loaded_recipes.contains(&key) {
        cookbook::note_repeat(vm, &key);
        return Ok(Value::Nil);
    }
    data.loaded_recipes.push(key.clone());
    let found = cookbook::recipe_file(vm, cookbook, recipe)?;
    if !cookbook::is_reachable(vm, cookbook) {
        lint_about(
            vm,
            rchef_model::code::Code::MissingCookbookDependency,
            format!(
                "MissingCookbookDependency: recipe `{key}` is not in the run_list, and cookbook '{cookbook}' is not a dependency of any cookbook in the run_list"
            ),
            cookbook,
        );
    }
    let immediate = cookbook::runs_immediately(vm, cookbook);
    let (cookbook::RecipeFile::Ruby(path, _) | cookbook::RecipeFile::Data(path)) = &found;
    cookbook::note_recipe(vm, &key, path, immediate)?;
    if let Some(version) = overriding(vm, &root, cookbook)? {
        return vm.call_name(&version, "load_recipe", &[Value::str(recipe), context.clone()]);
    }
    evaluate_file(vm, context, (cookbook, recipe), found)
}

/// The object of a cookbook whose `load_recipe` code has replaced: by a subclass, by a module, or on the object itself.
fn overriding(vm: &mut Vm, root: &Value, cookbook: &str) -> Res<Option<Value>> {
    let Some(collection) = context::made_collection(vm, root) else { return Ok(None) };
    let Value::Hash(table) = &collection else { return Ok(None) };
    let Some(version) = vm.hash_get(table, &Value::str(cookbook))? else { return Ok(None) };
    let usual = class(vm, |classes| classes.chef)?;
    let usual = vm.const_get_from(usual, Symbol::intern_static("CookbookVersion"), false)?;
    let found = vm.find_method(vm.class_of(&version), Symbol::intern_static("load_recipe"));
    let owner = found.map(|method| Value::Class(vm.method(method).owner));
    Ok(owner.filter(|owner| usual.is_none_or(|usual| !usual.same(owner))).map(|_| version))
}

/// `load_recipe(recipe, run_context)` of a cookbook: evaluates a recipe, whether it is loaded already or not; gives its object.
fn load_of_cookbook(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.call(this, sym::NAME, &[])?;
    let (cookbook, recipe) = (vm.to_s_text(&name)?, vm.to_s_text(args.at(0))?);
    let found = cookbook::recipe_file(vm, &cookbook, &recipe)?;
    evaluate_file(vm, args.at(1), (&cookbook, &recipe), found)
}

/// Evaluates the file of a recipe in a context.
fn evaluate_file(vm: &mut Vm, context: &Value, name: (&str, &str), found: cookbook::RecipeFile) -> Res {
    let (cookbook, recipe) = name;
    let immediate = cookbook::runs_immediately(vm, cookbook);
    let told = cookbook::told_name(vm, cookbook);
    let object = create(vm, &told, recipe, context)?;
    let base = if immediate { Base::Immediate } else { Base::Delayed };
    crate::dsl::modes::push_base(vm, &object, base);
    match found {
        cookbook::RecipeFile::Ruby(path, source) => {
            vm.ivar_set(&object, Symbol::intern_static("@source_file"), Value::str(&path));
            crate::run::evaluate(vm, &source, &path, &object, Definee::SingletonOf(object.clone()))?;
        }
        cookbook::RecipeFile::Data(path) => {
            let method = if path.ends_with(".json") { "from_json_file" } else { "from_yaml_file" };
            vm.call_name(&object, method, &[Value::str(path)])?;
        }
    }
    Ok(object)
}

/// The format of a recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecipeForm {
    Ruby,
    Yaml,
    Json,
}

impl RecipeForm {
    /// The format for a file's extension.
    pub fn of(path: &str) -> RecipeForm {
        match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("yml" | "yaml") => RecipeForm::Yaml,
            Some("json") => RecipeForm::Json,
            _ => RecipeForm::Ruby,
        }
    }
}

/// A recipe file that does not belong to a cookbook of the chef-repo.
#[derive(Clone, Debug)]
pub struct RecipeFile {
    pub path: String,
    pub source: Vec<u8>,
    pub form: RecipeForm,
    /// The cookbook and recipe names for its resources.
    pub names: (String, String),
}

/// Evaluates a file outside of any cookbook as a recipe with these names.
pub fn load_file(vm: &mut Vm, context: &Value, file: &RecipeFile) -> Res<()> {
    let object = create(vm, &file.names.0, &file.names.1, context)?;
    crate::dsl::modes::push_base(vm, &object, Base::Delayed);
    let loaded = match file.form {
        RecipeForm::Ruby => {
            crate::run::evaluate(vm, &file.source, &file.path, &object, Definee::SingletonOf(object.clone()))
        }
        form => {
            vm.ivar_set(&object, Symbol::intern_static("@source_file"), Value::str(&file.path));
            let method = if form == RecipeForm::Json { "from_json" } else { "from_yaml" };
            vm.call_name(&object, method, &[Value::str(String::from_utf8_lossy(&file.source))])
        }
    };
    crate::events::loading(vm, Some(&file.path), loaded).map(drop)
}

/// `recipe.from_hash` in immediate mode: the resource needs its properties before it runs, so they are set while it is built.
fn declare_with(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (kind, name, fields) = (vm.to_name(args.at(0))?, args.at(1).clone(), args.at(2).clone());
    let Value::Hash(map) = &fields else { return Err(vm.argument_error("the fields of a resource are a Hash")) };
    let pairs: Vec<(Value, Value)> = map.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let set = move |vm: &mut Vm, resource: &Value, _: Args<'_>| {
        for (key, value) in &pairs {
            let key = vm.to_name(key)?;
            vm.call(resource, key, std::slice::from_ref(value))?;
        }
        Ok(Value::Nil)
    };
    let block = vm.native_proc(rchef_ruby::embed::method::Arity::ANY, false, set);
    let place = vm.ivar_get(this, Symbol::intern_static("@source_file")).unwrap_or_default();
    let place = if place.is_nil() { None } else { Some(Value::str(format!("{}:1", vm.to_s_text(&place)?))) };
    crate::dsl::resources::declare_at(vm, this, (kind, &name), place, Some(rchef_ruby::Block::Proc(&block)))
}

/// Loads the named recipes that are not loaded yet; gives the new recipe objects.
pub fn include_all(vm: &mut Vm, context: &Value, names: &[Value], current: Option<&str>) -> Res {
    let mut loaded = Vec::new();
    for item in names {
        let items = match item {
            Value::Array(list) => list.get(vm).items.clone(),
            other => vec![other.clone()],
        };
        for item in items {
            let text = vm.to_s_text(&item)?;
            let (cookbook, recipe) = split_name(vm, &text, current)?;
            if cookbook::is_left_out(vm, &cookbook) {
                continue;
            }
            let object = load(vm, context, &cookbook, &recipe)?;
            if !object.is_nil() {
                loaded.push(object);
            }
        }
    }
    Ok(Value::array(loaded))
}
fn current_cookbook(vm: &mut Vm, this: &Value) -> Res<Option<String>> {
    let name = vm.ivar_get(this, N.i_cookbook_name).unwrap_or_default();
    Ok(if name.is_nil() { None } else { Some(vm.to_s_text(&name)?) })
}
fn include_recipe(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let context = crate::dsl::resources::context_of(vm, this)?;
    let current = current_cookbook(vm, this)?;
    include_all(vm, &context, args.pos, current.as_deref())
}
fn require_recipe(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.deprecated("require_recipe");
    include_recipe(vm, this, args)
}
fn load_recipe(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = include_recipe(vm, this, args)?;
    let first = vm.call_name(&list, "first", &[])?;
    Ok(if first.is_nil() { Value::False } else { first })
}

/// `run_recipe`: compiles the named recipes into an isolated unit and converges it (mission document 002).
fn run_recipe(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let current = current_cookbook(vm, this)?;
    let unit = context::create(vm, &Value::Nil, false, &Value::Nil)?;
    let mut names = Vec::new();
    for arg in args.pos {
        for item in vm.to_array(arg)? {
            let text = vm.to_s_text(&item)?;
            let (cookbook, recipe) = split_name(vm, &text, current.as_deref())?;
            let key = format!("{cookbook}::{recipe}");
            if cookbook::is_running_unit(vm, &key) {
                return Err(vm.runtime_error(format!("recipe {key} is already running in an enclosing run_recipe")));
            }
            names.push((cookbook, recipe, key));
        }
    }
    cookbook::enter_unit(vm, names.iter().map(|(_, _, key)| key.clone()).collect(), &unit);
    let result = (|| {
        for (cookbook, recipe, _) in &names {
            load(vm, &unit, cookbook, recipe)?;
        }
        crate::provider::runner::converge_all(vm, &unit)
    })();
    cookbook::leave_unit(vm);
    result?;
    let updated =
        context::resources(vm, &unit)?.iter().any(|resource| crate::resource::instance::is_updated(vm, resource));
    let outer = crate::provider::state::new_resource(vm, this);
    if updated && !outer.is_nil() {
        crate::resource::instance::mark_updated(vm, &outer, true);
    }
    Ok(Value::array(names.iter().map(|(_, _, key)| Value::str(key)).collect()))
}

/// `define :name, defaults do … end` in a definitions file.
pub fn define(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (pos, keywords) = args.split();
    let Some(Value::Sym(name)) = pos.first() else { return Err(vm.argument_error("Definition name must be a symbol")) };
    let name = *name;
    let defaults = match (pos.get(1), keywords) {
        (Some(defaults @ Value::Hash(_)), _) => defaults.clone(),
        (None, Some(hash)) => Value::Hash(hash.clone()),
        (None, None) => vm.new_hash(Vec::new())?,
        _ => return Err(vm.argument_error("Definition params must be a hash")),
    };
    let Some(block) = args.block else { return Err(vm.argument_error("Definition must be given a block")) };
    let body = Value::Proc(vm.block_to_proc(block));
    let run = run_mut(vm);
    run.definitions.retain(|(known, ..)| *known != name);
    run.definitions.push((name, defaults, body));
    let module = class(vm, |classes| classes.dsl_recipe)?;
    vm.define_closure(
        module,
        name,
        rchef_ruby::embed::method::Arity::ANY,
        std::rc::Rc::new(move |vm, this, args| call_definition(vm, this, name, args)),
    );
    Ok(Value::Nil)
}

/// Collects the parameters that a definition's block sets: a single argument is the value, several form a list.
fn call_definition(vm: &mut Vm, this: &Value, name: Symbol, args: Args<'_>) -> Res {
    let Some((_, defaults, body)) = run_mut(vm).definitions.iter().find(|(known, ..)| *known == name).cloned() else {
        return Err(vm.no_method_error(this, name, args.pos, rchef_ruby::embed::call::CallKind::Function, None));
    };
    let params = vm.call(&defaults, sym::DUP, &[])?;
    let Value::Hash(table) = &params else { return Ok(Value::Nil) };
    if let Some(block) = args.block {
        let id = class(vm, |classes| classes.definition)?;
        let collector = Value::object(id);
        vm.ivar_set(&collector, N.i_params, params.clone());
        let node = run_mut(vm).node.clone();
        vm.ivar_set(&collector, N.i_node, node);
        vm.call_block_as(block, &collector, Some(Definee::SingletonOf(collector.clone())), Args::none())?;
    }
    vm.hash_set(table, Value::sym("name"), args.at(0).clone())?;
    let context = crate::dsl::resources::context_of(vm, this)?;
    let id = class(vm, |classes| classes.recipe)?;
    let (cookbook, recipe) = (
        vm.ivar_get(this, N.i_cookbook_name).unwrap_or_default(),
        vm.ivar_get(this, N.i_recipe_name).unwrap_or_default(),
    );
    let object = vm.call(&Value::Class(id), sym::NEW, &[cookbook, recipe, context])?;
    vm.ivar_set(&object, N.i_params, params);
    crate::dsl::modes::inherit(vm, &object, this);
    if let Some(new_resource) = vm.ivar_get(this, N.i_new_resource) {
        vm.ivar_set(&object, N.i_new_resource, new_resource);
    }
    match &body {
        Value::Proc(body) => vm.call_block_as(
            rchef_ruby::Block::Proc(body),
            &object,
            Some(Definee::SingletonOf(object.clone())),
            Args::none(),
        ),
        _ => Ok(Value::Nil),
    }
}
fn collect_param(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_name(args.at(0))?;
    let params = vm.ivar_get(this, N.i_params).unwrap_or_default();
    let value = match args.from(1).pos {
        [one] => one.clone(),
        many => Value::array(many.to_vec()),
    };
    if let Value::Hash(table) = &params {
        vm.hash_set(table, Value::Sym(name), value.clone())?;
    }
    Ok(value)
}
fn definition_node(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.ivar_get(this, N.i_node).unwrap_or_default())
}
fn definition_params(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.ivar_get(this, N.i_params).unwrap_or_default())
}

static ON_CONTEXT: &[MethodDef] = &[at_least("include_recipe", include_into, 0), opt("load_recipe", load_into, 1, 2)];

fn include_into(vm: &mut Vm, context: &Value, args: Args<'_>) -> Res {
    include_all(vm, context, args.pos, None)
}
fn load_into(vm: &mut Vm, context: &Value, args: Args<'_>) -> Res {
    include_all(vm, context, &args.pos[..1], None)
}

static ON_COOKBOOK: &[MethodDef] = &[def("load_recipe", load_of_cookbook, 2)];

/// Registers the methods of run contexts and cookbooks for recipes.
pub fn boot_context(vm: &mut Vm) -> Res<()> {
    let chef = class(vm, |classes| classes.chef)?;
    let version = vm.define_class(chef, "CookbookVersion", ClassId::OBJECT);
    vm.define_methods(version, ON_COOKBOOK);
    let context = class(vm, |classes| classes.run_context)?;
    vm.define_methods(context, ON_CONTEXT);
    Ok(())
}

/// Registers `Chef::Recipe` and `Chef::DSL::Recipe`.
pub fn boot(vm: &mut Vm, chef: ClassId, dsl: ClassId) -> Res<()> {
    let recipe = vm.define_class(chef, "Recipe", ClassId::OBJECT);
    vm.class_mut(recipe).allocator = Some(|_, class| Ok(Value::data(class, crate::dsl::modes::RecipeState::default())));
    vm.define_methods(recipe, METHODS);
    let module = vm.define_module(dsl, "Recipe");
    vm.define_methods(module, DSL);
    vm.include_module(recipe, module);
    let definition = vm.define_class(chef, "ResourceDefinition", ClassId::OBJECT);
    vm.define_closure(
        definition,
        sym::METHOD_MISSING,
        rchef_ruby::embed::method::Arity::ANY,
        std::rc::Rc::new(collect_param),
    );
    vm.define_methods(definition, &[]);
    static REGISTER: &[MethodDef] = &[at_least("register", define, 1).private()];
    vm.define_singleton_methods(definition, REGISTER);
    static PARAMS: &[MethodDef] = &[def("params", definition_params, 0), def("node", definition_node, 0)];
    vm.define_methods(definition, PARAMS);
    let classes = &mut process_mut(vm).classes;
    classes.recipe = Some(recipe);
    classes.dsl_recipe = Some(module);
    classes.definition = Some(definition);
    Ok(())
}
