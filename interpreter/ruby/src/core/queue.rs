//! Thread::Queue and Thread::SizedQueue.

use super::fiber::scheduler::{block, wake};
use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::{Error, Res};
use crate::method::{MethodDef, any, def, opt};
use crate::value::{NativeData, Value};
use std::collections::VecDeque;

#[derive(Default)]
struct QueueData {
    items: VecDeque<Value>,
    closed: bool,
    max: Option<usize>,
    waiting: usize,
}
impl NativeData for QueueData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.items.iter().for_each(visit);
    }
}

static QUEUE: &[MethodDef] = &[
    opt("initialize", initialize, 0, 1).private(),
    def("push", push, 1),
    def("<<", push, 1),
    def("enq", push, 1),
    opt("pop", pop, 0, 1),
    opt("shift", pop, 0, 1),
    opt("deq", pop, 0, 1),
    def("close", close, 0),
    def("closed?", is_closed, 0),
    def("empty?", is_empty, 0),
    def("clear", clear, 0),
    def("length", length, 0),
    def("size", length, 0),
    def("num_waiting", waiting, 0),
    any("marshal_dump", no_dump),
];
static SIZED: &[MethodDef] = &[
    def("initialize", sized_initialize, 1).private(),
    opt("push", sized_push, 1, 2),
    opt("<<", sized_push, 1, 2),
    opt("enq", sized_push, 1, 2),
    def("max", max, 0),
    def("max=", set_max, 1),
];

fn state<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a mut QueueData> {
    if vm.data::<QueueData>(this).is_none() {
        let class = vm.class_name_of(this);
        return Err(vm.type_error(format!("{class} not initialized")));
    }
    match vm.data_mut::<QueueData>(this) {
        Some(data) => Ok(data),
        None => Err(crate::error::Unwind::Abandon.into()),
    }
}
fn closed(vm: &mut Vm) -> Error {
    vm.error(ClassId::CLOSED_QUEUE_ERROR, "queue closed")
}
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(items) = args.get(0) {
        let list = match items {
            Value::Array(list) => list.get(vm).items.clone(),
            other => match vm.try_convert(other, rchef_syntax::symbol::sym::TO_A)? {
                Some(Value::Array(list)) => list.get(vm).items.clone(),
                Some(wrong) => {
                    let (class, gave) = (vm.class_name_of(other), vm.class_name_of(&wrong));
                    return Err(vm.type_error(format!("can't convert {class} to Array ({class}#to_a gives {gave})")));
                }
                None => {
                    let class = vm.class_name_of(other);
                    return Err(vm.type_error(format!("can't convert {class} into Array")));
                }
            },
        };
        state(vm, this)?.items = list.into();
    }
    Ok(this.clone())
}
fn push(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if state(vm, this)?.closed {
        return Err(closed(vm));
    }
    state(vm, this)?.items.push_back(args.at(0).clone());
    wake(vm, this, false)?;
    Ok(this.clone())
}
/// Takes the first item, if there is one; what waits for room in a queue with a maximum can go on.
fn take(vm: &mut Vm, this: &Value) -> Res<Option<Value>> {
    let data = state(vm, this)?;
    let (found, limited) = (data.items.pop_front(), data.max.is_some());
    if found.is_some() && limited {
        wake(vm, this, false)?;
    }
    Ok(found)
}
/// Takes the first item; nil if the queue is closed and empty.
fn pop(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(found) = take(vm, this)? {
        return Ok(found);
    }
    if args.at(0).truthy() {
        return Err(vm.error(ClassId::THREAD_ERROR, "queue empty"));
    }
    if state(vm, this)?.closed {
        return Ok(Value::Nil);
    }
    state(vm, this)?.waiting += 1;
    let queue = this.clone();
    let result = block(vm, this, None, move |vm| {
        let data = state(vm, &queue)?;
        Ok(!data.items.is_empty() || data.closed)
    });
    let data = state(vm, this)?;
    data.waiting -= 1;
    result?;
    Ok(take(vm, this)?.unwrap_or_default())
}
fn close(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    state(vm, this)?.closed = true;
    wake(vm, this, true)?;
    Ok(this.clone())
}
fn is_closed(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(state(vm, this)?.closed))
}
fn is_empty(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(state(vm, this)?.items.is_empty()))
}
fn clear(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    state(vm, this)?.items.clear();
    wake(vm, this, true)?;
    Ok(this.clone())
}
fn length(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(state(vm, this)?.items.len()))
}
fn waiting(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(state(vm, this)?.waiting))
}
fn no_dump(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let class = vm.class_name_of(this);
    Err(vm.type_error(format!("can't dump {class}")))
}
fn size_arg(vm: &mut Vm, value: &Value) -> Res<usize> {
    let size = vm.to_int(value)?;
    if size <= 0 {
        return Err(vm.argument_error("queue size must be positive"));
    }
    Ok(size as usize)
}
fn sized_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let size = size_arg(vm, args.at(0))?;
    state(vm, this)?.max = Some(size);
    Ok(this.clone())
}
fn sized_push(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let at_once = args.at(1).truthy();
    let data = state(vm, this)?;
    if data.closed {
        return Err(closed(vm));
    }
    let full = |data: &QueueData| data.max.is_some_and(|max| data.items.len() >= max);
    if full(data) {
        if at_once {
            return Err(vm.error(ClassId::THREAD_ERROR, "queue full"));
        }
        data.waiting += 1;
        let queue = this.clone();
        let result = block(vm, this, None, move |vm| {
            let data = state(vm, &queue)?;
            Ok(!full(data) || data.closed)
        });
        let data = state(vm, this)?;
        data.waiting -= 1;
        result?;
        if state(vm, this)?.closed {
            return Err(closed(vm));
        }
    }
    state(vm, this)?.items.push_back(args.at(0).clone());
    wake(vm, this, false)?;
    Ok(this.clone())
}
fn max(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(state(vm, this)?.max.unwrap_or(0)))
}
fn set_max(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let size = size_arg(vm, args.at(0))?;
    state(vm, this)?.max = Some(size);
    wake(vm, this, true)?;
    Ok(args.at(0).clone())
}

pub(super) fn boot(vm: &mut Vm) {
    vm.class_mut(ClassId::QUEUE).allocator = Some(|_, class| Ok(Value::data(class, QueueData::default())));
    vm.define_methods(ClassId::QUEUE, QUEUE);
    let sized = vm.define_class(ClassId::THREAD, "SizedQueue", ClassId::QUEUE);
    vm.const_set(ClassId::OBJECT, Symbol::intern_static("SizedQueue"), Value::Class(sized));
    // what waits for a pushing thread is a method of its own in MRI
    let shared = |method: &&MethodDef| !["initialize", "closed?", "marshal_dump"].contains(&method.name);
    for method in QUEUE.iter().filter(shared) {
        vm.define_methods(sized, std::slice::from_ref(method));
    }
    vm.define_methods(sized, SIZED);
}
