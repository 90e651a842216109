//! Every table is well-formed and has the size that Chef 18.11 has.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // a failure is the test's; README is read

use rchef_host::RealHost;
use rchef_providers::Level;
use rchef_providers::register::ALL;
use rchef_recipe::provider::native;
use rchef_recipe::resource::def::{Default_, PropertyDef, Required, ResourceDef, Type};
use rchef_ruby::Vm;
use rchef_ruby::embed::vm::on_large_stack;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

fn accepts(types: &[Type], value: Type) -> bool {
    types.is_empty()
        || types.iter().any(|kind| {
            *kind == value
                || match (kind, value) {
                    (Type::Str, Type::LitStr(_))
                    | (Type::Sym, Type::LitSym(_))
                    | (Type::Int, Type::LitInt(_))
                    | (Type::Bool, Type::True | Type::False) => true,
                    (Type::Class(name), value) => matches!(
                        (*name, value),
                        ("TrueClass", Type::True)
                            | ("FalseClass", Type::False)
                            | ("NilClass", Type::Nil)
                            | ("ChefUtils::Mash", Type::Hash)
                    ),
                    _ => false,
                }
        })
}

fn check_property(at: &str, property: &PropertyDef) {
    assert!(!property.doc.is_empty() && property.doc.ends_with('.'), "{at}: documentation");
    assert!(!property.doc.contains('\n'), "{at}: one line");
    // a conversion may turn the default into what the type asks for
    let lenient = property.coerce.is_some();
    match property.default {
        Default_::Lit(Type::Nil) | Default_::None | Default_::Lazy(_) => {}
        Default_::Lit(value) => {
            assert!(lenient || accepts(property.types, value), "{at}: default has a wrong type");
            assert!(
                lenient || property.equal_to.is_empty() || property.equal_to.contains(&value),
                "{at}: default is not allowed"
            );
        }
        Default_::Empty(kind) => {
            assert!(matches!(kind, Type::Array | Type::Hash), "{at}: empty what?");
            assert!(lenient || accepts(property.types, kind), "{at}: default has a wrong type");
        }
        Default_::StrList(_) => {
            assert!(lenient || accepts(property.types, Type::Array), "{at}: default has a wrong type")
        }
    }
    assert!(
        !property.name_property || matches!(property.default, Default_::None),
        "{at}: name property with a default"
    );
    for value in property.equal_to {
        assert!(accepts(property.types, *value) || lenient, "{at}: {value:?} has a wrong type");
    }
}

fn actions_of<'a>(by_class: &BTreeMap<&str, &'a ResourceDef>, def: &'a ResourceDef) -> &'a [&'static str] {
    if def.actions.is_empty() && !def.parent.is_empty() {
        actions_of(by_class, by_class[def.parent])
    } else {
        def.actions
    }
}

#[test]
fn tables_are_well_formed() {
    let mut by_class: BTreeMap<&str, &ResourceDef> = BTreeMap::new();
    for def in ALL.iter().copied() {
        let at = def.class;
        assert!(!def.name.is_empty() && !def.class.is_empty() && def.doc.ends_with('.'), "{at}");
        assert!(
            def.parent.is_empty() || by_class.contains_key(def.parent),
            "{at}: parent {} is not registered before",
            def.parent
        );
        if let Some((outer, _)) = def.class.rsplit_once("::") {
            assert!(by_class.contains_key(outer), "{at}: {outer} is not registered before");
        }
        let mut names = BTreeSet::new();
        for property in def.properties.iter().chain(def.shared.iter().copied().flatten()) {
            assert!(names.insert(property.name), "{at}: {} twice", property.name);
            check_property(&format!("{at}.{}", property.name), property);
        }
        let actions = actions_of(&by_class, def);
        let unique: BTreeSet<_> = actions.iter().collect();
        assert_eq!(unique.len(), actions.len(), "{at}: an action twice");
        for action in def.default_action {
            assert!(*action == "nothing" || actions.contains(action), "{at}: default action {action}");
        }
        for property in def.properties {
            if let Required::For(listed) = property.required {
                assert!(
                    listed.iter().all(|action| actions.contains(action)),
                    "{at}.{}: required for what?",
                    property.name
                );
            }
        }
        assert!(by_class.insert(def.class, def).is_none(), "{at} twice");
    }
}

fn joined<'a>(items: impl Iterator<Item = &'a str>) -> String {
    let text = items.collect::<Vec<_>>().join(" ");
    if text.is_empty() { "-".to_string() } else { text }
}

