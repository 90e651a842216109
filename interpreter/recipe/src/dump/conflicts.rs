//! Finds objects that two policies of one node both manage in different ways, so that each run would undo the other's changes.

use crate::resource::def::{Content, Manages, Object, ResourceDef};
use rchef_model::document::{Map, Value as Json};
use rchef_model::json;
use std::collections::BTreeMap;

/// The kind of object that each type of resource manages, by DSL name; types that are not in the table are not compared.
pub struct Table(BTreeMap<&'static str, Object>);

impl Table {
    /// Builds the table from the shipped resources; children without an object of their own inherit their parent's.
    pub fn new(defs: &[&ResourceDef]) -> Table {
        let by_class: BTreeMap<&str, &ResourceDef> = defs.iter().map(|def| (def.class, *def)).collect();
        let mut table = BTreeMap::new();
        for def in defs {
            let (mut at, mut depth) = (*def, 0);
            let object = loop {
                match at.manages {
                    Manages::Object(object) => break Some(object),
                    Manages::Nothing => break None,
                    Manages::Inherited => {}
                }
                depth += 1;
                match by_class.get(at.parent).filter(|_| depth < defs.len()) {
                    Some(parent) => at = parent,
                    None => break None,
                }
            };
            if let Some(object) = object {
                table.extend(
                    std::iter::once(def.name)
                        .chain(def.provides.iter().map(|name| name.name))
                        .map(|name| (name, object)),
                );
            }
        }
        Table(table)
    }

    pub fn object(&self, kind: &str) -> Option<&Object> {
        self.0.get(kind)
    }
}

/// Properties that determine a file's content.
const CONTENT: [&str; 5] = ["content", "source", "variables", "checksum", "to"];
/// Properties that do not affect the object's state, or only how it is reached.
const BESIDE: [&str; 4] = ["backup", "retries", "sensitive", "version"];
/// Pairs of actions that contradict each other.
const OPPOSITES: [(&[&str], &[&str]); 6] = [
    (
        &["create", "create_if_missing", "install", "upgrade", "add", "mount", "apply"],
        &["delete", "remove", "purge", "umount", "unmount"],
    ),
    (&["start", "restart", "reload"], &["stop"]),
    (&["enable"], &["disable"]),
    (&["mask"], &["unmask", "start", "enable"]),
    (&["lock"], &["unlock"]),
    (&["load"], &["unload", "blacklist"]),
];

/// A resource that manages an object.
struct Manager<'a> {
    policy: &'a str,
    key: &'a str,
    source: &'a str,
    kind: &'a str,
    identity: &'static str,
    content: Content,
    cookbook: &'a str,
    actions: Vec<&'a str>,
    properties: Option<&'a Map>,
    version: Option<Json>,
}

fn text<'a>(value: &'a Json, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn texts(value: Option<&Json>) -> Vec<Option<String>> {
    let one = |value: &Json| value.as_str().map(str::to_string);
    match value {
        None => Vec::new(),
        Some(value) => value.as_array().map_or_else(|| vec![one(value)], |list| list.iter().map(one).collect()),
    }
}

/// The names of the objects that a resource manages, each with the wanted version.
fn objects(resource: &Json, object: &Object) -> Vec<(String, Option<Json>)> {
    let name = text(resource, "name");
    let property = |key: &str| resource["properties"].get(key);
    if object.several {
        let given = texts(property(object.identity));
        let names =
            if given.is_empty() { name.split(", ").map(|name| Some(name.to_string())).collect() } else { given };
        let versions = texts(property("version"));
        let at = |at: usize| versions.get(at).cloned().flatten().map(Json::from);
        return names.into_iter().enumerate().filter_map(|(index, name)| Some((name?, at(index)))).collect();
    }
    let name = property(object.identity).and_then(Json::as_str).unwrap_or(name);
    vec![(object.plain(name).to_string(), None)]
}

