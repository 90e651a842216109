//! Compares two dumps. Resources are paired by type and name, within the resource whose action declares them, then by similarity; not by id,
//! because ids are consecutive numbers.

use super::ignore::Ignore;
use super::side::Side;
use super::value::{parts, plain, same};
use rchef_change::diff::unified;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub struct Found {
    /// Differing resources in the order of the second side; removed ones at their former position.
    pub resources: Vec<Change>,
    pub attributes: Vec<Attribute>,
    /// Number of equal resources.
    pub same: usize,
}

impl Found {
    pub fn differ(&self) -> bool {
        !self.resources.is_empty() || !self.attributes.is_empty()
    }

    /// Number of resources with this kind of difference.
    pub fn count(&self, kind: Kind) -> usize {
        self.resources.iter().filter(|change| change.kind == kind).count()
    }
}

/// The kind of a resource's difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Added,
    Removed,
    Changed,
    /// The same, at another position.
    Moved,
}

/// A differing resource.
pub struct Change {
    pub kind: Kind,
    /// `type[name]`, preceded by the resources whose actions declare it.
    pub key: String,
    /// Its former key, if it was renamed.
    pub was: Option<String>,
    /// Former file and line.
    pub from: Option<String>,
    /// New file and line.
    pub to: Option<String>,
    pub parts: Vec<Part>,
    /// The contents of its file, if both are known and differ.
    pub content: Option<Content>,
}

/// The difference of a file's contents.
pub struct Content {
    /// As a unified diff.
    pub diff: String,
    /// Indexes in [`Found::attributes`] of attributes that explain the difference.
    pub because: Vec<usize>,
}

/// A differing property, action, guard or notification.
pub struct Part {
    pub path: String,
    pub from: Option<Json>,
    pub to: Option<Json>,
    /// Indexes in [`Found::attributes`] of attributes that explain the difference.
    pub because: Vec<usize>,
}

/// A differing attribute.
pub struct Attribute {
    /// `node['a']['b']`.
    pub name: String,
    pub from: Option<Json>,
    pub to: Option<Json>,
    /// Who set the former value.
    pub from_by: Option<String>,
    /// Who set the new value.
    pub to_by: Option<String>,
}

struct Item<'d> {
    path: String,
    record: &'d Json,
    edges: Vec<Json>,
}

pub fn compare(from: &Side, to: &Side, ignore: &Ignore) -> Found {
    let mut found = Found { attributes: attributes(&from.dump, &to.dump, ignore), ..Found::default() };
    // a chef-client's dump lacks resources of actions, providers, and who declared a notification, so these are ignored on both sides
    let coarse = [from, to].iter().any(|side| side.dump["schema"] == "chef-dump/1");
    let flat = coarse || !from.expanded || !to.expanded;
    let (before, after) = (items(&from.dump, coarse, flat), items(&to.dump, coarse, flat));
    let pairs = pair(&before, &after);
    let moved = moved(&pairs);
    let paired: BTreeSet<usize> = pairs.iter().map(|(a, _)| *a).collect();
    let of_after: BTreeMap<usize, usize> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
    let mut gone = (0..before.len()).filter(|at| !paired.contains(at)).peekable();
    for (at, item) in after.iter().enumerate() {
        let Some(old) = of_after.get(&at) else {
            if !ignore.resource(key(item)) {
                found.resources.push(alone(Kind::Added, item));
            }
            continue;
        };
        while let Some(place) = gone.next_if(|place| place < old) {
            found.resources.extend(removed(&before[place], ignore));
        }
        if ignore.resource(key(item)) {
            continue;
        }
        let change = changed(&before[*old], item, moved.contains(&at), coarse, &found.attributes, ignore);
        match change {
            Some(change) => found.resources.push(change),
            None => found.same += 1,
        }
    }
    found.resources.extend(gone.filter_map(|place| removed(&before[place], ignore)));
    found
}

fn removed(item: &Item<'_>, ignore: &Ignore) -> Option<Change> {
    (!ignore.resource(key(item))).then(|| alone(Kind::Removed, item))
}

fn key<'i>(item: &'i Item<'_>) -> &'i str {
    item.record["key"].as_str().unwrap_or(&item.path)
}

fn source(item: &Item<'_>) -> Option<String> {
    item.record["source"].as_str().map(str::to_string)
}

fn alone(kind: Kind, item: &Item<'_>) -> Change {
    let place = source(item);
    let (from, to) = if kind == Kind::Added { (None, place) } else { (place, None) };
    Change { kind, key: item.path.clone(), was: None, from, to, parts: Vec::new(), content: None }
}

