//! Signals during a run (Chef::Application#setup_signal_handlers).
//!
//! INT and TERM end it in order: the running command is terminated with its process group, the current change is finished, delayed notifications
//! and exception handlers run, and the exit status is 2 or 3. A second INT or TERM ends the process at once. QUIT logs the current place of the
//! run. HUP and USR1 are for repeating clients and are only logged here.

use rchef_recipe::chef_class::log_line;
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{ClassId, Res, Value, Vm};

/// Signals that end the run: number, name, exit status.
const ENDING: [(i32, &str, i32); 2] = [(2, "INT", 2), (15, "TERM", 3)];

const NOTED: [(&str, &str); 2] = [
    ("HUP", "SIGHUP received: there is nothing to reconfigure in a run that does not repeat"),
    ("USR1", "SIGUSR1 received: this run is under way, and there is none after it"),
];

/// Installs the handlers.
///
/// # Errors
/// A handler cannot be installed.
pub fn watch(vm: &mut Vm) -> Res<()> {
    for (_, name, status) in ENDING {
        trap(vm, name, move |vm| {
            let text = format!("SIG{name} received, stopping");
            log_line(vm, "fatal", text.clone());
            Err(vm.system_exit(i64::from(status), &text))
        })?;
    }
    let statuses: Vec<(i32, i32)> = ENDING.iter().map(|(number, _, status)| (*number, *status)).collect();
    rchef_host::end_on(&statuses);
    for (name, text) in NOTED {
        trap(vm, name, move |vm| {
            log_line(vm, "info", text);
            Ok(())
        })?;
    }
    trap(vm, "QUIT", |vm| {
        let lines = vm.call_name(&Value::Class(ClassId::KERNEL), "caller", &[Value::Int(0)])?;
        let mut text = "SIGQUIT received, call stack:".to_string();
        for line in vm.to_array(&lines)? {
            text.push_str(&format!("\n  {}", vm.to_s_text(&line)?));
        }
        log_line(vm, "info", text);
        Ok(())
    })
}

fn trap(vm: &mut Vm, name: &str, handler: impl Fn(&mut Vm) -> Res<()> + 'static) -> Res<()> {
    let handler = vm.native_proc(Arity::ANY, false, move |vm, _, _| handler(vm).map(|()| Value::Nil));
    vm.call_name(&Value::Class(ClassId::KERNEL), "trap", &[Value::str(name), Value::Proc(handler)]).map(drop)
}
