//! Run lists: what an entry says, and what a list expands to once roles are replaced by their own lists.

use crate::role::Role;
use crate::version::{Scheme, Version};
use std::fmt;

/// An entry of a run list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A recipe and its version.
    Recipe(String, Option<String>),
    /// A role.
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

/// Recipes in order, each once, with the version that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipes(Vec<(String, Option<String>)>);

/// A recipe that is asked for at two versions. It shows as Chef's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionConflict {
    /// The recipe.
    pub recipe: String,
    /// The version that was asked for first.
    pub known: String,
    /// The other one.
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

impl Recipes {
    /// Adds a recipe. True when it is new; a known one takes the version if it had none.
    pub fn add(&mut self, name: &str, version: Option<&str>) -> Result<bool, VersionConflict> {
        let Some((_, known)) = self.0.iter_mut().find(|(known, _)| known == name) else {
            self.0.push((name.to_string(), version.map(str::to_string)));
            return Ok(true);
        };
        match (&known, version) {
            (Some(old), Some(new)) if !same_version(old, new) => {
                Err(VersionConflict { recipe: name.to_string(), known: old.clone(), asked: new.to_string() })
            }
            (None, Some(new)) => {
                *known = Some(new.to_string());
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// Recipes and versions in order.
    pub fn iter(&self) -> std::slice::Iter<'_, (String, Option<String>)> {
        self.0.iter()
    }

    /// Names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Qualified names in order, with `@VERSION` where one is asked for.
    pub fn qualified(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(name, version)| match version {
            Some(version) => format!("{}@{version}", qualified(name)),
            None => qualified(name),
        })
    }

    /// Every name under which a recipe counts as run: `a` also as `a::default`.
    pub fn with_defaults(&self) -> impl Iterator<Item = String> {
        self.names().flat_map(|name| {
            let other = (!name.contains("::")).then(|| format!("{name}::default"));
            std::iter::once(name.to_string()).chain(other)
        })
    }
}

/// An item of a run list, and what it expands to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// A role; else a recipe.
    pub is_role: bool,
    /// Name.
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

/// An expanded run list. `R` is what the caller keeps of a role, such as the place that it was read from.
#[derive(Clone, Debug)]
pub struct Expansion<R> {
    /// What is run.
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

/// A list that is being expanded: its items, and of the role that it belongs to the branch and what the caller keeps.
struct Level<R> {
    items: std::vec::IntoIter<Item>,
    role: Option<(Branch, R)>,
    tree: Vec<Branch>,
}

impl<R: AsRef<Role>> Expansion<R> {
    /// Expands items for an environment. `load` reads a role and is told the name of the role that contains it, if one does; it
    /// answers None when there is none. A role is read and expanded at its first place only, so roles may contain each other.
    pub fn expand<E>(
        items: Vec<Item>,
        environment: &str,
        mut load: impl FnMut(&str, Option<&str>) -> Result<Option<R>, E>,
    ) -> Result<Expansion<R>, ExpandError<E>> {
        let mut made = Expansion::default();
        let mut levels = vec![Level { items: items.into_iter(), role: None, tree: Vec::new() }];
        while let Some(level) = levels.last_mut() {
            let Some(item) = level.items.next() else {
                let Some(done) = levels.pop() else { break };
                match (done.role, levels.last_mut()) {
                    (Some((mut branch, role)), Some(outer)) => {
                        branch.children = done.tree;
                        outer.tree.push(branch);
                        made.applied.push(role);
                    }
                    _ => made.tree = done.tree,
                }
                continue;
            };
            let name = match item {
                Item::Recipe(name, version) => {
                    let new = made.recipes.add(&name, version.as_deref()).map_err(ExpandError::Conflict)?;
                    level.tree.push(Branch { name, version, skipped: !new, ..Branch::default() });
                    continue;
                }
                Item::Role(name) => name,
            };
            let branch = Branch { is_role: true, name: name.clone(), ..Branch::default() };
            if made.roles.contains(&name) {
                level.tree.push(Branch { skipped: true, ..branch });
                continue;
            }
            made.roles.push(name.clone());
            let within = level.role.as_ref().map(|(branch, _)| branch.name.as_str());
            let Some(role) = load(&name, within).map_err(ExpandError::Role)? else {
                made.missing.push(name);
                level.tree.push(Branch { missing: true, ..branch });
                continue;
            };
            let inner: Result<Vec<Item>, InvalidItem> =
                role.as_ref().run_list_for(environment).into_iter().map(Item::parse).collect();
            let items = inner.map_err(ExpandError::Item)?.into_iter();
            levels.push(Level { items, role: Some((branch, role)), tree: Vec::new() });
        }
        Ok(made)
    }
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
        assert_eq!(made.recipes.qualified().collect::<Vec<_>>(), ["ntp::default", "nginx::default@1.0"]);
        assert_eq!(made.roles, ["web", "base", "gone"]);
        assert_eq!(made.missing, ["gone"]);
        assert_eq!(made.applied.iter().map(|role| role.name()).collect::<Vec<_>>(), ["base", "web"]);
        let web = &made.tree[0];
        assert!(web.children[0].children[1].skipped && web.children[2].missing && made.tree[1].skipped);
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
