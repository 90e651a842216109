//! metadata.rb and metadata.json (SPEC-compile 1.2).

use crate::run::chef_error;
use rchef_host::compose;
use rchef_ruby::frame::Definee;
use rchef_ruby::method::Arity;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Value, Vm, any, at_least, opt, sym};
use std::rc::Rc;

/// What a cookbook says of itself.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    /// Name; empty when metadata says none.
    pub name: String,
    /// Version.
    pub version: String,
    /// Dependencies: name and constraint, in order of declaration.
    pub depends: Vec<(String, String)>,
    /// `chef_version` lists: any one must hold, each all of its constraints.
    pub chef_versions: Vec<Vec<String>>,
    /// Gems: name and constraints.
    pub gems: Vec<Vec<String>>,
    /// `eager_load_libraries`: None for all, else the globs.
    pub eager: Option<Vec<String>>,
    /// `run_resources :immediately`
    pub immediate: bool,
}

#[derive(Default)]
struct Reader(Metadata);
impl NativeData for Reader {}

static METHODS: &[MethodDef] = &[
    opt("name", name, 0, 1),
    opt("version", version, 0, 1),
    at_least("depends", depends, 1),
    any("chef_version", chef_version),
    at_least("gem", gem, 1),
    opt("eager_load_libraries", eager, 0, 1),
    opt("run_resources", run_resources, 0, 1),
];

