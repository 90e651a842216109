//! The state of a resource besides its properties: the native data of every instance of `Chef::Resource`.
//!
//! Chef keeps this state in instance variables, and cookbooks read and write some of them directly (`@action = :create` in an old `initialize`,
//! `@run_context`, `@updated_by_last_action`). [`Slots`] maps those names to the fields, in Chef's order.

use super::class::Listing;
use crate::run::{Executed, run_mut};
use rchef_ruby::{NativeData, Res, Slots, Symbol, Value, Vm};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::LazyLock;

macro_rules! slots {
    ($($slot:ident $name:literal),* $(,)?) => {
        /// A field that Ruby code sees as an instance variable.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Slot {
            $(#[doc = $name] $slot),*
        }
        /// All slots, in the order in which Chef assigns them.
        const ALL: &[(Slot, &str)] = &[$((Slot::$slot, $name)),*];
    };
}
slots! {
    RunContext "@run_context", Logger "@logger", Before "@before", Params "@params", Provider "@provider",
    AllowedActions "@allowed_actions", Action "@action", Updated "@updated", UpdatedByLastAction "@updated_by_last_action",
    NotIf "@not_if", OnlyIf "@only_if", SourceLine "@source_line", Deprecated "@deprecated", SkipDocs "@skip_docs",
    GuardInterpreter "@guard_interpreter", DefaultGuardInterpreter "@default_guard_interpreter", ElapsedTime "@elapsed_time",
    ExecutedByRunner "@executed_by_runner",
    DeclaredType "@declared_type", CookbookName "@cookbook_name", RecipeName "@recipe_name", EnclosingProvider "@enclosing_provider",
    ResourceName "@resource_name",
}

/// The slots before this one are set by `initialize`; those from here to [`LATER`] by a declaration.
const DECLARED: usize = Slot::DeclaredType as usize;
/// The slots from here on are rarely set.
const LATER: usize = Slot::ResourceName as usize;

/// The symbols of [`ALL`], and a map from symbols to slots.
static NAMES: LazyLock<(Vec<Symbol>, FxHashMap<Symbol, Slot>)> = LazyLock::new(|| {
    let names: Vec<Symbol> = ALL.iter().map(|(_, name)| Symbol::intern_static(name)).collect();
    let by_name = names.iter().copied().zip(ALL.iter().map(|(slot, _)| *slot)).collect();
    (names, by_name)
});

/// Whether an instance variable is stored in a field.
pub fn is_slot(name: Symbol) -> bool {
    NAMES.1.contains_key(&name)
}

/// How a resource was declared, for the dump; not visible to Ruby code.
#[derive(Clone, Default)]
pub struct Origin {
    /// The DSL method (`find_resource`, `edit_resource`) that declared it for its caller.
    pub via: Option<&'static str>,
    /// The calls that led to its declaration, innermost first; empty if it is directly in the recipe.
    pub callers: Vec<(Rc<str>, u32)>,
    /// Whether `run_resources` or the cookbook's metadata made it immediate, and the place that says so.
    pub mode_from: Option<(bool, Rc<str>)>,
}

/// A list or Hash that is created on first use, since most resources never need it.
#[derive(Clone, Default)]
pub struct Lazy(OnceCell<Value>);

impl Lazy {
    /// The value, created if necessary.
    pub fn get(&self, make: impl FnOnce() -> Value) -> Value {
        self.0.get_or_init(make).clone()
    }
    /// The value, if it was created.
    pub fn made(&self) -> Option<&Value> {
        self.0.get()
    }
    fn set(&mut self, value: Value) {
        self.0 = OnceCell::from(value);
    }
}

/// Fields that few resources set.
#[derive(Clone, Default)]
struct Rare {
    before: Value,
    /// `provider`: a class.
    provider: Value,
    deprecated: Value,
    skip_docs: Value,
    /// `guard_interpreter`, if the recipe sets one.
    guard_interpreter: Value,
    default_guard_interpreter: Value,
    /// `resource_name`, if the instance has its own.
    resource_name: Value,
}

