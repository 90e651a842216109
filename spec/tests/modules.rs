//! No cycle of modules is large: files that need each other can only be read, tested and moved together.
//!
//! A file is a module. It refers to another by `use crate::…`, by `crate::…`, `super::…` or `self::…` within the code, or by the name of
//! a module below it. A name that a module re-exports counts as a reference to where it comes from, and the re-export itself as none.
//! A cycle is a set of files each of which leads to every other by such references.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // a test drives the machine itself

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The largest cycle that a crate may have.
const LARGEST: usize = 8;

/// The folders of the workspace's crates.
fn crates() -> Vec<String> {
    let manifest = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml")).unwrap();
    let list = manifest.split_once("members = [").and_then(|(_, after)| after.split_once(']')).unwrap().0;
    list.split('"').skip(1).step_by(2).map(str::to_string).collect()
}

/// A module by the parts of its path; the crate's root has none.
type Module = Vec<String>;
type Graph = BTreeMap<Module, BTreeSet<Module>>;

#[test]
fn cycles_are_small() {
    let mut wrong = String::new();
    for name in crates() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(&name).join("src");
        let cycle = cycles(&graph(&root)).into_iter().max_by_key(Vec::len).unwrap_or_default();
        let shown: Vec<String> = cycle.iter().take(30).map(|module| module.join("::")).collect();
        if cycle.len() > LARGEST {
            let count = cycle.len();
            wrong += &format!("{name}: a cycle of {count} modules, of {LARGEST} at most: {}\n", shown.join(" "));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn references_are_found() {
    let modules: BTreeSet<Module> = ["", "a", "a::b", "a::c", "d"].iter().map(|path| parts(path)).collect();
    let seen = |own: &str, code: &str| -> Vec<String> {
        let exports = Exports::from([((parts("a"), "Thing".to_string()), parts("a::b::Thing"))]);
        let code = without_text(code);
        let found = references(&modules, &exports, &parts(own), &code);
        found.into_iter().map(|module| module.join("::")).collect()
    };
    assert_eq!(seen("d", "use crate::a::Thing; crate::a::Other"), ["a", "a::b"]);
    assert_eq!(seen("a", "pub use b::Thing;"), [""; 0]);
    assert_eq!(seen("d", "use crate::a::{b::Thing, c as other};"), ["a::b", "a::c"]);
    assert_eq!(seen("a::b", "use super::{Shared, c};\n// crate::d\nlet text = \"crate::d\";"), ["a", "a::c"]);
    assert_eq!(seen("a", "use c::name;\nfn f() { crate::d::g(super::root()) }"), ["", "a::c", "d"]);
    assert_eq!(seen("a::c", "fn f() { other::a::b(); 'x'; r#\"super::b\"# }"), [""; 0]);
    let graph: Graph =
        [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")].iter().fold(Graph::new(), |mut graph, (from, to)| {
            graph.entry(parts(to)).or_default();
            graph.entry(parts(from)).or_default().insert(parts(to));
            graph
        });
    assert_eq!(cycles(&graph), [vec![parts("b"), parts("c")]]);
}

fn parts(path: &str) -> Module {
    path.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_string).collect()
}

/// The modules below a source folder and what each refers to.
fn graph(root: &Path) -> Graph {
    let mut files = BTreeMap::new();
    collect(root, root, &mut files);
    let modules: BTreeSet<Module> = files.keys().cloned().collect();
    let code: BTreeMap<&Module, String> = files
        .iter()
        .map(|(own, path)| {
            let text = without_text(&std::fs::read_to_string(path).unwrap());
            (own, without_tests(&text).to_string())
        })
        .collect();
    let mut exports = Exports::new();
    for (own, code) in &code {
        for (tree, _) in uses(code).filter(|(_, public)| *public) {
            re_exports(tree, &Vec::new(), &mut |name, path| {
                if let Some(full) = absolute(&modules, own, path) {
                    exports.insert(((*own).clone(), name), full);
                }
            });
        }
    }
    code.iter().map(|(own, code)| ((*own).clone(), references(&modules, &exports, own, code))).collect()
}

