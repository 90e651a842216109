//! Chooses the versions of cookbooks: the newest ones that satisfy the run list, the environment and the cookbooks' dependencies, or explains why
//! there are none. The search is PubGrub's (crate `pubgrub`), whose failures include a derivation.

use crate::gem;
use crate::run_list::{Recipes, cookbook_of};
use pubgrub::{
    Dependencies, DependencyConstraints, DependencyProvider, DerivationTree, External, PackageResolutionStatistics,
    PubGrubError, Ranges,
};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Maximum number of steps of the search: the problem is NP-hard, and metadata is untrusted input.
const MAX_STEPS: usize = 200_000;

/// One version of a cookbook.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub version: String,
    /// Dependencies and their constraints.
    pub depends: Vec<(String, String)>,
}

/// All available cookbooks.
#[derive(Clone, Debug, Default)]
pub struct Universe(BTreeMap<String, Vec<Candidate>>);

impl Universe {
    pub fn add(&mut self, name: &str, candidate: Candidate) {
        let list = self.0.entry(name.to_string()).or_default();
        let version = gem::Version::parse(&candidate.version);
        let at = list.partition_point(|known| gem::Version::parse(&known.version) < version);
        list.insert(at, candidate);
    }

    /// The versions of a cookbook, oldest first.
    fn of(&self, name: &str) -> &[Candidate] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// The newest version of a cookbook.
    fn newest(&self, name: &str) -> Option<&Candidate> {
        self.of(name).last()
    }
}

/// A constraint that cannot be satisfied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The error message of Chef's local-mode server.
    pub answer: String,
    /// The cookbook whose metadata has the constraint; None for the run list or the environment.
    pub dependent: Option<String>,
    /// The cookbook that the constraint is on.
    pub cookbook: String,
    /// The constraint and the available version.
    pub text: String,
}

/// Why no set of versions satisfies all constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsolvable {
    /// The constraint that Chef would report; None if a needed cookbook does not exist at all, which is a different error.
    pub conflict: Option<Conflict>,
    /// The contradicting facts, one sentence each. Empty if the search was aborted.
    pub reasons: Vec<String>,
}

impl fmt::Display for Unsolvable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reasons.is_empty() {
            return out.write_str("the search for versions of the cookbooks was given up: too many combinations");
        }
        out.write_str(&self.reasons.join("; "))
    }
}

/// What the versions are for, which determines the words of an explanation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asker {
    /// The run list and environment of a run.
    #[default]
    Run,
    /// A Policyfile.
    Policyfile,
}

impl Asker {
    fn stock(self) -> &'static str {
        match self {
            Asker::Run => "the cookbook path has",
            Asker::Policyfile => "the sources have",
        }
    }
    fn limiter(self) -> &'static str {
        match self {
            Asker::Run => "the environment",
            Asker::Policyfile => "the Policyfile",
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Problem {
    pub asker: Asker,
    pub universe: Universe,
    /// The recipes of the expanded run list.
    pub recipes: Recipes,
    /// The environment's constraints: cookbook name and constraint.
    pub limits: Vec<(String, String)>,
}

/// A package of the search: a cookbook, or the root that depends on the cookbooks of the run list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Package {
    RunList,
    Cookbook(String),
}

impl fmt::Display for Package {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Package::RunList => out.write_str("the run list"),
            Package::Cookbook(name) => out.write_str(name),
        }
    }
}

/// The subject of a fact, in the order of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    RunList,
    Dependency,
    Path,
}

/// Versions are represented by their index in a cookbook's list, oldest first.
type Places = Ranges<usize>;

#[derive(Debug)]
struct GivenUp;
impl fmt::Display for GivenUp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("too many steps")
    }
}
impl std::error::Error for GivenUp {}

struct Search<'a> {
    problem: &'a Problem,
    steps: Cell<usize>,
}

