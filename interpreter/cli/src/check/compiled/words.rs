//! What is told of an exception, by what the dump knows of it (`about`): the place that it names, and its message without what differs from node to node.

use super::finding::Finding;
use super::linked::code_of;
use rchef_recipe::chef_class::CACHE;
use serde_json::Value as Json;

/// The file and line of `FILE:LINE` or `FILE:LINE:in ...`.
pub fn place(source: &str) -> Option<(&str, usize)> {
    let (file, line) = source.split(":in ").next()?.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

/// The names of what an exception says is not there: cookbooks, roles, a recipe as `COOKBOOK::RECIPE`.
pub fn missing_of(about: &Json) -> Vec<String> {
    let text = |key: &str| about[key].as_str().unwrap_or_default();
    match text("kind") {
        "cookbook" | "locked" => vec![text("name").to_string()],
        "recipe" => vec![format!("{}::{}", text("cookbook"), text("name"))],
        "roles" => about["names"].as_array().into_iter().flatten().filter_map(Json::as_str).map(Into::into).collect(),
        _ => Vec::new(),
    }
}

/// The file that an exception is about, with its line: of a failure that has no backtrace.
pub fn place_of(about: &Json) -> Option<String> {
    let path = about["path"].as_str();
    match about["kind"].as_str()? {
        "metadata" | "twice" => Some(format!("{}/metadata.rb:1", path?)),
        "json" | "syntax" => Some(format!("{}:{}", path?, about["line"])),
        "target" => place(about["source"].as_str()?).map(|(file, line)| format!("{file}:{line}")),
        _ => None,
    }
}

/// The message in a line that is the same for all nodes: an object that it shows whole is named by its class, and the platform is left out.
pub fn said(about: &Json, message: &str) -> String {
    /// Maximum length up to which MRI shows `inspect` in such messages.
    const LONGEST: usize = 100;
    let first = message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let text = |key: &str| about[key].as_str().unwrap_or_default();
    match text("kind") {
        "resource" => format!("Cannot find a resource for {}", text("name")),
        // the class of an action has no name that means anything
        "method" if text("receiver").starts_with("#<Class:") => format!("undefined method `{}'", text("name")),
        "method" if first.len() > LONGEST => {
            format!("undefined method `{}' for an object of {}", text("name"), text("receiver"))
        }
        "variable" if first.len() > LONGEST => {
            format!("undefined local variable or method `{}' for an object of {}", text("name"), text("receiver"))
        }
        "data_bag" => match about["item"].as_str() {
            Some(item) => format!("there is no data bag item {}/{item}", text("bag")),
            None => format!("there is no data bag {}", text("bag")),
        },
        _ => first.to_string(),
    }
}

/// What a cookbook lacks: of the locations that were looked at the most general of each file.
pub fn lacked(about: &Json) -> Option<String> {
    if about["kind"] != "file" {
        return None;
    }
    let lines: Vec<&str> = about["paths"].as_array()?.iter().filter_map(Json::as_str).collect();
    // `templates/debian/a.erb` is a platform's variant of `templates/a.erb`
    let inner = |line: &str| line.split_once('/').map_or(String::new(), |(_, inner)| format!("/{inner}"));
    let special = |line: &str| lines.iter().any(|other| *other != line && line.ends_with(&inner(other)));
    let general: Vec<&str> = lines.iter().copied().filter(|line| !special(line)).collect();
    if general.is_empty() {
        return None;
    }
    let (name, version) = (about["cookbook"].as_str()?, about["version"].as_str().unwrap_or_default());
    Some(format!("cookbook '{name}' ({version}) has no {}", general.join(", ")))
}

/// Says the folder of Chef's cache as its setting is called, where the dump has a mark for it.
pub fn without_marks(finding: &mut Finding) {
    let texts = [Some(&mut finding.message), finding.todo.as_mut(), finding.assumed.as_mut()];
    for text in texts.into_iter().flatten().chain(&mut finding.cascades).filter(|text| text.contains(CACHE)) {
        *text = text.replace(CACHE, "<file_cache_path>");
    }
}

/// Whether code, without a comment behind it, contains a name as a whole: of a method, a constant, a cookbook or a file.
pub fn has_name(code: &str, name: &str) -> bool {
    let code = code_of(code);
    let letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let is_name = letter(name.chars().next());
    is_name
        && code
            .match_indices(name)
            .any(|(at, _)| !letter(code[..at].chars().next_back()) && !letter(code[at + name.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::{has_name, lacked, place_of, said};
    use serde_json::{Value as Json, json};

    #[test]
    fn places() {
        for (about, place) in [
            (json!({"kind": "syntax", "path": "x/recipes/s4.rb", "line": 2}), Some("x/recipes/s4.rb:2")),
            (json!({"kind": "target", "source": "x/recipes/n.rb:1:in `from_file'"}), Some("x/recipes/n.rb:1")),
            (json!({"kind": "json", "path": "roles/bad.json", "line": 2}), Some("roles/bad.json:2")),
            (json!({"kind": "metadata", "path": "y"}), Some("y/metadata.rb:1")),
            (json!({"kind": "recipe", "cookbook": "x", "name": "gone"}), None),
            (Json::Null, None),
        ] {
            assert_eq!(place_of(&about).as_deref(), place, "{about}");
        }
    }

    #[test]
    fn objects() {
        let long = "x".repeat(80);
        let method = |class: &str| json!({"kind": "method", "name": "a", "receiver": class});
        for (about, message, short) in [
            (
                method("Chef::Role"),
                format!("undefined method `a' for #<Chef::Role:0x00 @name=\"{long}\">"),
                "undefined method `a' for an object of Chef::Role",
            ),
            (
                method("Chef::Node::Attribute"),
                format!("undefined method `a' for {{\"b\"=>\"{long}\"}}:Chef::Node::Attribute"),
                "undefined method `a' for an object of Chef::Node::Attribute",
            ),
            (
                method("NilClass"),
                "undefined method `a' for nil:NilClass".into(),
                "undefined method `a' for nil:NilClass",
            ),
            (
                json!({"kind": "resource", "name": "x_y"}),
                "Cannot find a resource for x_y on debian version 12".into(),
                "Cannot find a resource for x_y",
            ),
            (
                method("#<Class:0x0000000000000000>"),
                "undefined method `a' for #<#<Class:0x00>:0x00>".into(),
                "undefined method `a'",
            ),
            (Json::Null, "waits for x on y".into(), "waits for x on y"),
            (Json::Null, format!("undefined method `a' for {long}\nb"), &format!("undefined method `a' for {long}")),
        ] {
            assert_eq!(said(&about, &message), short);
        }
    }

    #[test]
    fn names_in_code() {
        for (code, name, has) in [
            ("Chef::REST.new('x')", "REST", true),
            ("Chef::RESTful.new('x')", "REST", false),
            ("require 'chef/rest'", "chef/rest", true),
            ("node.set['a']", "set", true),
            ("x = 1 # node.set", "set", false),
            ("a[1]", "[]", false),
            ("a", "", false),
        ] {
            assert_eq!(has_name(code, name), has, "{code} {name}");
        }
    }

    #[test]
    fn files_that_a_cookbook_lacks() {
        let listed = |places: &str| {
            let paths: Vec<&str> = places.split(' ').collect();
            lacked(&json!({"kind": "file", "cookbook": "a", "version": "1.0.0", "paths": paths}))
        };
        for (places, told) in [
            ("templates/host-x/q.erb templates/debian/q.erb templates/q.erb", "templates/q.erb"),
            ("templates/n1.erb templates/sub/n2.erb", "templates/n1.erb, templates/sub/n2.erb"),
            ("files/default/sub/n files/sub/n", "files/sub/n"),
        ] {
            assert_eq!(listed(places), Some(format!("cookbook 'a' (1.0.0) has no {told}")));
        }
        assert_eq!(lacked(&json!({"kind": "json"})), None);
    }
}
