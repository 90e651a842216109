//! `Chef::Formatters::ErrorInspectors`: excerpts of source files, over [`rchef_model::excerpt`]. The classes are in `ruby/formatters_errors.rb`.

use crate::run::class;
use rchef_model::excerpt;
use rchef_ruby::{Args, MethodDef, Res, Symbol, Value, Vm, def};

/// The feature that the autoloads of the classes require: the native methods, then the Ruby source.
pub const FEATURE: &str = "chef/rchef/formatters_errors";
pub const SOURCE_FEATURE: &str = "chef/rchef/formatters_errors_source";

static METHODS: &[MethodDef] =
    &[def("excerpt", around, 3), def("declaration", declaration, 3), def("frozen_advice", frozen_advice, 0)];

/// File, lines and number of the arguments `(file, lines, line)`.
fn source(vm: &mut Vm, args: Args<'_>) -> Res<(String, Vec<String>, usize)> {
    let (file, line) = (vm.to_s_text(args.at(0))?, vm.to_int(args.at(2))?);
    let mut lines = Vec::new();
    for each in vm.to_array(args.at(1))? {
        lines.push(vm.to_s_text(&each)?);
    }
    Ok((file, lines, usize::try_from(line).unwrap_or_default()))
}
fn around(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (file, lines, line) = source(vm, args)?;
    Ok(Value::str(excerpt::around(&file, &lines, line)))
}
fn declaration(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (file, lines, line) = source(vm, args)?;
    Ok(Value::str(excerpt::declaration(&file, &lines, line)))
}
fn frozen_advice(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::str(excerpt::FROZEN))
}

/// Defines the module with its methods, then loads the classes.
pub fn load(vm: &mut Vm) -> Res<()> {
    let chef = class(vm, |classes| classes.chef)?;
    let formatters = vm.const_get_from(chef, Symbol::intern_static("Formatters"), false)?.unwrap_or_default();
    let Value::Class(formatters) = formatters else { return Err(vm.type_error("Chef::Formatters is not a module")) };
    let module = vm.define_module(formatters, "ErrorInspectors");
    vm.define_singleton_methods(module, METHODS);
    rchef_ruby::embed::load::require(vm, SOURCE_FEATURE).map(drop)
}
