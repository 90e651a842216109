//! Run lists: what an entry says, and what a list expands to once roles are replaced by their own lists.

use crate::role::Role;
use crate::version::{Scheme, Version};
use std::collections::BTreeMap;
use std::fmt;

/// An entry of a run list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A recipe and its version.
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
    /// Reads an entry: `recipe[NAME]`, `recipe[NAME@VERSION]`, `role[NAME]`, or a recipe's name with or without a version.
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

/// Reads a list as it is given on a command line: entries between commas.
pub fn parse(text: &str) -> Result<Vec<Item>, InvalidItem> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(Item::parse).collect()
}

/// The cookbook that a recipe's name begins with.
pub fn cookbook_of(recipe: &str) -> &str {
    recipe.split("::").next().unwrap_or(recipe)
}

/// A recipe's name with its cookbook: `a` is `a::default`.
pub fn qualified(recipe: &str) -> String {
    if recipe.contains("::") { recipe.to_string() } else { format!("{recipe}::default") }
}

/// The names under which a recipe is found: the default recipe of a cookbook has two.
pub fn names_of(recipe: &str) -> Vec<String> {
    match recipe.strip_suffix("::default") {
        Some(cookbook) => vec![cookbook.to_string(), recipe.to_string()],
        None if recipe.contains("::") => vec![recipe.to_string()],
        None => vec![recipe.to_string(), format!("{recipe}::default")],
    }
}

/// A recipe that is asked for at two versions. It shows as Chef's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionConflict {
    pub recipe: String,
    /// The version that was asked for first.
    pub known: String,
    pub asked: String,
}

impl fmt::Display for VersionConflict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Run list requires {} at versions {} and {}", self.recipe, self.known, self.asked)
    }
}

/// `1.0` and `1.0.0` are one version.
fn same_version(a: &str, b: &str) -> bool {
    a == b
        || matches!((Version::parse(a, Scheme::Cookbook), Version::parse(b, Scheme::Cookbook)), (Ok(a), Ok(b)) if a == b)
}

/// The versions that a run list asks of its recipes, at most one for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versions(BTreeMap<String, String>);

impl Versions {
    /// Notes the version that an entry asks for, if it asks for one.
    ///
    /// # Errors
    /// Another version has been asked for.
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

    /// The version that is asked for.
    pub fn of(&self, recipe: &str) -> Option<&str> {
        self.0.get(recipe).map(String::as_str)
    }

    /// A recipe under the name `shown`, with `@VERSION` where one is asked for.
    pub fn versioned(&self, recipe: &str, shown: String) -> String {
        match self.of(recipe) {
            Some(version) => format!("{shown}@{version}"),
            None => shown,
        }
    }
}

/// Recipes in order, each once, with the versions that were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipes {
    names: Vec<String>,
    versions: Versions,
}

impl Recipes {
    /// Adds a recipe, unless it is there; it takes the version in either case.
    ///
    /// # Errors
    /// The recipe has been asked for at another version.
    pub fn add(&mut self, name: &str, version: Option<&str>) -> Result<(), VersionConflict> {
        self.versions.ask(name, version)?;
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_string());
        }
        Ok(())
    }

    /// Recipes and versions in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.names.iter().map(|name| (name.as_str(), self.versions.of(name)))
    }

    /// Names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Qualified names in order, with `@VERSION` where one is asked for.
    pub fn qualified(&self) -> impl Iterator<Item = String> {
        self.names.iter().map(|name| self.versions.versioned(name, qualified(name)))
    }

    /// Every name under which a recipe is found ([`names_of`]).
    pub fn all_names(&self) -> impl Iterator<Item = String> {
        self.names.iter().flat_map(|name| names_of(name))
    }
}

/// An item of a run list, and what it expands to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// A role; else a recipe.
    pub is_role: bool,
    pub name: String,
    /// Version that was asked for.
    pub version: Option<String>,
    /// Named before: it counts at its first place only.
    pub skipped: bool,
    /// The role does not exist.
    pub missing: bool,
    /// Items of a role.
    pub children: Vec<Branch>,
}

/// What "included by" says of an item that no role contains.
pub const TOP: &str = "top level";

/// What comes next in the expansion of a run list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<R> {
    /// A recipe is added, with the version that is asked for.
    Recipe(String, Option<String>),
    /// A role is to be read, and entered if it is there.
    Role(String),
    /// A role's list has ended: its attributes are applied, over those of the roles that it contains.
    Left(R),
    Done,
}

