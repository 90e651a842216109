use super::support::*;
use rchef_change::{Change, Task, TaskStep, Why};
use rchef_host::Host;
use rchef_ruby::{Res, Value, Vm};
use std::time::Duration;

pub(crate) struct ChefSleep;

/// What a `chef_sleep` resource asks for.
pub(crate) struct Desired {
    seconds: i64,
}

impl Provider for ChefSleep {
    type Desired = Desired;
    type Current = ();
    const ACTIONS: &'static [&'static str] = &["sleep"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        let seconds = get(vm, resource, "seconds")?;
        let seconds = vm.to_int(&seconds)?;
        if seconds < 0 {
            return Err(vm.argument_error("time interval must not be negative"));
        }
        Ok(Desired { seconds })
    }

    fn load(_: &Desired, _: &dyn Host) -> Looked<()> {
        Ok(())
    }

    fn plan(desired: &Desired, (): &(), _: &dyn Host) -> Looked<Vec<Change>> {
        let Desired { seconds } = desired;
        let task = Task::new("sleep", format!("{seconds} seconds"), Why::Asked, format!("sleep {seconds} seconds"));
        Ok(vec![task.then(TaskStep::Wait(Duration::from_secs(seconds.unsigned_abs()))).into()])
    }
}
