//! `Chef::Cookbook::Metadata` over [`rchef_model::metadata`], and reading metadata.rb and metadata.json (SPEC-compile 1.2). The less common methods
//! are Ruby source (`ruby/metadata.rb`).

use super::version_class::{invalid_constraint, invalid_version};
use crate::data::json_value;
use crate::run::{Subject, about, chef_error};
use rchef_host::compose;
use rchef_model::Value as Json;
pub use rchef_model::metadata::Metadata;
use rchef_model::metadata::constraint;
use rchef_model::version::{InvalidConstraint, Scheme, Version};
use rchef_ruby::embed::frame::Definee;
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Value, Vm, any, at_least, def, opt, sym};
use std::rc::Rc;

#[derive(Clone, Default)]
struct MetadataData(Metadata);
impl NativeData for MetadataData {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

static METHODS: &[MethodDef] = &[
    opt("name", string_field, 0, 1),
    opt("description", string_field, 0, 1),
    opt("long_description", string_field, 0, 1),
    opt("maintainer", string_field, 0, 1),
    opt("maintainer_email", string_field, 0, 1),
    opt("license", string_field, 0, 1),
    opt("source_url", string_field, 0, 1),
    opt("issues_url", string_field, 0, 1),
    opt("privacy", privacy, 0, 1),
    opt("eager_load_libraries", eager, 0, 1),
    opt("version", version, 0, 1),
    at_least("depends", depends, 1),
    at_least("supports", supports, 1),
    at_least("provides", provides, 1),
    any("chef_version", chef_version),
    any("ohai_version", ohai_version),
    any("gem", gem),
    def("recipe", recipe, 2),
    opt("run_resources", run_resources, 0, 1),
    def("platforms", map, 0),
    def("dependencies", map, 0),
    def("providing", map, 0),
    def("recipes", map, 0),
    def("gems", gem, 0),
    def("from_hash", from_hash, 1),
    def("to_h", to_h, 0),
    def("to_hash", to_h, 0),
];
static SINGLETON: &[MethodDef] = &[def("of_directory", of_directory, 1)];

fn of(vm: &Vm, this: &Value) -> Metadata {
    vm.data::<MetadataData>(this).map(|data| data.0.clone()).unwrap_or_default()
}
fn edit(vm: &mut Vm, this: &Value, change: impl FnOnce(&mut Metadata)) {
    if let Some(data) = vm.data_mut::<MetadataData>(this) {
        change(&mut data.0);
    }
}
/// The name of the running method, which is that of its field.
fn own_name(vm: &Vm) -> &'static str {
    vm.current_native_name().map_or("", |name| name.as_str())
}
/// Sets the field to the argument, or gives its value if the argument is nil.
fn field(vm: &mut Vm, this: &Value, field: &'static str, args: Args<'_>, kinds: &str, fits: fn(&Value) -> bool) -> Res {
    let given = args.at(0);
    if given.is_nil() {
        let value = vm.data::<MetadataData>(this).map(|data| data.0.field(field)).unwrap_or_default();
        return json_value(vm, &value);
    }
    if !fits(given) {
        let shown = vm.inspect(given)?;
        let text = format!("Option {field} must be a kind of {kinds}!  You passed {shown}.");
        return Err(chef_error(vm, "ValidationFailed", text));
    }
    let value = crate::data::to_json(vm, given)?;
    edit(vm, this, |metadata| metadata.set(field, value));
    Ok(given.clone())
}
fn string_field(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = own_name(vm);
    field(vm, this, name, args, "[String]", |given| matches!(given, Value::Str(_)))
}
fn privacy(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let flag = |given: &Value| matches!(given, Value::True | Value::False);
    field(vm, this, "privacy", args, "[TrueClass, FalseClass]", flag)
}
fn eager(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let fits = |given: &Value| matches!(given, Value::True | Value::False | Value::Str(_) | Value::Array(_));
    field(vm, this, "eager_load_libraries", args, "[Array, String, TrueClass, FalseClass]", fits)
}
fn version(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).truthy() {
        let text = vm.to_s_text(args.at(0))?;
        let found = Version::parse(&text, Scheme::Cookbook).map_err(|error| invalid_version(vm, &error))?;
        edit(vm, this, |metadata| metadata.version = found.to_string());
    }
    Ok(Value::str(of(vm, this).version))
}

