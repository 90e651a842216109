//! Providers whose actions declare child resources in a run context of their own.
//!
//! The children are ordinary resources: they plan, print, notify and count by themselves, and the outer resource is updated if one of them is. The
//! action may also make changes of its own ([`Children::change`]) and group children under one line ([`Children::converge`]), as Chef's
//! `converge_by` does.

use super::class::{differences, report_lines, shell_of, with_child};
use super::contract::{AnyProvider, Looked, is_overridden, make, raised, report, settle};
use super::simulation;
use crate::events::Line;
use crate::resource::property;
use crate::resource::state::{Slot, read};
use crate::run::converge_mut;
use rchef_change::{Assertion, Change, ChangeError, Task};
use rchef_host::Host;
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{Args, Block, Error, Res, Symbol, Value, Vm};
use std::marker::PhantomData;
use std::rc::Rc;

/// A resource that Chef implements with sub-resources.
pub trait Composite: 'static {
    /// The properties of the resource, typed and converted once.
    type Desired;

    /// As [`Provider::READS`](super::contract::Provider::READS).
    const READS: &'static [&'static str] = &[];

    /// The supported actions.
    const ACTIONS: &'static [&'static str];

    /// Reads the properties that the action needs.
    ///
    /// # Errors
    /// What a lazy property raises, or an invalid property.
    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Self::Desired>;

    /// The failed assertions, in Chef's order.
    ///
    /// # Errors
    /// The machine cannot be queried.
    fn requirements(_desired: &Self::Desired, _host: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(Vec::new())
    }

    /// Declares the child resources, and makes the action's own changes.
    ///
    /// # Errors
    /// A child cannot be declared, or a change fails.
    fn declare(desired: &Self::Desired, children: &mut Children<'_>) -> Res<()>;
}

/// The run context of the children.
pub struct Children<'a> {
    vm: &'a mut Vm,
    provider: &'a Value,
    resource: &'a Value,
    /// The place of the outer resource's declaration.
    place: Value,
    /// Whether a change is in progress, so that commands may change the machine.
    is_changing: bool,
}

