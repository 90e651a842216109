//! `build_essential`: the packages for compiling C software, as one `package` resource.

use super::support::*;
use rchef_change::ChangeError;
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

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
