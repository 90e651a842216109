//! Finds the class for a DSL name on a node: `provides` with filters, most specific first, newest first among equals.

use crate::names::N;
use crate::resource::def::Provides;
use crate::run::run_mut;
use rchef_ruby::class::OrderedMap;
use rchef_ruby::{Args, ClassId, Res, Symbol, Value, Vm, sym};

/// The filters of a `provides`.
#[derive(Clone, Default)]
pub struct Filters {
    pub os: Vec<String>,
    pub platform_family: Vec<String>,
    pub platform: Vec<String>,
    pub platform_version: Option<Value>,
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
        let list = |items: &[&str]| items.iter().map(ToString::to_string).collect();
        Filters {
            os: list(provides.os),
            platform_family: list(provides.platform_family),
            platform: list(provides.platform),
            platform_version: (!provides.platform_version.is_empty()).then(|| Value::str(provides.platform_version)),
            overriding: false,
            block: None,
            test: provides.test,
        }
    }
    /// The specificity of the filters in descending weight: block, platform_version, platform, platform_family, os, override; a positive value
    /// weighs more than a negated one.
    fn rank(&self) -> [u8; 6] {
        let level = |values: &[String]| match values {
            [] => 0,
            all if all.iter().all(|value| value.starts_with('!')) => 1,
            _ => 2,
        };
        [
            u8::from(self.block.is_some() || self.test.is_some()) * 2,
            u8::from(self.platform_version.is_some()) * 2,
            level(&self.platform),
            level(&self.platform_family),
            level(&self.os),
            u8::from(self.overriding) * 2,
        ]
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
        let bare = Filters::default().rank();
        self.names
            .get(&name)
            .is_some_and(|list| list.iter().any(|entry| entry.class == class && entry.filters.rank() == bare))
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

/// Inserts an entry before the first one that is not more specific.
pub fn insert_by_rank<T>(list: &mut Vec<T>, entry: T, filters: impl Fn(&T) -> &Filters) {
    let rank = filters(&entry).rank();
    let at = list.iter().position(|old| rank >= filters(old).rank()).unwrap_or(list.len());
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

/// Whether a version satisfies a requirement: a String, or an Array of which all must be satisfied.
fn requirement_allows(vm: &mut Vm, requirement: &Value, version: &str) -> Res<bool> {
    for item in vm.to_array(requirement)? {
        let text = vm.to_s_text(&item)?;
        if !rchef_model::gem::satisfies(version, &text) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether filters match a node.
pub fn matches(vm: &mut Vm, filters: &Filters, node: &Value) -> Res<bool> {
    for (values, key) in
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
    if let Some(requirement) = &filters.platform_version {
        let actual = node_text(vm, node, "platform_version")?;
        if !requirement_allows(vm, requirement, &actual)? {
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
