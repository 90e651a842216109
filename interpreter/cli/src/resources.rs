//! `rchef resources`: the list of resources, and the documentation of one, from their definition tables.

use crate::compile::parse;
use crate::diagnostic;
use clap::Parser;
use rchef_host::RealHost;
use rchef_providers::Level;
use rchef_providers::register::ALL;
use rchef_recipe::provider::native;
use rchef_recipe::resource::def::{Default_, PropertyDef, Required, ResourceDef, Type};
use rchef_ruby::Vm;
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;
use std::rc::Rc;

/// Print the documentation of resources.
#[derive(Parser, Debug)]
#[command(
    name = "rchef resources",
    about = "List the resources that Chef ships, or print the documentation of one",
    after_help = "Examples:\n  rchef resources\n  rchef resources template\n  rchef resources apt_repository --json"
)]
pub struct Options {
    /// A resource by its name or by a name that recipes call it by
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the command; gives the exit status.
pub fn run(args: &[String]) -> u8 {
    let options: Options = match parse("rchef resources", args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let Some(name) = &options.name else {
        diagnostic::print(&list(options.json));
        return 0;
    };
    let exact = ALL.iter().find(|def| def.name == name);
    let called = || ALL.iter().find(|def| def.provides.iter().any(|provides| provides.name == name));
    match exact.or_else(called) {
        Some(def) => {
            let text = if options.json { format!("{:#}\n", document(def, &converging())) } else { page(def) };
            diagnostic::print(&text);
            0
        }
        None => {
            diagnostic::complain(&format!("rchef resources: Chef ships no resource {name}{}\n", near(name)));
            1
        }
    }
}

/// `; did you mean …` for a misspelt name.
fn near(name: &str) -> String {
    let mut best: Vec<(usize, &str)> = ALL.iter().map(|def| (distance(name, def.name), def.name)).collect();
    best.sort_unstable();
    match best.first() {
        Some((distance, found)) if *distance <= name.len().div_ceil(3) => format!("; did you mean {found}?"),
        _ => String::new(),
    }
}
/// Number of characters to insert, delete or replace.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let cost = corner + usize::from(left != *right);
            corner = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(corner + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

fn sorted() -> Vec<&'static ResourceDef> {
    let mut all = ALL.to_vec();
    all.sort_by_key(|def| def.name);
    all
}

fn list(as_json: bool) -> String {
    if as_json {
        let converging = converging();
        return format!("{:#}\n", Json::Array(sorted().into_iter().map(|def| document(def, &converging)).collect()));
    }
    let width = ALL.iter().map(|def| def.name.len()).max().unwrap_or(0);
    sorted().into_iter().fold(String::new(), |mut out, def| {
        let _ = writeln!(out, "{:width$}  {}", def.name, def.doc);
        out
    })
}

/// The definition of the superclass.
fn parent(def: &ResourceDef) -> Option<&'static ResourceDef> {
    ALL.iter().find(|other| !def.parent.is_empty() && other.class == def.parent).copied()
}
/// A definition and those of its superclasses.
pub fn lineage(def: &'static ResourceDef) -> Vec<&'static ResourceDef> {
    std::iter::successors(Some(def), |def| parent(def)).collect()
}
/// The actions except `:nothing`.
pub fn actions(def: &'static ResourceDef) -> Vec<&'static str> {
    lineage(def).into_iter().find(|def| !def.actions.is_empty()).map(|def| def.actions.to_vec()).unwrap_or_default()
}
fn default_action(def: &'static ResourceDef) -> Vec<&'static str> {
    let found = lineage(def).into_iter().find(|def| !def.default_action.is_empty());
    found.map_or_else(|| vec!["nothing"], |def| def.default_action.to_vec())
}
/// Own and inherited properties by name, without internal ones.
fn properties(def: &'static ResourceDef) -> Vec<&'static PropertyDef> {
    let mut found: Vec<&PropertyDef> = Vec::new();
    for def in lineage(def) {
        for property in def.properties.iter().chain(def.shared.iter().copied().flatten()) {
            if !found.iter().any(|known| known.name == property.name) {
                found.push(property);
            }
        }
    }
    found.retain(|property| !property.hidden);
    found.sort_by_key(|property| property.name);
    found
}

fn literal(value: Type) -> String {
    match value {
        Type::Str => "String".into(),
        Type::Sym => "Symbol".into(),
        Type::Int => "Integer".into(),
        Type::Float => "Float".into(),
        Type::Bool => "true, false".into(),
        Type::Array => "Array".into(),
        Type::Hash => "Hash".into(),
        Type::Nil => "nil".into(),
        Type::Proc => "Proc".into(),
        Type::Class("TrueClass") | Type::True => "true".into(),
        Type::Class("FalseClass") | Type::False => "false".into(),
        Type::Class("NilClass") => "nil".into(),
        Type::Class(name) => name.into(),
        Type::LitStr(text) => format!("{text:?}"),
        Type::LitSym(name) => format!(":{name}"),
        Type::LitInt(number) => number.to_string(),
        Type::Matches(source) => format!("String that matches /{source}/"),
    }
}
fn types(property: &PropertyDef) -> Vec<String> {
    property.types.iter().map(|kind| literal(*kind)).collect()
}
fn default(property: &PropertyDef) -> Option<String> {
    match property.default {
        _ if property.name_property => Some("the resource's name".into()),
        Default_::None | Default_::Lit(Type::Nil) => None,
        Default_::Lit(value) => Some(literal(value)),
        Default_::Empty(Type::Array) => Some("[]".into()),
        Default_::Empty(_) => Some("{}".into()),
        Default_::StrList(items) => Some(format!("{items:?}")),
        Default_::Lazy(_) => Some("computed".into()),
    }
}
fn required(property: &PropertyDef) -> Option<String> {
    match property.required {
        Required::No => None,
        Required::Always => Some("required".into()),
        Required::For(actions) => Some(format!("required for :{}", actions.join(", :"))),
    }
}

fn filters(provides: &rchef_recipe::resource::def::Provides) -> String {
    let mut parts = Vec::new();
    for (what, values) in
        [("os", provides.os), ("platform family", provides.platform_family), ("platform", provides.platform)]
    {
        if !values.is_empty() {
            parts.push(format!("{what} {}", values.join(", ")));
        }
    }
    if !provides.platform_version.is_empty() {
        parts.push(format!("version {}", provides.platform_version));
    }
    if provides.test.is_some() {
        parts.push("where the node fits".into());
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}

/// The documentation page of a resource.
fn page(def: &'static ResourceDef) -> String {
    let mut out = format!("{}\n\n{}\n", def.name, def.doc);
    if !def.introduced.is_empty() {
        let _ = writeln!(out, "Since Chef {}.", def.introduced);
    }
    if !def.deprecated.is_empty() {
        let _ = writeln!(out, "Deprecated: {}", def.deprecated);
    }
    if let Some(parent) = parent(def) {
        let _ = writeln!(out, "A kind of {}.", parent.name);
    }
    let _ = match rchef_providers::level(def.name) {
        Level::Run => writeln!(out, "Level: run (it is converged)."),
        Level::Recorded => {
            writeln!(out, "Level: recorded (it is converged; its commands were tested against recorded answers only).")
        }
        Level::Refused(why) => {
            writeln!(out, "Level: refused (a run that would converge it stops before its first change): {why}.")
        }
    };
    let names: Vec<String> =
        def.provides.iter().map(|provides| format!("{}{}", provides.name, filters(provides))).collect();
    if !names.is_empty() {
        let _ = writeln!(out, "\nNames\n  {}", names.join("\n  "));
    }
    let default_action = default_action(def);
    let shown: Vec<String> = std::iter::once("nothing")
        .filter(|_| !actions(def).contains(&"nothing"))
        .chain(actions(def))
        .map(|action| format!(":{action}{}", if default_action.contains(&action) { " (default)" } else { "" }))
        .collect();
    let _ = writeln!(out, "\nActions\n  {}", shown.join("\n  "));
    let properties = properties(def);
    if !properties.is_empty() {
        out.push_str("\nProperties\n");
    }
    for property in properties {
        let mut notes = types(property);
        if notes.is_empty() {
            notes.push("anything".into());
        }
        let mut line = notes.join(", ");
        if !property.equal_to.is_empty() {
            let allowed: Vec<String> = property.equal_to.iter().map(|value| literal(*value)).collect();
            let _ = write!(line, "; one of {}", allowed.join(", "));
        }
        if let Some(value) = default(property) {
            let _ = write!(line, "; default {value}");
        }
        if let Some(text) = required(property) {
            let _ = write!(line, "; {text}");
        }
        for (set, text) in [(property.sensitive, "sensitive"), (property.identity, "identity")] {
            if set {
                let _ = write!(line, "; {text}");
            }
        }
        let _ = writeln!(out, "  {}\n      {line}\n      {}", property.name, property.doc);
        if let Some(text) = property.deprecated {
            let _ = writeln!(out, "      Deprecated: {text}");
        }
    }
    out.push_str("\nEvery resource also has: action, ignore_failure, notifies, not_if, only_if, retries, retry_delay, sensitive, subscribes, umask, compile_time.\n");
    out
}

/// Names of the resources that have a native provider, as the providers register themselves.
fn converging() -> Vec<&'static str> {
    let Some(mut vm) = Vm::new(Rc::new(RealHost::new())) else { return Vec::new() };
    rchef_stdlib::register(&mut vm);
    if rchef_providers::boot(&mut vm).is_err() {
        return Vec::new();
    }
    let mut found: Vec<&str> = Vec::new();
    for def in ALL {
        let nearest = lineage(def).into_iter().find_map(|def| native::has_actions(&mut vm, def.name));
        if nearest == Some(true) {
            found.push(def.name);
        }
    }
    // names such as `package`, which resolve to a resource of the platform
    let stands_for = |def: &ResourceDef| def.provides.iter().map(|provides| provides.name).collect::<Vec<_>>();
    let names: Vec<&str> = ALL.iter().filter(|def| found.contains(&def.name)).flat_map(|def| stands_for(def)).collect();
    found.extend(names);
    found
}

fn document(def: &'static ResourceDef, converging: &[&str]) -> Json {
    let properties: Vec<Json> = properties(def)
        .into_iter()
        .map(|property| {
            let mut map = Map::new();
            map.insert("name".into(), json!(property.name));
            map.insert("types".into(), json!(types(property)));
            if !property.equal_to.is_empty() {
                let allowed: Vec<String> = property.equal_to.iter().map(|value| literal(*value)).collect();
                map.insert("one_of".into(), json!(allowed));
            }
            for (key, value) in [("default", default(property)), ("required", required(property))] {
                if let Some(value) = value {
                    map.insert(key.into(), json!(value));
                }
            }
            for (key, set) in [("sensitive", property.sensitive), ("identity", property.identity)] {
                if set {
                    map.insert(key.into(), json!(true));
                }
            }
            if let Some(text) = property.deprecated {
                map.insert("deprecated".into(), json!(text));
            }
            map.insert("doc".into(), json!(property.doc));
            Json::Object(map)
        })
        .collect();
    let names: Vec<&str> = def.provides.iter().map(|provides| provides.name).collect();
    json!({
        "name": def.name, "class": format!("Chef::Resource::{}", def.class), "doc": def.doc, "names": names,
        "converges": converging.contains(&def.name), "level": rchef_providers::level(def.name).as_str(),
        "actions": actions(def), "default_action": default_action(def), "properties": properties,
    })
}