/// Where a name that a module re-exports comes from.
type Exports = BTreeMap<(Module, String), Module>;

/// The trees of the `use` declarations and whether each is `pub` in some way.
fn uses(code: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut tail = code;
    std::iter::from_fn(move || {
        let at = word(tail, "use ")?;
        let before = tail[..at].trim_end();
        let declared = before.rfind([';', '{', '}']).map_or(before, |end| &before[end + 1..]);
        let public = word(declared, "pub").is_some();
        let (tree, after) = tail[at + 4..].split_once(';').unwrap_or((&tail[at + 4..], ""));
        tail = after;
        Some((tree, public))
    })
}

/// The names that a `use` tree gives, each with the path that it stands for.
fn re_exports(tree: &str, before: &Module, visit: &mut impl FnMut(String, &Module)) {
    let tree = tree.trim();
    if let Some((prefix, list)) = tree.split_once('{') {
        let before = [before.clone(), parts(prefix)].concat();
        for item in items(list) {
            re_exports(item, &before, visit);
        }
        return;
    }
    let (path, name) = tree.split_once(" as ").unwrap_or((tree, tree));
    let full = [before.clone(), parts(path)].concat();
    let name = parts(name).pop().filter(|name| name != "*" && name != "self");
    if let Some(name) = name.or_else(|| full.iter().rev().find(|part| *part != "self").cloned()) {
        visit(name, &full.iter().filter(|part| *part != "self").cloned().collect());
    }
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<Module, PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let inner = path.strip_prefix(root).unwrap().with_extension("");
            let mut module = parts(&inner.to_string_lossy().replace('/', "::"));
            if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
                module.pop();
            }
            files.insert(module, path);
        }
    }
}

/// The modules that a module's code refers to, itself not among them.
fn references(modules: &BTreeSet<Module>, exports: &Exports, own: &Module, code: &str) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let mut add = |path: &[String]| {
        let Some(full) = absolute(modules, own, path) else { return };
        found.extend(home(modules, exports, full).filter(|module| module != own));
    };
    let mut rest = String::new();
    let mut tail = code;
    while let Some(at) = word(tail, "use ") {
        rest.push_str(&tail[..at]);
        tail = tail[at + 4..].split_once(';').map_or("", |(_, after)| after);
    }
    rest.push_str(tail);
    for (tree, _) in uses(code).filter(|(_, public)| !public) {
        leaves(tree, &Vec::new(), &mut |path| add(path));
    }
    for path in rest.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
        let path = parts(path);
        if path.len() > 1 {
            add(&path);
        }
    }
    found
}

/// The module that an absolute path leads to, through re-exports.
fn home(modules: &BTreeSet<Module>, exports: &Exports, mut full: Module) -> Option<Module> {
    // a re-export may lead to another one; a chain that is longer than any real one ends
    for _ in 0..8 {
        let count = (0..=full.len()).rev().find(|count| modules.contains(&full[..*count]))?;
        let next = full.get(count).and_then(|name| exports.get(&(full[..count].to_vec(), name.clone())));
        match next {
            Some(path) => full = [&path[..], &full[count + 1..]].concat(),
            None => return Some(full[..count].to_vec()),
        }
    }
    None
}

