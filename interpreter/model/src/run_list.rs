//! Run lists: their entries, and their expansion, which replaces roles by their own run lists.

use crate::role::Role;
use crate::version::{Scheme, Version};
use std::collections::BTreeMap;
use std::fmt;

/// An entry of a run list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A recipe, and its version if one is given.
    Recipe(String, Option<String>),
    Role(String),
}

impl fmt::Display for Item {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Recipe(name, None) => write!(out, "recipe[{name}]"),
            Item::Recipe(name, Some(version)) => write!(out, "recipe[{name}@{version}]"),
            Item::Role(name) => write!(out, "role[{name}]"),
        }
    }
}

/// A text with brackets that is neither `recipe[NAME]` nor `role[NAME]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidItem(pub String);

impl fmt::Display for InvalidItem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Unable to create Chef::RunList::RunListItem from String:{:?}: must be recipe[] or role[]", self.0)
    }
}

/// `1.2` or `1.2.3`
fn is_version(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    (2..=3).contains(&parts.len())
        && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Item {
    /// Parses an entry: `recipe[NAME]`, `recipe[NAME@VERSION]`, `role[NAME]`, or the name of a recipe with or without a version.
    pub fn parse(text: &str) -> Result<Item, InvalidItem> {
        let inside = |prefix: &str| {
            let name = text.strip_prefix(prefix)?.strip_suffix(']')?;
            (!name.is_empty() && !name.contains(']')).then_some(name)
        };
        if let Some(name) = inside("recipe[") {
            match name.split_once('@') {
                None => return Ok(Item::Recipe(name.to_string(), None)),
                Some((name, version)) if !name.is_empty() && is_version(version) => {
                    return Ok(Item::Recipe(name.to_string(), Some(version.to_string())));
                }
                Some(_) => {}
            }
        } else if let Some(name) = inside("role[") {
            return Ok(Item::Role(name.to_string()));
        }
        if let Some((name, version)) = text.split_once('@')
            && !name.is_empty()
            && is_version(version)
        {
            return Ok(Item::Recipe(name.to_string(), Some(version.to_string())));
        }
        if text.contains(['[', ']']) {
            return Err(InvalidItem(text.to_string()));
        }
        Ok(Item::Recipe(text.to_string(), None))
    }

    /// The cookbook of a recipe; None for a role.
    pub fn cookbook(&self) -> Option<&str> {
        match self {
            Item::Recipe(name, _) => Some(cookbook_of(name)),
            Item::Role(_) => None,
        }
    }
}

/// Parses a run list of the command line: entries separated by commas.
pub fn parse(text: &str) -> Result<Vec<Item>, InvalidItem> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(Item::parse).collect()
}

/// The cookbook in a recipe's name.
pub fn cookbook_of(recipe: &str) -> &str {
    recipe.split("::").next().unwrap_or(recipe)
}

/// A recipe's full name: `a` is `a::default`.
pub fn qualified(recipe: &str) -> String {
    if recipe.contains("::") { recipe.to_string() } else { format!("{recipe}::default") }
}

/// All names of a recipe: a default recipe has two.
pub fn names_of(recipe: &str) -> Vec<String> {
    match recipe.strip_suffix("::default") {
        Some(cookbook) => vec![cookbook.to_string(), recipe.to_string()],
        None if recipe.contains("::") => vec![recipe.to_string()],
        None => vec![recipe.to_string(), format!("{recipe}::default")],
    }
}

/// A recipe requested at two versions. Displays as Chef's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionConflict {
    pub recipe: String,
    /// The version requested first.
    pub known: String,
    pub asked: String,
}

impl fmt::Display for VersionConflict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Run list requires {} at versions {} and {}", self.recipe, self.known, self.asked)
    }
}

/// Whether two versions are equal: `1.0` is `1.0.0`.
fn same_version(a: &str, b: &str) -> bool {
    a == b
        || matches!((Version::parse(a, Scheme::Cookbook), Version::parse(b, Scheme::Cookbook)), (Ok(a), Ok(b)) if a == b)
}

/// The versions that a run list requests, at most one per recipe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versions(BTreeMap<String, String>);

impl Versions {
    /// Records the version of an entry, if it has one.
    ///
    /// # Errors
    /// A different version has been requested before.
    pub fn ask(&mut self, recipe: &str, version: Option<&str>) -> Result<(), VersionConflict> {
        let Some(asked) = version else { return Ok(()) };
        match self.0.get(recipe) {
            Some(known) if !same_version(known, asked) => {
                Err(VersionConflict { recipe: recipe.to_string(), known: known.clone(), asked: asked.to_string() })
            }
            _ => {
                self.0.insert(recipe.to_string(), asked.to_string());
                Ok(())
            }
        }
    }

