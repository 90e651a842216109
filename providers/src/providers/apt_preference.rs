//! `apt_preference`: a file under /etc/apt/preferences.d, as a `directory` and a `file`.

use super::support::*;
use rchef_host::compose;
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct AptPreference;

/// The directory of apt's pin files.
const DIRECTORY: &str = "/etc/apt/preferences.d";

/// What an `apt_preference` resource asks for.
pub(crate) struct Desired {
    add: bool,
    /// The node is of the Debian family; elsewhere nothing is done.
    is_debian: bool,
    /// The package's name, or the `glob` given in its place.
    name: String,
    content: String,
}

impl Composite for AptPreference {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["add", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let name = text(vm, resource, "package_name")?;
        let packages = text_opt(vm, resource, "glob")?.unwrap_or_else(|| name.clone());
        let (pin, priority) = (text(vm, resource, "pin")?, text(vm, resource, "pin_priority")?);
        Ok(Desired {
            add: action == "add",
            is_debian: crate::coerce::node_text(vm, resource, "platform_family")? == "debian",
            name,
            content: format!("Package: {packages}\nPin: {pin}\nPin-Priority: {priority}\n"),
        })
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        if !desired.is_debian {
            return Ok(());
        }
        let host = children.host();
        let there = |path: &str| compose::exists(&*host, path.as_bytes());
        let name = &desired.name;
        let safe = name.replace('.', "_").replace('*', "wildcard");
        let target = format!("{DIRECTORY}/{safe}.pref");
        if !desired.add {
            if there(&target) {
                children.log("info", format!("Un-pinning {safe} from {DIRECTORY}"));
                children.declare(Child::new("file", target).action("delete"))?;
            }
            return Ok(());
        }
        children.declare(Child::new("directory", DIRECTORY).text("mode", "0755").action("create"))?;
        // files written by old versions of the apt cookbook: with dots in the name, or without the extension
        for (legacy, stale) in [(format!("{name}.pref"), safe != *name), (name.clone(), true)] {
            let path = format!("{DIRECTORY}/{legacy}");
            if stale && there(&path) {
                children.log("warn", format!("Replacing legacy {legacy} with {safe}.pref in {DIRECTORY}"));
                children.declare(Child::new("file", path).action("delete"))?;
            }
        }
        let file = Child::new("file", target).text("mode", "0644").text("content", &desired.content);
        children.declare(file.action("create"))?;
        Ok(())
    }
}
