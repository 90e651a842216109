//! The files that a run keeps beside its output: the run lock, the ledger of unsent notifications, the report.

use super::{Options, Prepared, lock, report};
use crate::diagnostic;
use crate::input::Program;
use crate::input::config::{setting, text_setting};
use rchef_recipe::unsent;
use rchef_ruby::{Res, Value, Vm};

/// Starts the report and the ledger of unsent notifications.
pub fn keep_books(vm: &mut Vm, options: &Options, prepared: &Prepared, why_run: bool) {
    if let Some(path) = &options.run.report {
        report::begin(vm, Some(path), of_run(prepared, why_run));
    }
    if prepared.policies.len() < 2 {
        open_ledger(vm, options, prepared);
    }
}

fn of_run(prepared: &Prepared, why_run: bool) -> report::Run {
    report::Run { node_name: prepared.input.node_name.clone(), why_run }
}

/// Starts the part of the report that one of several policies contributes.
pub fn begin_part(vm: &mut Vm, options: &Options, prepared: &Prepared, why_run: bool) {
    if options.run.report.is_some() {
        report::begin(vm, None, of_run(prepared, why_run));
    }
}

/// Opens the ledger of unsent notifications and warns about those that an earlier run left. Each of several policies has its own ledger:
/// notifications never cross policies.
pub fn open_ledger(vm: &mut Vm, options: &Options, prepared: &Prepared) {
    let path = ledger_of(prepared);
    let resumes = options.run.resume_notifications || options.run.resume;
    let left = unsent::open(vm, &path, resumes);
    if left.is_empty() {
        return;
    }
    let list: String = left.iter().map(|owed| format!("\n  {}", owed.shown())).collect();
    let text = if resumes {
        format!(
            "Notifications that an earlier run could not send are sent at the end of this one, where it declares their resources:{list}"
        )
    } else {
        format!(
            "An earlier run ended before it had sent these notifications; --resume-notifications sends them, removing {path} forgets them:{list}"
        )
    };
    warn(vm, &text);
}

/// The path of the ledger.
fn ledger_of(prepared: &Prepared) -> String {
    prepared.note("unsent-notifications", "jsonl")
}

/// Closes the ledger and writes the report.
pub fn close_books(vm: &mut Vm, prepared: &Prepared, failure: Option<&Value>) {
    let all = close_ledger(vm, prepared, failure.is_none());
    report::end(vm, failure, &all);
}

/// Closes the ledger; gives the notifications that are still unsent.
pub fn close_ledger(vm: &mut Vm, prepared: &Prepared, succeeded: bool) -> Vec<unsent::Owed> {
    let resumes = unsent::resumes(vm);
    let (owed, left) = unsent::close(vm);
    let path = ledger_of(prepared);
    if succeeded && resumes {
        let said = format!(
            "These notifications of an earlier run were not sent, since this run declares no such resource; they stay in {path}, and removing it forgets them:"
        );
        warn_of(vm, &said, &left);
    }
    let said = format!(
        "These notifications of changes that were made have not been sent; they are kept in {path}, and a run with --resume-notifications sends them:"
    );
    warn_of(vm, &said, &owed);
    owed.into_iter().chain(left).collect()
}

/// Warns of notifications that are not sent, one a line; says nothing where there are none.
fn warn_of(vm: &mut Vm, said: &str, owed: &[unsent::Owed]) {
    if owed.is_empty() {
        return;
    }
    let list: String = owed.iter().map(|owed| format!("\n  {}", owed.shown())).collect();
    crate::formatter::flush(vm);
    warn(vm, &format!("{said}{list}"));
}

/// Takes the run lock. None for chef-apply, and for one of several policies: there the parent holds it.
pub fn own_lock(vm: &mut Vm, options: &Options, prepared: &Prepared, why_run: bool) -> Res<Option<lock::RunLock>> {
    if prepared.program == Program::Apply || prepared.told.is_some() {
        return Ok(None);
    }
    let path = options.run.lockfile.clone().or_else(|| text_setting(vm, "lockfile"));
    let path = path.unwrap_or_else(|| format!("{}/chef-client-running.pid", prepared.cache));
    let timeout = match options.run.run_lock_timeout {
        None => match setting(vm, "run_lock_timeout") {
            Value::Nil => None,
            seconds => Some(vm.to_f64(&seconds)?),
        },
        given => given,
    };
    lock::take(vm, &path, timeout, why_run)
}

fn warn(vm: &mut Vm, text: &str) {
    let text = rchef_recipe::secrets::shown(vm, text);
    diagnostic::complain(&format!("warning: {text}\n"));
}
