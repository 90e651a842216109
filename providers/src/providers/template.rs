use super::cookbook_file::cookbook_of;
use super::embedded;
use super::file;
use super::support::*;
use rchef_change::{Assertion, Change, State};
use rchef_host::{Host, compose};
use rchef_recipe::erb::{self, Wanted};
use rchef_recipe::run::run_mut;
use rchef_ruby::{Res, Symbol, Value, Vm};

pub(crate) struct Template;

/// What a template asks for besides the file.
pub(crate) struct Desired {
    file: file::Desired,
    source: Wanted,
    /// The source is a path on this machine (`local`).
    local: bool,
    /// The content, if the composite provider has already rendered it.
    rendered: Option<Vec<u8>>,
}

impl Provider for Template {
    type Desired = Desired;
    type Current = file::Current;
    const ACTIONS: &'static [&'static str] = file::ACTIONS;

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let rendered = vm.ivar_get(resource, Symbol::intern_static("@rendered"));
        Ok(Desired {
            rendered: rendered.map(|text| bytes(vm, &text)).transpose()?,
            file: file::Desired::read(vm, resource, action)?,
            source: source(vm, resource)?,
            local: flag(vm, resource, "local")?,
        })
    }
    fn load(desired: &Desired, host: &dyn Host) -> Looked<file::Current> {
        file::load(&desired.file, host)
    }
    fn requirements(desired: &Desired, current: &file::Current, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let source = desired.source.first();
        let is_there = || embedded::find(source).is_some() || compose::exists(host, source.as_bytes());
        if desired.local && desired.file.action.starts_with("create") && !is_there() {
            let message = format!("Template source {source} could not be found.");
            let assume = format!("Template source {source} does not exist. Assuming it would have been created.");
            let failed = Assertion::new("Chef::Exceptions::FileNotFound", message).assuming(assume).blocking();
            return Ok(vec![failed]);
        }
        file::requirements(&desired.file, current, host)
    }
    fn complete(vm: &mut Vm, resource: &Value, desired: &mut Desired, current: &file::Current) -> Res<()> {
        if desired.file.needs_no_content(current) {
            return Ok(());
        }
        file::warn_of_link(vm, resource, &desired.file, current)?;
        let rendered = match desired.rendered.take() {
            Some(rendered) => rendered,
            None => render(vm, resource, &desired.source, desired.local)?,
        };
        desired.file.content = Some(rendered.into());
        Ok(())
    }
    fn plan(desired: &Desired, current: &file::Current, host: &dyn Host) -> Looked<Vec<Change>> {
        file::plan(&desired.file, current, host)
    }
    fn check(vm: &mut Vm, resource: &Value, changes: &[Change]) -> Res<()> {
        file::check(vm, resource, changes)
    }
    fn state(desired: &Desired, current: &file::Current, host: &dyn Host) -> Vec<(&'static str, State)> {
        file::state(&desired.file, current, host)
    }
    fn reported(desired: &Desired, host: &dyn Host) -> Vec<(&'static str, State)> {
        file::reported(&desired.file, host)
    }
}

/// Evaluates a `lazy { }` value, also inside a Hash.
fn settled(vm: &mut Vm, resource: &Value, value: Value) -> Res {
    if crate::coerce::is_lazy(vm, &value) {
        let value = crate::coerce::force(vm, resource, value)?;
        return settled(vm, resource, value);
    }
    // other containers are passed unchanged: node attributes must keep their class
    match &value {
        Value::Hash(hash) => {
            let pairs: Vec<(Value, Value)> =
                hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            if !pairs.iter().any(|(_, item)| crate::coerce::is_lazy(vm, item)) {
                return Ok(value);
            }
            let mut made = Vec::new();
            for (key, item) in pairs {
                made.push((key, settled(vm, resource, item)?));
            }
            vm.new_hash(made)
        }
        _ => Ok(value),
    }
}

/// The rendered content of a resource of this class.
pub(crate) fn rendered(vm: &mut Vm, resource: &Value) -> Res<Vec<u8>> {
    let (wanted, local) = (source(vm, resource)?, flag(vm, resource, "local")?);
    render(vm, resource, &wanted, local)
}

fn source(vm: &mut Vm, resource: &Value) -> Res<Wanted> {
    let given = get(vm, resource, "source")?;
    erb::wanted(vm, &given)
}

fn render(vm: &mut Vm, resource: &Value, wanted: &Wanted, local: bool) -> Res<Vec<u8>> {
    let cookbook = cookbook_of(vm, resource)?;
    let built_in = if local { embedded::find(wanted.first()) } else { None };
    let (path, source) = match built_in {
        Some(source) => (wanted.first().to_string(), source.as_bytes().to_vec()),
        None => {
            let path = erb::source_path(vm, &cookbook, wanted, local)?;
            let source = rchef_recipe::run::read_file(vm, &path)?;
            (path, source)
        }
    };
    let node = run_mut(vm).node.clone();
    let (recipe, line) = (get(vm, resource, "recipe_name")?, get(vm, resource, "source_line")?);
    let declared_in = get(vm, resource, "cookbook_name")?;
    let (file, number) = match &line {
        Value::Nil => (Value::Nil, Value::Nil),
        other => {
            let text = vm.to_s_text(other)?;
            let mut parts = text.splitn(3, ':');
            let file = parts.next().map_or(Value::Nil, Value::str);
            (file, parts.next().map_or(Value::Nil, Value::str))
        }
    };
    let name = Value::str(wanted.first());
    let mut pairs: Vec<(Symbol, Value)> = [
        ("node", node),
        ("cookbook_name", declared_in),
        ("recipe_name", recipe),
        ("recipe_line_string", line),
        ("recipe_path", file),
        ("recipe_line", number),
        ("template_name", name),
        ("template_path", Value::str(&path)),
        ("_template_cookbook", Value::str(&cookbook)),
    ]
    .into_iter()
    .map(|(name, value)| (Symbol::intern_static(name), value))
    .collect();
    let variables = get(vm, resource, "variables")?;
    let variables = settled(vm, resource, variables)?;
    if let Value::Hash(hash) = &variables {
        let given: Vec<(Value, Value)> = hash.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        for (key, value) in given {
            let key = vm.to_name(&key)?;
            let value = settled(vm, resource, value)?;
            pairs.push((key, value));
        }
    }
    let modules = get(vm, resource, "helper_modules")?;
    let modules = vm.to_array(&modules)?;
    let context = erb::context(vm, &pairs, &modules)?;
    erb::render(vm, &source, Some(&path), &context)
}
