//! Control flow: `raise`, `loop`, `lambda`, `proc`, `block_given?`, `catch`, `throw`.

use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::exception::raise::raise;
use crate::core::fiber::Catches;
use crate::error::{Res, Unwind};
use crate::frame::{Block, ProcKind};
use crate::method::{MethodDef, any, def, opt};
use crate::value::Value;
use rchef_syntax::Symbol;
use rchef_syntax::symbol::sym;

pub(super) static FUNCTIONS: &[MethodDef] = &[
    any("raise", raise),
    any("fail", raise),
    def("loop", loop_, 0),
    def("lambda", lambda, 0),
    def("proc", proc, 0),
    def("block_given?", block_given, 0),
    opt("catch", catch, 0, 1),
    opt("throw", throw, 1, 2),
    def("global_variables", global_variables, 0),
];

fn loop_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Some(block) = args.block else { return Ok(vm.enumerator_of(this, sym::LOOP, &[])) };
    vm.rescue(
        ClassId::STOP_ITERATION,
        |vm| loop {
            vm.yield_block(block, Args::none())?;
        },
        |vm, exception| {
            Ok(vm.data::<crate::error::ExceptionData>(&exception).map(|data| data.detail.clone()).unwrap_or_default())
        },
    )
}
fn warn_of_no_literal(vm: &mut Vm, literal: bool) -> Res<()> {
    const TEXT: &str = "lambda without a literal block is deprecated; use the proc without lambda instead";
    if literal { Ok(()) } else { vm.warn_deprecated(TEXT) }
}
fn lambda(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match args.block {
        Some(Block::Proc(proc)) => {
            let literal = proc.get(vm).lambda || matches!(proc.get(vm).kind, ProcKind::Symbol(_));
            warn_of_no_literal(vm, literal)?;
            Ok(Value::Proc(proc.clone()))
        }
        Some(block @ Block::Ruby { cx, .. }) => {
            // a block that a method passes on (`&block`) belongs to a calling activation and stays a Proc without lambda
            let literal = vm.innermost().is_some_and(|innermost| std::ptr::eq(innermost, cx));
            warn_of_no_literal(vm, literal)?;
            let proc = vm.block_to_proc(block);
            proc.get_mut(vm).lambda = literal;
            Ok(Value::Proc(proc))
        }
        None => Err(vm.argument_error("tried to create Proc object without a block")),
    }
}
fn proc(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match args.block {
        Some(block) => Ok(Value::Proc(vm.block_to_proc(block))),
        None => Err(vm.argument_error("tried to create Proc object without a block")),
    }
}
fn block_given(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.caller_block_given()))
}
fn catch(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let tag = args.get(0).cloned().unwrap_or_else(|| Value::object(ClassId::OBJECT));
    let Some(block) = args.block else { return Err(vm.no_block()) };
    vm.catch(&tag, |vm| vm.yield1(block, tag.clone()))
}

impl Vm {
    /// Runs `body`; `throw tag, value` in it ends it with the value as the result.
    ///
    /// # Errors
    /// All other errors of `body`.
    pub fn catch(&mut self, tag: &Value, body: impl FnOnce(&mut Vm) -> Res) -> Res {
        let depth = self.stacks.depth();
        self.extension::<Catches>().0.push(tag.clone());
        let result = body(self);
        self.extension::<Catches>().0.pop();
        match result {
            Ok(value) => Ok(value),
            Err(error) => match *error.0 {
                Unwind::Throw(at, value) if at.same(tag) => {
                    self.stacks.cut(depth);
                    Ok(value)
                }
                other => Err(other.into()),
            },
        }
    }
}

fn throw(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let tag = args.at(0).clone();
    if !vm.extension::<Catches>().0.iter().any(|known| known.same(&tag)) {
        let shown = vm.inspect(&tag)?;
        let data = crate::error::ExceptionData {
            message: Value::str(format!("uncaught throw {shown}")),
            detail: tag,
            extra: args.at(1).clone(),
            ..crate::error::empty()
        };
        return Err(Unwind::Raise(vm.new_exception_with(ClassId::UNCAUGHT_THROW_ERROR, data)).into());
    }
    Err(Unwind::Throw(tag, args.at(1).clone()).into())
}
fn global_variables(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let mut names = vm.global_names();
    for name in ["$&", "$`", "$'", "$+", "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9"] {
        names.push(Symbol::intern_static(name));
    }
    Ok(Value::array(names.into_iter().map(Value::Sym).collect()))
}
