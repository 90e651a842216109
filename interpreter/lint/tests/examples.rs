//! Every rule finds something in its bad example, nothing in its good one, and what it corrects it no longer finds.
#![allow(clippy::unwrap_used)] // a test

use rchef_lint::engine::Engine;
use rchef_lint::file::File;
use rchef_lint::known::{Cookbook, Known, Shipped};
use rchef_lint::rule::{Fix, Rule};
use rchef_lint::source::Source;

/// Three cookbooks, of which `web` is the one that the examples are of, and some of Chef's resources.
fn known() -> Known {
    let mut known = Known::default();
    let shipped = |properties: &[&'static str], actions: &[&'static str]| Shipped {
        properties: properties.iter().copied().collect(),
        actions: actions.iter().copied().collect(),
    };
    known.shipped.insert("file", shipped(&["content", "mode"], &["create", "delete"]));
    known.shipped.insert("template", shipped(&["source", "variables"], &["create"]));
    let cookbook = |root: &str, name: &str, files: &[(&str, &str)]| {
        let files: Vec<_> = files.iter().map(|(path, text)| (path.to_string(), text.as_bytes().to_vec())).collect();
        Cookbook::read(root, name, &files)
    };
    let template = ("templates/site.conf.erb", "<%= @hosts.join(' ') %>");
    let recipe = ("recipes/default.rb", "include_recipe 'base'");
    known.add(cookbook("", "web", &[("metadata.rb", "name 'web'\ndepends 'base'\n"), recipe, template]));
    known.add(cookbook(
        "../base/",
        "base",
        &[("metadata.rb", ""), ("resources/site.rb", ""), ("recipes/default.rb", "")],
    ));
    known.add(cookbook("../other/", "other", &[("metadata.rb", "name 'other'\n"), ("recipes/default.rb", "")]));
    known
}

fn file(path: &str) -> File<'_> {
    static KNOWN: std::sync::OnceLock<Known> = std::sync::OnceLock::new();
    File { path, root_name: "web", cookbook_name: Some("web"), year: 2026, known: KNOWN.get_or_init(known) }
}

fn count(engine: &Engine, path: &str, code: &str) -> usize {
    let source = Source::new(code.as_bytes()).unwrap();
    let report = engine.check(&file(path), &source, &engine.active(path, |_| true));
    assert!(report.errors.is_empty() || report.hits.len() == 1, "{code}: {:?}", report.errors);
    report.hits.len()
}

#[test]
fn examples() {
    for rule in rchef_lint::rules::all() {
        let engine = Engine::new(vec![rule]);
        assert!(count(&engine, rule.file, rule.bad) > 0, "{} finds nothing in\n{}", rule.alias, rule.bad);
        let good = rule.good.is_empty() || count(&engine, rule.file, rule.good) == 0;
        assert!(good, "{} finds something in\n{}", rule.alias, rule.good);
        let active = engine.active(rule.file, |_| true);
        let corrected = engine.correct(&file(rule.file), rule.bad.as_bytes(), &active, true).map(|(text, _)| text);
        assert_eq!(corrected.is_some(), rule.fix != Fix::None, "{}: {corrected:?}", rule.alias);
        if let Some(text) = corrected {
            assert_eq!(count(&engine, rule.file, &text), 0, "{} corrects to\n{text}", rule.alias);
        }
    }
}

#[test]
fn metadata() {
    let rules = rchef_lint::rules::all();
    let ids: std::collections::BTreeSet<String> = rules.iter().map(|rule: &&Rule| rule.id()).collect();
    assert_eq!(ids.len(), rules.len(), "two rules have one name");
    for rule in rules {
        assert!(!rule.summary.is_empty() && !rule.why.is_empty() && !rule.on.is_empty(), "{}", rule.alias);
        assert!(!rule.summary.ends_with('.') && rule.why.ends_with('.'), "{}", rule.alias);
    }
}