impl Children<'_> {
    pub fn host(&self) -> Rc<dyn Host> {
        self.vm.host.clone()
    }
    /// Logs a message.
    pub fn log(&mut self, level: &'static str, text: impl Into<String>) {
        crate::chef_class::log_line(self.vm, level, text.into());
    }
    /// Whether the run makes changes; a why-run only reports them.
    pub fn applies(&mut self) -> bool {
        converge_mut(self.vm).mode.applies()
    }
    /// Whether the children's commands have really run, so that their results exist; in a plan they have not.
    pub fn has_run(&mut self) -> bool {
        self.applies() && !simulation::is_plan(self.vm)
    }
    /// What a helper method of the provider answers, if Ruby code has replaced it; None if it is the one that goes with this provider.
    ///
    /// # Errors
    /// Those of the method.
    pub fn replaced(&mut self, method: &'static str, args: &[Value]) -> Res<Option<Value>> {
        let method = Symbol::intern_static(method);
        if !is_overridden(self.vm, self.provider, method) {
            return Ok(None);
        }
        self.vm.call(self.provider, method, args).map(Some)
    }
    /// As [`Children::replaced`], as text.
    ///
    /// # Errors
    /// Those of the method.
    pub fn replaced_text(&mut self, method: &'static str, args: &[Value]) -> Res<Option<String>> {
        match self.replaced(method, args)? {
            Some(value) => self.vm.to_s_text(&value).map(Some),
            None => Ok(None),
        }
    }
    /// A failure of a host call or command as an exception.
    pub fn raised(&mut self, error: &ChangeError) -> Error {
        raised(self.vm, error)
    }
    /// Chef's `converge_by`: in a why-run only prints the step; otherwise runs `body` and prints the step afterwards.
    ///
    /// # Errors
    /// Those of `body`.
    pub fn converge_by(&mut self, step: impl Into<String>, body: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        if self.applies() {
            self.changing(body)?;
        }
        report_lines(self.vm, self.provider, &[Line::Step(step.into())])
    }
    fn changing(&mut self, body: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        let before = std::mem::replace(&mut self.is_changing, true);
        let result = body(self);
        self.is_changing = before;
        result
    }
    pub fn vm(&mut self) -> &mut Vm {
        self.vm
    }
    /// Queries the machine; a failure becomes the exception that Chef raises.
    ///
    /// # Errors
    /// The machine cannot be queried.
    pub fn look<T>(&mut self, ask: impl FnOnce(&dyn Host) -> Looked<T>) -> Res<T> {
        let host = self.host();
        let looked = match self.is_changing {
            true => ask(&*host),
            false => simulation::asking(self.vm, |_| ask(&*host)),
        };
        looked.map_err(|error| raised(self.vm, &error))
    }
    /// Makes and reports a change of the action itself.
    ///
    /// # Errors
    /// The change fails.
    pub fn change(&mut self, change: impl Into<Change>) -> Res<()> {
        make(self.vm, self.provider, self.resource, &change.into())
    }
    /// Makes a change that begins with child resources, which `body` declares and which do not appear in a why-run. The change is reported after
    /// them.
    ///
    /// # Errors
    /// A child or the change fails.
    pub fn converge(&mut self, change: impl Into<Change>, body: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        let change = change.into();
        if self.applies() {
            self.changing(body)?;
            return make(self.vm, self.provider, self.resource, &change);
        }
        report(self.vm, self.provider, &change)
    }
    /// Declares a resource as a recipe would: by the provider's method of that name where Ruby code has replaced it.
    ///
    /// # Errors
    /// The type does not exist, or a property does not accept its value.
    pub fn declare(&mut self, child: Child) -> Res {
        self.place(child, |vm, provider, (kind, name), place, block| {
            if is_overridden(vm, provider, kind) {
                let args = [name.clone()];
                return vm.call_args(provider, kind, Args::new(&args).with_block(block));
            }
            crate::dsl::resources::declare_at(vm, provider, (kind, name), place, block)
        })
    }
    /// Finds a resource of this type and name in the root run context, or declares it there.
    ///
    /// # Errors
    /// As [`Children::declare`].
    pub fn find_in_root(&mut self, child: Child) -> Res {
        self.place(child, crate::dsl::resources::find_in_root)
    }
    fn place(&mut self, child: Child, declare: Declare) -> Res {
        let Child { kind, name, calls, guards, hidden } = child;
        let apply = move |vm: &mut Vm, resource: &Value, _: Args<'_>| {
            for (name, value) in &hidden {
                vm.ivar_set(resource, *name, value.clone());
            }
            for (method, args) in &calls {
                vm.call(resource, *method, args)?;
            }
            for (method, holds) in &guards {
                let holds = holds.clone();
                let block = vm.native_proc(Arity::ANY, false, move |vm, _, _| {
                    let host = vm.host.clone();
                    holds(&*host).map(Value::bool).map_err(|error| raised(vm, &error))
                });
                vm.call_args(resource, *method, Args::none().with_block(Some(Block::Proc(&block))))?;
            }
            Ok(Value::Nil)
        };
        let block = self.vm.native_proc(Arity::ANY, false, apply);
        let place = Some(self.place.clone()).filter(|place| !place.is_nil());
        let kind = Symbol::intern_static(kind);
        declare(self.vm, self.provider, (kind, &name), place, Some(Block::Proc(&block)))
    }
    /// The differences between the properties and those of the existing object (`None` if it does not exist), reported as by Chef's
    /// `converge_if_changed`; `only` restricts the comparison to some properties unless it is empty. `None` if there is no difference.
    ///
    /// # Errors
    /// What Ruby code of a property raises.
    pub fn differences(
        &mut self,
        kind: &'static str,
        current: Option<Vec<(&'static str, Value)>>,
        only: &[&'static str],
    ) -> Res<Option<Task>> {
        let current = match current {
            Some(found) => {
                let made = shell_of(self.vm, self.resource)?;
                for (name, value) in found {
                    self.vm.ivar_set(&made, Symbol::intern(&format!("@{name}")), value);
                }
                made
            }
            None => Value::Nil,
        };
        let only: Vec<Symbol> = only.iter().map(|name| Symbol::intern_static(name)).collect();
        differences(self.vm, kind, self.resource, &current, &only)
    }
}

/// Declares a resource, given the provider, type and name, place, and block.
type Declare = fn(&mut Vm, &Value, (Symbol, &Value), Option<Value>, Option<Block<'_>>) -> Res;

/// A resource to declare.
pub struct Child {
    kind: &'static str,
    name: Value,
    /// The method calls of its block: properties, `action`, `notifies`.
    calls: Vec<(Symbol, Vec<Value>)>,
    /// Its `only_if` and `not_if` guards.
    guards: Vec<(Symbol, Guard)>,
    /// Instance variables that are not properties.
    hidden: Vec<(Symbol, Value)>,
}

/// The test of a guard.
type Guard = Rc<dyn Fn(&dyn Host) -> Looked<bool>>;

impl Child {
    /// A resource with this type and name.
    pub fn new(kind: &'static str, name: impl Into<String>) -> Child {
        Child::named(kind, Value::str(name.into()))
    }
    /// A resource with this type; its name may be a list.
    pub fn named(kind: &'static str, name: Value) -> Child {
        Child { kind, name, calls: Vec::new(), guards: Vec::new(), hidden: Vec::new() }
    }
    /// Sets a property.
    pub fn set(mut self, property: &'static str, value: Value) -> Child {
        self.calls.push((Symbol::intern_static(property), vec![value]));
        self
    }
    /// Sets a property to a String.
    pub fn text(self, property: &'static str, value: impl AsRef<str>) -> Child {
        let value = Value::str(value.as_ref());
        self.set(property, value)
    }
    /// Sets a property to true or false.
    pub fn flag(self, property: &'static str, value: bool) -> Child {
        self.set(property, Value::bool(value))
    }
    /// Sets a property to an Array of Strings.
    pub fn texts<T: AsRef<str>>(self, property: &'static str, values: impl IntoIterator<Item = T>) -> Child {
        let values = values.into_iter().map(|value| Value::str(value.as_ref())).collect();
        self.set(property, Value::array(values))
    }
    pub fn only_if(mut self, holds: impl Fn(&dyn Host) -> Looked<bool> + 'static) -> Child {
        self.guards.push((Symbol::intern_static("only_if"), Rc::new(holds)));
        self
    }
    /// Sets an instance variable that only providers use: `@rendered` is the content of a `template`.
    pub fn hidden(mut self, name: &'static str, value: Value) -> Child {
        self.hidden.push((Symbol::intern_static(name), value));
        self
    }
    pub fn not_if(mut self, holds: impl Fn(&dyn Host) -> Looked<bool> + 'static) -> Child {
        self.guards.push((Symbol::intern_static("not_if"), Rc::new(holds)));
        self
    }
    pub fn action(self, name: &'static str) -> Child {
        self.set("action", Value::Sym(Symbol::intern_static(name)))
    }
    /// Adds a notification: action, target as `type[name]`, timing.
    pub fn notifies(mut self, action: &'static str, target: &str, timing: &'static str) -> Child {
        let args = vec![
            Value::Sym(Symbol::intern_static(action)),
            Value::str(target),
            Value::Sym(Symbol::intern_static(timing)),
        ];
        self.calls.push((Symbol::intern_static("notifies"), args));
        self
    }
}

/// Wraps a composite provider for the registry.
pub(super) struct Compound<P>(pub(super) PhantomData<P>);

impl<P: Composite> AnyProvider for Compound<P> {
    fn actions(&self) -> &'static [&'static str] {
        P::ACTIONS
    }
    fn act(&self, vm: &mut Vm, provider: &Value, resource: &Value, action: &'static str) -> Res<()> {
        let desired = property::read_at_once(vm, |vm| P::read(vm, resource, action))?;
        for name in P::READS {
            vm.call_name(resource, name, &[])?;
        }
        let host = vm.host.clone();
        let failed =
            simulation::asking(vm, |_| P::requirements(&desired, &*host)).map_err(|error| raised(vm, &error))?;
        if !settle(vm, provider, resource, action, failed)? {
            return Ok(());
        }
        let place = read(vm, resource, Slot::SourceLine);
        with_child(vm, provider, |vm, provider| {
            P::declare(&desired, &mut Children { vm, provider, resource, place, is_changing: false })
                .map(|()| Value::Nil)
        })
        .map(drop)
    }
}