#[test]
fn tables_have_what_chef_has() {
    let ours: BTreeMap<&str, &ResourceDef> = ALL.iter().map(|def| (def.class, *def)).collect();
    let mut seen = 0;
    for line in include_str!("chef-18.11.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [class, name, parent, provides, actions, properties] = fields[..] else { panic!("{line}") };
        let def = ours.get(class).unwrap_or_else(|| panic!("{class} is missing"));
        assert_eq!(def.name, name, "{class}");
        assert_eq!(joined(Some(def.parent).filter(|parent| !parent.is_empty()).into_iter()), parent, "{class}: parent");
        assert_eq!(joined(def.provides.iter().map(|provides| provides.name)), provides, "{class}: DSL names");
        assert_eq!(joined(def.actions.iter().copied()), actions, "{class}: actions");
        // accessors that are no properties in Chef do not count
        let real = def.properties.iter().filter(|property| !property.legacy || property.desired_state.is_some());
        assert_eq!(joined(real.map(|property| property.name)), properties, "{class}: properties");
        seen += 1;
    }
    assert_eq!(seen, ours.len(), "resources that Chef does not have");
}

const BEGIN: &str = "<!-- levels: written by RCHEF_RECORD=1 cargo test -p rchef-providers --test tables -->\n";
const END: &str = "<!-- /levels -->";

/// README's table of resources: a row for each level, the refused ones by their reasons.
fn table() -> String {
    let mut rows: Vec<(u8, String, Vec<&str>)> = Vec::new();
    for def in ALL {
        let level = rchef_providers::level(def.name);
        let (rank, text) = match level {
            Level::Run => (0, "**run**: converges; its tools ran on machines in tests, or it needs none".to_string()),
            Level::Recorded => {
                (1, "**recorded**: converges by Chef's commands, tested against recorded answers".to_string())
            }
            Level::Refused(why) => (2, format!("**refused**: {why}")),
        };
        match rows.iter_mut().find(|(_, known, _)| *known == text) {
            Some((_, _, names)) => names.push(def.name),
            None => rows.push((rank, text, vec![def.name])),
        }
    }
    rows.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let mut out = String::from("| level | resources |\n|--|--|\n");
    for (_, text, mut names) in rows {
        names.sort_unstable();
        names.dedup();
        out.push_str(&format!("| {text} | {}: `{}` |\n", names.len(), names.join("` `")));
    }
    out
}

#[test]
fn readme_has_the_levels() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = text.split_once(BEGIN).unwrap();
    let (found, tail) = rest.split_once(END).unwrap();
    if std::env::var_os("RCHEF_RECORD").is_some() {
        std::fs::write(&path, format!("{head}{BEGIN}{}{END}{tail}", table())).unwrap();
    } else {
        assert_eq!(found, table(), "README.md is stale: RCHEF_RECORD=1 writes it anew");
    }
}

/// The levels say what the providers that are registered say.
#[test]
fn levels_are_those_of_the_providers() {
    on_large_stack(1 << 26, || {
        let mut vm = Vm::new(Rc::new(RealHost::new())).unwrap();
        rchef_stdlib::register(&mut vm);
        rchef_providers::boot(&mut vm).unwrap();
        for def in ALL {
            let mut at = Some(*def);
            let mut converges = None;
            while let (Some(def), None) = (at, converges) {
                converges = native::has_actions(&mut vm, def.name);
                at = ALL.iter().find(|other| !def.parent.is_empty() && other.class == def.parent).copied();
            }
            // `package` and `user` stand for those of the platform
            let stands = ["package", "user", "service"].contains(&def.name);
            let refused = matches!(rchef_providers::level(def.name), Level::Refused(_));
            assert_eq!(converges == Some(true) || stands, !refused, "{}", def.name);
        }
    })
    .unwrap();
}

/// What a recipe of `spec/machines` converges has run on a machine, so its level says so.
#[test]
fn levels_are_those_of_the_machines() {
    let cases = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/machines/cases");
    let mut folders = vec![cases];
    let mut used = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.parent().unwrap().ends_with("recipes") {
                let text = std::fs::read_to_string(entry).unwrap();
                used.extend(
                    text.lines().filter_map(|line| line.trim_start().split_once(' ')).map(|(word, _)| word.to_string()),
                );
            }
        }
    }
    for name in ["subversion", "dnf_package", "rpm_package", "zypper_package", "pacman_package", "selinux_port"] {
        assert!(used.contains(name), "{name}");
    }
    let stale = ALL.iter().filter(|def| used.contains(def.name) && rchef_providers::level(def.name) == Level::Recorded);
    assert_eq!(stale.map(|def| def.name).collect::<Vec<_>>(), Vec::<&str>::new());
}