    /// The requested version of a recipe.
    pub fn of(&self, recipe: &str) -> Option<&str> {
        self.0.get(recipe).map(String::as_str)
    }

    /// `shown` with `@VERSION`, if a version is requested for the recipe.
    pub fn versioned(&self, recipe: &str, shown: String) -> String {
        match self.of(recipe) {
            Some(version) => format!("{shown}@{version}"),
            None => shown,
        }
    }
}

/// Distinct recipes in order, with the requested versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipes {
    names: Vec<String>,
    versions: Versions,
}

impl Recipes {
    /// Adds a recipe unless it is there already, and records its version in either case.
    ///
    /// # Errors
    /// A different version of the recipe has been requested before.
    pub fn add(&mut self, name: &str, version: Option<&str>) -> Result<(), VersionConflict> {
        self.versions.ask(name, version)?;
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_string());
        }
        Ok(())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.names.iter().map(|name| (name.as_str(), self.versions.of(name)))
    }

    /// The same without the recipes whose name is not `wanted`.
    #[must_use]
    pub fn only(&self, wanted: impl Fn(&str) -> bool) -> Recipes {
        let mut all = self.clone();
        all.names.retain(|name| wanted(name));
        all
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Full names in order, with `@VERSION` where a version is requested.
    pub fn qualified(&self) -> impl Iterator<Item = String> {
        self.names.iter().map(|name| self.versions.versioned(name, qualified(name)))
    }

    /// All names of all recipes ([`names_of`]).
    pub fn all_names(&self) -> impl Iterator<Item = String> {
        self.names.iter().flat_map(|name| names_of(name))
    }
}

/// An item of a run list, with the items it expands to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// Whether it is a role; else a recipe.
    pub is_role: bool,
    pub name: String,
    /// The requested version.
    pub version: Option<String>,
    /// Whether it occurred before: only the first occurrence counts.
    pub skipped: bool,
    /// Whether the role does not exist.
    pub missing: bool,
    /// Items of a role.
    pub children: Vec<Branch>,
}

/// Takes the place of a role's name for items outside of any role.
pub const TOP: &str = "top level";

/// A step of the expansion of a run list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<R> {
    /// A recipe is added, with the requested version.
    Recipe(String, Option<String>),
    /// A role has to be loaded, and entered if it exists.
    Role(String),
    /// The end of a role's list: its attributes are applied over those of the roles that it contains.
    Left(R),
    Done,
}

#[derive(Clone, Debug)]
struct Level<R> {
    items: std::vec::IntoIter<Item>,
    /// The role with this list; None at the top level.
    role: Option<R>,
    /// The index in the trace of the entry for its items.
    trace: usize,
}

/// The expansion of a run list in steps, so that the caller can load roles in between. `R` is the caller's data about a role.
#[derive(Clone, Debug)]
pub struct Walk<R> {
    levels: Vec<Level<R>>,
    roles: Vec<String>,
    missing: Vec<String>,
    trace: Vec<(String, Vec<Item>)>,
}

impl<R> Walk<R> {
    /// Starts with the items of a run list.
    pub fn new(items: Vec<Item>) -> Walk<R> {
        let level = Level { items: items.into_iter(), role: None, trace: 0 };
        Walk { levels: vec![level], roles: Vec::new(), missing: Vec::new(), trace: vec![(TOP.into(), Vec::new())] }
    }

    /// Appends items to the current list.
    pub fn extend(&mut self, items: Vec<Item>) {
        match self.levels.last_mut() {
            Some(level) => {
                level.items = level.items.as_slice().iter().cloned().chain(items).collect::<Vec<_>>().into_iter()
            }
            None => self.levels.push(Level { items: items.into_iter(), role: None, trace: 0 }),
        }
    }

    /// The roles being expanded, outermost first.
    pub fn entered(&self) -> impl Iterator<Item = &R> {
        self.levels.iter().filter_map(|level| level.role.as_ref())
    }

    /// Executes one step.
    pub fn step(&mut self) -> Step<R> {
        let Some(level) = self.levels.last_mut() else { return Step::Done };
        let Some(item) = level.items.next() else {
            return match self.levels.pop().and_then(|level| level.role) {
                Some(role) => Step::Left(role),
                None => Step::Done,
            };
        };
        if let Some((_, items)) = self.trace.get_mut(level.trace) {
            items.push(item.clone());
        }
        match item {
            Item::Recipe(name, version) => Step::Recipe(name, version),
            Item::Role(name) => Step::Role(name),
        }
    }

    /// The role being expanded; None at the top level.
    pub fn within(&self) -> Option<&R> {
        self.levels.last().and_then(|level| level.role.as_ref())
    }

    /// Records that a role is applied. False if it was applied before: it is not expanded again, so roles may contain each other.
    pub fn apply(&mut self, role: &str) -> bool {
        let new = !self.is_applied(role);
        if new {
            self.roles.push(role.to_string());
        }
        new
    }

