//! `resolv`: the address lookup for `ruby/resolv.rb`, done by the host's resolver.

use rchef_ruby::embed::library::run_embedded;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};

static NATIVE: &[MethodDef] = &[def("__addresses", addresses, 1)];

pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let resolv = vm.define_class(ClassId::OBJECT, "Resolv", ClassId::OBJECT);
    vm.define_singleton_methods(resolv, NATIVE);
    run_embedded(vm, embedded!("ruby/resolv.rb"), "resolv")?;
    Ok(())
}

/// `__addresses(name)`: addresses as Strings; empty if the name is unknown or there is no resolver.
fn addresses(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let name = vm.to_text(args.at(0))?;
    let found = vm.host.resolve(&name).unwrap_or_default();
    Ok(Value::array(found.into_iter().map(|address| Value::str(address.to_string())).collect()))
}
