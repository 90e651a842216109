//! Pure Ruby gems: where they are searched, and how `require` finds them; the rest is in `ruby/rubygems_installed.rb`.

use rchef_host::Host;
use rchef_host::files::absolute;
use rchef_ruby::embed::load::{require, set_require_fallback};
use rchef_ruby::embed::method::{Arity, Visibility};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, def};
use std::rc::Rc;

static NATIVE: &[MethodDef] =
    &[def("folders", folders, 0), def("add", add, 1), def("known?", known, 1), def("home", home, 0)];

/// Directories and archives of gems, in addition to those of the environment; `searching` is set during a lookup.
#[derive(Default)]
struct State {
    folders: Vec<String>,
    searching: bool,
    /// Whether extra gems are available if a cookbook declares them.
    declared: bool,
}

/// Adds directories of gems (in the layout of `gem install --install-dir`, or with one directory per gem) or `.gem` archives; they are searched
/// before GEM_PATH.
pub fn add_gem_folders(vm: &mut Vm, folders: impl IntoIterator<Item = String>) {
    vm.extension::<State>().folders.extend(folders);
}

/// Makes the extra gems that rchef has (`inifile`, `toml` etc.) available if a cookbook in use declares them, for runs in which Chef would install
/// the gems of `metadata.rb`.
pub fn offer_declared_gems(vm: &mut Vm) {
    vm.extension::<State>().declared = true;
}

/// Records that a cookbook in use declares a gem.
pub fn declare_gem(vm: &mut Vm, name: &str) {
    if vm.extension::<State>().declared {
        for (feature, source) in crate::bundled::extra_of(name) {
            vm.libraries.insert(feature, rchef_ruby::embed::library::Library::Gem(source));
        }
    }
}

/// Defines Gem::Native.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let gem = vm.define_module(ClassId::OBJECT, "Gem");
    let native = vm.define_module(gem, "Native");
    vm.define_module_functions(native, NATIVE);
    Ok(())
}
fn folders(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let folders = vm.extension::<State>().folders.iter().map(Value::str).collect();
    Ok(Value::array(folders))
}

/// Adds a directory; from now on `require` searches gems.
fn add(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let folder = vm.to_path(args.at(0))?;
    add_gem_folders(vm, [folder]);
    Ok(Value::Nil)
}

/// Whether one of rchef's own libraries has the feature.
fn known(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let feature = vm.to_text(args.at(0))?;
    Ok(Value::bool(vm.libraries.contains(feature.as_str())))
}

/// Makes `require` search gems, and `gem` load rubygems. The method stays this one: a program that has replaced it keeps its own when rubygems loads later.
pub(crate) fn register(vm: &mut Vm) {
    set_require_fallback(vm, activate);
    let name = Symbol::intern_static("gem");
    let closure = move |vm: &mut Vm, _: &Value, args: Args<'_>| {
        require(vm, "rubygems")?;
        let gems = Value::Class(vm.define_module(ClassId::OBJECT, "Gem"));
        vm.call_args(&gems, Symbol::intern_static("__gem"), args)
    };
    vm.define_closure(ClassId::KERNEL, name, Arity { min: 1, max: None }, Rc::new(closure));
    // the method was just defined, so this cannot fail
    let _ = vm.change_visibility(ClassId::KERNEL, name, Visibility::Private);
}

/// Where gems are unpacked: `GEM_HOME`; else the system directory for root, and a directory in the home of other users. The latter is not used if a
/// parent directory is world-writable (like /tmp), because others could put gems there.
pub fn gem_home(host: &dyn Host) -> String {
    const MACHINE: &str = "/var/lib/rchef/gems";
    let text = |name: &[u8]| host.env(name).map(|value| String::from_utf8_lossy(&value).into_owned());
    if let Some(given) = text(b"GEM_HOME").filter(|given| !given.is_empty()) {
        return given;
    }
    if host.uids().1 == 0 {
        return MACHINE.into();
    }
    let own = text(b"HOME").filter(|home| home.starts_with('/')).map(|home| format!("{home}/.local/share/rchef/gems"));
    let open = |path: &str| host.stat(path.as_bytes()).is_ok_and(|stat| stat.mode & 0o002 != 0);
    let is_private = |path: &String| {
        let look = || !path.match_indices('/').map(|(at, _)| &path[..at]).chain([path.as_str()]).any(open);
        match host.as_overlay() {
            Some(overlay) => overlay.quietly(look),
            None => look(),
        }
    };
    own.filter(is_private).unwrap_or_else(|| MACHINE.into())
}
fn home(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(gem_home(&*vm.host)))
}

/// Whether any directory of gems exists: a lookup loads rubygems, which most runs do not need.
fn any_place(vm: &mut Vm) -> bool {
    let mut places = vm.extension::<State>().folders.clone();
    let host = vm.host.clone();
    let text = |name: &[u8]| host.env(name).map(|value| String::from_utf8_lossy(&value).into_owned());
    places.extend(text(b"GEM_PATH").unwrap_or_default().split(':').filter(|part| !part.is_empty()).map(str::to_string));
    places.push(gem_home(&*vm.host));
    places.push("vendor/gems".into());
    let cwd = host.getcwd().unwrap_or_else(|_| b"/".to_vec());
    places.iter().any(|place| host.stat(&absolute(&cwd, place.as_bytes())).is_ok())
}
fn activate(vm: &mut Vm, feature: &str) -> Res<bool> {
    if feature.starts_with(['/', '.', '~']) || vm.extension::<State>().searching || !any_place(vm) {
        return Ok(false);
    }
    vm.extension::<State>().searching = true;
    let found = search(vm, feature);
    vm.extension::<State>().searching = false;
    found
}
fn search(vm: &mut Vm, feature: &str) -> Res<bool> {
    require(vm, "rubygems")?;
    let Some(gem) = vm.class_named("Gem") else { return Ok(false) };
    Ok(vm.call_name(&Value::Class(gem), "try_activate", &[Value::str(feature)])?.truthy())
}
