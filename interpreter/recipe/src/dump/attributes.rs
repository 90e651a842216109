//! The attributes section: the merged tree, the components, and the origin of each value (SPEC-compile 6.4; ranks: mission document 001).

use super::place::{in_cookbook, short_file};
use super::{Options, value};
use crate::node::provenance::{self, Act, Write};
use crate::node::{self, Component, attribute};
use crate::run::run_mut;
use rchef_model::document::{Map, Value as Json};
use rchef_model::json;
use rchef_ruby::{Res, Value, Vm};
use std::collections::BTreeMap;

/// The components, and the log of writes by component and path.
pub struct Sources {
    trees: Vec<Json>,
    merged: Json,
    writes: Vec<(Write, Vec<String>)>,
    index: BTreeMap<(u8, Vec<String>), Vec<usize>>,
}

/// The origin of a write in the dump's terms.
struct Author {
    kind: &'static str,
    name: Option<String>,
    source: Option<String>,
    attribute_file: bool,
}

/// The value of a component at a path, and the writes that made it: several if trees were merged into the component.
struct Part<'a> {
    component: Component,
    value: &'a Json,
}

pub fn section(vm: &mut Vm, options: &Options) -> Res<Json> {
    let node = run_mut(vm).node.clone();
    let mut map = Map::new();
    let shown = options.attributes;
    if node.is_nil() || !(shown.merged || shown.levels || shown.provenance) {
        return Ok(Json::Object(map));
    }
    if shown.merged {
        let tree = node::merged(vm, &node, !options.automatic)?;
        let mut tree = value::encode(vm, &tree, true)?;
        if untouched_compliance(vm, &tree) {
            without(&mut tree, COMPLIANCE);
        }
        map.insert("merged".into(), tree);
    }
    if !(shown.levels || shown.provenance) {
        return Ok(Json::Object(map));
    }
    let mut sources = Sources::collect(vm, &node)?;
    let hidden = untouched_compliance(vm, &sources.merged);
    if hidden {
        without(&mut sources.merged, COMPLIANCE);
        without(&mut sources.trees[Component::Default as usize], COMPLIANCE);
    }
    if shown.levels {
        let mut levels = Map::new();
        for component in Component::ALL {
            if component != Component::Automatic || options.automatic {
                levels.insert(component.name().into(), sources.trees[component as usize].clone());
            }
        }
        map.insert("levels".into(), Json::Object(levels));
    }
    if shown.provenance {
        let found = sources.leaves(vm, options.automatic)?;
        map.insert("provenance".into(), Json::Array(found));
    }
    if shown.history {
        let mut list = Vec::new();
        for at in 0..sources.writes.len() {
            let author = sources.author(vm, at);
            if hidden && sources.writes[at].1.first().is_some_and(|key| key == COMPLIANCE) {
                continue;
            }
            if author.kind != "ohai" || options.automatic {
                list.push(sources.event(vm, at, &author, None)?);
            }
        }
        map.insert("history".into(), Json::Array(list));
    }
    Ok(Json::Object(map))
}

/// The attribute that Chef's compliance phase sets in every node.
const COMPLIANCE: &str = "audit";

/// Whether the compliance settings of a merged tree are the defaults that the run itself has set; those are not shown.
fn untouched_compliance(vm: &mut Vm, merged: &Json) -> bool {
    let Json::Object(map) = merged else { return false };
    let Some(found) = map.get(COMPLIANCE) else { return false };
    let written = vm.extension::<crate::compile::ComplianceDefaults>().0.clone();
    serde_json::from_str::<serde_json::Value>(&found.to_json()).is_ok_and(|found| found == written)
}
fn without(tree: &mut Json, key: &str) {
    if let Json::Object(map) = tree {
        map.remove(key);
    }
}

/// The value at a path of a tree.
fn at<'a>(tree: &'a Json, path: &[String]) -> Option<&'a Json> {
    path.iter().try_fold(tree, |tree, key| match tree {
        Json::Object(map) => map.get(key),
        Json::Array(list) => list.get(key.parse::<usize>().ok()?),
        _ => None,
    })
}

