//! Finds the class for a DSL name on a node: `provides` with filters, most specific first (`Filters::goes_before`).

use crate::names::N;
use crate::resource::def::Provides;
use crate::run::run_mut;
use rchef_ruby::embed::class::OrderedMap;
use rchef_ruby::{Args, ClassId, Res, Symbol, Value, Vm, sym};
use std::cmp::Ordering;

/// The filters of a `provides`.
#[derive(Clone, Default)]
pub struct Filters {
    pub os: Given,
    pub platform_family: Given,
    pub platform: Given,
    /// Requirements as of gems, all of which the version must satisfy.
    pub platform_version: Given,
    pub overriding: bool,
    /// A block that is called with the node.
    pub block: Option<Value>,
    /// A native test that is called with the node.
    pub test: Option<fn(&mut Vm, &Value) -> Res<bool>>,
}

/// A class that provides a name.
#[derive(Clone)]
pub struct Entry {
    pub class: ClassId,
    pub filters: Filters,
}

#[derive(Default, Clone)]
pub struct Registry {
    names: OrderedMap<Symbol, Vec<Entry>>,
    providers: OrderedMap<Symbol, Vec<Entry>>,
}

/// The current registry, and its state before the first `Chef.reset!`.
#[derive(Default)]
struct Registries {
    now: Registry,
    first: Option<Registry>,
}

/// The registry of the process.
pub fn registry_mut(vm: &mut Vm) -> &mut Registry {
    &mut vm.extension::<Registries>().now
}

/// Restores the registry to its state at the first call.
pub fn reset(vm: &mut Vm) {
    let registries = vm.extension::<Registries>();
    let first = registries.first.get_or_insert_with(|| registries.now.clone());
    registries.now = first.clone();
}

impl Filters {
    /// The filters of a shipped resource.
    pub fn of(provides: &Provides) -> Filters {
        let list =
            |items: &[&str]| Given { texts: items.iter().map(ToString::to_string).collect(), is_list: items.len() > 1 };
        let version = [provides.platform_version];
        Filters {
            os: list(provides.os),
            platform_family: list(provides.platform_family),
            platform: list(provides.platform),
            platform_version: list(if provides.platform_version.is_empty() { &[] } else { &version }),
            test: provides.test,
            ..Filters::default()
        }
    }
    fn is_bare(&self) -> bool {
        let lists = [&self.os, &self.platform_family, &self.platform, &self.platform_version];
        lists.iter().all(|list| list.texts.is_empty())
            && !self.overriding
            && self.block.is_none()
            && self.test.is_none()
    }
    /// Whether an entry with these filters goes before one with `old`. As in Chef the filters decide one after the other: what is given goes before
    /// what is not, positive values before negated ones, then values compare as in Ruby (a list with a String, or two blocks, do not). Of equal ones
    /// the newer goes first.
    fn goes_before(&self, old: &Filters) -> bool {
        let decided = [
            self.order_by_test(old),
            order(&self.platform_version, &old.platform_version),
            order(&self.platform, &old.platform),
            order(&self.platform_family, &old.platform_family),
            order(&self.os, &old.os),
            Some(old.overriding.cmp(&self.overriding)),
        ];
        let first = decided.into_iter().find(|order| *order != Some(Ordering::Equal));
        matches!(first, None | Some(Some(Ordering::Less)))
    }
    fn order_by_test(&self, old: &Filters) -> Option<Ordering> {
        let has = |filters: &Filters| filters.block.is_some() || filters.test.is_some();
        match (has(self), has(old)) {
            (true, true) if self.test.is_none() || old.test.is_none() => None,
            (one, other) => Some(other.cmp(&one)),
        }
    }
}

/// The values of a filter, and whether they were given as an Array.
#[derive(Clone, Default)]
pub struct Given {
    pub texts: Vec<String>,
    pub is_list: bool,
}

impl Given {
    /// A value or an Array of values; nil gives none.
    ///
    /// # Errors
    /// An exception of a `to_s`.
    pub fn read(vm: &mut Vm, given: &Value) -> Res<Given> {
        let mut texts = Vec::new();
        if !given.is_nil() {
            for item in vm.to_array(given)? {
                texts.push(vm.to_s_text(&item)?);
            }
        }
        Ok(Given { texts, is_list: matches!(given, Value::Array(_)) })
    }
}