/// The resources of a dump in order; those that actions declare follow the resource.
fn items(dump: &Json, coarse: bool, flat: bool) -> Vec<Item<'_>> {
    let mut edges: BTreeMap<&str, Vec<Json>> = BTreeMap::new();
    for edge in dump["notifications"].as_array().into_iter().flatten() {
        let text = |key: &str| edge[key].as_str().unwrap_or_default();
        let declared = if coarse { "notifies" } else { text("declared_as") };
        let shown = format!("{declared} :{} {} ({})", text("action"), text("to"), text("timing"));
        edges.entry(text("from_id")).or_default().push(Json::String(shown));
    }
    let mut all = Vec::new();
    collect(&dump["resources"], "", &edges, flat, &mut all);
    all
}

fn collect<'d>(list: &'d Json, outer: &str, edges: &BTreeMap<&str, Vec<Json>>, flat: bool, all: &mut Vec<Item<'d>>) {
    for record in list.as_array().into_iter().flatten() {
        let key = record["key"].as_str().unwrap_or_default();
        let path = if outer.is_empty() { key.to_string() } else { format!("{outer} > {key}") };
        let mut own = record["id"].as_str().and_then(|id| edges.get(id)).cloned().unwrap_or_default();
        own.sort_by_key(Json::to_string);
        all.push(Item { path: path.clone(), record, edges: own });
        for child in record["children"].as_array().into_iter().flatten().filter(|_| !flat) {
            let action = child["action"].as_str().unwrap_or_default();
            for declared in ["resources", "on_change"] {
                collect(&child[declared], &format!("{path} :{action}"), edges, flat, all);
            }
        }
    }
}

/// Pairs indexes: the nth resource of a path with the nth of the same path, then the rest by similarity.
fn pair(before: &[Item<'_>], after: &[Item<'_>]) -> Vec<(usize, usize)> {
    let mut of_path: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, item) in before.iter().enumerate().rev() {
        of_path.entry(&item.path).or_default().push(at);
    }
    let mut pairs = Vec::new();
    let mut left = Vec::new();
    for (at, item) in after.iter().enumerate() {
        match of_path.get_mut(item.path.as_str()).and_then(Vec::pop) {
            Some(old) => pairs.push((old, at)),
            None => left.push(at),
        }
    }
    let mut old: Vec<usize> = of_path.into_values().flatten().collect();
    old.sort_unstable();
    for at in left {
        let like = old.iter().position(|old| alike(&before[*old], &after[at]));
        if let Some(place) = like {
            pairs.push((old.remove(place), at));
        }
    }
    pairs.sort_unstable_by_key(|(_, b)| *b);
    pairs
}

/// Whether one resource is probably the other renamed: same type and recipe, and the same place or the same properties.
fn alike(a: &Item<'_>, b: &Item<'_>) -> bool {
    let equal = |key: &str| a.record[key] == b.record[key];
    let line = |item: &Item<'_>| item.record["source"].as_str().map(str::to_string);
    let properties =
        |item: &Item<'_>| item.record["properties"].as_object().map(|map| map.keys().cloned().collect::<Vec<_>>());
    equal("type")
        && equal("cookbook")
        && equal("recipe")
        && a.path.matches(" > ").count() == b.path.matches(" > ").count()
        && (line(a) == line(b)
            || equal("action") && properties(a) == properties(b) && properties(a).is_some_and(|list| list.len() > 2))
}

/// Indexes of resources that moved: all pairs outside of a longest increasing subsequence.
fn moved(pairs: &[(usize, usize)]) -> BTreeSet<usize> {
    // `ends[n]` is the index in `pairs` where the best subsequence of n + 1 pairs ends
    let mut ends: Vec<usize> = Vec::new();
    let mut previous = vec![None; pairs.len()];
    for (at, (old, _)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].0 < *old);
        previous[at] = length.checked_sub(1).map(|before| ends[before]);
        if length == ends.len() { ends.push(at) } else { ends[length] = at }
    }
    let mut kept = BTreeSet::new();
    let mut next = ends.last().copied();
    while let Some(at) = next {
        kept.insert(at);
        next = previous[at];
    }
    (0..pairs.len()).filter(|at| !kept.contains(at)).map(|at| pairs[at].1).collect()
}