impl Problem {
    /// The indices of the versions for which `test` is true.
    fn places(&self, name: &str, mut test: impl FnMut(&Candidate) -> bool) -> Places {
        let mut found = Places::empty();
        let mut start = None;
        let list = self.universe.of(name);
        for at in 0..=list.len() {
            match (list.get(at).is_some_and(&mut test), start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    found = found.union(&Places::between(from, at));
                    start = None;
                }
                _ => {}
            }
        }
        found
    }

    /// The environment's constraint on a cookbook.
    fn limit(&self, name: &str) -> Option<&str> {
        self.limits.iter().find(|(limited, _)| limited == name).map(|(_, limit)| limit.as_str())
    }

    fn allowed(&self, name: &str, version: &str) -> bool {
        self.limit(name).is_none_or(|limit| gem::satisfies(version, limit))
    }

    /// The distinct cookbooks of the run list, with the versions that it requests.
    fn wanted(&self) -> Vec<(&str, Vec<&str>)> {
        let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
        for (recipe, version) in self.recipes.iter() {
            let name = cookbook_of(recipe);
            let at = found.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                found.push((name, Vec::new()));
                found.len() - 1
            });
            found[at].1.extend(version);
        }
        found
    }

    /// The chosen versions of all needed cookbooks, by name.
    pub fn solve(&self) -> Result<BTreeMap<String, String>, Unsolvable> {
        let search = Search { problem: self, steps: Cell::new(0) };
        let reasons = match pubgrub::resolve(&search, Package::RunList, 0usize) {
            Ok(chosen) => {
                let mut found = BTreeMap::new();
                for (package, at) in chosen.into_iter().collect::<BTreeMap<_, _>>() {
                    if let Package::Cookbook(name) = package
                        && let Some(candidate) = self.universe.of(&name).get(at)
                    {
                        found.insert(name, candidate.version.clone());
                    }
                }
                return Ok(found);
            }
            Err(PubGrubError::NoSolution(tree)) => self.reasons(&tree),
            Err(_) => Vec::new(),
        };
        Err(Unsolvable { conflict: self.conflict(), reasons })
    }

    /// The distinct facts at the leaves of a derivation: first those of the run list, then dependencies, then available versions.
    fn reasons(&self, tree: &DerivationTree<Package, Places, String>) -> Vec<String> {
        let (mut found, mut seen): (Vec<(Subject, String)>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut waiting = vec![Arc::new(tree.clone())];
        while let Some(tree) = waiting.pop() {
            match &*tree {
                DerivationTree::External(fact) => {
                    if let Some(shown) = self.shown(fact)
                        && !found.contains(&shown)
                    {
                        found.push(shown);
                    }
                }
                DerivationTree::Derived(derived) => {
                    if let Some(id) = derived.shared_id {
                        if seen.contains(&id) {
                            continue;
                        }
                        seen.push(id);
                    }
                    waiting.push(derived.cause2.clone());
                    waiting.push(derived.cause1.clone());
                }
            }
        }
        found.sort_by_key(|(subject, _)| *subject);
        found.into_iter().map(|(_, text)| text).collect()
    }

    fn shown(&self, fact: &External<Package, Places, String>) -> Option<(Subject, String)> {
        match fact {
            External::FromDependencyOf(Package::RunList, _, Package::Cookbook(name), _) => {
                let versions = self.wanted().into_iter().find(|(known, _)| known == name).map(|(_, versions)| versions);
                let versions = versions.unwrap_or_default();
                let exact = if versions.is_empty() { String::new() } else { format!(" {}", versions.join(" and ")) };
                Some((Subject::RunList, format!("the run list asks for {name}{exact}")))
            }
            External::FromDependencyOf(Package::Cookbook(from), places, Package::Cookbook(to), _) => {
                let mut parts: Vec<String> = Vec::new();
                for (at, candidate) in self.universe.of(from).iter().enumerate() {
                    let constraint = candidate.depends.iter().find(|(name, _)| name == to);
                    if let (true, Some((_, constraint))) = (places.contains(&at), constraint) {
                        parts.push(format!("{from} {} depends on {to} {constraint}", candidate.version));
                    }
                }
                (!parts.is_empty()).then(|| (Subject::Dependency, parts.join(", ")))
            }
            External::NoVersions(Package::Cookbook(name), _) => {
                let list = self.universe.of(name);
                if list.is_empty() {
                    return Some((Subject::Path, format!("there is no cookbook {name}")));
                }
                let versions: Vec<&str> = list.iter().map(|candidate| candidate.version.as_str()).collect();
                let there = format!("{} {name} {}", self.asker.stock(), versions.join(", "));
                let shown = match self.limit(name) {
                    Some(limit) => format!("{there}, {} asks for {limit}", self.asker.limiter()),
                    None => there,
                };
                Some((Subject::Path, shown))
            }
            _ => None,
        }
    }

    /// The constraint that Chef's local-mode server reports: it checks the run list and then dependencies in the order in which they are found, with
    /// the newest version of each, and names the cookbook that failed last (SPEC-compile 1.3).
    fn conflict(&self) -> Option<Conflict> {
        let mut wanted: Vec<&str> = Vec::new();
        for (recipe, version) in self.recipes.iter() {
            let name = cookbook_of(recipe);
            let known = &self.universe.newest(name)?.version;
            if let Some(version) = version
                && !self.universe.of(name).iter().any(|candidate| gem::satisfies(&candidate.version, version))
            {
                return Some(Conflict {
                    answer: format!("No such cookbook version for cookbook {name}: {version}"),
                    dependent: None,
                    cookbook: name.to_string(),
                    text: format!("the run list asks for {name} {version}, the cookbook path has {known}"),
                });
            }
            if !wanted.contains(&name) {
                wanted.push(name);
            }
        }
        let failed = |name: &str, dependent: Option<&str>, text: String| Conflict {
            answer: format!("Could not satisfy version constraints for: {name}"),
            dependent: dependent.map(str::to_string),
            cookbook: name.to_string(),
            text,
        };
        let limited = |name: &str| -> Option<Option<Conflict>> {
            let known = &self.universe.newest(name)?.version;
            if self.universe.of(name).iter().any(|candidate| self.allowed(name, &candidate.version)) {
                return Some(None);
            }
            let limit = self.limit(name).unwrap_or_default();
            let text = format!("the environment asks for {name} {limit}, the cookbook path has {known}");
            Some(Some(failed(name, None, text)))
        };
        let mut found = None;
        for name in &wanted {
            found = limited(name)?.or(found);
        }
        let mut at = 0;
        while found.is_none() && at < wanted.len() {
            let name = wanted[at];
            at += 1;
            for (dependency, constraint) in &self.universe.newest(name)?.depends {
                let known = &self.universe.newest(dependency)?.version;
                if !wanted.contains(&dependency.as_str()) {
                    wanted.push(dependency);
                    found = limited(dependency)?.or(found);
                }
                if !self.universe.of(dependency).iter().any(|candidate| gem::satisfies(&candidate.version, constraint))
                {
                    let text = format!("{name} depends on {dependency} {constraint}, the cookbook path has {known}");
                    found = Some(failed(dependency, Some(name), text));
                }
            }
        }
        found
    }
}