#[derive(Clone, Default)]
pub struct ResourceState {
    pub run_context: Value,
    pub logger: Value,
    /// `params`: a Hash.
    pub params: Lazy,
    /// `allowed_actions`: an Array of Symbols; the class's list until it is first read.
    pub allowed_actions: Lazy,
    /// `action`: an Array of Symbols or a Symbol.
    pub action: Value,
    pub updated: bool,
    pub updated_by_last_action: bool,
    /// `not_if`: an Array of guards.
    pub not_if: Lazy,
    /// `only_if`: an Array of guards.
    pub only_if: Lazy,
    /// `source_line`: `FILE:LINE:in ...`, as in a backtrace.
    pub source_line: Value,
    /// `elapsed_time` of the last action in seconds.
    pub elapsed_time: Value,
    /// Whether the run has executed the resource at its own position, and not only by a notification or `run_action`.
    pub executed_by_runner: bool,
    /// `declared_type`: the DSL name that declared it.
    pub declared_type: Value,
    pub cookbook_name: Value,
    pub recipe_name: Value,
    /// `enclosing_provider`: the provider whose action declared it.
    pub enclosing_provider: Value,
    /// None while all of them have their initial values.
    rare: Option<Box<Rare>>,
    /// `run_actions`: `:immediately` or `:delayed`, if the recipe sets it.
    pub run_actions: Option<Symbol>,
    pub origin: Origin,
    /// How it was executed at compile time, if it was.
    pub executed: Option<Executed>,
    /// The position in the order in which an expanding run reached resources, from 1; 0 if not reached.
    pub reached: u32,
    /// Whether an expanded block of `converge_by` or `converge_if_changed` declared it.
    pub on_change: bool,
    /// The class's data when the resource was created.
    listing: Option<Rc<Listing>>,
    /// Bit set of the slots with a value.
    set: u32,
    /// The number of ordinary instance variables when the first slot was set.
    first_at: u16,
    /// The number of ordinary instance variables when a declaration set its first slot.
    declared_at: u16,
}

fn bit(slot: Slot) -> u32 {
    1 << slot as u32
}
const INITIAL: u32 = (1 << DECLARED) - 1;
const BY_DECLARATION: u32 = ((1 << LATER) - 1) & !INITIAL;

impl ResourceState {
    /// Sets the fields of `initialize`; `others` is the current number of ordinary instance variables.
    pub fn start(&mut self, listing: Rc<Listing>, run_context: Value, logger: Value, others: usize) {
        let actions = listing.default_action.iter().copied().map(Value::Sym).collect();
        let resource_name = self.rare.take().map(|rare| rare.resource_name).filter(|name| !name.is_nil());
        *self = ResourceState {
            run_context,
            logger,
            action: Value::array(actions),
            elapsed_time: Value::Int(0),
            listing: Some(listing),
            set: self.set | INITIAL,
            first_at: u16::try_from(others).unwrap_or(u16::MAX),
            // a class may set these before it calls `super`
            declared_type: std::mem::take(&mut self.declared_type),
            cookbook_name: std::mem::take(&mut self.cookbook_name),
            recipe_name: std::mem::take(&mut self.recipe_name),
            enclosing_provider: std::mem::take(&mut self.enclosing_provider),
            declared_at: self.declared_at,
            run_actions: self.run_actions,
            ..ResourceState::default()
        };
        if let Some(name) = resource_name {
            self.rare_mut().resource_name = name;
        }
    }

    /// The rare fields as `initialize` sets them.
    fn initial(&self) -> Rare {
        let interpreter = self.listing.as_ref().map(|listing| Value::Sym(listing.default_guard_interpreter));
        Rare {
            deprecated: Value::False,
            skip_docs: Value::False,
            default_guard_interpreter: interpreter.unwrap_or_default(),
            ..Rare::default()
        }
    }
    fn rare(&self, field: impl Fn(&Rare) -> &Value) -> Value {
        match &self.rare {
            Some(rare) => field(rare).clone(),
            None => field(&self.initial()).clone(),
        }
    }
    fn rare_mut(&mut self) -> &mut Rare {
        let initial = self.initial();
        self.rare.get_or_insert_with(|| Box::new(initial))
    }