fn changed(
    a: &Item<'_>,
    b: &Item<'_>,
    moved: bool,
    coarse: bool,
    attributes: &[Attribute],
    ignore: &Ignore,
) -> Option<Change> {
    let mut found = Vec::new();
    let of_both = |facet: &str| !a.record[facet].is_null() && !b.record[facet].is_null();
    for section in ["properties", "common"] {
        let [from, to] = [a, b].map(|item| {
            let values = plain(&item.record[section]);
            if coarse { set(values, item.record, section) } else { values }
        });
        let some = |value: &Json| if value.is_null() { Json::Object(serde_json::Map::new()) } else { value.clone() };
        parts("", Some(&some(&from)), Some(&some(&to)), &mut found);
    }
    // a chef-client's dump names the class of a custom resource differently, and the type is equivalent
    let facets = ["action", "cookbook", "recipe", "class"];
    for facet in &facets[..facets.len() - usize::from(coarse)] {
        parts(facet, Some(&plain(&a.record[facet])), Some(&plain(&b.record[facet])), &mut found);
    }
    if of_both("provider") {
        parts("provider", Some(&a.record["provider"]["class"]), Some(&b.record["provider"]["class"]), &mut found);
    }
    let list = |items: Vec<Json>| {
        Some(Json::Array(items)).filter(|list| list.as_array().is_some_and(|items| !items.is_empty()))
    };
    let texts = [a, b].iter().all(|item| has_blocks(item));
    parts("guards", list(guards(a, texts)).as_ref(), list(guards(b, texts)).as_ref(), &mut found);
    parts("notifications", list(a.edges.clone()).as_ref(), list(b.edges.clone()).as_ref(), &mut found);
    // a side without rendered contents cannot be compared; `content` is compared as a property
    let (old, new) = (&a.record["rendered"], &b.record["rendered"]);
    let both = !old.is_null() && !new.is_null();
    let shown = |key: &str| !old[key].is_null() && !new[key].is_null();
    let differ = match (shown("sha256"), shown("text")) {
        (true, _) => old["sha256"] != new["sha256"],
        (false, true) => !same(&old["text"], &new["text"]),
        (false, false) => false,
    };
    let mut content = None;
    if both && (differ || old["error"] != new["error"]) {
        if !ignore.property(key(b), "content") {
            match (old["text"].as_str(), new["text"].as_str()) {
                (Some(from), Some(to)) if from != to => {
                    let because = causes(Some(&old["text"]), Some(&new["text"]), attributes);
                    content = Some(Content { diff: unified(from, to, Some(("before", "after"))), because });
                }
                _ => found.push(("content".into(), Some(digest(old)), Some(digest(new)))),
            }
        }
        if content.is_some() {
            found.retain(|(path, ..)| path != "content");
        }
    }
    found.retain(|(path, from, to)| {
        !(ignore.property(key(b), path) || path == "mode" && same_mode(from.as_ref(), to.as_ref()))
    });
    let parts: Vec<Part> = found
        .into_iter()
        .map(|(path, from, to)| {
            let because = causes(from.as_ref(), to.as_ref(), attributes);
            Part { path, from, to, because }
        })
        .collect();
    let renamed = (a.path != b.path).then(|| a.path.clone());
    let kind = match (parts.is_empty() && content.is_none() && renamed.is_none(), moved) {
        (false, _) => Kind::Changed,
        (true, true) => Kind::Moved,
        (true, false) => return None,
    };
    Some(Change { kind, key: b.path.clone(), was: renamed, from: source(a), to: source(b), parts, content })
}

/// Normalizes properties for a comparison with a chef-client: nil means not set, and a template has a default source.
fn set(properties: Json, record: &Json, section: &str) -> Json {
    let Json::Object(map) = properties else { return properties };
    let mut map: serde_json::Map<String, Json> = map.into_iter().filter(|(_, value)| !value.is_null()).collect();
    if section == "properties" && record["type"] == "template" {
        let name = record["name"].as_str().unwrap_or_default();
        let base = name.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        map.entry("source").or_insert_with(|| format!("{base}.erb").into());
    }
    Json::Object(map)
}

/// Whether two modes are equal, even if one is a number and the other a string of octal digits.
fn same_mode(from: Option<&Json>, to: Option<&Json>) -> bool {
    let number = |value: Option<&Json>| match value? {
        Json::String(digits) => u64::from_str_radix(digits, 8).ok(),
        other => other.as_u64(),
    };
    number(from).is_some_and(|mode| number(to) == Some(mode))
}

fn digest(rendered: &Json) -> Json {
    let text = |value: &Json| value.as_str().map(str::to_string);
    let error = text(&rendered["error"]["message"]).map(|message| format!("cannot be rendered: {message}"));
    let shown = error.or_else(|| text(&rendered["sha256"]).map(|sum| format!("SHA-256 {sum}")));
    shown.map_or(Json::Null, Json::String)
}

/// Whether a dump shows the blocks of guards.
fn has_blocks(item: &Item<'_>) -> bool {
    let mut list = item.record["guards"].as_array().into_iter().flatten();
    list.all(|guard| !guard["command"].is_null() || guard["text"].is_string())
}

