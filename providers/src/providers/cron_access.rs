//! `cron_access`: who may use cron. All resources of a run write to one file, at the end of the run.

use super::embedded;
use super::support::*;
use rchef_change::Assertion;
use rchef_host::Host;
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm, sym};

pub(crate) struct CronAccess;

/// What a `cron_access` resource asks for.
pub(crate) struct Desired {
    path: &'static str,
    user: String,
}

impl Composite for CronAccess {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["allow", "deny"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let path = if action == "deny" { "/etc/cron.deny" } else { "/etc/cron.allow" };
        Ok(Desired { path, user: text(vm, resource, "user")? })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(unfit("Chef::Exceptions::User", "user", &desired.user).into_iter().collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let nobody = vec![(Value::str("users"), Value::array(Vec::new()))];
        let variables = children.vm().new_hash(nobody)?;
        let template = Child::new("template", desired.path).text("source", embedded::CRON_ACCESS).flag("local", true);
        let template = template.text("mode", "0600").set("variables", variables).action("nothing");
        let template = children.find_in_root(template.set("delayed_action", Value::sym("create")))?;
        let vm = children.vm();
        let variables = vm.call_name(&template, "variables", &[])?;
        let users = vm.call(&variables, sym::AREF, &[Value::str("users")])?;
        vm.call_name(&users, "<<", &[Value::str(&desired.user)]).map(drop)
    }
}