    /// The class's allowed actions when the resource was created.
    fn listed_actions(&self) -> Value {
        let listed = self.listing.iter().flat_map(|listing| listing.allowed_actions.iter().copied());
        Value::array(listed.map(Value::Sym).collect())
    }

    /// The value of a slot; None if it is not set.
    pub fn read(&self, slot: Slot) -> Option<Value> {
        if self.set & bit(slot) == 0 {
            return None;
        }
        let empty = || Value::array(Vec::new());
        Some(match slot {
            Slot::RunContext => self.run_context.clone(),
            Slot::Logger => self.logger.clone(),
            Slot::Before => self.rare(|rare| &rare.before),
            Slot::Params => self.params.get(|| Value::hash(Default::default())),
            Slot::Provider => self.rare(|rare| &rare.provider),
            Slot::AllowedActions => self.allowed_actions.get(|| self.listed_actions()),
            Slot::Action => self.action.clone(),
            Slot::Updated => Value::bool(self.updated),
            Slot::UpdatedByLastAction => Value::bool(self.updated_by_last_action),
            Slot::NotIf => self.not_if.get(empty),
            Slot::OnlyIf => self.only_if.get(empty),
            Slot::SourceLine => self.source_line.clone(),
            Slot::Deprecated => self.rare(|rare| &rare.deprecated),
            Slot::SkipDocs => self.rare(|rare| &rare.skip_docs),
            Slot::GuardInterpreter => self.rare(|rare| &rare.guard_interpreter),
            Slot::DefaultGuardInterpreter => self.rare(|rare| &rare.default_guard_interpreter),
            Slot::ElapsedTime => self.elapsed_time.clone(),
            Slot::ExecutedByRunner => Value::bool(self.executed_by_runner),
            Slot::DeclaredType => self.declared_type.clone(),
            Slot::CookbookName => self.cookbook_name.clone(),
            Slot::RecipeName => self.recipe_name.clone(),
            Slot::EnclosingProvider => self.enclosing_provider.clone(),
            Slot::ResourceName => self.rare(|rare| &rare.resource_name),
        })
    }

    /// Sets a slot; `others` is the current number of ordinary instance variables.
    pub fn write(&mut self, slot: Slot, value: Value, others: usize) {
        let at = u16::try_from(others).unwrap_or(u16::MAX);
        if self.set & INITIAL == 0 && bit(slot) & INITIAL != 0 {
            self.first_at = at;
        }
        if self.set & BY_DECLARATION == 0 && bit(slot) & BY_DECLARATION != 0 {
            self.declared_at = at;
        }
        self.set |= bit(slot);
        match slot {
            Slot::Params => self.params.set(value),
            Slot::AllowedActions => self.allowed_actions.set(value),
            Slot::NotIf => self.not_if.set(value),
            Slot::OnlyIf => self.only_if.set(value),
            Slot::Updated => self.updated = value.truthy(),
            Slot::UpdatedByLastAction => self.updated_by_last_action = value.truthy(),
            Slot::ExecutedByRunner => self.executed_by_runner = value.truthy(),
            Slot::RunContext => self.run_context = value,
            Slot::Logger => self.logger = value,
            Slot::Before => self.rare_mut().before = value,
            Slot::Provider => self.rare_mut().provider = value,
            Slot::Action => self.action = value,
            Slot::SourceLine => self.source_line = value,
            Slot::Deprecated => self.rare_mut().deprecated = value,
            Slot::SkipDocs => self.rare_mut().skip_docs = value,
            Slot::GuardInterpreter => self.rare_mut().guard_interpreter = value,
            Slot::DefaultGuardInterpreter => self.rare_mut().default_guard_interpreter = value,
            Slot::ElapsedTime => self.elapsed_time = value,
            Slot::DeclaredType => self.declared_type = value,
            Slot::CookbookName => self.cookbook_name = value,
            Slot::RecipeName => self.recipe_name = value,
            Slot::EnclosingProvider => self.enclosing_provider = value,
            Slot::ResourceName => self.rare_mut().resource_name = value,
        }
    }