fn collect<'a>(
    table: &Table,
    policy: &'a str,
    resources: &'a Json,
    found: &mut BTreeMap<(&'static str, String), Vec<Manager<'a>>>,
) {
    for resource in resources.as_array().into_iter().flatten() {
        let mut actions: Vec<&str> =
            resource["action"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        actions.retain(|action| *action != "nothing");
        if let Some(object) = table.0.get(text(resource, "type")).filter(|_| !actions.is_empty()) {
            for (name, version) in objects(resource, object) {
                found.entry((object.kind, name)).or_default().push(Manager {
                    policy,
                    identity: object.identity,
                    content: object.content,
                    key: text(resource, "key"),
                    source: text(resource, "source"),
                    kind: text(resource, "type"),
                    cookbook: text(resource, "cookbook"),
                    actions: actions.clone(),
                    properties: resource["properties"].as_object(),
                    version,
                });
            }
        }
        for child in resource["children"].as_array().into_iter().flatten() {
            collect(table, policy, &child["resources"], found);
            collect(table, policy, &child["on_change"], found);
        }
    }
}

/// A property or action that two managers set differently: its name, and both values.
type Difference = (String, Json, Json);

fn differences(one: &Manager<'_>, other: &Manager<'_>) -> Vec<Difference> {
    let mut found = Vec::new();
    for (these, those) in OPPOSITES {
        let has = |manager: &Manager<'_>, names: &[&str]| manager.actions.iter().any(|action| names.contains(action));
        if has(one, these) && has(other, those) || has(one, those) && has(other, these) {
            found.push(("action".to_string(), json!(one.actions), json!(other.actions)));
            break;
        }
    }
    if let (Some(first), Some(second)) = (&one.version, &other.version)
        && first != second
    {
        found.push(("version".into(), first.clone(), second.clone()));
    }
    let empty = Map::new();
    let (first, second) = (one.properties.unwrap_or(&empty), other.properties.unwrap_or(&empty));
    let holds = |manager: &Manager<'_>, map: &Map| match manager.content {
        Content::None | Content::Directory => false,
        Content::Given(property) => map.get(property).is_some(),
        Content::Whole | Content::OfCookbook => true,
    };
    if holds(one, first) && holds(other, second) {
        let of = |manager: &Manager<'_>, map: &Map| {
            let cookbook = map.get("cookbook").and_then(Json::as_str).unwrap_or(manager.cookbook);
            (manager.content == Content::OfCookbook).then(|| cookbook.to_string())
        };
        if one.kind != other.kind || of(one, first) != of(other, second) {
            let shown = |manager: &Manager<'_>, map: &Map| match of(manager, map) {
                Some(cookbook) => json!(format!("{} of cookbook {cookbook}", manager.kind)),
                None => json!(manager.kind),
            };
            found.push(("content".into(), shown(one, first), shown(other, second)));
        }
    }
    if (one.content == Content::Directory) != (other.content == Content::Directory) {
        found.push(("type".into(), json!(one.kind), json!(other.kind)));
    }
    for (name, value) in first.iter() {
        let Some(wanted) = second.get(name) else { continue };
        let content = CONTENT.contains(&&**name);
        let names = [one.identity, other.identity].contains(&&**name);
        if value != wanted && !names && !BESIDE.contains(&&**name) && (!content || one.kind == other.kind) {
            found.push((name.to_string(), value.clone(), wanted.clone()));
        }
    }
    found
}

