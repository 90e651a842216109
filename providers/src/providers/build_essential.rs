//! `build_essential`: the packages for compiling C software, as one `package` resource.

use super::support::*;
use rchef_change::ChangeError;
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

pub(crate) struct BuildEssential;

const DEBIAN: &[&str] = &["autoconf", "binutils-doc", "bison", "build-essential", "flex", "gettext", "ncurses-dev"];
const FEDORA: &[&str] =
    &["autoconf", "bison", "flex", "gcc", "gcc-c++", "gettext", "kernel-devel", "make", "m4", "ncurses-devel", "patch"];
const SUSE: &[&str] = &["autoconf", "bison", "flex", "gcc", "gcc-c++", "kernel-default-devel", "make", "m4"];

/// What a `build_essential` resource asks for.
pub(crate) struct Desired {
    /// False for `:upgrade`, which only applies to macOS.
    install: bool,
    platform_family: String,
    /// Raise on a platform without a list of packages.
    raise_if_unsupported: bool,
}

fn packages(platform_family: &str) -> Option<&'static [&'static str]> {
    match platform_family {
        "debian" => Some(DEBIAN),
        "fedora" | "rhel" | "amazon" => Some(FEDORA),
        "suse" => Some(SUSE),
        _ => None,
    }
}

/// The methods of the provider; they ask Apple's tools.
pub(crate) static METHODS: &[MethodDef] =
    &[def("xcode_cli_installed?", has_tools, 0), def("xcode_cli_package_label", tools_label, 0)];

fn has_tools(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let done = vm.call_name(this, "shell_out", &[Value::str("xcode-select"), Value::str("-p")])?;
    Ok(Value::bool(!flag(vm, &done, "error?")?))
}

/// The name of the update that brings the command line tools, if one is offered.
fn tools_label(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let done = vm.call_name(this, "shell_out", &[Value::str("softwareupdate"), Value::str("--list")])?;
    vm.call_name(&done, "error!", &[])?;
    let listed = stdout(vm, &done)?;
    let label = listed.lines().find_map(|line| {
        let item = line.trim_start().strip_prefix("* ")?;
        let name = item.strip_prefix("Label: ").unwrap_or(item);
        name.starts_with("Command Line Tools").then_some(name)
    });
    Ok(label.map(Value::str).unwrap_or_default())
}

impl Composite for BuildEssential {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["install", "upgrade"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        Ok(Desired {
            install: action == "install",
            platform_family: crate::coerce::node_text(vm, resource, "platform_family")?,
            raise_if_unsupported: flag(vm, resource, "raise_if_unsupported")?,
        })
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        if !desired.install {
            let text = "The build_essential resource :upgrade action is only supported on macOS systems. Skipping...";
            children.log("info", text);
            return Ok(());
        }
        if let Some(names) = packages(&desired.platform_family) {
            let names = names.iter().map(Value::str).collect();
            return children.declare(Child::named("package", Value::array(names))).map(drop);
        }
        let family = &desired.platform_family;
        let text = format!(
            "        The build_essential resource does not currently support the '{family}'\n        platform family. Skipping...\n"
        );
        if desired.raise_if_unsupported {
            return Err(children.raised(&ChangeError::raise("RuntimeError", text)));
        }
        children.log("warn", text);
        Ok(())
    }
}