impl Sources {
    /// Collects everything known about a node's attributes.
    pub fn collect(vm: &mut Vm, node: &Value) -> Res<Sources> {
        let mut trees = Vec::with_capacity(10);
        for component in Component::ALL {
            let tree = attribute::component_of(vm, node, component)?;
            trees.push(value::encode(vm, &tree, true)?);
        }
        let merged = attribute::whole(vm, node)?;
        let merged = value::encode(vm, &merged, true)?;
        let mut writes = Vec::new();
        let mut index: BTreeMap<(u8, Vec<String>), Vec<usize>> = BTreeMap::new();
        for write in provenance::all(vm, node) {
            let mut path = Vec::new();
            for key in &write.path {
                // a write to an element of an array counts as a change of the array
                if matches!(key, Value::Int(_)) {
                    break;
                }
                path.push(vm.to_s_text(key)?);
            }
            index.entry((write.component as u8, path.clone())).or_default().push(writes.len());
            writes.push((write, path));
        }
        Ok(Sources { trees, merged, writes, index })
    }

    fn author(&self, vm: &mut Vm, at: usize) -> Author {
        let (file, line) = match self.writes.get(at) {
            Some((Write { file: Some(file), line, .. }, _)) => (file.clone(), *line),
            _ => return Author { kind: "machinery", name: None, source: None, attribute_file: false },
        };
        if line == 0 {
            let stem = file.rsplit('/').next().and_then(|base| base.split('.').next()).unwrap_or_default().to_string();
            let (kind, name) = match &*file {
                provenance::OHAI => ("ohai", None),
                provenance::JSON => ("json_cli", None),
                provenance::CHEF => ("machinery", None),
                path if path.starts_with("roles/") => ("role", Some(stem)),
                path if path.starts_with("environments/") => ("environment", Some(stem)),
                path if path.starts_with("policies/")
                    || path.starts_with("policyfiles/")
                    || path == "Policyfile.lock.json" =>
                {
                    // this policy's lock, whatever its name, or the name of an earlier policy
                    let current = crate::data::policy::of_run(vm).as_ref().filter(|policy| policy.source() == path);
                    let name = current.map(|policy| policy.choice.name.clone());
                    ("policy", name.or_else(|| path.rsplit('/').next().map(str::to_string)))
                }
                _ => ("saved_node", Some(stem)),
            };
            let source = (!matches!(kind, "ohai" | "json_cli" | "machinery")).then(|| file.to_string());
            return Author { kind, name, source, attribute_file: false };
        }
        let short = short_file(vm, &file);
        let below = if in_cookbook(vm, &short) { short.split_once('/').map_or("", |(_, rest)| rest) } else { "" };
        let kind = match below.split(['/', '.']).next().unwrap_or_default() {
            "attributes" => "attribute_file",
            "recipes" | "recipe" => "recipe",
            "libraries" => "library",
            "resources" | "providers" | "definitions" => "resource_block",
            _ => "machinery",
        };
        let attribute_file = kind == "attribute_file";
        Author { kind, name: None, source: Some(format!("{short}:{line}")), attribute_file }
    }

    /// The writes that made a component's value at a path: the last one, and earlier ones that it was merged with.
    fn makers(&self, vm: &mut Vm, component: Component, path: &[String]) -> Res<Vec<usize>> {
        let (mut last, mut merges, mut changed) = (None, Vec::new(), None);
        for length in 0..=path.len() {
            let Some(found) = self.index.get(&(component as u8, path[..length].to_vec())) else { continue };
            for &index in found {
                let (write, _) = &self.writes[index];
                match write.act {
                    Act::Write | Act::Assign => last = last.max(Some(index)),
                    Act::Vivify | Act::Mutate if length == path.len() => last = last.max(Some(index)),
                    Act::Mutate => changed = Some(index),
                    Act::Merge => {
                        let tree = value::encode(vm, &write.value, true)?;
                        if at(&tree, path).is_some() {
                            merges.push(index);
                        }
                    }
                    Act::Vivify | Act::Delete => {}
                }
            }
        }
        merges.retain(|index| Some(*index) > last);
        if !merges.is_empty() {
            if let Some(base) = last
                && self.value_at(vm, base, path)?.is_some_and(|value| !value.is_null())
            {
                merges.insert(0, base);
            }
            return Ok(merges);
        }
        // the assignment of an empty component is not the origin of values that were added later by changing an enclosing container
        Ok(last
            .filter(|_| changed.is_none_or(|changed| Some(changed) < last))
            .or(changed)
            .or(last)
            .into_iter()
            .collect())
    }

    /// The origin of every value, sorted by path.
    fn leaves(&self, vm: &mut Vm, automatic: bool) -> Res<Vec<Json>> {
        let mut found = Vec::new();
        let trees: Vec<Option<&Json>> = self.trees.iter().map(Some).collect();
        let mut path = Vec::new();
        self.descend(vm, &mut path, &trees, automatic, &mut found)?;
        Ok(found)
    }

