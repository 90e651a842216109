//! Comments that switch rules off, corrections, and what files are looked at.
#![allow(clippy::unwrap_used)] // a test

use rchef_lint::discover;
use rchef_lint::engine::Engine;
use rchef_lint::file::File;
use rchef_lint::known::Known;
use rchef_lint::source::Source;

fn file(path: &str) -> File<'_> {
    File { path, root_name: "web", cookbook_name: None, year: 2026, known: Known::NOTHING }
}

/// The lines with findings, and how many are suppressed.
fn lines(code: &str) -> (Vec<usize>, usize) {
    let engine = Engine::new(rchef_lint::rules::all());
    let path = "recipes/default.rb";
    let active = engine.active(path, |rule| rule.alias == "Chef/Deprecations/NodeSet");
    let source = Source::new(code.as_bytes()).unwrap();
    let report = engine.check(&file(path), &source, &active);
    (report.hits.iter().map(|hit| source.line(hit.span.start)).collect(), report.suppressed.len())
}

#[test]
fn suppressions() {
    let set = "node.set['a'] = 1";
    for (code, found, hidden) in [
        (format!("{set} # rubocop:disable Chef/Deprecations/NodeSet\n{set}\n"), vec![2], 1),
        (format!("# rubocop:disable Chef/Deprecations/NodeSet\n{set}\n{set}\n"), vec![], 2),
        (format!("# rubocop:disable all\n{set}\n# rubocop:enable all\n{set}\n"), vec![4], 1),
        (format!("# cookstyle:disable Chef/Deprecations\n{set}\n"), vec![], 1),
        (format!("# rubocop:todo Chef/Style, Chef/Deprecations/NodeSet\n{set}\n"), vec![], 1),
        (format!("# rubocop:disable NodeSet\n{set}\n"), vec![], 1),
        (format!("# rubocop:disable Chef/Style\n{set}\n"), vec![2], 0),
        (format!("# rubocop: disable Chef/Deprecations/NodeSet -- because\n{set}\n"), vec![], 1),
        (format!("# rchef:ignore[chef/deprecations/node-set] because\n{set}\n{set}\n"), vec![3], 1),
        (format!("{set} # rchef:ignore[chef/deprecations/node-set]\n"), vec![], 1),
        (format!("# rubocop:disable\n{set}\n"), vec![2], 0),
    ] {
        assert_eq!(lines(&code), (found, hidden), "{code}");
    }
}

fn correct(alias: &str, path: &str, code: &str) -> Option<String> {
    let engine = Engine::new(rchef_lint::rules::all());
    let active = engine.active(path, |rule| alias.is_empty() || rule.alias == alias);
    engine.correct(&file(path), code.as_bytes(), &active, true).map(|(text, _)| text)
}

#[test]
fn line_ends_stay() {
    let before = "file '/a' do\r\n  mode 0644\r\nend\r\n";
    let after = "file '/a' do\r\n  mode '644'\r\nend\r\n";
    assert_eq!(correct("Chef/Style/FileMode", "recipes/a.rb", before).as_deref(), Some(after));
    let mixed = "file '/a' do\n  mode 0644\r\nend\n";
    let after = "file '/a' do\n  mode '644'\r\nend\n";
    assert_eq!(correct("Chef/Style/FileMode", "recipes/a.rb", mixed).as_deref(), Some(after));
}

#[test]
fn corrections_of_many_rules_meet() {
    // One rule removes what another would change: the text stays Ruby, and nothing is left to correct.
    let code = "node.set[:a][:b] = node.platform\nif node['platform'] == 'ubuntu' || node['platform'] == 'debian'\n  include_recipe('yum::dnf_yum_compat')\nend\n";
    let after = correct("", "recipes/a.rb", code).unwrap();
    assert_eq!(after, "node.normal[\"a\"][:b] = node['platform']\nif platform?('ubuntu', 'debian')\nend\n");
    assert_eq!(correct("", "recipes/a.rb", &after), None);
}

#[test]
fn targets_of_notifications() {
    let corrected = |call: &str| correct("Chef/Deprecations/LegacyNotifySyntax", "recipes/a.rb", call);
    for (call, after) in [
        ("notifies :restart, resources(service: 'a'), :delayed", Some("notifies :restart, 'service[a]', :delayed")),
        ("notifies :restart, resources(:service => 'a')", Some("notifies :restart, 'service[a]'")),
        ("notifies :restart, resources('service' => 'a')", Some("notifies :restart, 'service[a]'")),
        ("notifies :restart, resources(:service => \"a-#{b}\")", Some("notifies :restart, \"service[a-#{b}]\"")),
        ("notifies :run, resources(:execute => \"it's\")", Some("notifies :run, \"execute[it's]\"")),
        ("notifies :run, resources(:execute => 'a \"b\" #{c}')", Some("notifies :run, 'execute[a \"b\" #{c}]'")),
        ("notifies :run, resources(:execute => name)", Some("notifies :run, \"execute[#{name}]\"")),
        ("notifies :run, resources(:execute => ['a', 'b'])", None),
        ("notifies :run, resources(kind => 'a')", None),
    ] {
        let after = after.map(|after| format!("{after}\n"));
        assert_eq!(corrected(&format!("{call}\n")), after, "{call}");
    }
}

#[test]
fn hostile_files() {
    let deep = format!("x = {}1{}\n", "[".repeat(900), "]".repeat(900));
    let chain = format!("x{}\n", ".a".repeat(20_000));
    let broken =
        ["\u{feff}x", "", "\0", "def", "\"\\u{110000}\"", "<<A", "=begin", "# rubocop:disable", "{", "case\nwhen"];
    let engine = Engine::new(rchef_lint::rules::all());
    for code in broken.iter().copied().chain([deep.as_str(), chain.as_str()]) {
        for path in ["metadata.rb", "resources/a.rb", "recipes/a.rb", "Berksfile"] {
            let active = engine.active(path, |_| true);
            let source = Source::new(code.as_bytes()).unwrap();
            let _ = engine.check(&file(path), &source, &active);
            let _ = engine.correct(&file(path), code.as_bytes(), &active, true);
        }
    }
    assert!(Source::new(b"\xff").is_none());
}

#[test]
fn files_that_are_looked_at() {
    for (path, yes) in [
        ("recipes/default.rb", true),
        ("Berksfile", true),
        ("a/Guardfile", true),
        (".delivery/project.toml", true),
        ("a/.foodcritic", true),
        (".chef/knife.rb", false),
        ("README.md", false),
    ] {
        assert_eq!(discover::is_ruby(path), yes, "{path}");
    }
    for (path, yes) in [
        ("a/files/default/x.rb", true),
        ("vendor/x.rb", true),
        ("a/vendor/b/x.rb", true),
        ("tmp/x.rb", true),
        ("a/tmp/x.rb", false),
        ("Guardfile", true),
        ("a/Guardfile", false),
    ] {
        assert_eq!(discover::excluded(path), yes, "{path}");
    }
    assert!(discover::has_shebang("bin/tool", b"#!/usr/bin/env ruby\n"));
    assert!(!discover::has_shebang("bin/tool", b"#!/bin/sh\n"));
}
