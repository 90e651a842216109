//! Enumerable: selection and transformation.

use super::drive::{collect, drive, packed, pass};
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::no_block;
use crate::error::Res;
use crate::frame::Block;
use crate::hash::RHash;
use crate::heap::Gc;
use crate::method::{MethodDef, any, def};
use crate::value::Value;
use rchef_syntax::symbol::sym;

pub(super) static METHODS: &[MethodDef] = &[
    def("map", map, 0),
    def("collect", map, 0),
    def("flat_map", flat_map, 0),
    def("collect_concat", flat_map, 0),
    def("select", select, 0),
    def("filter", select, 0),
    def("find_all", select, 0),
    def("filter_map", filter_map, 0),
    def("reject", reject, 0),
    def("partition", partition, 0),
    def("grep", grep, 1),
    def("grep_v", grep_v, 1),
    def("compact", compact, 0),
    def("take", take, 1),
    def("take_while", take_while, 0),
    def("drop", drop_, 1),
    def("drop_while", drop_while, 0),
    any("uniq", uniq),
];

fn map(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    // a Hash yields its pairs as two values to a lambda with two parameters
    let pairs = matches!(this, Value::Hash(_))
        && args.block.is_some_and(
            |block| matches!(block, Block::Proc(proc) if proc.get(vm).lambda && vm.proc_arity(proc, true) == 2),
        );
    let out = drive(vm, this, args, Vec::new(), move |vm, out, block, args| {
        if let Some(block) = block {
            let value = match args.pos {
                [Value::Array(pair)] if pairs => {
                    let pair = pair.get(vm).items.clone();
                    vm.yield_values(block, &pair)?
                }
                _ => vm.yield_block(block, args)?,
            };
            out.push(value);
        }
        Ok(true)
    })?;
    Ok(Value::array(out))
}
fn flat_map(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let out = drive(vm, this, args, Vec::new(), |vm, out: &mut Vec<Value>, block, args| {
        if let Some(block) = block {
            let value = vm.yield_block(block, args)?;
            match vm.check_ary(&value)? {
                Some(array) => out.extend_from_slice(&array.get(vm).items),
                None => out.push(value),
            }
        }
        Ok(true)
    })?;
    Ok(Value::array(out))
}
fn choose(vm: &mut Vm, this: &Value, args: Args<'_>, keep: bool) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let out = drive(vm, this, args, Vec::new(), move |vm, out, block, args| {
        let value = packed(args);
        if let Some(block) = block
            && pass(vm, block, args.len(), &value)?.truthy() == keep
        {
            out.push(value);
        }
        Ok(true)
    })?;
    Ok(Value::array(out))
}
fn select(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    choose(vm, this, args, true)
}
fn reject(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    choose(vm, this, args, false)
}
fn filter_map(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let out = drive(vm, this, args, Vec::new(), |vm, out, block, args| {
        if let Some(block) = block {
            let value = vm.yield_block(block, args)?;
            if value.truthy() {
                out.push(value);
            }
        }
        Ok(true)
    })?;
    Ok(Value::array(out))
}
fn partition(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let (yes, no) = drive(vm, this, args, (Vec::new(), Vec::new()), |vm, out, block, args| {
        let value = packed(args);
        if let Some(block) = block {
            if pass(vm, block, args.len(), &value)?.truthy() { out.0.push(value) } else { out.1.push(value) }
        }
        Ok(true)
    })?;
    Ok(Value::array(vec![Value::array(yes), Value::array(no)]))
}
fn grep_by(vm: &mut Vm, this: &Value, args: Args<'_>, wanted: bool) -> Res {
    let pattern = args.at(0).clone();
    let regexp = vm.real_class_of(&pattern) == ClassId::REGEXP && has_core_eqq(vm, &pattern);
    let out = drive(vm, this, args.from(1), Vec::new(), move |vm, out, block, args| {
        let value = packed(args);
        // without a block `$~` is not changed
        let hit = if regexp && block.is_none() {
            regexp_matches(vm, &pattern, &value)?
        } else {
            vm.call(&pattern, sym::EQQ, std::slice::from_ref(&value))?.truthy()
        };
        if hit == wanted {
            let value = match block {
                Some(block) => pass(vm, block, args.len(), &value)?,
                None => value,
            };
            out.push(value);
        }
        Ok(true)
    })?;
    Ok(Value::array(out))
}
/// Whether `===` is Regexp's own.
fn has_core_eqq(vm: &mut Vm, pattern: &Value) -> bool {
    let class = vm.class_of(pattern);
    vm.find_method(class, sym::EQQ).is_some_and(|id| vm.method(id).owner == ClassId::REGEXP)
}
fn regexp_matches(vm: &mut Vm, pattern: &Value, value: &Value) -> Res<bool> {
    let text = match value {
        Value::Sym(_) => value.clone(),
        other => match vm.check_str(other)? {
            Some(text) => Value::Str(text),
            None => return Ok(false),
        },
    };
    Ok(vm.call_name(pattern, "match?", &[text])?.truthy())
}
fn grep(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    grep_by(vm, this, args, true)
}
fn grep_v(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    grep_by(vm, this, args, false)
}
fn compact(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let list = collect(vm, this, args)?;
    Ok(Value::array(list.into_iter().filter(|value| !value.is_nil()).collect()))
}
fn take(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    let Ok(count) = usize::try_from(count) else { return Err(vm.argument_error("attempt to take negative size")) };
    Ok(Value::array(super::drive::take_first(vm, this, count)?))
}
fn take_while(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let out = drive(vm, this, args, Vec::new(), |vm, out, block, args| {
        if let Some(block) = block
            && !vm.yield_block(block, args)?.truthy()
        {
            return Ok(false);
        }
        out.push(packed(args));
        Ok(true)
    })?;
    Ok(Value::array(out))
}
fn drop_(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let count = vm.to_int(args.at(0))?;
    if count < 0 {
        return Err(vm.argument_error("attempt to drop negative size"));
    }
    let (_, out) = drive(vm, this, Args::none(), (count, Vec::new()), |_, state, _, args| {
        if state.0 > 0 {
            state.0 -= 1
        } else {
            state.1.push(packed(args))
        }
        Ok(true)
    })?;
    Ok(Value::array(out))
}
fn drop_while(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.block.is_none() {
        return no_block(vm, this, args);
    }
    let (_, out) = drive(vm, this, args, (true, Vec::new()), |vm, state, block, args| {
        let value = packed(args);
        if state.0
            && let Some(block) = block
        {
            state.0 = pass(vm, block, args.len(), &value)?.truthy();
        }
        if !state.0 {
            state.1.push(value);
        }
        Ok(true)
    })?;
    Ok(Value::array(out))
}
fn uniq(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let seen = Gc::new(ClassId::HASH, RHash::default());
    let out = drive(vm, this, args, Vec::new(), move |vm, out, block, args| {
        let value = packed(args);
        let key = match block {
            Some(block) => vm.yield_block(block, args)?,
            None => value.clone(),
        };
        if vm.hash_find(&seen, &key)?.is_none() {
            vm.hash_set(&seen, key, Value::Nil)?;
            out.push(value);
        }
        Ok(true)
    })?;
    Ok(Value::array(out))
}