/// The name and the single constraint of a declaration; `caller` is the method's name for messages.
fn declared(vm: &mut Vm, caller: &str, args: Args<'_>) -> Res<(String, String)> {
    let on = vm.to_s_text(args.at(0))?;
    let rest = args.from(1).pos;
    if rest.len() > 1 {
        let list = Value::array(rest.to_vec());
        let shown = vm.inspect(&list)?;
        let shown = &shown[1..shown.len() - 1];
        let text = format!(
            "The dependency specification syntax you are using is no longer valid. You may not\nspecify more than one version constraint for a particular cookbook.\nConsult https://docs.chef.io/config_rb_metadata/ for the updated syntax.\n\nCalled by: {caller} '{on}', {shown}\nCalled from:\n"
        );
        return Err(chef_error(vm, "ObsoleteDependencySyntax", text));
    }
    let given = match rest.first() {
        None | Some(Value::Nil) => rchef_model::version::Constraint::DEFAULT.to_string(),
        Some(Value::Array(list)) if list.get(vm).items.len() <= 1 => match list.get(vm).items.first().cloned() {
            Some(only) => vm.to_s_text(&only)?,
            None => rchef_model::version::Constraint::DEFAULT.to_string(),
        },
        Some(given) => vm.to_s_text(given)?,
    };
    match constraint(&given) {
        Ok(constraint) => Ok((on, constraint)),
        Err(InvalidConstraint::Form(_)) => {
            let text = format!(
                "The version constraint syntax you are using is not valid. If you recently\nupgraded from Chef Infra releases before 0.10, be aware that you no may\nlonger use \"<<\" and \">>\" for 'less than' and 'greater than'; use '<' and\n'>' instead. Consult https://docs.chef.io/config_rb_metadata/ for more\ninformation.\n\nCalled by: {caller} '{on}', '{given}'\nCalled from:\n"
            );
            Err(chef_error(vm, "InvalidVersionConstraint", text))
        }
        Err(error) => Err(invalid_constraint(vm, &error)),
    }
}
fn depends(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (on, own) = (vm.to_s_text(args.at(0))?, of(vm, this).name);
    if on == own {
        return Err(vm.runtime_error(format!(
            "Cookbook depends on itself in cookbook {own}, please remove the this unnecessary self-dependency"
        )));
    }
    let (on, constraint) = declared(vm, "depends", args)?;
    let shown = Value::str(&constraint);
    edit(vm, this, |metadata| metadata.depend(&on, constraint));
    Ok(shown)
}
fn keep(vm: &mut Vm, this: &Value, args: Args<'_>, caller: &str, map: &str) -> Res {
    let (on, constraint) = declared(vm, caller, args)?;
    let shown = Value::str(&constraint);
    edit(vm, this, |metadata| metadata.set_in(map, &on, constraint.into()));
    Ok(shown)
}
fn supports(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    keep(vm, this, args, "supports", "platforms")
}
fn provides(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    keep(vm, this, args, "provides", "providing")
}
fn texts(vm: &mut Vm, args: Args<'_>) -> Res<Vec<String>> {
    let mut found = Vec::new();
    for arg in args.split().0 {
        for item in vm.to_array(arg)? {
            found.push(vm.to_s_text(&item)?);
        }
    }
    Ok(found)
}
/// Appends the arguments to a field that is a list of lists; gives the field's value.
fn add(vm: &mut Vm, this: &Value, args: Args<'_>, slot: fn(&mut Metadata) -> &mut Vec<Vec<String>>) -> Res {
    let list = texts(vm, args)?;
    if !list.is_empty() {
        edit(vm, this, |metadata| slot(metadata).push(list));
    }
    let lists = slot(&mut of(vm, this)).clone();
    let shown = lists.iter().map(|list| Value::array(list.iter().map(Value::str).collect()));
    Ok(Value::array(shown.collect()))
}
fn chef_version(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    add(vm, this, args, |metadata| &mut metadata.chef_versions)
}
fn ohai_version(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    add(vm, this, args, |metadata| &mut metadata.ohai_versions)
}
fn gem(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    add(vm, this, args, |metadata| &mut metadata.gems)
}
fn recipe(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (name, description) = (vm.to_s_text(args.at(0))?, crate::data::to_json(vm, args.at(1))?);
    edit(vm, this, |metadata| metadata.set_in("recipes", &name, description));
    Ok(args.at(1).clone())
}
fn run_resources(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let text = vm.to_s_text(args.at(0))?;
    let immediate = match text.as_str() {
        "immediately" | "immediate" => true,
        "delayed" => false,
        _ => {
            let text = format!("run_resources must be :immediately or :delayed, not {text}");
            return Err(chef_error(vm, "ValidationFailed", text));
        }
    };
    edit(vm, this, |metadata| metadata.immediate = immediate);
    Ok(Value::Nil)
}
/// The value of a field that is a map, as a Mash.
fn map(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let value = of(vm, this).field(own_name(vm));
    let hash = json_value(vm, &value)?;
    crate::node::mash::convert(vm, &hash)
}
/// Sets the fields from a Hash in the format of metadata.json.
fn from_hash(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let given = crate::data::to_json(vm, args.at(0))?;
    edit(vm, this, |metadata| metadata.update(&given));
    Ok(this.clone())
}
fn to_h(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let json = of(vm, this).to_json();
    json_value(vm, &json)
}
/// The files that describe a cookbook; the first that is there counts (Chef's CookbookVersionLoader).
pub const METADATA: [&str; 2] = ["metadata.json", "metadata.rb"];