    /// Whether a role has been applied.
    pub fn is_applied(&self, role: &str) -> bool {
        self.roles.iter().any(|known| known == role)
    }

    /// Starts the list of a role; `shown` is `role[NAME]` with the name in the role's own document.
    pub fn enter(&mut self, role: R, shown: &str, items: Vec<Item>) {
        let known = self.trace.iter().position(|(name, _)| name == shown);
        let trace = known.unwrap_or_else(|| {
            self.trace.push((shown.to_string(), Vec::new()));
            self.trace.len() - 1
        });
        self.levels.push(Level { items: items.into_iter(), role: Some(role), trace });
    }

    /// Records that a role does not exist.
    pub fn miss(&mut self, role: &str) {
        if !self.missing.iter().any(|known| known == role) {
            self.missing.push(role.to_string());
        }
    }

    /// Roles in order of first application, including missing ones.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The items of each list, under [`TOP`] or `role[NAME]`, in the order in which the lists were entered.
    pub fn trace(&self) -> impl Iterator<Item = (&str, &[Item])> {
        self.trace.iter().map(|(name, items)| (name.as_str(), items.as_slice()))
    }

    /// The items as a tree.
    pub fn tree(&self) -> Vec<Branch> {
        self.below(TOP, &mut Vec::new())
    }

    fn below(&self, list: &str, seen: &mut Vec<Item>) -> Vec<Branch> {
        let items = self.trace.iter().find(|(name, _)| name == list).map(|(_, items)| items.as_slice());
        let mut branches = Vec::new();
        for item in items.unwrap_or_default() {
            let identity = match item {
                Item::Recipe(name, _) => Item::Recipe(name.clone(), None),
                role => role.clone(),
            };
            let skipped = seen.contains(&identity);
            if !skipped {
                seen.push(identity);
            }
            branches.push(match item {
                Item::Recipe(name, version) => {
                    Branch { name: name.clone(), version: version.clone(), skipped, ..Branch::default() }
                }
                Item::Role(name) => {
                    let missing = self.missing.contains(name);
                    let children = if skipped || missing { Vec::new() } else { self.below(&item.to_string(), seen) };
                    Branch { is_role: true, name: name.clone(), skipped, missing, children, ..Branch::default() }
                }
            });
        }
        branches
    }
}

/// An expanded run list. `R` is the caller's data about a role, such as its source.
#[derive(Clone, Debug)]
pub struct Expansion<R> {
    pub recipes: Recipes,
    /// Roles in order of first application, including missing ones.
    pub roles: Vec<String>,
    pub missing: Vec<String>,
    /// Roles whose attributes apply, lowest precedence first: a role comes after those that it contains.
    pub applied: Vec<R>,
    /// The items as a tree.
    pub tree: Vec<Branch>,
}

impl<R> Default for Expansion<R> {
    fn default() -> Self {
        Expansion {
            recipes: Recipes::default(),
            roles: Vec::new(),
            missing: Vec::new(),
            applied: Vec::new(),
            tree: Vec::new(),
        }
    }
}

/// Why a run list cannot be expanded; `E` is the error of loading a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpandError<E> {
    /// A recipe is requested at two versions.
    Conflict(VersionConflict),
    /// An entry of a role's list is invalid.
    Item(InvalidItem),
    /// A role cannot be loaded.
    Role(E),
}

impl<R: AsRef<Role>> Expansion<R> {
    /// Expands items for an environment. `load` takes a role's name and what contains it (`role[NAME]` or [`TOP`]); it returns None if the role does
    /// not exist.
    ///
    /// # Errors
    /// A recipe requested at two versions, an invalid entry in a role, or an error of `load`.
    pub fn expand<E>(
        items: Vec<Item>,
        environment: &str,
        mut load: impl FnMut(&str, &str) -> Result<Option<R>, E>,
    ) -> Result<Expansion<R>, ExpandError<E>> {
        let mut made = Expansion::default();
        let mut walk = Walk::new(items);
        loop {
            match walk.step() {
                Step::Recipe(name, version) => {
                    made.recipes.add(&name, version.as_deref()).map_err(ExpandError::Conflict)?;
                }
                Step::Role(name) if walk.apply(&name) => {
                    let by = walk.within().map_or_else(|| TOP.to_string(), |role: &R| shown(role.as_ref()));
                    let Some(role) = load(&name, &by).map_err(ExpandError::Role)? else {
                        walk.miss(&name);
                        continue;
                    };
                    let inner = role.as_ref().run_list_for(environment).into_iter().map(Item::parse);
                    let items = inner.collect::<Result<Vec<Item>, InvalidItem>>().map_err(ExpandError::Item)?;
                    let shown = shown(role.as_ref());
                    walk.enter(role, &shown, items);
                }
                Step::Role(_) => {}
                Step::Left(role) => made.applied.push(role),
                Step::Done => break,
            }
        }
        made.tree = walk.tree();
        (made.roles, made.missing) = (walk.roles, walk.missing);
        Ok(made)
    }
}

