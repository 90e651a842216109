//! `ohai_hint`: a file in Ohai's hints folder.

use super::support::*;
use rchef_host::files;
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct OhaiHint;

/// Name of the `ohai` resource that reloads the attributes after a hint is removed.
const RELOAD: &str = "reload ohai post hint removal";

/// What an `ohai_hint` resource asks for.
pub(crate) struct Desired {
    create: bool,
    folder: String,
    path: String,
    /// The hint as JSON; empty if it has no data.
    content: String,
}

/// The `content` property as indented JSON.
fn content(vm: &mut Vm, resource: &Value) -> Res<String> {
    let content = get(vm, resource, "content")?;
    if !matches!(&content, Value::Hash(hash) if hash.get(vm).iter().next().is_some()) {
        return Ok(String::new());
    }
    rchef_ruby::embed::load::require(vm, "json")?;
    let Some(json) = vm.class_named("JSON") else { return Err(vm.not_implemented("JSON")) };
    let text = vm.call_name(&Value::Class(json), "pretty_generate", &[content])?;
    vm.to_s_text(&text)
}

impl Composite for OhaiHint {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["create", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let hints = crate::facts::choice(vm).hints;
        let folder = hints.into_iter().next().unwrap_or_else(|| crate::facts::HINTS.to_string());
        let name = text(vm, resource, "hint_name")?;
        let path = lossy(&files::join(folder.as_bytes(), name.as_bytes()));
        let path = if path.ends_with(".json") { path } else { format!("{path}.json") };
        let create = action == "create";
        let content = if create { content(vm, resource)? } else { String::new() };
        Ok(Desired { create, folder, path, content })
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let file = Child::new("file", &desired.path);
        if desired.create {
            children.declare(Child::new("directory", &desired.folder).flag("recursive", true).action("create"))?;
            children.declare(file.text("content", &desired.content).action("create"))?;
            return Ok(());
        }
        children.declare(Child::new("ohai", RELOAD).action("nothing"))?;
        children.declare(file.notifies("reload", &format!("ohai[{RELOAD}]"), "delayed").action("delete"))?;
        Ok(())
    }
}