fn order(one: &Given, other: &Given) -> Option<Ordering> {
    let is_negated = |given: &Given| given.texts.iter().any(|value| value.starts_with('!'));
    match (one.texts.is_empty(), other.texts.is_empty()) {
        (false, false) => {}
        (one, other) => return Some(one.cmp(&other)),
    }
    match (is_negated(one), is_negated(other)) {
        (one, other) if one != other => Some(one.cmp(&other)),
        _ => (one.is_list == other.is_list).then(|| one.texts.cmp(&other.texts)),
    }
}

impl Registry {
    /// Registers a class for a name: before the first entry that is not more specific.
    pub fn add(&mut self, name: Symbol, entry: Entry) {
        insert_by_rank(self.names.entry(name).or_default(), entry, |entry| &entry.filters);
    }
    /// Registers a provider class for a name, ordered by the same rule.
    pub fn add_provider(&mut self, name: Symbol, entry: Entry) {
        insert_by_rank(self.providers.entry(name).or_default(), entry, |entry| &entry.filters);
    }
    /// Removes a class from all names: these, with the number of removed entries.
    pub fn forget(&mut self, class: ClassId) -> Vec<(Symbol, usize)> {
        remove_class(&mut self.names, class)
    }
    /// Removes a provider class from all names.
    pub fn forget_provider(&mut self, class: ClassId) -> Vec<(Symbol, usize)> {
        remove_class(&mut self.providers, class)
    }
    /// Whether any class provides a name.
    pub fn knows(&self, name: Symbol) -> bool {
        self.names.contains_key(&name)
    }
    /// Entries of a name in order of preference.
    pub fn entries(&self, name: Symbol) -> Vec<Entry> {
        self.names.get(&name).cloned().unwrap_or_default()
    }
    /// Whether any provider class provides the name.
    pub fn has_provider(&self, name: Symbol) -> bool {
        self.providers.get(&name).is_some_and(|list| !list.is_empty())
    }
    /// Entries of a provider name in order of preference.
    pub fn provider_entries(&self, name: Symbol) -> Vec<Entry> {
        self.providers.get(&name).cloned().unwrap_or_default()
    }
    /// All DSL names in order of registration.
    pub fn dsl_names(&self) -> Vec<Symbol> {
        self.names.keys().copied().collect()
    }
    /// Whether a class provides a name without any filter.
    pub fn provides_everywhere(&self, class: ClassId, name: Symbol) -> bool {
        self.names
            .get(&name)
            .is_some_and(|list| list.iter().any(|entry| entry.class == class && entry.filters.is_bare()))
    }
    /// Names that a class provides.
    pub fn names_of(&self, class: ClassId) -> Vec<Symbol> {
        self.names
            .iter()
            .filter(|(_, entries)| entries.iter().any(|entry| entry.class == class))
            .map(|(name, _)| *name)
            .collect()
    }
}

fn remove_class(names: &mut OrderedMap<Symbol, Vec<Entry>>, class: ClassId) -> Vec<(Symbol, usize)> {
    let mut gone = Vec::new();
    for (name, entries) in names.iter_mut() {
        let before = entries.len();
        entries.retain(|entry| entry.class != class);
        if entries.len() < before {
            gone.push((*name, before - entries.len()));
        }
    }
    names.retain(|_, entries| !entries.is_empty());
    gone
}

/// Inserts an entry before the first one that it goes before.
pub fn insert_by_rank<T>(list: &mut Vec<T>, entry: T, filters: impl Fn(&T) -> &Filters) {
    let at = list.iter().position(|old| filters(&entry).goes_before(filters(old))).unwrap_or(list.len());
    list.insert(at, entry);
}

fn node_text(vm: &mut Vm, node: &Value, key: &str) -> Res<String> {
    if node.is_nil() {
        return Ok(String::new());
    }
    let value = vm.call(node, rchef_ruby::sym::AREF, &[Value::sym(key)])?;
    if value.is_nil() { Ok(String::new()) } else { vm.to_s_text(&value) }
}

