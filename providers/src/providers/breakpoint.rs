//! `breakpoint`: stops the run until the user at the terminal continues it.

use super::support::*;
use rchef_change::{Assertion, Change, EngineStep};
use rchef_host::{FileHandle, Host, StandardStream, compose};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Breakpoint;

/// What a `breakpoint` resource asks for.
pub(crate) struct Desired {
    /// The resource's name in messages.
    shown: String,
}

/// Standard input and output, if both are terminals.
fn terminal(host: &dyn Host) -> Option<(Box<dyn FileHandle>, Box<dyn FileHandle>)> {
    let (input, output) = (host.standard(StandardStream::Input).ok()?, host.standard(StandardStream::Output).ok()?);
    (input.is_tty() && output.is_tty()).then_some((input, output))
}

impl Provider for Breakpoint {
    type Desired = Desired;
    type Current = ();
    const ACTIONS: &'static [&'static str] = &["break"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        Ok(Desired { shown: vm.to_s_text(resource)? })
    }

    fn load(_: &Desired, _: &dyn Host) -> Looked<()> {
        Ok(())
    }

    fn requirements(desired: &Desired, (): &(), host: &dyn Host) -> Looked<Vec<Assertion>> {
        if terminal(host).is_some() {
            return Ok(Vec::new());
        }
        let message = format!(
            "{} stops the run until somebody lets it go on, but there is no terminal: run it on one, or remove the resource",
            desired.shown
        );
        Ok(vec![Assertion::new("RuntimeError", message)])
    }

    fn plan(desired: &Desired, (): &(), _: &dyn Host) -> Looked<Vec<Change>> {
        let (subject, text) = (desired.shown.clone(), format!("stop at {}", desired.shown));
        Ok(vec![Change::Engine(EngineStep::Own { kind: "breakpoint", subject, text, is_outside: true })])
    }

    fn carry_out(vm: &mut Vm, _: &Value, step: &EngineStep) -> Res<()> {
        let EngineStep::Own { subject, .. } = step else { return Err(vm.not_implemented(step.kind())) };
        on(vm, |host| {
            let Some((input, output)) = terminal(host) else { return Ok(()) };
            compose::write_all(&*output, format!("\n{subject}: press Enter to go on\n").as_bytes())?;
            let mut byte = [0];
            while input.read(&mut byte, None)? == 1 && byte != *b"\n" {}
            Ok(())
        })
    }
}