    fn descend(
        &self,
        vm: &mut Vm,
        path: &mut Vec<String>,
        trees: &[Option<&Json>],
        automatic: bool,
        found: &mut Vec<Json>,
    ) -> Res<()> {
        vm.check_stack()?;
        let Some(merged) = at(&self.merged, path) else { return Ok(()) };
        match merged {
            Json::Object(map) if !map.is_empty() && !map.keys().any(|key| key.starts_with('$')) => {
                let mut keys: Vec<&rchef_model::document::Text> = map.keys().collect();
                keys.sort_unstable();
                for key in keys {
                    let inner: Vec<Option<&Json>> =
                        trees.iter().map(|tree| tree.and_then(|tree| tree.as_object()?.get(key))).collect();
                    let ohai_only = inner[..9].iter().all(Option::is_none);
                    if ohai_only && !automatic && !self.written_by_code(key, path.is_empty()) {
                        continue;
                    }
                    path.push(key.to_string());
                    self.descend(vm, path, &inner, automatic, found)?;
                    path.pop();
                }
            }
            leaf => {
                let parts: Vec<Part<'_>> = (Component::ALL.into_iter().zip(trees))
                    .filter_map(|(component, value)| Some(Part { component, value: (*value)? }))
                    .collect();
                let only_automatic = parts.iter().all(|part| part.component == Component::Automatic);
                let makers = if only_automatic { self.makers(vm, Component::Automatic, path)? } else { Vec::new() };
                let by_code = makers.last().is_some_and(|index| self.writes[*index].0.line > 0);
                if !only_automatic || automatic || by_code {
                    found.push(self.leaf(vm, path, leaf, &parts)?);
                }
            }
        }
        Ok(())
    }

    /// Whether Ruby code wrote automatic attributes below a top-level key.
    fn written_by_code(&self, key: &str, top: bool) -> bool {
        !top || self.writes.iter().any(|(write, path)| {
            write.component == Component::Automatic && write.line > 0 && path.first().is_some_and(|first| first == key)
        })
    }

