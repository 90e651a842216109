//! `Ripper.sexp` natively; the rest is `ruby/ripper.rb`.

use rchef_ruby::{Args, ClassId, MethodDef, RString, Res, Value, Vm, def};
use rchef_syntax::ripper::{Sexp, sexp};

static NATIVE: &[MethodDef] = &[def("sexp", tree, 1)];

/// Defines Ripper::Native.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let ripper = vm.define_class(ClassId::OBJECT, "Ripper", ClassId::OBJECT);
    let native = vm.define_module(ripper, "Native");
    vm.define_module_functions(native, NATIVE);
    Ok(())
}

/// The nested lists of a source; nil when it does not parse or has what cannot be told.
fn tree(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let source = vm.to_str(args.at(0))?.get(vm).bytes().to_vec();
    match sexp(&source) {
        Some(found) => value(vm, found),
        None => Ok(Value::Nil),
    }
}
fn value(vm: &mut Vm, sexp: Sexp) -> Res {
    Ok(match sexp {
        Sexp::Sym(name) => Value::sym(&name),
        Sexp::Str(text) => Value::string(RString::utf8(text)),
        Sexp::Int(number) => Value::Int(number),
        Sexp::Nil => Value::Nil,
        Sexp::False => Value::False,
        Sexp::List(parts) => {
            vm.check_stack()?;
            let mut items = Vec::with_capacity(parts.len());
            for part in parts {
                items.push(value(vm, part)?);
            }
            Value::array(items)
        }
    })
}