impl DependencyProvider for Search<'_> {
    type P = Package;
    type V = usize;
    type VS = Places;
    type M = String;
    type Err = GivenUp;
    /// Cookbooks of the run list come first, in its order; then the others by name.
    type Priority = Reverse<(usize, Package)>;

    fn prioritize(&self, package: &Package, _: &Places, _: &PackageResolutionStatistics) -> Self::Priority {
        let name = |package: &Package| match package {
            Package::RunList => String::new(),
            Package::Cookbook(name) => name.clone(),
        };
        let wanted = self.problem.wanted();
        let place = wanted.iter().position(|(known, _)| *known == name(package)).unwrap_or(wanted.len());
        Reverse((place, package.clone()))
    }

    fn choose_version(&self, package: &Package, range: &Places) -> Result<Option<usize>, GivenUp> {
        let Package::Cookbook(name) = package else { return Ok(Some(0)) };
        let list = self.problem.universe.of(name);
        let fits = |at: &usize| range.contains(at) && self.problem.allowed(name, &list[*at].version);
        Ok((0..list.len()).rev().find(fits))
    }

    fn get_dependencies(
        &self,
        package: &Package,
        at: &usize,
    ) -> Result<Dependencies<Package, Places, String>, GivenUp> {
        let mut found: DependencyConstraints<Package, Places> = DependencyConstraints::default();
        match package {
            Package::RunList => {
                for (name, versions) in self.problem.wanted() {
                    let fits =
                        |candidate: &Candidate| versions.iter().all(|asked| gem::satisfies(&candidate.version, asked));
                    found.insert(Package::Cookbook(name.to_string()), self.problem.places(name, fits));
                }
            }
            Package::Cookbook(name) => {
                for (dependency, constraint) in
                    self.problem.universe.of(name).get(*at).into_iter().flat_map(|found| &found.depends)
                {
                    let fits = |candidate: &Candidate| gem::satisfies(&candidate.version, constraint);
                    found.insert(Package::Cookbook(dependency.clone()), self.problem.places(dependency, fits));
                }
            }
        }
        Ok(Dependencies::Available(found))
    }

    fn should_cancel(&self) -> Result<(), GivenUp> {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MAX_STEPS { Err(GivenUp) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a problem: lines `NAME VERSION: DEPENDENCY CONSTRAINT, …`, a run list and the environment's constraints.
    fn problem(lines: &[&str], run_list: &[(&str, Option<&str>)], limits: &[(&str, &str)]) -> Problem {
        let mut problem = Problem::default();
        for line in lines {
            let (head, depends) = line.split_once(':').unwrap();
            let (name, version) = head.split_once(' ').unwrap();
            let pair = |text: &str| text.trim().split_once(' ').map(|(a, b)| (a.to_string(), b.to_string()));
            let depends = depends.split(',').filter_map(pair).collect();
            problem.universe.add(name, Candidate { version: version.into(), depends });
        }
        for (recipe, version) in run_list {
            problem.recipes.add(recipe, *version).unwrap();
        }
        problem.limits = limits.iter().map(|(name, limit)| (name.to_string(), limit.to_string())).collect();
        problem
    }
    fn solved(problem: &Problem) -> Vec<String> {
        problem.solve().unwrap().into_iter().map(|(name, version)| format!("{name} {version}")).collect()
    }

    const APPS: &[&str] = &[
        "app 1.0.0: db ~> 1.0",
        "app 2.0.0: db ~> 2.0, log >= 0.0.0",
        "db 1.0.0:",
        "db 1.10.0:",
        "db 1.9.0:",
        "db 2.0.0: log < 2.0",
        "log 1.5.0:",
        "log 2.0.0:",
    ];

    #[test]
    fn the_newest_versions_that_fit() {
        assert_eq!(solved(&problem(APPS, &[("app::x", None)], &[])), ["app 2.0.0", "db 2.0.0", "log 1.5.0"]);
        assert_eq!(solved(&problem(APPS, &[("app", None)], &[("db", "< 2.0")])), ["app 1.0.0", "db 1.10.0"]);
        assert_eq!(
            solved(&problem(APPS, &[("app", Some("1.0.0")), ("log", None)], &[])),
            ["app 1.0.0", "db 1.10.0", "log 2.0.0"]
        );
        assert_eq!(
            solved(&problem(APPS, &[("log", None), ("app", None)], &[])),
            ["app 1.0.0", "db 1.10.0", "log 2.0.0"]
        );
    }

    #[test]
    fn cookbooks_may_depend_on_each_other() {
        let lines = &["a 1.0.0: b >= 0.0.0", "b 1.0.0: a >= 0.0.0"];
        assert_eq!(solved(&problem(lines, &[("a", None)], &[])), ["a 1.0.0", "b 1.0.0"]);
    }

    #[test]
    fn why_nothing_fits() {
        let failure = problem(APPS, &[("app", Some("2.0.0"))], &[("db", "= 1.0.0")]).solve().unwrap_err();
        assert_eq!(
            failure.to_string(),
            "the run list asks for app 2.0.0; app 2.0.0 depends on db ~> 2.0; the cookbook path has app 1.0.0, 2.0.0; the cookbook path has db 1.0.0, 1.9.0, 1.10.0, 2.0.0, the environment asks for = 1.0.0"
        );
        let lines = &["a 1.0.0: c ~> 1.0", "b 1.0.0: c ~> 2.0", "c 1.0.0:", "c 2.0.0:"];
        let failure = problem(lines, &[("a", None), ("b", None)], &[]).solve().unwrap_err();
        let reasons = failure.reasons.join("\n");
        assert!(
            reasons.contains("a 1.0.0 depends on c ~> 1.0") && reasons.contains("b 1.0.0 depends on c ~> 2.0"),
            "{reasons}"
        );
    }

    #[test]
    fn what_chef_answers() {
        let conflict = |lines, run_list, limits| problem(lines, run_list, limits).solve().unwrap_err().conflict;
        let lines = &["a 1.0.0: b ~> 2.0", "b 1.0.0:"];
        assert_eq!(
            conflict(lines, &[("a", None)], &[]),
            Some(Conflict {
                answer: "Could not satisfy version constraints for: b".into(),
                dependent: Some("a".into()),
                cookbook: "b".into(),
                text: "a depends on b ~> 2.0, the cookbook path has 1.0.0".into(),
            })
        );
        assert_eq!(
            conflict(lines, &[("a", Some("3.0"))], &[]).map(|found| found.answer),
            Some("No such cookbook version for cookbook a: 3.0".to_string())
        );
        let limited = conflict(lines, &[("b", None)], &[("b", "> 1.0")]).unwrap();
        assert_eq!(limited.text, "the environment asks for b > 1.0, the cookbook path has 1.0.0");
        assert_eq!(conflict(&["a 1.0.0: gone >= 0.0.0"], &[("a", None)], &[]), None);
    }

    #[test]
    fn hard_problems_end() {
        let mut lines = Vec::new();
        for layer in 0..12 {
            for version in 0..12 {
                lines.push(format!(
                    "c{layer} {version}.0.0: c{} = {}.0.0, d{layer} = {version}.0.0",
                    layer + 1,
                    11 - version
                ));
                lines.push(format!("d{layer} {version}.0.0: c{} = {}.0.0", (layer + 3) % 13, version));
            }
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let failure = problem(&lines, &[("c0", None)], &[]).solve();
        assert!(failure.is_err());
    }
}
