//! Which class answers to a DSL name on a node: `provides` with filters, most specific first, newest first among equals.

use crate::names::N;
use crate::resource::def::Provides;
use crate::run::run_mut;
use rchef_ruby::class::OrderedMap;
use rchef_ruby::{Args, ClassId, Res, Symbol, Value, Vm};

/// Filters of one `provides`.
#[derive(Clone, Default)]
pub struct Filters {
    /// `os:`
    pub os: Vec<String>,
    /// `platform_family:`
    pub platform_family: Vec<String>,
    /// `platform:`
    pub platform: Vec<String>,
    /// `platform_version:`
    pub platform_version: Option<Value>,
    /// `override:`
    pub overriding: bool,
    /// Block given the node.
    pub block: Option<Value>,
    /// Native test given the node.
    pub test: Option<fn(&mut Vm, &Value) -> Res<bool>>,
}

/// One provider of a name.
#[derive(Clone)]
pub struct Entry {
    /// The class.
    pub class: ClassId,
    /// Where it applies.
    pub filters: Filters,
}

/// All DSL names.
#[derive(Default, Clone)]
pub struct Registry {
    names: OrderedMap<Symbol, Vec<Entry>>,
    providers: OrderedMap<Symbol, Vec<Entry>>,
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
    /// Present filters, most telling first: block, platform_version, platform, platform_family, os, override; a positive value tells more than a negated one.
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
    /// Registers a class for a name: before the first entry that it is at least as specific as.
    pub fn add(&mut self, name: Symbol, entry: Entry) {
        insert(self.names.entry(name).or_default(), entry);
    }
    /// The same for providers.
    pub fn add_provider(&mut self, name: Symbol, entry: Entry) {
        insert(self.providers.entry(name).or_default(), entry);
    }
    /// Whether anything provides a name.
    pub fn knows(&self, name: Symbol) -> bool {
        self.names.contains_key(&name)
    }
    /// Entries of a name in order of preference.
    pub fn entries(&self, name: Symbol) -> Vec<Entry> {
        self.names.get(&name).cloned().unwrap_or_default()
    }
    /// Whether any provider class names it.
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

fn insert(list: &mut Vec<Entry>, entry: Entry) {
    let rank = entry.filters.rank();
    let at = list.iter().position(|old| rank >= old.filters.rank()).unwrap_or(list.len());
    list.insert(at, entry);
}

fn node_text(vm: &mut Vm, node: &Value, key: &str) -> Res<String> {
    if node.is_nil() {
        return Ok(String::new());
    }
    let value = vm.call(node, rchef_ruby::sym::AREF, &[Value::str(key)])?;
    if value.is_nil() { Ok(String::new()) } else { vm.to_s_text(&value) }
}

fn list_matches(values: &[String], actual: &str) -> bool {
    if values.is_empty() {
        return true;
    }
    let (negative, positive): (Vec<_>, Vec<_>) = values.iter().partition(|value| value.starts_with('!'));
    if negative.iter().any(|value| value[1..] == *actual) {
        return false;
    }
    positive.is_empty() || positive.iter().any(|value| *value == "all" || *value == actual)
}

/// Whether a version satisfies a requirement: a String or an Array of them (all must hold).
fn requirement_allows(vm: &mut Vm, requirement: &Value, version: &str) -> Res<bool> {
    for item in vm.to_array(requirement)? {
        let text = vm.to_s_text(&item)?;
        if !rchef_model::gem::satisfies(version, &text) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether filters let a node through.
pub fn matches(vm: &mut Vm, filters: &Filters, node: &Value) -> Res<bool> {
    for (values, key) in
        [(&filters.os, "os"), (&filters.platform_family, "platform_family"), (&filters.platform, "platform")]
    {
        if !values.is_empty() {
            let actual = node_text(vm, node, key)?;
            if !list_matches(values, &actual) {
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

/// The class that a DSL name means on the node; None when nothing provides it here.
pub fn resolve(vm: &mut Vm, name: Symbol) -> Res<Option<ClassId>> {
    let node = run_mut(vm).node.clone();
    for entry in run_mut(vm).registry.entries(name) {
        if !matches(vm, &entry.filters, &node)? {
            continue;
        }
        let class = Value::Class(entry.class);
        // a class that overrides `provides?` has a veto
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