fn edit(vm: &mut Vm, this: &Value, change: impl FnOnce(&mut Metadata)) {
    if let Some(data) = vm.data_mut::<Reader>(this) {
        change(&mut data.0);
    }
}
fn string_arg(vm: &mut Vm, what: &str, value: &Value) -> Res<String> {
    match value {
        Value::Str(_) => vm.to_s_text(value),
        Value::Sym(symbol) => Ok(symbol.to_string()),
        other => {
            let shown = vm.inspect(other)?;
            Err(chef_error(
                vm,
                "ValidationFailed",
                format!("Option {what} must be a kind of [String]!  You passed {shown}."),
            ))
        }
    }
}
fn name(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        return Ok(vm.data::<Reader>(this).map(|data| Value::str(&data.0.name)).unwrap_or_default());
    }
    let text = string_arg(vm, "name", args.at(0))?;
    edit(vm, this, |metadata| metadata.name = text);
    Ok(args.at(0).clone())
}
fn version(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        return Ok(vm.data::<Reader>(this).map(|data| Value::str(&data.0.version)).unwrap_or_default());
    }
    let text = string_arg(vm, "version", args.at(0))?.trim_end_matches('\n').to_string();
    let numeric = text.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let parts = text.split('.').count();
    if !numeric || !(2..=3).contains(&parts) {
        return Err(chef_error(vm, "InvalidCookbookVersion", format!("'{text}' does not match 'x.y.z' or 'x.y'")));
    }
    let full = if parts == 2 { format!("{text}.0") } else { text };
    edit(vm, this, |metadata| metadata.version = full);
    Ok(args.at(0).clone())
}
fn depends(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let on = vm.to_s_text(args.at(0))?;
    let own = vm.data::<Reader>(this).map(|data| data.0.name.clone()).unwrap_or_default();
    if on == own {
        return Err(vm.runtime_error(format!(
            "Cookbook depends on itself in cookbook {own}, please remove this unnecessary self-dependency"
        )));
    }
    let mut constraints = Vec::new();
    for arg in args.from(1).pos {
        for item in vm.to_array(arg)? {
            constraints.push(vm.to_s_text(&item)?);
        }
    }
    if constraints.len() > 1 {
        return Err(chef_error(
            vm,
            "ObsoleteDependencySyntax",
            format!(
                "The dependency specification syntax you are using is no longer valid. You may not specify more than one version constraint for a particular cookbook: {on} {}",
                constraints.join(", ")
            ),
        ));
    }
    let constraint = constraints.pop().unwrap_or_else(|| ">= 0.0.0".into());
    if rchef_model::version::split(&constraint).is_err() {
        return Err(chef_error(vm, "InvalidVersionConstraint", format!("'{constraint}'")));
    }
    edit(vm, this, |metadata| {
        metadata.depends.retain(|(known, _)| *known != on);
        metadata.depends.push((on, constraint));
    });
    Ok(Value::Nil)
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
fn chef_version(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = texts(vm, args)?;
    if !list.is_empty() {
        edit(vm, this, |metadata| metadata.chef_versions.push(list));
    }
    Ok(Value::Nil)
}
fn gem(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = texts(vm, args)?;
    edit(vm, this, |metadata| metadata.gems.push(list));
    Ok(Value::Nil)
}
fn eager(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let globs = match args.at(0) {
        Value::True | Value::Nil => None,
        Value::False => Some(Vec::new()),
        other => {
            let mut list = Vec::new();
            for item in vm.to_array(other)? {
                list.push(vm.to_s_text(&item)?);
            }
            Some(list)
        }
    };
    edit(vm, this, |metadata| metadata.eager = globs);
    Ok(Value::Nil)
}
fn run_resources(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let text = vm.to_s_text(args.at(0))?;
    let immediate = match text.as_str() {
        "immediately" | "immediate" => true,
        "delayed" => false,
        _ => {
            return Err(chef_error(
                vm,
                "ValidationFailed",
                format!("run_resources must be :immediately or :delayed, not {text}"),
            ));
        }
    };
    edit(vm, this, |metadata| metadata.immediate = immediate);
    Ok(Value::Nil)
}

/// Reads a cookbook's metadata: metadata.json if there is one, else metadata.rb, else nothing.
pub fn read(vm: &mut Vm, root: &str, files: &[String]) -> Res<Metadata> {
    let host = vm.host.clone();
    if files.iter().any(|path| path == "metadata.json") {
        let bytes = compose::read_file(&*host, format!("{root}/metadata.json").as_bytes())
            .map_err(|error| vm.host_error(&error))?;
        return from_json(vm, root, &bytes);
    }
    if !files.iter().any(|path| path == "metadata.rb") {
        return Ok(Metadata { version: "0.0.0".into(), ..Metadata::default() });
    }
    let path = format!("{root}/metadata.rb");
    let source = compose::read_file(&*host, path.as_bytes()).map_err(|error| vm.host_error(&error))?;
    let kind = vm.class_named("Chef::Cookbook::MetadataFile").unwrap_or(ClassId::OBJECT);
    let object = Value::data(kind, Reader(Metadata { version: "0.0.0".into(), ..Metadata::default() }));
    crate::run::evaluate(vm, &source, &path, &object, Definee::SingletonOf(object.clone()))?;
    let found = vm.data::<Reader>(&object).map(|data| data.0.clone()).unwrap_or_default();
    if found.name.is_empty() {
        return Err(chef_error(
            vm,
            "MetadataNotValid",
            format!(
                "Cookbook loaded at path [{root}] has invalid metadata: The `name' attribute is required in cookbook metadata"
            ),
        ));
    }
    Ok(found)
}

fn from_json(vm: &mut Vm, root: &str, bytes: &[u8]) -> Res<Metadata> {
    let parsed: serde_json::Value = match serde_json::from_slice(bytes) {
        Ok(parsed) => parsed,
        Err(error) => return Err(vm.runtime_error(format!("{root}/metadata.json is not JSON: {error}"))),
    };
    let text = |key: &str| parsed.get(key).and_then(serde_json::Value::as_str).unwrap_or_default().to_string();
    let mut found = Metadata { name: text("name"), version: text("version"), ..Metadata::default() };
    if found.version.is_empty() {
        found.version = "0.0.0".into();
    }
    if let Some(map) = parsed.get("dependencies").and_then(serde_json::Value::as_object) {
        for (name, constraint) in map {
            let constraint = match constraint {
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Array(list) if list.len() == 1 => list[0].as_str().unwrap_or(">= 0.0.0").to_string(),
                _ => ">= 0.0.0".into(),
            };
            found.depends.push((name.clone(), constraint));
        }
    }
    found.immediate =
        matches!(parsed.get("run_resources").and_then(serde_json::Value::as_str), Some("immediately" | "immediate"));
    if let Some(lists) = parsed.get("chef_versions").and_then(serde_json::Value::as_array) {
        found.chef_versions = lists
            .iter()
            .filter_map(|list| {
                list.as_array().map(|list| list.iter().filter_map(|item| item.as_str().map(str::to_string)).collect())
            })
            .collect();
    }
    Ok(found)
}

/// Registers what metadata.rb is evaluated on when cookbooks are looked for: only what a run needs is kept (`Chef::Cookbook::Metadata`, which has
/// everything, loads when code asks for it). What it does not know is ignored, as Chef does; with a block it is an error.
pub fn boot(vm: &mut Vm, chef: ClassId) {
    let cookbook = vm.define_class(chef, "Cookbook", ClassId::OBJECT);
    let metadata = vm.define_class(cookbook, "MetadataFile", ClassId::OBJECT);
    vm.class_mut(metadata).name = Some(Rc::from("Chef::Cookbook::Metadata"));
    vm.define_methods(metadata, METHODS);
    let any_number = Arity { min: 0, max: None };
    vm.define_closure(
        metadata,
        sym::METHOD_MISSING,
        any_number,
        Rc::new(|vm, this, args| {
            if args.block.is_some() {
                let name = vm.to_name(args.at(0))?;
                return Err(vm.no_method_error(
                    this,
                    name,
                    args.from(1).pos,
                    rchef_ruby::call::CallKind::Function,
                    None,
                ));
            }
            Ok(Value::Nil)
        }),
    );
}
