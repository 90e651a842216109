//! `http_request`: a request to a server, by `Chef::HTTP::Simple`.

use super::fetch::{simple_client, without_password};
use super::support::*;
use rchef_change::{Change, EngineStep};
use rchef_host::Host;
use rchef_ruby::{Res, Value, Vm, sym};

pub(crate) struct HttpRequest;

/// What an `http_request` asks for.
pub(crate) struct Desired {
    action: &'static str,
    shown: String,
    url: String,
    /// The server reports a modification. Only for `head`, which is sent in a why-run, too.
    modified: bool,
}

impl Provider for HttpRequest {
    type Desired = Desired;
    type Current = ();
    const ACTIONS: &'static [&'static str] = &["get", "head", "patch", "put", "post", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let url = text(vm, resource, "url")?;
        Ok(Desired { action, shown: vm.to_s_text(resource)?, url, modified: true })
    }
    fn load(_: &Desired, _: &dyn Host) -> Looked<()> {
        Ok(())
    }
    fn complete(vm: &mut Vm, resource: &Value, desired: &mut Desired, (): &()) -> Res<()> {
        if desired.action == "head" {
            message(vm, resource)?;
            let answer = send(vm, resource, "head", None)?;
            desired.modified = !matches!(answer, Value::False);
        }
        Ok(())
    }
    fn plan(desired: &Desired, (): &(), _: &dyn Host) -> Looked<Vec<Change>> {
        if !desired.modified {
            return Ok(Vec::new());
        }
        let method = desired.action.to_uppercase();
        let mut words = format!("{} {method} to {}", desired.shown, without_password(&desired.url));
        if desired.action == "head" {
            words.push_str(" returned modified, trigger notifications");
        }
        Ok(vec![Change::Engine(EngineStep::Request { method, words })])
    }
    fn carry_out(vm: &mut Vm, resource: &Value, step: &EngineStep) -> Res<()> {
        let EngineStep::Request { method, .. } = step else { return Ok(()) };
        let method = method.to_lowercase();
        match method.as_str() {
            // `head` has been sent before
            "head" => Ok(()),
            "get" | "delete" => send(vm, resource, &method, None).map(drop),
            _ => {
                let message = message(vm, resource)?;
                send(vm, resource, &method, Some(message)).map(drop)
            }
        }
    }
}

/// The body: the result of a block, a Hash as JSON, any other value as it is.
fn message(vm: &mut Vm, resource: &Value) -> Res {
    let message = get(vm, resource, "message")?;
    let message = if matches!(message, Value::Proc(_)) { vm.call(&message, sym::CALL, &[])? } else { message };
    match message {
        Value::Hash(_) => {
            rchef_ruby::embed::load::require(vm, "json")?;
            vm.call_name(&message, "to_json", &[])
        }
        other => Ok(other),
    }
}

fn send(vm: &mut Vm, resource: &Value, method: &str, message: Option<Value>) -> Res {
    let (url, headers) = (get(vm, resource, "url")?, get(vm, resource, "headers")?);
    let class = simple_client(vm)?;
    let http = vm.call(&class, sym::NEW, std::slice::from_ref(&url))?;
    let args: Vec<Value> = std::iter::once(url).chain(message).chain(std::iter::once(headers)).collect();
    vm.call_name(&http, method, &args)
}