/// A list that is being expanded.
#[derive(Clone, Debug)]
struct Level<R> {
    items: std::vec::IntoIter<Item>,
    /// The role that the list belongs to.
    role: Option<R>,
    /// Place of its items in the trace.
    trace: usize,
}

/// The expansion of a run list, step by step, so that whoever reads the roles may look at it meanwhile. `R` is what the caller keeps of a role.
#[derive(Clone, Debug)]
pub struct Walk<R> {
    levels: Vec<Level<R>>,
    roles: Vec<String>,
    missing: Vec<String>,
    trace: Vec<(String, Vec<Item>)>,
}

impl<R> Walk<R> {
    /// Begins with the items of a run list.
    pub fn new(items: Vec<Item>) -> Walk<R> {
        let level = Level { items: items.into_iter(), role: None, trace: 0 };
        Walk { levels: vec![level], roles: Vec::new(), missing: Vec::new(), trace: vec![(TOP.into(), Vec::new())] }
    }

    /// Adds items to the list that is being expanded.
    pub fn extend(&mut self, items: Vec<Item>) {
        match self.levels.last_mut() {
            Some(level) => {
                level.items = level.items.as_slice().iter().cloned().chain(items).collect::<Vec<_>>().into_iter()
            }
            None => self.levels.push(Level { items: items.into_iter(), role: None, trace: 0 }),
        }
    }

    /// The roles whose lists are being expanded, outermost first.
    pub fn entered(&self) -> impl Iterator<Item = &R> {
        self.levels.iter().filter_map(|level| level.role.as_ref())
    }

    /// Goes one step on.
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

    /// The role whose list is being expanded; None at the top level.
    pub fn within(&self) -> Option<&R> {
        self.levels.last().and_then(|level| level.role.as_ref())
    }

    /// Notes that a role is applied. False if it was before: it is not entered again, so roles may contain each other.
    pub fn apply(&mut self, role: &str) -> bool {
        let new = !self.is_applied(role);
        if new {
            self.roles.push(role.to_string());
        }
        new
    }

    /// Whether a role is applied.
    pub fn is_applied(&self, role: &str) -> bool {
        self.roles.iter().any(|known| known == role)
    }

    /// Goes on with the list of a role; `shown` is `role[NAME]` by the name that the role itself has.
    pub fn enter(&mut self, role: R, shown: &str, items: Vec<Item>) {
        let known = self.trace.iter().position(|(name, _)| name == shown);
        let trace = known.unwrap_or_else(|| {
            self.trace.push((shown.to_string(), Vec::new()));
            self.trace.len() - 1
        });
        self.levels.push(Level { items: items.into_iter(), role: Some(role), trace });
    }

    /// Notes that a role does not exist.
    pub fn miss(&mut self, role: &str) {
        if !self.missing.iter().any(|known| known == role) {
            self.missing.push(role.to_string());
        }
    }

    /// Roles in order of first application; missing ones too.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// Roles that do not exist.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The items that each list contributed, by [`TOP`] or `role[NAME]`, in order of first item.
    pub fn trace(&self) -> impl Iterator<Item = (&str, &[Item])> {
        self.trace.iter().map(|(name, items)| (name.as_str(), items.as_slice()))
    }

    /// The items as they are nested.
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

/// An expanded run list. `R` is what the caller keeps of a role, such as the place that it was read from.
#[derive(Clone, Debug)]
pub struct Expansion<R> {
    pub recipes: Recipes,
    /// Roles in order of first application; missing ones too.
    pub roles: Vec<String>,
    /// Roles that do not exist.
    pub missing: Vec<String>,
    /// Roles whose attributes apply, the weakest first: a role comes after those that it contains.
    pub applied: Vec<R>,
    /// The items as they are nested.
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

/// Why a run list cannot be expanded; `E` is why a role cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpandError<E> {
    /// A recipe at two versions.
    Conflict(VersionConflict),
    /// An entry of a role's list.
    Item(InvalidItem),
    /// A role cannot be read.
    Role(E),
}

impl<R: AsRef<Role>> Expansion<R> {
    /// Expands items for an environment. `load` reads a role and is told what contains it (`role[NAME]` or [`TOP`]); it answers None when there is none.
    ///
    /// # Errors
    /// A recipe at two versions, an invalid entry of a role, what `load` gives.
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