/// Whether a list of names, which may be negated with `!`, matches the node. `is` tells whether a name matches.
fn list_matches(vm: &mut Vm, values: &[String], is: impl Fn(&mut Vm, &str) -> Res<bool>) -> Res<bool> {
    let mut wanted = false;
    for value in values {
        match value.strip_prefix('!') {
            Some(refused) if is(vm, refused)? => return Ok(false),
            Some(_) => {}
            None => wanted = true,
        }
    }
    for value in values.iter().filter(|value| !value.starts_with('!')) {
        if value == "all" || is(vm, value)? {
            return Ok(true);
        }
    }
    Ok(!wanted)
}

/// Whether a name is the node's platform family or one of ChefUtils' groups that contains it, such as `fedora_derived`.
fn in_family(vm: &mut Vm, node: &Value, name: &str) -> Res<bool> {
    let Some(utils) = vm.class_named("ChefUtils").map(Value::Class) else { return Ok(false) };
    let test = Symbol::intern(&format!("{name}?"));
    if !vm.respond_to(&utils, test, false)? {
        return Ok(false);
    }
    Ok(vm.call(&utils, test, std::slice::from_ref(node))?.truthy())
}

/// Whether filters match a node.
pub fn matches(vm: &mut Vm, filters: &Filters, node: &Value) -> Res<bool> {
    for (Given { texts: values, .. }, key) in
        [(&filters.os, "os"), (&filters.platform_family, "platform_family"), (&filters.platform, "platform")]
    {
        if !values.is_empty() {
            let actual = node_text(vm, node, key)?;
            let is_family = key == "platform_family";
            if !list_matches(vm, values, |vm, name| Ok(name == actual || (is_family && in_family(vm, node, name)?)))? {
                return Ok(false);
            }
        }
    }
    let requirements = &filters.platform_version.texts;
    if !requirements.is_empty() {
        let actual = node_text(vm, node, "platform_version")?;
        if !requirements.iter().all(|requirement| rchef_model::gem::satisfies(&actual, requirement)) {
            return Ok(false);
        }
    }
    if let Some(test) = filters.test
        && !test(vm, node)?
    {
        return Ok(false);
    }
    if let Some(block) = &filters.block {
        return Ok(vm.call_args(block, rchef_ruby::sym::CALL, Args::new(std::slice::from_ref(node)))?.truthy());
    }
    Ok(true)
}

/// The class for a DSL name on the node; None if there is none.
pub fn resolve(vm: &mut Vm, name: Symbol) -> Res<Option<ClassId>> {
    let node = run_mut(vm).node.clone();
    for entry in crate::resource::registry::registry_mut(vm).entries(name) {
        if !matches(vm, &entry.filters, &node)? {
            continue;
        }
        let class = Value::Class(entry.class);
        // a class with its own `provides?` can refuse
        let meta = vm.class_of(&class);
        if !vm.is_native_method(meta, N.provides_p)
            && !vm.call(&class, N.provides_p, &[node.clone(), Value::Sym(name)])?.truthy()
        {
            continue;
        }
        return Ok(Some(entry.class));
    }
    Ok(None)
}

/// The class for a DSL name on the node; raises NoSuchResourceType.
pub fn class_for(vm: &mut Vm, name: Symbol) -> Res<ClassId> {
    if let Some(found) = resolve(vm, name)? {
        return Ok(found);
    }
    let node = run_mut(vm).node.clone();
    let mut facts = Vec::new();
    for key in ["platform", "platform_version"] {
        let value = if node.is_nil() { Value::Nil } else { vm.call(&node, sym::AREF, &[Value::str(key)])? };
        facts.push(vm.to_s_text(&value)?);
    }
    let error = crate::run::chef_error(
        vm,
        "NoSuchResourceType",
        format!("Cannot find a resource for {name} on {} version {} with target_mode? false", facts[0], facts[1]),
    );
    Err(crate::run::about(vm, error, crate::run::Subject::ResourceType(name.to_string())))
}
