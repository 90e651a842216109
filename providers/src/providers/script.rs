//! `script` and its kin (`bash`, `sh`, `ksh`, `csh`, `perl`, `python`, `ruby`): the code goes to the interpreter's standard input.

use super::execute;
use super::support::*;
use rchef_recipe::provider::native::{Plan, Provider};
use rchef_ruby::{Res, Symbol, Value, Vm};

/// Provider of `script`.
pub(crate) struct Script;

impl Provider for Script {
    fn actions(&self) -> &'static [&'static str] {
        &["run"]
    }
    fn plan(&self, vm: &mut Vm, resource: &Value, _: Symbol) -> Res<Plan> {
        let line = format!("\"{}\" {}", text(vm, resource, "interpreter")?, text(vm, resource, "flags")?);
        let code = get(vm, resource, "code")?;
        let code = bytes(vm, &code)?;
        execute::plan(vm, resource, Value::str(&line), line, Some(code))
    }
}