/// Guards without their places; with `texts` blocks as they are written.
fn guards(item: &Item<'_>, texts: bool) -> Vec<Json> {
    let list = item.record["guards"].as_array().cloned().unwrap_or_default();
    list.iter()
        .map(|guard| {
            let kind = guard["kind"].as_str().unwrap_or_default();
            let what = match (&guard["command"], &guard["text"]) {
                (Json::Null, Json::String(text)) if texts => text.clone(),
                (Json::Null, _) => format!("{kind} {{ … }}"),
                (command, _) => format!("{kind} {}", plain(command)),
            };
            Json::String(what)
        })
        .collect()
}

/// Indexes of attributes that explain a difference: those with the same old and new values, else those whose replacement in the old text gives the
/// new text.
fn causes(from: Option<&Json>, to: Option<&Json>, attributes: &[Attribute]) -> Vec<usize> {
    let (Some(from), Some(to)) = (from, to) else { return Vec::new() };
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    let exact = |attribute: &Attribute| {
        attribute.from.as_ref().is_some_and(|value| same(value, from))
            && attribute.to.as_ref().is_some_and(|value| same(value, to))
    };
    let equal: Vec<usize> = (0..attributes.len()).filter(|at| exact(&attributes[*at])).collect();
    if !equal.is_empty() {
        return equal;
    }
    let (before, after) = (text(from), text(to));
    let mut made = before;
    let mut used = Vec::new();
    for (at, attribute) in attributes.iter().enumerate() {
        let (Some(old), Some(new)) = (&attribute.from, &attribute.to) else { continue };
        let (old, new) = (text(old), text(new));
        if !old.is_empty() && made.contains(&old) && after.contains(&new) {
            made = made.replace(&old, &new);
            used.push(at);
        }
    }
    if made == after { used } else { Vec::new() }
}

fn attributes(from: &Json, to: &Json, ignore: &Ignore) -> Vec<Attribute> {
    let (from, to) = (&from["attributes"], &to["attributes"]);
    if from["merged"].is_null() || to["merged"].is_null() {
        return Vec::new();
    }
    let (before, after) = (authors(from), authors(to));
    let mut found = Vec::new();
    leaves(&mut Vec::new(), Some(&from["merged"]), Some(&to["merged"]), &mut found);
    found
        .into_iter()
        .map(|(path, from, to)| {
            let name = path.iter().fold("node".to_string(), |name, key| format!("{name}['{key}']"));
            Attribute { name, from_by: author(&before, &path), to_by: author(&after, &path), from, to }
        })
        .filter(|attribute| !ignore.attribute(&attribute.name))
        .collect()
}

type Leaf = (Vec<String>, Option<Json>, Option<Json>);

/// Collects differing attributes, descending into maps.
fn leaves(path: &mut Vec<String>, a: Option<&Json>, b: Option<&Json>, found: &mut Vec<Leaf>) {
    let map = |value: Option<&Json>| {
        value.and_then(Json::as_object).filter(|map| !map.keys().any(|key| key.starts_with('$'))).cloned()
    };
    let (from, to) = (map(a), map(b));
    let follow = match (&from, &to) {
        (Some(_), Some(_)) => true,
        (Some(map), None) => b.is_none() && !map.is_empty(),
        (None, Some(map)) => a.is_none() && !map.is_empty(),
        (None, None) => false,
    };
    if follow {
        let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
        let keys: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
        for key in keys {
            path.push(key.clone());
            leaves(path, from.get(key), to.get(key), found);
            path.pop();
        }
        return;
    }
    let equal = match (a, b) {
        (Some(a), Some(b)) => same(&plain(a), &plain(b)),
        _ => a.is_none() && b.is_none(),
    };
    if !equal {
        found.push((path.clone(), a.map(plain), b.map(plain)));
    }
}

/// Who set each value, by its path.
fn authors(attributes: &Json) -> BTreeMap<Vec<String>, String> {
    let mut all = BTreeMap::new();
    for entry in attributes["provenance"].as_array().into_iter().flatten() {
        let path =
            entry["path"].as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_string).collect();
        let by = &entry["set_by"];
        let level = entry["level"].as_str().unwrap_or_default();
        let place = by["source"].as_str().or(by["name"].as_str()).or(by["kind"].as_str()).unwrap_or_default();
        all.insert(path, format!("{place} ({level})"));
    }
    all
}

/// Who set a value, or the nearest map that contains it.
fn author(authors: &BTreeMap<Vec<String>, String>, path: &[String]) -> Option<String> {
    (1..=path.len()).rev().find_map(|length| authors.get(&path[..length])).cloned()
}
