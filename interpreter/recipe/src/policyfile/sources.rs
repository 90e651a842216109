//! The sources of a policy's cookbooks, and the choice of versions.

use super::{Failure, Storage, below, identity, refused, relative};
use crate::cookbook::{Cookbook, discover};
use rchef_host::Host;
use rchef_model::policyfile::{IncludedLock, Origin, Part, Policyfile, Source, named_cookbooks};
use rchef_model::run_list::{Item, qualified};
use rchef_model::solver::{Asker, Candidate, Problem};
use rchef_ruby::Vm;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// Options of a `cookbook` line that fix a single version at some place.
const PLACES: [&str; 7] =
    ["git", "github", "path", "artifactserver", "chef_server", "chef_server_artifact", "artifactory"];
const SUPERMARKET: &str = "https://supermarket.chef.io";

/// A version of a cookbook that may be used.
pub(super) struct Offer {
    name: String,
    cookbook: Cookbook,
    place: Place,
    /// The Policyfile or an included policy fixes this version.
    is_fixed: bool,
}

enum Place {
    Folder,
    Cache { key: String, address: String },
}

/// All versions that may be used.
#[derive(Default)]
pub(super) struct Stock {
    offers: Vec<Offer>,
    /// Cookbooks that several sources offer without a preference, with the sources.
    doubtful: BTreeMap<String, Vec<String>>,
    /// Descriptions of the places that were searched.
    searched: Vec<String>,
    /// Sources that would need the network.
    remote: Vec<String>,
    checkouts: identity::Checkouts,
    pub(super) warnings: Vec<String>,
}

/// A cookbook's own name.
pub(super) fn name_of(cookbook: &Cookbook) -> &str {
    if cookbook.metadata.name.is_empty() { &cookbook.name } else { &cookbook.metadata.name }
}

/// A source as shown in messages.
fn description(source: &Source) -> String {
    format!("{}({})", source.kind, source.argument.as_deref().unwrap_or(SUPERMARKET))
}

/// Reads a cookbook's directory; fails if it is not a valid cookbook.
pub(super) fn read(vm: &mut Vm, root: &str) -> Result<Cookbook, Failure> {
    let dir = root.rsplit('/').next().unwrap_or_default().to_string();
    if !vm.host.stat(root.as_bytes()).is_ok_and(|stat| stat.is_dir()) {
        return refused(format!("there is no cookbook at {root}: no such directory"));
    }
    match discover::read(vm, &dir, root)? {
        Some(Cookbook { broken: Some(why), .. }) => refused(format!("the cookbook at {root} cannot be used: {why}")),
        Some(found) => Ok(found),
        None => refused(format!("The directory {root} does not contain a cookbook")),
    }
}

impl Stock {
    /// Collects the versions from the Policyfile's lines, the included policies and the sources.
    pub(super) fn gather(
        vm: &mut Vm,
        storage: &Storage,
        file: &Policyfile,
        policies: &[IncludedLock],
        caches: &[String],
    ) -> Result<Stock, Failure> {
        let mut stock = Stock::default();
        for wanted in &file.cookbooks {
            stock.add_line(vm, storage, &wanted.name, &wanted.options, caches)?;
        }
        for policy in policies {
            stock.add_policy(vm, storage, policy, caches)?;
        }
        stock.add_sources(vm, storage, file, caches)?;
        Ok(stock)
    }

    fn is_fixed(&self, name: &str) -> bool {
        self.offers.iter().any(|offer| offer.is_fixed && offer.name == name)
    }

