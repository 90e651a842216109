//! `default!['a']['b'] = 1`: collects the keys; the assignment calls the method with them and the value.

use super::classes::Kinds;
use rchef_ruby::{Args, MethodDef, NativeData, Res, Symbol, Value, Vm, def};

struct Chain {
    attributes: Value,
    method: Symbol,
    path: Vec<Value>,
}
impl NativeData for Chain {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.attributes);
        self.path.iter().for_each(visit);
    }
}

static METHODS: &[MethodDef] = &[def("[]", aref, 1), def("[]=", aset, 2)];

pub(super) fn boot(vm: &mut Vm, kinds: Kinds) {
    vm.define_methods(kinds.unchain, METHODS);
}
/// The chain object that `default!` without arguments returns.
pub(crate) fn start(vm: &mut Vm, attributes: &Value, method: &'static str) -> Value {
    let class = super::classes::kinds(vm).unchain;
    Value::data(
        class,
        Chain { attributes: attributes.clone(), method: Symbol::intern_static(method), path: Vec::new() },
    )
}
fn aref(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(chain) = vm.data_mut::<Chain>(this) {
        chain.path.push(args.at(0).clone());
    }
    Ok(this.clone())
}
fn aset(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(chain) = vm.data_mut::<Chain>(this) else { return Ok(Value::Nil) };
    chain.path.push(args.at(0).clone());
    let (attributes, method, mut all) = (chain.attributes.clone(), chain.method, chain.path.clone());
    all.push(args.at(1).clone());
    vm.call_public(&attributes, method, Args::new(&all))
}
