//! `Chef::Util::Diff`, over [`rchef_change::diff`]. What it reads and says is in `ruby/util_diff.rb`.

use rchef_change::diff;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};

/// The feature that the autoload of the class requires: the native method, then the Ruby source.
pub const FEATURE: &str = "chef/rchef/util_diff";
pub const SOURCE_FEATURE: &str = "chef/rchef/util_diff_source";

static METHODS: &[MethodDef] = &[def("hunks", hunks, 2).private()];

/// `hunks(old, new)`: the lines of a unified diff of two Arrays of lines, without its header.
fn hunks(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (old, new) = (texts(vm, args.at(0))?, texts(vm, args.at(1))?);
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    Ok(Value::array(diff::hunks(&old, &new).into_iter().map(Value::str).collect()))
}
fn texts(vm: &mut Vm, lines: &Value) -> Res<Vec<String>> {
    let lines = vm.to_array(lines)?;
    lines.iter().map(|line| vm.to_s_text(line)).collect()
}

/// Defines the class with its method, then loads its source.
pub fn load(vm: &mut Vm) -> Res<()> {
    let util = vm.class_named("Chef::Util").ok_or_else(|| vm.not_implemented("Chef::Util"))?;
    let class = vm.define_class(util, "Diff", ClassId::OBJECT);
    vm.define_methods(class, METHODS);
    rchef_ruby::embed::load::require(vm, SOURCE_FEATURE).map(drop)
}