    /// Adds the cookbook of a `cookbook` line; gives the index of its offer if the line has a place.
    fn add_line(
        &mut self,
        vm: &mut Vm,
        storage: &Storage,
        name: &str,
        options: &Map<String, Json>,
        caches: &[String],
    ) -> Result<Option<usize>, Failure> {
        let kind = PLACES.into_iter().find(|kind| options.contains_key(*kind));
        match kind {
            None if options.is_empty() => Ok(None),
            None => {
                refused(format!("Cookbook `{name}' has invalid source options `{}'", Json::Object(options.clone())))
            }
            Some("path") => {
                let root = below(&storage.folder, options["path"].as_str().unwrap_or_default());
                let cookbook = read(vm, &root)?;
                if name_of(&cookbook) != name {
                    let found = name_of(&cookbook);
                    return refused(format!(
                        "The cookbook at path source `{}' is expected to be named `{name}', but is now named `{found}' (full path: {root})",
                        options["path"].as_str().unwrap_or_default()
                    ));
                }
                self.searched.push(format!("cookbook '{name}', path: {root}"));
                self.offers.push(Offer { name: name.to_string(), cookbook, place: Place::Folder, is_fixed: true });
                Ok(Some(self.offers.len() - 1))
            }
            Some("artifactserver") => {
                let address = options["artifactserver"].as_str().unwrap_or_default();
                let version = options.get("version").and_then(Json::as_str).unwrap_or_default();
                self.add_cached(vm, name, version, address, caches)
            }
            Some(kind) => refused(format!(
                "cookbook '{name}' comes from {kind} ({}), and rchef fetches no cookbooks\nhint: get a copy (for git: `git clone`) and say `cookbook '{name}', path: 'PATH'`",
                options[kind].as_str().unwrap_or_default()
            )),
        }
    }

    /// Adds a version from chef-cli's cache.
    fn add_cached(
        &mut self,
        vm: &mut Vm,
        name: &str,
        version: &str,
        address: &str,
        caches: &[String],
    ) -> Result<Option<usize>, Failure> {
        let host = address.split("://").nth(1).and_then(|rest| rest.split(['/', ':']).next()).unwrap_or_default();
        let key = format!("{name}-{version}-{host}");
        for cache in caches {
            let root = format!("{cache}/{key}");
            if vm.host.stat(root.as_bytes()).is_ok_and(|stat| stat.is_dir()) {
                let place = Place::Cache { key, address: address.to_string() };
                let cookbook = read(vm, &root)?;
                self.offers.push(Offer { name: name.to_string(), cookbook, place, is_fixed: true });
                return Ok(Some(self.offers.len() - 1));
            }
        }
        let places = if caches.is_empty() { "there is no cache of chef-cli".into() } else { caches.join(", ") };
        refused(format!(
            "the cookbook {name} {version} comes from {address}, and rchef fetches no cookbooks; it is not in the cache either ({places})\nhint: `chef install` on a machine with chef-cli fills ~/.chef-workstation/cache/cookbooks; or say `cookbook '{name}', path: 'PATH'`"
        ))
    }

    /// Adds the cookbooks of an included policy in the versions of its lock.
    fn add_policy(
        &mut self,
        vm: &mut Vm,
        storage: &Storage,
        policy: &IncludedLock,
        caches: &[String],
    ) -> Result<(), Failure> {
        for (name, locked) in policy.lock["cookbook_locks"].as_object().into_iter().flatten() {
            let version = locked["version"].as_str().unwrap_or_default();
            if let Some(known) = self.offers.iter().find(|offer| offer.name == *name) {
                if known.cookbook.metadata.version != version {
                    return refused(format!(
                        "Multiple versions provided for cookbook {name}: {} and {version} (policy {})",
                        known.cookbook.metadata.version, policy.name
                    ));
                }
                continue;
            }
            let options = locked["source_options"].as_object().cloned().unwrap_or_default();
            let Some(at) = self.add_line(vm, storage, name, &options, caches)? else {
                return refused(format!(
                    "the included policy {} does not say where its cookbook {name} is: its lock has neither `source_options` nor a `source` of it",
                    policy.name
                ));
            };
            let found = &self.offers[at].cookbook.metadata.version;
            if found != version {
                return refused(format!(
                    "the included policy {} locks {name} {version}, and there is {found} now\nhint: `rchef policy update` renews its lock first",
                    policy.name
                ));
            }
        }
        Ok(())
    }

