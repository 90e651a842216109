//! Lists what the Ruby sources of Chef's API (`src/ruby`) define, so that each source can load when one of its names is first used.
//!
//! The sources are ours and formatted, so their lines are enough: a `class` or `module` is open until an `end` of the same indentation.
//! What a source defines by calls is named in a comment of its scope: `# defines: a b` for methods, `# constants: A B` for constants.

#![allow(clippy::disallowed_methods)] // it runs while rchef is built, on the machine that builds

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What one source defines in one class or module.
#[derive(Default)]
struct Names {
    methods: Vec<String>,
    class_methods: Vec<String>,
    constants: Vec<String>,
}

/// A class or module that is open.
struct Scope {
    indent: usize,
    path: String,
    is_singleton: bool,
    is_private: bool,
}

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("src/ruby");
    // Relative to the package, so that a checkout elsewhere with the same build folder is up to date.
    println!("cargo::rerun-if-changed=src/ruby");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut out = String::from("static SOURCES: &[Source] = &[\n");
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let feature = match stem.as_str() {
            "chef_vault" => "chef-vault".to_string(),
            "mixlib_archive" => "mixlib/archive".to_string(),
            _ => format!("chef/rchef/{stem}"),
        };
        let name = file.strip_prefix(&root).unwrap_or(&file).display();
        let _ = writeln!(
            out,
            "    Source {{ feature: {feature:?}, text: Text::Plain(include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/src/ruby/{name}\"))), modules: &["
        );
        for (path, names) in scan(&fs::read_to_string(&file)?) {
            let Names { methods, class_methods, constants } = names;
            let _ = writeln!(
                out,
                "        Module {{ path: {path:?}, methods: &{methods:?}, class_methods: &{class_methods:?}, constants: &{constants:?} }},"
            );
        }
        out.push_str("    ] },\n");
    }
    out.push_str("];\n");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("ruby_sources.rs"), out)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rb") {
            files.push(path);
        }
    }
    Ok(())
}

/// What a source defines, by class or module; those of the top level under the empty path.
fn scan(source: &str) -> BTreeMap<String, Names> {
    let mut found: BTreeMap<String, Names> = BTreeMap::new();
    let mut scopes: Vec<Scope> = Vec::new();
    let mut heredoc: Option<&str> = None;
    for line in source.lines() {
        let text = line.trim();
        if heredoc.is_some_and(|end| end != text) {
            continue;
        }
        heredoc = heredoc_of(text).filter(|_| heredoc.is_none());
        let indent = line.len() - line.trim_start().len();
        if text == "end" && scopes.last().is_some_and(|scope| scope.indent == indent) {
            scopes.pop();
            continue;
        }
        if indent != scopes.last().map_or(0, |scope| scope.indent + 2) {
            continue;
        }
        let outer = scopes.last().map(|scope| scope.path.clone()).unwrap_or_default();
        if let Some(name) = text.strip_prefix("class ").or_else(|| text.strip_prefix("module ")) {
            let is_singleton = name.starts_with("<< self");
            let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let path = match (outer.as_str(), is_singleton) {
                (_, true) => outer.clone(),
                ("", false) => name.clone(),
                (outer, false) => format!("{outer}::{name}"),
            };
            if !is_singleton {
                found.entry(outer).or_default().constants.push(name);
            }
            if !text.ends_with("end") {
                scopes.push(Scope { indent, path, is_singleton, is_private: false });
            }
            continue;
        }
        let Some(scope) = scopes.last_mut() else { continue };
        match text {
            "private" | "protected" => scope.is_private = true,
            "public" => scope.is_private = false,
            _ => member(text, scope, found.entry(outer).or_default()),
        }
    }
    found
}

/// A line of a class body.
fn member(text: &str, scope: &Scope, names: &mut Names) {
    if let Some(list) = text.strip_prefix("# constants: ") {
        names.constants.extend(list.split(' ').map(str::to_string));
        return;
    }
    if let Some(name) = text.strip_prefix("def self.") {
        names.class_methods.push(method_name(name));
        return;
    }
    let constant = text.split_once(" = ").map(|(name, _)| name);
    if let Some(name) = constant.filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    {
        names.constants.push(name.to_string());
        return;
    }
    let Some((keyword, rest)) = text.split_once(' ') else { return };
    let first = || rest.split([' ', ',']).next().unwrap_or_default().trim_start_matches(':').to_string();
    let symbols = || rest.split([',', ' ']).filter_map(|name| name.strip_prefix(':')).map(str::to_string);
    let methods: Vec<String> = match keyword {
        "def" => vec![method_name(rest)],
        "alias" | "alias_method" => vec![first()],
        "attr_reader" => symbols().collect(),
        "attr_writer" => symbols().map(|name| name + "=").collect(),
        "attr_accessor" => symbols().flat_map(|name| [name.clone(), name + "="]).collect(),
        "#" => match rest.strip_prefix("defines: ") {
            Some(list) => list.split(' ').map(str::to_string).collect(),
            None => return,
        },
        _ => return,
    };
    if !scope.is_private {
        let list = if scope.is_singleton { &mut names.class_methods } else { &mut names.methods };
        list.extend(methods);
    }
}

/// The name of a method, up to its parameters.
fn method_name(text: &str) -> String {
    let end = text.find(['(', ' ', ';']).unwrap_or(text.len());
    text[..end].to_string()
}

/// What ends the heredoc that a line opens.
fn heredoc_of(text: &str) -> Option<&str> {
    let after = text.split_once("<<~").or_else(|| text.split_once("<<-"))?.1.trim_start_matches(['"', '\'']);
    let end = after.find(|c: char| !(c.is_ascii_uppercase() || c == '_')).unwrap_or(after.len());
    (end > 0).then(|| &after[..end])
}
