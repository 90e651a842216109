//! `require`, `require_relative`, `load`, `autoload`.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, def};
use crate::value::Value;
use crate::vm::Library;
use rchef_host::compose;

static FUNCTIONS: &[MethodDef] = &[def("require", require_function, 1)];

fn require_function(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = vm.to_text(args.at(0))?;
    Ok(Value::bool(require(vm, &path)?))
}

/// `require`: true when something was loaded now. LoadError names what is missing.
pub fn require(vm: &mut Vm, feature: &str) -> Res<bool> {
    let name = feature.strip_suffix(".rb").or_else(|| feature.strip_suffix(".so")).unwrap_or(feature);
    if let Some(library) = vm.libraries.get(name).copied() {
        if vm.loaded.iter().any(|known| known == name) {
            return Ok(false);
        }
        vm.loaded.push(name.to_string());
        match library {
            Library::Native(init) => init(vm)?,
            Library::Source(source) => {
                vm.run_string(source.as_bytes(), &format!("<internal:{name}>"), 1)?;
            }
        }
        return Ok(true);
    }
    let host = vm.host.clone();
    let path = format!("{name}.rb");
    if feature.starts_with('/') && compose::exists(&*host, path.as_bytes()) {
        if vm.loaded.iter().any(|known| *known == path) {
            return Ok(false);
        }
        vm.loaded.push(path.clone());
        load_file(vm, &path)?;
        return Ok(true);
    }
    Err(vm.error(ClassId::LOAD_ERROR, format!("cannot load such file -- {feature}")))
}

/// Reads and runs a file at the top level.
pub fn load_file(vm: &mut Vm, path: &str) -> Res<()> {
    let host = vm.host.clone();
    let source = compose::read_file(&*host, path.as_bytes()).map_err(|error| vm.host_error(&error))?;
    vm.run_string(&source, path, 1)?;
    Ok(())
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_module_functions(ClassId::KERNEL, FUNCTIONS);
}