    /// The resource's own list of allowed actions; None if only the class's list is used.
    pub fn own_actions(&self) -> Option<&Value> {
        self.allowed_actions.made()
    }
}

impl Slots for ResourceState {
    fn get(&self, _: &Vm, _: &Value, name: Symbol) -> Option<Value> {
        self.read(*NAMES.1.get(&name)?)
    }
    fn set(&mut self, name: Symbol, value: Value, others: usize) -> Result<(), Value> {
        match NAMES.1.get(&name) {
            Some(slot) => {
                self.write(*slot, value, others);
                Ok(())
            }
            None => Err(value),
        }
    }
    fn clear(&mut self, name: Symbol) {
        if let Some(slot) = NAMES.1.get(&name) {
            self.write(*slot, Value::Nil, 0);
            self.set &= !bit(*slot);
        }
    }
    fn names(&self, others: &[Symbol]) -> Vec<Symbol> {
        let first = usize::from(self.first_at).min(others.len());
        let declared = usize::from(self.declared_at).clamp(first, others.len());
        let own = |range: std::ops::Range<usize>| {
            range.filter(|at| self.set & (1 << at) != 0).map(|at| NAMES.0[at]).collect::<Vec<_>>()
        };
        let mut found = Vec::with_capacity(others.len() + ALL.len());
        found.extend(&others[..first]);
        found.extend(own(0..DECLARED));
        found.extend(&others[first..declared]);
        found.extend(own(DECLARED..LATER));
        found.extend(&others[declared..]);
        found.extend(own(LATER..ALL.len()));
        found
    }
}

impl NativeData for ResourceState {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        let lazy = [&self.params, &self.allowed_actions, &self.not_if, &self.only_if];
        lazy.into_iter().filter_map(Lazy::made).for_each(&mut *visit);
        let plain = [
            &self.run_context,
            &self.logger,
            &self.action,
            &self.source_line,
            &self.elapsed_time,
            &self.declared_type,
            &self.cookbook_name,
            &self.recipe_name,
            &self.enclosing_provider,
        ];
        plain.into_iter().for_each(&mut *visit);
        if let Some(rare) = &self.rare {
            let Rare {
                before,
                provider,
                deprecated,
                skip_docs,
                guard_interpreter,
                default_guard_interpreter,
                resource_name,
            } = &**rare;
            let all =
                [before, provider, deprecated, skip_docs, guard_interpreter, default_guard_interpreter, resource_name];
            all.into_iter().for_each(visit);
        }
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        // a copy has not been executed
        Some(Box::new(ResourceState { executed: None, reached: 0, ..self.clone() }))
    }
    fn slots(&self) -> Option<&dyn Slots> {
        Some(self)
    }
    fn slots_mut(&mut self) -> Option<&mut dyn Slots> {
        Some(self)
    }
}

/// The state of a resource; None for any other object.
pub fn state<'a>(vm: &'a Vm, resource: &'a Value) -> Option<&'a ResourceState> {
    vm.data(resource)
}
pub fn state_mut<'a>(vm: &'a mut Vm, resource: &'a Value) -> Option<&'a mut ResourceState> {
    vm.data_mut(resource)
}
/// The value of a slot; nil if it is not set or the object is not a resource.
pub fn read(vm: &Vm, resource: &Value, slot: Slot) -> Value {
    state(vm, resource).and_then(|state| state.read(slot)).unwrap_or_default()
}
pub fn write(vm: &mut Vm, resource: &Value, slot: Slot, value: Value) {
    let others = vm.ivar_count(resource);
    if let Some(state) = state_mut(vm, resource) {
        state.write(slot, value, others);
    }
}
/// The run context of a resource; the root context if it has none.
pub fn context_of(vm: &mut Vm, this: &Value) -> Res {
    match state(vm, this).map(|state| state.run_context.clone()) {
        Some(found) if !found.is_nil() => Ok(found),
        _ => Ok(run_mut(vm).root.clone()),
    }
}
