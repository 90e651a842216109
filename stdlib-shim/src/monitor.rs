//! Monitor: a lock that its owner, a fiber, may take again. `ruby/monitor.rb` has MonitorMixin.

use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Value, Vm, def};

/// The mutex below a Monitor, and how often its owner has taken it.
struct MonitorData {
    mutex: Value,
    count: i64,
}
impl NativeData for MonitorData {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.mutex);
    }
}

static METHODS: &[MethodDef] = &[
    def("enter", enter, 0),
    def("mon_enter", enter, 0),
    def("try_enter", try_enter, 0),
    def("mon_try_enter", try_enter, 0),
    def("try_mon_enter", try_enter, 0),
    def("exit", exit, 0),
    def("mon_exit", exit, 0),
    def("synchronize", synchronize, 0),
    def("mon_synchronize", synchronize, 0),
    def("mon_locked?", is_locked, 0),
    def("mon_owned?", is_owned, 0),
    def("mon_check_owner", check_owner, 0),
    def("wait_for_cond", wait_for_cond, 2),
];

/// The mutex, which each Monitor has from its allocation.
fn mutex(vm: &mut Vm, this: &Value) -> Value {
    vm.data::<MonitorData>(this).map(|data| data.mutex.clone()).unwrap_or_default()
}
fn set_count(vm: &mut Vm, this: &Value, count: i64) {
    if let Some(data) = vm.data_mut::<MonitorData>(this) {
        data.count = count;
    }
}
fn count(vm: &mut Vm, this: &Value) -> i64 {
    vm.data::<MonitorData>(this).map_or(0, |data| data.count)
}
fn owned(vm: &mut Vm, this: &Value) -> Res<bool> {
    let mutex = mutex(vm, this);
    Ok(vm.call_name(&mutex, "owned?", &[])?.truthy())
}
/// Takes the Monitor; where another fiber has it, with `lock` or `try_lock` of the mutex. False if that fails.
fn take(vm: &mut Vm, this: &Value, how: &'static str) -> Res<bool> {
    let mut held = 0;
    if owned(vm, this)? {
        held = count(vm, this);
    } else {
        let mutex = mutex(vm, this);
        if !vm.call_name(&mutex, how, &[])?.truthy() {
            return Ok(false);
        }
    }
    set_count(vm, this, held + 1);
    Ok(true)
}
fn enter(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    take(vm, this, "lock")?;
    Ok(Value::Nil)
}
fn try_enter(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(take(vm, this, "try_lock")?))
}
fn check_owner(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if owned(vm, this)? { Ok(Value::Nil) } else { Err(vm.error(ClassId::THREAD_ERROR, "current fiber not owner")) }
}
fn exit(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    check_owner(vm, this, args)?;
    let left = count(vm, this) - 1;
    set_count(vm, this, left);
    if left == 0 {
        let mutex = mutex(vm, this);
        vm.call_name(&mutex, "unlock", &[])?;
    }
    Ok(Value::Nil)
}
fn synchronize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    enter(vm, this, Args::none())?;
    vm.ensure(
        |vm| match args.block {
            Some(block) => vm.yield_block(block, Args::none()),
            None => Err(vm.error(ClassId::LOCAL_JUMP_ERROR, "no block given")),
        },
        |vm| if owned(vm, this)? { exit(vm, this, Args::none()).map(drop) } else { Ok(()) },
    )
}
fn is_locked(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mutex = mutex(vm, this);
    vm.call_name(&mutex, "locked?", &[])
}
fn is_owned(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(owned(vm, this)?))
}
/// Waits for a condition variable, however often the Monitor was taken; false when the time ran out.
fn wait_for_cond(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (mutex, held) = (mutex(vm, this), count(vm, this));
    set_count(vm, this, 0);
    let (condition, timeout) = (args.at(0).clone(), args.at(1).clone());
    let signaled = vm.ensure(
        |vm| vm.call_name(&condition, "wait", &[mutex, timeout]),
        |vm| {
            set_count(vm, this, held);
            Ok(())
        },
    )?;
    Ok(Value::bool(signaled.truthy()))
}

pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let class = vm.define_class(ClassId::OBJECT, "Monitor", ClassId::OBJECT);
    vm.class_mut(class).allocator = Some(|vm, class| {
        let mutex = vm.call_name(&Value::Class(ClassId::MUTEX), "new", &[])?;
        Ok(Value::data(class, MonitorData { mutex, count: 0 }))
    });
    vm.define_methods(class, METHODS);
    Ok(())
}