/// Where a word stands by itself in a text.
fn word(text: &str, wanted: &str) -> Option<usize> {
    text.match_indices(wanted)
        .map(|(at, _)| at)
        .find(|at| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// A path from the crate's root; None for what is not of this crate.
fn absolute(modules: &BTreeSet<Module>, own: &Module, path: &[String]) -> Option<Module> {
    let first = path.first()?.as_str();
    let ups = path.iter().take_while(|part| *part == "super").count();
    let full = match first {
        "crate" => path[1..].to_vec(),
        "self" => [own, &path[1..]].concat(),
        "super" => [&own[..own.len().checked_sub(ups)?], &path[ups..]].concat(),
        name => {
            let below = [&own[..], &[name.to_string()]].concat();
            modules.contains(&below).then(|| [own, path].concat())?
        }
    };
    Some(full)
}

/// The paths of a `use` tree, without their new names.
fn leaves(tree: &str, before: &Module, visit: &mut impl FnMut(&Module)) {
    let tree = tree.trim();
    let Some((prefix, list)) = tree.split_once('{') else {
        let plain = tree.split(" as ").next().unwrap_or(tree);
        let path: Module = parts(plain).into_iter().filter(|part| part != "self" && part != "*").collect();
        // `self::x` begins with the module itself, `{self, x}` names what is before the brace
        let own = before.is_empty() && plain.starts_with("self::");
        let path = if own { [vec!["self".to_string()], path].concat() } else { [before.clone(), path].concat() };
        return visit(&path);
    };
    let before = [before.clone(), parts(prefix)].concat();
    for item in items(list) {
        leaves(item, &before, visit);
    }
}

/// The items of a `use` tree's list, given without its opening brace.
fn items(list: &str) -> impl Iterator<Item = &str> {
    let list = list.trim_end();
    let list = list.strip_suffix('}').unwrap_or(list);
    let mut depth = 0;
    list.split(move |c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    })
    .filter(|item| !item.trim().is_empty())
}

/// Code up to the module of tests that ends it: tests may use what they like.
fn without_tests(code: &str) -> &str {
    let tests = code.match_indices("#[cfg(test)]").find(|(at, mark)| {
        let item = code[at + mark.len()..].trim_start();
        item.starts_with("mod ") && item.find('{') < item.find(';')
    });
    tests.map_or(code, |(at, _)| &code[..at])
}

/// Code without comments, and with empty literals.
fn without_text(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(hashes) =
            raw_string(rest).filter(|_| !out.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        {
            let open = hashes + 2;
            let close = format!("\"{}", "#".repeat(hashes));
            rest[open..].find(&close).map_or(rest.len(), |at| open + at + close.len())
        } else if c == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |at| at + 2)
        } else if c == '\'' {
            character(rest)
        } else {
            0
        };
        if skipped == 0 {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            out.push(' ');
            rest = &rest[skipped..];
        }
    }
    out
}

/// How many `#` a raw string has that begins here.
fn raw_string(text: &str) -> Option<usize> {
    let after = text.strip_prefix('r')?;
    let hashes = after.chars().take_while(|c| *c == '#').count();
    after[hashes..].starts_with('"').then_some(hashes)
}

/// The length of a character literal that begins here; 1 for the quote of a lifetime.
fn character(text: &str) -> usize {
    let mut inside = text[1..].chars();
    match inside.next() {
        Some('\\') => text[3..].find('\'').map_or(1, |at| at + 4),
        Some(c) if inside.next() == Some('\'') => c.len_utf8() + 2,
        _ => 1,
    }
}

/// The sets of more than one module that lead to each other, each in order.
fn cycles(graph: &Graph) -> Vec<Vec<Module>> {
    let reach: BTreeMap<&Module, BTreeSet<&Module>> = graph.keys().map(|from| (from, reached(graph, from))).collect();
    let mut found: Vec<Vec<Module>> = Vec::new();
    for from in graph.keys() {
        if found.iter().any(|cycle| cycle.contains(from)) {
            continue;
        }
        let mutual: Vec<Module> =
            reach[from].iter().filter(|to| reach[*to].contains(from)).map(|to| (*to).clone()).collect();
        if mutual.len() > 1 {
            found.push(mutual);
        }
    }
    found
}

/// Everything that a module leads to.
fn reached<'a>(graph: &'a Graph, from: &Module) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Module> = graph[from].iter().collect();
    while let Some(module) = open.pop() {
        if found.insert(module) {
            open.extend(graph.get(module).into_iter().flatten());
        }
    }
    found
}