/// The conflicts between the dumps of several policies: the object, the resources and policies that manage it, and their differences.
pub fn of(table: &Table, documents: &[Json]) -> Json {
    let mut managed = BTreeMap::new();
    for document in documents {
        let policy = document["inputs"]["policy"]["name"].as_str().unwrap_or_default();
        collect(table, policy, &document["resources"], &mut managed);
    }
    let mut list = Vec::new();
    for ((family, name), managers) in &managed {
        for (at, one) in managers.iter().enumerate() {
            for other in managers[at + 1..].iter().filter(|other| other.policy != one.policy) {
                let differs = differences(one, other);
                if differs.is_empty() {
                    continue;
                }
                let by = |manager: &Manager<'_>| json!({ "policy": manager.policy, "resource": manager.key, "source": manager.source });
                let differs: Vec<Json> = differs
                    .into_iter()
                    .map(|(what, first, second)| json!({ "what": what, "values": vec![first, second] }))
                    .collect();
                list.push(json!({ "object": format!("{family} {name}"), "managed_by": vec![by(one), by(other)], "differs": differs }));
            }
        }
    }
    Json::Array(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        const fn def(class: &'static str, parent: &'static str, name: &'static str, manages: Manages) -> ResourceDef {
            ResourceDef { name, class, parent, manages, ..ResourceDef::DEFAULT }
        }
        const PACKAGE: Object = Object { several: true, ..Object::new("package", "package_name") };
        const SERVICE: Object = Object { ending: ".service", ..Object::new("service", "service_name") };
        static DEFS: [ResourceDef; 7] = [
            def("Package", "", "package", Manages::Object(PACKAGE)),
            def("AptPackage", "Package", "apt_package", Manages::Inherited),
            def("File", "", "file", Manages::Object(Object::path("path", Content::Given("content")))),
            def("Template", "File", "template", Manages::Object(Object::path("path", Content::OfCookbook))),
            def("Service", "", "service", Manages::Object(SERVICE)),
            def("SystemdUnit", "", "systemd_unit", Manages::Object(Object { identity: "unit_name", ..SERVICE })),
            def("User", "", "user", Manages::Object(Object::new("user", "username"))),
        ];
        Table::new(&DEFS.iter().collect::<Vec<_>>())
    }
    fn document(policy: &str, resources: serde_json::Value) -> Json {
        Json::from(serde_json::json!({ "inputs": { "policy": { "name": policy } }, "resources": resources }))
    }
    fn conflicts(one: serde_json::Value, two: serde_json::Value) -> Vec<String> {
        let found = of(&table(), &[document("one", one), document("two", two)]);
        let line = |found: &Json| {
            let what: Vec<&str> = found["differs"].as_array().unwrap().iter().map(|each| text(each, "what")).collect();
            format!("{}: {}", text(found, "object"), what.join(", "))
        };
        found.as_array().unwrap().iter().map(line).collect()
    }
    fn resource(kind: &str, name: &str, action: &str, properties: serde_json::Value) -> serde_json::Value {
        serde_json::json!({ "type": kind, "name": name, "key": format!("{kind}[{name}]"), "action": [action], "properties": properties, "cookbook": "c" })
    }

    #[test]
    fn versions_of_a_package() {
        let one = serde_json::json!([resource("package", "foo", "install", serde_json::json!({ "version": "1.0" }))]);
        let two = serde_json::json!([resource(
            "apt_package",
            "my foo",
            "install",
            serde_json::json!({ "package_name": ["bar", "foo"], "version": ["3", "2.0"] })
        )]);
        assert_eq!(conflicts(one.clone(), two), ["package foo: version"]);
        assert!(conflicts(one.clone(), one).is_empty());
    }

    #[test]
    fn contents_of_a_file() {
        let file = |text: &str, mode: &str| {
            resource("file", "/etc/motd", "create", serde_json::json!({ "content": text, "mode": mode }))
        };
        assert_eq!(
            conflicts(serde_json::json!([file("a", "0644")]), serde_json::json!([file("b", "0600")])),
            ["path /etc/motd: content, mode"]
        );
        let template = resource("template", "/etc/motd", "create", serde_json::json!({ "source": "motd.erb" }));
        assert_eq!(
            conflicts(serde_json::json!([file("a", "0644")]), serde_json::json!([template])),
            ["path /etc/motd: content"]
        );
        let mode = resource("file", "/etc/motd", "create", serde_json::json!({ "mode": "0644" }));
        assert!(conflicts(serde_json::json!([file("a", "0644")]), serde_json::json!([mode])).is_empty());
    }

    #[test]
    fn actions_that_contradict() {
        let act = |kind: &str, name: &str, action: &str| {
            serde_json::json!([resource(kind, name, action, serde_json::json!({}))])
        };
        assert_eq!(
            conflicts(act("service", "nginx", "enable"), act("systemd_unit", "nginx.service", "disable")),
            ["service nginx: action"]
        );
        assert!(conflicts(act("service", "nginx", "enable"), act("service", "nginx", "start")).is_empty());
        assert!(conflicts(act("service", "nginx", "nothing"), act("service", "nginx", "disable")).is_empty());
    }

    #[test]
    fn names_of_an_object_do_not_differ() {
        let unit = |name: &str| {
            serde_json::json!([resource("systemd_unit", name, "enable", serde_json::json!({ "unit_name": name }))])
        };
        assert!(conflicts(unit("nginx"), unit("nginx.service")).is_empty());
    }

    #[test]
    fn resources_of_custom_resources_count() {
        let inner = resource("user", "app", "create", serde_json::json!({ "uid": 1 }));
        let outer = serde_json::json!([{ "type": "mine", "name": "x", "key": "mine[x]", "action": ["run"], "children": [{ "action": "run", "resources": [inner] }] }]);
        let plain = serde_json::json!([resource("user", "app", "create", serde_json::json!({ "uid": 2 }))]);
        assert_eq!(conflicts(outer, plain), ["user app: uid"]);
    }
}