    fn leaf(&self, vm: &mut Vm, path: &[String], merged: &Json, parts: &[Part<'_>]) -> Res<Json> {
        let mut map = Map::new();
        map.insert("path".into(), json!(path));
        map.insert("value".into(), merged.clone());
        let Some(top) = parts.last() else { return Ok(Json::Object(map)) };
        let group = top.component.group();
        // arrays of the same group are united, down to the first value that is not an array
        let united = parts
            .iter()
            .rev()
            .take_while(|part| part.component.group() == group && part.value.is_array() && merged.is_array())
            .count()
            .max(1);
        let (below, winners) = parts.split_at(parts.len() - united);
        let (mut merged_from, mut shadows) = (Vec::new(), Vec::new());
        for part in below {
            for index in self.makers(vm, part.component, path)? {
                shadows.push(self.source(vm, part, index, path)?);
            }
        }
        for part in winners {
            let mut makers = self.makers(vm, part.component, path)?;
            let replaced = if part.value.is_array() { 0 } else { makers.len().saturating_sub(1) };
            let mut older = self.earlier(part.component, path, makers.first().copied());
            older.extend(makers.drain(..replaced));
            for index in older {
                shadows.push(self.source(vm, part, index, path)?);
            }
            for index in makers {
                merged_from.push((index, self.source(vm, part, index, path)?));
            }
        }
        map.insert("level".into(), json!(top.component.name()));
        if let Some((index, _)) = merged_from.last() {
            let author = self.author(vm, *index);
            map.insert("rank".into(), json!(top.component.rank(author.attribute_file)));
            let key = if self.writes[*index].0.act == Act::Vivify { "vivified_by" } else { "set_by" };
            map.insert(key.into(), self.by(*index, &author));
        }
        if merged_from.len() > 1 {
            map.insert("merged_from".into(), merged_from.into_iter().map(|(_, source)| source).collect());
        }
        if !shadows.is_empty() {
            map.insert("shadows".into(), Json::Array(shadows));
        }
        Ok(Json::Object(map))
    }

    /// Earlier writes to exactly this path in the component, which a later one replaced.
    fn earlier(&self, component: Component, path: &[String], last: Option<usize>) -> Vec<usize> {
        let found = self.index.get(&(component as u8, path.to_vec())).cloned().unwrap_or_default();
        found
            .into_iter()
            .filter(|index| Some(*index) < last && self.writes[*index].0.act == Act::Write)
            .filter(|_| last.is_some_and(|last| self.writes[last].0.act != Act::Mutate))
            .collect()
    }

    fn by(&self, index: usize, author: &Author) -> Json {
        let mut map = Map::new();
        map.insert("kind".into(), json!(author.kind));
        if let Some(name) = &author.name {
            map.insert("name".into(), json!(name));
        }
        if let Some(source) = &author.source {
            map.insert("source".into(), json!(source));
        }
        map.insert("seq".into(), json!(self.writes[index].0.seq + 1));
        Json::Object(map)
    }

    /// One contribution: its level, origin, place and value.
    fn source(&self, vm: &mut Vm, part: &Part<'_>, index: usize, path: &[String]) -> Res<Json> {
        let author = self.author(vm, index);
        let mut map = Map::new();
        map.insert("level".into(), json!(part.component.name()));
        map.insert("rank".into(), json!(part.component.rank(author.attribute_file)));
        if let Json::Object(by) = self.by(index, &author) {
            map.extend(by);
        }
        let value = self.value_at(vm, index, path)?.unwrap_or_else(|| part.value.clone());
        map.insert("value".into(), value);
        Ok(Json::Object(map))
    }

    /// The value that a write stored at a path.
    fn value_at(&self, vm: &mut Vm, index: usize, path: &[String]) -> Res<Option<Json>> {
        let (write, from) = &self.writes[index];
        if from.len() > path.len() || write.act == Act::Delete || write.path.len() > from.len() {
            return Ok(None);
        }
        let value = value::encode(vm, &write.value, true)?;
        Ok(at(&value, &path[from.len()..]).cloned())
    }

    /// A write as an event; with a path, including the value stored there.
    fn event(&self, vm: &mut Vm, index: usize, author: &Author, path: Option<&[String]>) -> Res<Json> {
        let (write, at) = &self.writes[index];
        let mut map = Map::new();
        map.insert("seq".into(), json!(write.seq + 1));
        map.insert("level".into(), json!(write.component.name()));
        map.insert("rank".into(), json!(write.component.rank(author.attribute_file)));
        let act = match write.act {
            Act::Write => "write",
            Act::Vivify => "vivify",
            Act::Delete => "delete",
            Act::Assign => "assign",
            Act::Merge => "merge",
            Act::Mutate => "change",
        };
        map.insert("act".into(), json!(act));
        map.insert("path".into(), json!(at));
        map.insert("kind".into(), json!(author.kind));
        if let Some(name) = &author.name {
            map.insert("name".into(), json!(name));
        }
        if let Some(source) = &author.source {
            map.insert("source".into(), json!(source));
        }
        if !matches!(write.act, Act::Delete | Act::Vivify)
            && let Some(value) = self.value_at(vm, index, path.unwrap_or(at))?
        {
            map.insert("value".into(), value);
        }
        Ok(Json::Object(map))
    }

    /// The history of one value: its current value, the value of each component, and every write that touched it (`rchef explain`).
    pub fn explain(&self, vm: &mut Vm, path: &[String]) -> Res<Json> {
        let mut map = Map::new();
        map.insert("path".into(), json!(path));
        let merged = at(&self.merged, path);
        map.insert("found".into(), json!(merged.is_some()));
        let parts: Vec<Part<'_>> = Component::ALL
            .into_iter()
            .filter_map(|component| Some(Part { component, value: at(&self.trees[component as usize], path)? }))
            .collect();
        if let Some(merged) = merged
            && let Json::Object(leaf) = self.leaf(vm, path, merged, &parts)?
        {
            map.extend(leaf);
        }
        let levels = parts.iter().map(|part| (part.component.name().to_string(), part.value.clone())).collect();
        map.insert("levels".into(), Json::Object(levels));
        let mut history = Vec::new();
        for index in 0..self.writes.len() {
            let (write, from) = &self.writes[index];
            let shared = from.len().min(path.len());
            if from[..shared] != path[..shared] {
                continue;
            }
            let above = from.len() < path.len();
            if above && matches!(write.act, Act::Vivify | Act::Mutate) {
                continue;
            }
            if above && write.act != Act::Delete && self.value_at(vm, index, path)?.is_none() {
                continue;
            }
            let author = self.author(vm, index);
            history.push(self.event(vm, index, &author, above.then_some(path))?);
        }
        map.insert("history".into(), Json::Array(history));
        Ok(Json::Object(map))
    }
}