fn shown(role: &Role) -> String {
    format!("role[{}]", role.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::convert::Infallible;

    #[test]
    fn entries() {
        let recipe = |name: &str, version: Option<&str>| Item::Recipe(name.into(), version.map(str::to_string));
        for (text, expected) in [
            ("recipe[a::b]", recipe("a::b", None)),
            ("recipe[a@1.2]", recipe("a", Some("1.2"))),
            ("a@1.2.3", recipe("a", Some("1.2.3"))),
            ("a", recipe("a", None)),
            ("a@x", recipe("a@x", None)),
            ("role[base]", Item::Role("base".into())),
        ] {
            assert_eq!(Item::parse(text), Ok(expected), "{text}");
        }
        for text in ["Recipe[a]", "roles[a]", "recipe[]", "role[]", "recipe[a@b]", "recipe[a", "a]"] {
            assert_eq!(Item::parse(text), Err(InvalidItem(text.to_string())), "{text}");
        }
        assert_eq!(parse(" a , role[b],,").map(|items| items.len()), Ok(2));
    }

    fn roles(name: &str) -> Option<Box<Role>> {
        let list = |items: &[&str]| json!({ "run_list": items });
        let found = match name {
            "web" => list(&["role[base]", "recipe[nginx@1.0]", "role[gone]"]),
            "base" => list(&["recipe[ntp]", "role[web]"]),
            "env" => json!({ "run_list": ["a"], "env_run_lists": { "prod": ["b"] } }),
            "bad" => list(&["nginx[x]"]),
            _ => return None,
        };
        Some(Box::new(Role::from_json(name, found)))
    }
    fn expand(list: &str, environment: &str) -> Result<Expansion<Box<Role>>, ExpandError<Infallible>> {
        Expansion::expand(parse(list).unwrap(), environment, |name, _| Ok(roles(name)))
    }

    #[test]
    fn roles_are_expanded_once_and_may_contain_each_other() {
        let made = expand("role[web],recipe[ntp],recipe[nginx@1.0.0]", "_default").unwrap();
        assert_eq!(made.recipes.qualified().collect::<Vec<_>>(), ["ntp::default", "nginx::default@1.0.0"]);
        assert_eq!(made.roles, ["web", "base", "gone"]);
        assert_eq!(made.missing, ["gone"]);
        assert_eq!(made.applied.iter().map(|role| role.name()).collect::<Vec<_>>(), ["base", "web"]);
        let web = &made.tree[0];
        assert!(web.children[0].children[1].skipped && web.children[2].missing && made.tree[1].skipped);
    }

    #[test]
    fn a_role_is_told_what_includes_it() {
        let mut told = Vec::new();
        let items = parse("role[web]").unwrap();
        let expanded = Expansion::expand(items, "_default", |name, by| {
            told.push(format!("{name} by {by}"));
            Ok::<_, Infallible>(roles(name))
        });
        expanded.unwrap();
        assert_eq!(told, ["web by top level", "base by role[web]", "gone by role[web]"]);
    }

    #[test]
    fn default_recipes_have_two_names() {
        let mut recipes = Recipes::default();
        for name in ["a", "b::default", "c::d"] {
            recipes.add(name, None).unwrap();
        }
        let all: Vec<String> = recipes.all_names().collect();
        assert_eq!(all, ["a", "a::default", "b", "b::default", "c::d"]);
    }

    #[test]
    fn environments_have_run_lists_of_their_own() {
        assert_eq!(expand("role[env]", "prod").unwrap().recipes.names().collect::<Vec<_>>(), ["b"]);
        assert_eq!(expand("role[env]", "dev").unwrap().recipes.names().collect::<Vec<_>>(), ["a"]);
    }

    #[test]
    fn what_cannot_be_expanded() {
        assert!(matches!(expand("role[web],nginx@2.0", "_default"), Err(ExpandError::Conflict(_))));
        assert!(matches!(expand("role[bad]", "_default"), Err(ExpandError::Item(_))));
    }

    #[test]
    fn a_chain_of_many_roles() {
        let items = vec![Item::Role("0".into())];
        let made = Expansion::expand(items, "_default", |name, _| {
            let next: usize = name.parse::<usize>().unwrap() + 1;
            let list = if next < 2000 { json!([format!("role[{next}]")]) } else { json!(["end"]) };
            Ok::<_, Infallible>(Some(Box::new(Role::from_json(name, json!({ "run_list": list })))))
        });
        assert_eq!(made.unwrap().recipes.names().collect::<Vec<_>>(), ["end"]);
    }
}
