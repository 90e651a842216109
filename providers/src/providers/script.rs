//! `script` and the resources derived from it (`bash`, `ksh`, `csh`, `perl`, `python`, `ruby`): the code is the interpreter's standard input.

use super::execute;
use super::support::*;
use rchef_change::{Assertion, Change};
use rchef_host::Host;
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Script;

impl Provider for Script {
    type Desired = execute::Desired;
    type Current = execute::Current;
    const ACTIONS: &'static [&'static str] = &["run"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<execute::Desired> {
        let line = format!("\"{}\" {}", text(vm, resource, "interpreter")?, text(vm, resource, "flags")?);
        let code = get(vm, resource, "code")?;
        let code = bytes(vm, &code)?;
        execute::read(vm, resource, &Value::str(&line), line, Some(code))
    }
    fn load(desired: &execute::Desired, host: &dyn Host) -> Looked<execute::Current> {
        execute::load(desired, host)
    }
    fn requirements(desired: &execute::Desired, current: &execute::Current, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(execute::requirements(desired, current))
    }
    fn plan(desired: &execute::Desired, current: &execute::Current, _: &dyn Host) -> Looked<Vec<Change>> {
        execute::plan(desired, current)
    }
}