/// `of_directory(folder)`: reads the metadata of the cookbook in a directory.
fn of_directory(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let root = vm.to_s_text(args.at(0))?;
    let host = vm.host.clone();
    let there = |file: &&&str| compose::exists(&*host, format!("{root}/{file}").as_bytes());
    let files: Vec<String> = METADATA.iter().filter(there).map(|file| (*file).to_string()).collect();
    let found = read(vm, &root, &files)?;
    let made = vm.call(this, sym::NEW, &[])?;
    edit(vm, &made, |metadata| *metadata = found);
    Ok(made)
}

/// Reads a cookbook's metadata: metadata.json if it exists, else metadata.rb, else empty metadata.
pub fn read(vm: &mut Vm, root: &str, files: &[String]) -> Res<Metadata> {
    let host = vm.host.clone();
    if files.iter().any(|path| path == "metadata.json") {
        let bytes = compose::read_file(&*host, format!("{root}/metadata.json").as_bytes())
            .map_err(|error| vm.host_error(&error))?;
        let given: Result<Json, _> = serde_json::from_slice(&bytes);
        return match given {
            Ok(given) => Ok(Metadata::from_json(&given)),
            Err(error) => Err(crate::run::not_json(vm, &format!("{root}/metadata.json"), &error)),
        };
    }
    if !files.iter().any(|path| path == "metadata.rb") {
        return Ok(Metadata::default());
    }
    let path = format!("{root}/metadata.rb");
    let source = compose::read_file(&*host, path.as_bytes()).map_err(|error| vm.host_error(&error))?;
    let kind = vm.class_named("Chef::Cookbook::Metadata").unwrap_or(ClassId::OBJECT);
    let object = Value::data(kind, MetadataData::default());
    crate::run::evaluate(vm, &source, &path, &object, Definee::SingletonOf(object.clone()))?;
    let found = of(vm, &object);
    if found.name.is_empty() {
        let error = chef_error(
            vm,
            "MetadataNotValid",
            format!(
                "Cookbook loaded at path [{root}] has invalid metadata: The `name' attribute is required in cookbook metadata"
            ),
        );
        return Err(about(vm, error, Subject::Nameless(root.to_string())));
    }
    Ok(found)
}

/// Registers the class. As in Chef, unknown methods called in metadata.rb are ignored, but raise if they have a block.
pub fn boot(vm: &mut Vm, chef: ClassId) {
    let cookbook = vm.define_class(chef, "Cookbook", ClassId::OBJECT);
    let metadata = vm.define_class(cookbook, "Metadata", ClassId::OBJECT);
    vm.class_mut(metadata).allocator = Some(|_, class| Ok(Value::data(class, MetadataData::default())));
    if let Some(module) = vm.class_named("Chef::Mixin::ParamsValidate") {
        vm.include_module(metadata, module);
    }
    vm.define_methods(metadata, METHODS);
    vm.define_singleton_methods(metadata, SINGLETON);
    vm.define_closure(
        metadata,
        sym::METHOD_MISSING,
        Arity::ANY,
        Rc::new(|vm, this, args| {
            let name = vm.to_name(args.at(0))?;
            if args.block.is_some() {
                let rest = args.from(1).pos;
                return Err(vm.no_method_error(this, name, rest, rchef_ruby::embed::call::CallKind::Function, None));
            }
            if let Some(log) = vm.class_named("Chef::Log") {
                let cookbook = of(vm, this).name;
                let text =
                    format!("ignoring method {name} in the metadata of cookbook {cookbook}: there is no such field");
                vm.call_name(&Value::Class(log), "trace", &[Value::str(text)])?;
            }
            Ok(Value::Nil)
        }),
    );
}