    /// Adds what the default sources offer, except for cookbooks that are fixed.
    fn add_sources(
        &mut self,
        vm: &mut Vm,
        storage: &Storage,
        file: &Policyfile,
        caches: &[String],
    ) -> Result<(), Failure> {
        let fixed: Vec<String> = self.offers.iter().map(|offer| offer.name.clone()).collect();
        let prefers = |name: &str| {
            file.sources.iter().position(|source| source.preferred.iter().any(|preferred| preferred == name))
        };
        let mut by_source: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, source) in file.sources.iter().enumerate().filter(|(_, source)| source.kind == "chef_repo") {
            let path = below(&storage.folder, source.argument.as_deref().unwrap_or_default());
            let within = format!("{path}/cookbooks");
            let path = if vm.host.stat(within.as_bytes()).is_ok_and(|stat| stat.is_dir()) { within } else { path };
            self.searched.push(path.clone());
            for cookbook in folders(vm, &path, &|_| true)? {
                let name = name_of(&cookbook).to_string();
                if fixed.contains(&name) || prefers(&name).is_some_and(|preferred| preferred != at) {
                    continue;
                }
                let sources = by_source.entry(name.clone()).or_default();
                if !sources.contains(&at) {
                    sources.push(at);
                }
                self.offers.push(Offer { name, cookbook, place: Place::Folder, is_fixed: false });
            }
        }
        for (name, sources) in by_source.iter().filter(|(_, sources)| sources.len() > 1) {
            self.doubtful.insert(name.clone(), sources.iter().map(|at| description(&file.sources[*at])).collect());
        }
        for (at, source) in file.sources.iter().enumerate().filter(|(_, source)| source.kind != "chef_repo") {
            self.remote.push(description(source));
            let taken = |name: &str| {
                fixed.iter().any(|known| known == name)
                    || by_source.contains_key(name)
                    || prefers(name).is_some_and(|preferred| preferred != at)
            };
            self.add_cache(vm, source, caches, &taken)?;
        }
        Ok(())
    }

    /// Adds what chef-cli has fetched from a source.
    fn add_cache(
        &mut self,
        vm: &mut Vm,
        source: &Source,
        caches: &[String],
        taken: &dyn Fn(&str) -> bool,
    ) -> Result<(), Failure> {
        if source.kind != "supermarket" && source.kind != "delivery_supermarket" {
            return Ok(());
        }
        let address = source.argument.as_deref().unwrap_or(SUPERMARKET).trim_end_matches('/');
        let server = address.split("://").nth(1).unwrap_or(address);
        let host = server.split(['/', ':']).next().unwrap_or_default();
        // a directory in the cache is named NAME-VERSION-HOST
        let end = format!("-{host}");
        let may_be_used = |directory: &str| {
            let name = directory.strip_suffix(&end).and_then(|rest| rest.rsplit_once('-'));
            name.is_some_and(|(name, _)| !taken(name))
        };
        for cache in caches {
            for cookbook in folders(vm, cache, &may_be_used)? {
                let (name, version) = (name_of(&cookbook).to_string(), cookbook.metadata.version.clone());
                let key = cookbook.root.rsplit('/').next().unwrap_or_default().to_string();
                if key != format!("{name}-{version}-{host}") || taken(&name) {
                    continue;
                }
                let port = if address.starts_with("https://") && server == host { ":443" } else { "" };
                let address = format!("{address}{port}/api/v1/cookbooks/{name}/versions/{version}/download");
                let place = Place::Cache { key, address };
                self.offers.push(Offer { name, cookbook, place, is_fixed: false });
            }
        }
        Ok(())
    }

    /// Solves the constraints; gives the indices of the chosen offers, ordered by name.
    pub(super) fn choose(
        &mut self,
        file: &Policyfile,
        policies: &[IncludedLock],
        lists: &[&Vec<String>],
        pins: &[(String, String)],
    ) -> Result<Vec<usize>, Failure> {
        let mut demanded = named_cookbooks(lists.iter().copied());
        let mut limits: Vec<(String, String)> = Vec::new();
        let mut limit = |name: &str, constraint: &str| match limits.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) if !known.split(", ").any(|part| part == constraint) => {
                *known = format!("{known}, {constraint}");
            }
            Some(_) => {}
            None => limits.push((name.to_string(), constraint.to_string())),
        };
        for wanted in &file.cookbooks {
            if !demanded.contains(&wanted.name) {
                demanded.push(wanted.name.clone());
            }
            if !self.is_fixed(&wanted.name) {
                limit(&wanted.name, &wanted.constraint);
            }
        }
        for policy in policies {
            for entry in policy.lock["solution_dependencies"]["Policyfile"].as_array().into_iter().flatten() {
                let (name, asked) = (entry[0].as_str().unwrap_or_default(), entry[1].as_str().unwrap_or_default());
                if !demanded.iter().any(|known| known == name) {
                    demanded.push(name.to_string());
                }
                limit(name, asked);
            }
        }
        for (name, version) in pins.iter().filter(|(name, _)| !self.is_fixed(name)) {
            limit(name, &format!("= {version}"));
        }
        self.check_doubtful(&demanded)?;
        let mut problem = Problem { asker: Asker::Policyfile, limits, ..Problem::default() };
        for name in &demanded {
            if let Err(error) = problem.recipes.add(name, None) {
                return refused(error.to_string());
            }
        }
        for offer in &self.offers {
            let (version, depends) = (offer.cookbook.metadata.version.clone(), offer.cookbook.metadata.depends.clone());
            problem.universe.add(&offer.name, Candidate { version, depends });
        }
        let solution = match problem.solve() {
            Ok(solution) => solution,
            Err(why) => return self.unsolvable(&demanded, &why.to_string()),
        };
        let mut chosen = Vec::new();
        for (name, version) in solution {
            let fits = |offer: &Offer| offer.name == name && offer.cookbook.metadata.version == version;
            chosen.extend(self.offers.iter().position(fits));
        }
        let cached: Vec<&str> = chosen
            .iter()
            .map(|at| &self.offers[*at])
            .filter(|offer| matches!(offer.place, Place::Cache { .. }) && !offer.is_fixed)
            .map(|offer| offer.name.as_str())
            .collect();
        if !cached.is_empty() {
            self.warnings.push(format!(
                "{} was not asked: {} come from the cache of chef-cli, which may not have their newest versions",
                self.remote.join(" and "),
                cached.join(", ")
            ));
        }
        Ok(chosen)
    }

    /// The cookbooks that may be needed in any version, each with the one that depends on it.
    fn reachable(&self, demanded: &[String]) -> Vec<(String, Option<String>)> {
        let mut found: Vec<(String, Option<String>)> = demanded.iter().map(|name| (name.clone(), None)).collect();
        let mut at = 0;
        while let Some((name, _)) = found.get(at).cloned() {
            at += 1;
            for offer in self.offers.iter().filter(|offer| offer.name == name) {
                for (on, _) in &offer.cookbook.metadata.depends {
                    if !found.iter().any(|(known, _)| known == on) {
                        found.push((on.clone(), Some(name.clone())));
                    }
                }
            }
        }
        found
    }

    fn check_doubtful(&self, demanded: &[String]) -> Result<(), Failure> {
        let reachable = self.reachable(demanded);
        let doubtful = |(name, _): &(String, Option<String>)| self.doubtful.get_key_value(name);
        match reachable.iter().find_map(doubtful) {
            None => Ok(()),
            Some((name, sources)) => refused(format!(
                "Source supports multiple cookbook sources, and the cookbook {name} is in {}\nhint: `default_source :chef_repo, 'PATH' do |s| s.preferred_for '{name}' end`, or `cookbook '{name}', path: 'PATH'`",
                sources.join(" and ")
            )),
        }
    }

    /// The reason why there is no solution: a cookbook that no source has, else the solver's explanation.
    fn unsolvable<T>(&self, demanded: &[String], why: &str) -> Result<T, Failure> {
        let missing: Vec<String> = self
            .reachable(demanded)
            .into_iter()
            .filter(|(name, _)| !self.offers.iter().any(|offer| offer.name == *name))
            .map(|(name, by)| match by {
                Some(by) => format!("{name} (of which {by} depends)"),
                None => name,
            })
            .collect();
        if missing.is_empty() {
            return refused(format!("Unable to satisfy constraints on the cookbooks: {why}"));
        }
        let mut text = format!("no source has the cookbook {}", missing.join(", "));
        let none = "; the Policyfile has no default_source that is on this machine";
        text.push_str(&if self.searched.is_empty() {
            none.to_string()
        } else {
            format!("; looked in {}", self.searched.join(", "))
        });
        if !self.remote.is_empty() {
            text.push_str(&format!("; rchef does not ask {}", self.remote.join(" or ")));
        }
        let first = missing[0].split(' ').next().unwrap_or_default();
        refused(format!(
            "{text}\nhint: put a copy into a folder of cookbooks and name it with `default_source :chef_repo, 'PATH'`, or say `cookbook '{first}', path: 'PATH'`; what `chef install` has fetched into ~/.chef-workstation/cache/cookbooks is used too"
        ))
    }

    /// Checks that the recipes in the run lists exist.
    pub(super) fn require_recipes(&self, chosen: &[usize], lists: &[&Vec<String>]) -> Result<(), Failure> {
        let mut lacking: Vec<String> = Vec::new();
        for text in lists.iter().copied().flatten() {
            let Ok(Item::Recipe(name, _)) = Item::parse(text) else { continue };
            let full = qualified(&name);
            let Some((cookbook, recipe)) = full.split_once("::") else { continue };
            let offer = chosen.iter().map(|at| &self.offers[*at]).find(|offer| offer.name == cookbook);
            let is_there = offer.is_some_and(|offer| {
                ["rb", "yml", "yaml", "json"].iter().any(|end| {
                    let path = format!("recipes/{recipe}.{end}");
                    offer.cookbook.files.contains(&path)
                        || recipe == "default" && offer.cookbook.files.contains(&format!("recipe.{end}"))
                })
            });
            if !is_there && !lacking.contains(&full) {
                lacking.push(full);
            }
        }
        match lacking.is_empty() {
            true => Ok(()),
            false => refused(format!(
                "The installed cookbooks do not contain all the recipes required by your run list(s): {}",
                lacking.join(", ")
            )),
        }
    }

    /// The lock's entry for a chosen cookbook.
    pub(super) fn part(
        &mut self,
        host: &dyn Host,
        storage: &Storage,
        file: &Policyfile,
        at: usize,
    ) -> Result<Part, Failure> {
        let Offer { name, cookbook, place, is_fixed } = &self.offers[at];
        let identifier = match identity::identifier(host, cookbook) {
            Ok(identifier) => identifier,
            Err(error) => return refused(format!("the cookbook at {} cannot be read: {error}", cookbook.root)),
        };
        let version = cookbook.metadata.version.clone();
        let own = file.cookbooks.iter().find(|wanted| wanted.name == *name);
        let constraint = match own {
            Some(wanted) if *is_fixed => wanted.constraint.clone(),
            _ => format!("= {version}"),
        };
        let origin = match place {
            Place::Cache { key, address } => Origin::Cache(key.clone(), address.clone()),
            Place::Folder => {
                let scm = self.checkouts.scm_info(host, &cookbook.root);
                Origin::Path(relative(&storage.folder, &cookbook.root), scm)
            }
        };
        let depends = cookbook.metadata.depends.clone();
        Ok(Part { name: name.clone(), version, identifier, depends, constraint, origin })
    }
}

/// The cookbooks in the directories of a folder whose names `has_name` accepts; invalid ones are left out.
fn folders(vm: &mut Vm, path: &str, has_name: &dyn Fn(&str) -> bool) -> Result<Vec<Cookbook>, Failure> {
    let host = vm.host.clone();
    let mut names: Vec<String> = host
        .readdir(path.as_bytes())
        .unwrap_or_default()
        .iter()
        .map(|entry| String::from_utf8_lossy(&entry.name).into_owned())
        .filter(|name| !name.starts_with('.') && has_name(name))
        .collect();
    names.sort();
    let mut found = Vec::new();
    for name in names {
        let root = format!("{path}/{name}");
        if host.stat(root.as_bytes()).is_ok_and(|stat| stat.is_dir())
            && let Some(cookbook) = discover::read(vm, &name, &root)?
            && cookbook.broken.is_none()
        {
            found.push(cookbook);
        }
    }
    Ok(found)
}
