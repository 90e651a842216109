//! `chef_client_systemd_timer`: runs the client from a systemd timer, as two units.

use super::chef_client::Client;
use super::support::*;
use rchef_change::Assertion;
use rchef_host::Host;
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

pub(crate) struct SystemdTimer;

/// What a `chef_client_systemd_timer` resource asks for.
pub(crate) struct Desired {
    add: bool,
    client: Client,
    /// Contents of the service unit and the timer unit: sections with their settings.
    service: Value,
    timer: Value,
    /// All texts that go into the units, to be validated.
    texts: Vec<String>,
}

fn unit(vm: &mut Vm, sections: Vec<(&str, Vec<(&str, Value)>)>) -> Res {
    let mut pairs = Vec::new();
    for (name, settings) in sections {
        let settings = settings.into_iter().map(|(key, value)| (Value::str(key), value)).collect();
        pairs.push((Value::str(name), vm.new_hash(settings)?));
    }
    vm.new_hash(pairs)
}

fn service(vm: &mut Vm, resource: &Value, command: &str) -> Res {
    let description = get(vm, resource, "description")?;
    let codes = [3, 213, 35, 37, 41].map(Value::Int).to_vec();
    let mut settings = vec![
        ("Type", Value::str("oneshot")),
        ("ExecStart", Value::str(command)),
        ("SuccessExitStatus", Value::array(codes)),
    ];
    let umask = get(vm, resource, "service_umask")?;
    if umask.truthy() {
        settings.push(("UMask", umask));
    }
    if !flag(vm, resource, "run_on_battery")? {
        settings.push(("ConditionACPower", Value::str("true")));
    }
    if let Some(quota) = text_opt(vm, resource, "cpu_quota")? {
        settings.push(("CPUQuota", Value::str(format!("{quota}%"))));
    }
    let mut environment = Vec::new();
    for (key, value) in pairs(vm, resource, "environment")? {
        environment.push(Value::str(format!("\"{}={}\"", vm.to_s_text(&key)?, vm.to_s_text(&value)?)));
    }
    if !environment.is_empty() {
        settings.push(("Environment", Value::array(environment)));
    }
    let head = vec![("Description", description), ("After", Value::str("network.target auditd.service"))];
    let install = vec![("WantedBy", Value::str("multi-user.target"))];
    unit(vm, vec![("Unit", head), ("Service", settings), ("Install", install)])
}

/// The command line of the service.
fn command(client: &Client) -> String {
    let mut command = client.program.clone();
    for option in &client.options {
        command = format!("{command} {option}");
    }
    let license = if client.accepts_license { " --chef-license accept" } else { "" };
    format!("{command}{license} -c {}", client.configuration)
}

/// The methods of the provider.
pub(crate) static METHODS: &[MethodDef] = &[
    def("chef_client_cmd", chef_client_cmd, 0),
    def("timer_content", timer_content, 0),
    def("service_content", service_content, 0),
];

fn chef_client_cmd(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    Ok(Value::str(command(&Client::read(vm, &resource)?)))
}

fn timer_content(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    timer(vm, &resource)
}

fn service_content(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let command = text(vm, this, "chef_client_cmd")?;
    service(vm, &resource, &command)
}

fn timer(vm: &mut Vm, resource: &Value) -> Res {
    let description = get(vm, resource, "description")?;
    let mut settings = Vec::new();
    for (key, property) in
        [("OnBootSec", "delay_after_boot"), ("OnUnitActiveSec", "interval"), ("RandomizedDelaySec", "splay")]
    {
        settings.push((key, get(vm, resource, property)?));
    }
    let install = vec![("WantedBy", Value::str("timers.target"))];
    unit(vm, vec![("Unit", vec![("Description", description)]), ("Timer", settings), ("Install", install)])
}

impl Composite for SystemdTimer {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["add", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let client = Client::read(vm, resource)?;
        let mut texts = Vec::new();
        for property in ["description", "delay_after_boot", "interval", "splay"] {
            texts.push(text(vm, resource, property)?);
        }
        for (key, value) in pairs(vm, resource, "environment")? {
            texts.extend([vm.to_s_text(&key)?, vm.to_s_text(&value)?]);
        }
        let (service, timer) = (service(vm, resource, &command(&client))?, timer(vm, resource)?);
        Ok(Desired { add: action == "add", client, service, timer, texts })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(desired.client.unusable(desired.texts.iter().map(String::as_str)))
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let job = &desired.client.job;
        let service = Child::new("systemd_unit", format!("{job}.service"));
        let timer = Child::new("systemd_unit", format!("{job}.timer"));
        if !desired.add {
            children.declare(service.action("delete"))?;
            return children.declare(timer.action("delete")).map(drop);
        }
        let content = children.replaced("service_content", &[])?.unwrap_or_else(|| desired.service.clone());
        children.declare(service.set("content", content).action("create"))?;
        let actions = ["create", "enable", "start"].map(Value::sym).to_vec();
        let content = children.replaced("timer_content", &[])?.unwrap_or_else(|| desired.timer.clone());
        children.declare(timer.set("content", content).set("action", Value::array(actions))).map(drop)
    }
}
