//! `rchef check --kitchen` on configurations of Test Kitchen's, from end to end: which suites run on which platforms, with what, and what is said of
//! the rest.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)] // a test drives the machine itself

use rchef_spec::binary::binary;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Standard output and the complaints of a check without a home directory.
fn check(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> (String, String) {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let mut command = Command::new(BUILT.get_or_init(|| binary().unwrap()));
    command.arg("check").args(args).current_dir(folder).env("HOME", "/nonexistent").env_remove("NO_SUCH");
    for name in ["KITCHEN_YAML", "KITCHEN_LOCAL_YAML", "KITCHEN_GLOBAL_YAML"] {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

/// A cookbook `own` that logs its attribute `x`, with more files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let own = [
        ("metadata.rb", "name 'own'\nversion '1.0.0'\n"),
        ("recipes/default.rb", "raise \"x is #{node['x'].inspect}\"\n"),
    ];
    for (path, text) in own.iter().chain(files) {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn json(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Value {
    let mut all = vec!["--kitchen", "--no-static", "--format", "json"];
    all.extend(args);
    let (out, error) = check(folder, &all, variables);
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}\n{error}"))
}

/// Each unit with what its recipe raised.
fn units(found: &Value) -> Vec<String> {
    let findings = found["findings"].as_array().unwrap();
    let raised = |unit: &str| {
        let of_unit = findings.iter().find(|one| one["where"].as_array().unwrap().iter().any(|place| place == unit));
        let message = of_unit.and_then(|one| one["message"].as_str()).unwrap_or_default();
        message.split_once("x is ").map_or(message, |(_, value)| value).to_string()
    };
    let names = found["units"].as_array().unwrap().iter().map(|unit| unit["name"].as_str().unwrap());
    names.map(|name| format!("{name}: {}", raised(name))).collect()
}

fn not_checked(found: &Value) -> String {
    let lines = found["not_checked"].as_array().unwrap().iter().map(|line| line.as_str().unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

/// A configuration with one platform and one suite, which has these lines.
fn one_suite(lines: &str) -> String {
    format!("platforms:\n  - name: debian-12\nsuites:\n  - name: s\n    run_list: ['recipe[own]']\n{lines}")
}

#[test]
fn code_is_run() {
    let attribute = |code: &str| one_suite(&format!("    attributes: {{x: {code}}}\n"));
    for (text, value, says) in [
        (attribute("<%= ENV['NO_SUCH'] || 'usual' %>"), "\"usual\"", ""),
        (attribute("<%= ENV['STAGE'] || 'usual' %>"), "\"ci\"", ""),
        (attribute("<%= ENV.fetch('NO_SUCH', '2.13').inspect %>"), "\"2.13\"", ""),
        (attribute("<%= [1, 2] %>"), "[1, 2]", ""),
        (attribute("<% if ENV['NO_SUCH'] %>1<% else %>2<% end %>"), "2", ""),
        (attribute("[<% 3.times do |n| %><%= n %>, <% end %>]"), "[0, 1, 2]", ""),
        (attribute("<%= File.read('recipes/default.rb').lines.size %>"), "1", ""),
        (attribute("<%= no_such %>"), "nil", "kitchen.yml:6: <%= no_such %>, which counts as empty: NameError"),
        (attribute("<%= ENV['STAGE'] %><%= `pwd` + raise('no') %>"), "\"ci\"", "RuntimeError: no"),
        (attribute("1<%= no_such %><%= no_such %>"), "1", "<%= no_such %>, which counts as empty: NameError"),
        (
            attribute("<% require 'kitchen-sync' %><% if ENV['NO_SUCH'] %>1<% else %>2<% end %>"),
            "2",
            "<% require 'kitchen-sync' %>, which counts as empty: LoadError",
        ),
        (attribute("<% no_such.each do |n| %><%= 1 %><% end %>"), "1", "kitchen.yml:6: ERB without ="),
        (attribute("<% if %><%= ENV['STAGE'] %><% end %>"), "\"ci\"", "kitchen.yml:6: ERB without ="),
    ] {
        let folder = folder(&[("kitchen.yml", &text)]);
        let found = json(folder.path(), &[], &[("STAGE", "ci")]);
        assert_eq!(units(&found), [format!("suite s on debian-12: {value}")], "{text}\n{found:#}");
        let told = not_checked(&found);
        assert!(told.contains(says) && told.is_empty() == says.is_empty(), "{text}\n{told}");
    }
    // where the text is not YAML, its line is told
    let folder = folder(&[("kitchen.yml", "<% a = 1 %>\nb: [\n<%= a %>: }\n")]);
    let (_, error) = check(folder.path(), &["--kitchen"], &[]);
    assert!(error.contains("kitchen.yml, of the text that its ERB makes: line 3: "), "{error}");
}

/// Kitchen's names count where suites include and exclude, and keep apart what has the same facts.
#[test]
fn platforms_with_the_same_facts() {
    let kitchen = "platforms:\n  - name: centos-7.3\n    attributes: {x: three}\n  - name: centos-7.5\n    attributes: {x: five}\nsuites:\n";
    let suite = |lines: &str| format!("{kitchen}  - name: s\n    run_list: ['recipe[own]']\n{lines}");
    let (three, five) = ("suite s on centos-7.3: \"three\"", "suite s on centos-7.5: \"five\"");
    for (text, args, wanted, says) in [
        (suite(""), &[][..], vec![three, five], ""),
        (suite("    excludes: [\n    centos-7.3\n    ]\n"), &[], vec![five], ""),
        (suite("    includes: [centos-7.5]\n"), &[], vec![five], ""),
        (suite("    includes: [centos-7.5]\n    excludes: [centos-7.5]\n"), &[], vec![five], ""),
        (suite(""), &["--platform", "centos-7"], vec![three, five], ""),
        (
            suite(""),
            &["--platform", "debian-12"],
            vec!["suite s on debian-12: nil"],
            "attributes and settings of its platforms, on debian-12",
        ),
        (
            suite("  - name: t\n    includes: [centos-6]\n"),
            &[],
            vec![three, five],
            "the suite t: it is only for centos-6",
        ),
    ] {
        let folder = folder(&[("kitchen.yml", &text)]);
        let found = json(folder.path(), args, &[]);
        assert_eq!(units(&found), wanted, "{text}\n{found:#}");
        let told = not_checked(&found);
        assert!(told.contains(says) && told.is_empty() == says.is_empty(), "{text}\n{told}");
    }
    // what the only platform sets is for every machine
    let text = "platforms:\n  - name: ubuntu-18.04-17\n    attributes: {x: 1}\nsuites:\n  - name: s\n    run_list: ['recipe[own]']\n    includes: [ubuntu-18.04-17]\n";
    let folder = folder(&[("kitchen.yml", text)]);
    assert_eq!(units(&json(folder.path(), &[], &[])), ["suite s on ubuntu-18.04-17: 1"]);
    assert_eq!(units(&json(folder.path(), &["--platform", "debian-12"], &[])), ["suite s on debian-12: 1"]);
}

#[test]
fn files_of_the_configuration() {
    let text = one_suite("");
    let files = [("kitchen.yml", text.as_str()), ("user.yml", "provisioner: {attributes: {x: 1, y: 2}}\n")];
    let own = folder(&files);
    let named = |name, value| units(&json(own.path(), &[], &[(name, value)]));
    assert_eq!(named("KITCHEN_GLOBAL_YAML", "user.yml"), ["suite s on debian-12: 1"]);
    std::fs::write(own.path().join("kitchen.ci.yml"), one_suite("    attributes: {x: 3}\n")).unwrap();
    std::fs::write(own.path().join("kitchen.ci.local.yml"), "provisioner: {attributes: {x: 4}}\n").unwrap();
    assert_eq!(named("KITCHEN_YAML", "kitchen.ci.yml"), ["suite s on debian-12: 3"]);
    std::fs::write(own.path().join("kitchen.ci.local.yml"), "platforms: [{name: rockylinux-9}]\n").unwrap();
    assert_eq!(named("KITCHEN_YAML", "kitchen.ci.yml"), ["suite s on rockylinux-9: 3"]);
    assert_eq!(named("KITCHEN_LOCAL_YAML", "kitchen.ci.yml"), ["suite s on debian-12: 3"]);
    std::fs::create_dir_all(own.path().join("home/.kitchen")).unwrap();
    std::fs::write(own.path().join("home/.kitchen/config.yml"), "provisioner: {attributes: {x: 5}}\n").unwrap();
    let home = own.path().join("home");
    assert_eq!(named("HOME", home.to_str().unwrap()), ["suite s on debian-12: 5"]);
}

/// What is said where there is no suite.
#[test]
fn nothing_to_compile() {
    for (files, says) in [
        (
            &[("a/kitchen.yml", ""), ("b/c/.kitchen.yml", "")][..],
            "no kitchen.yml here; there is a kitchen.yml in a, b/c: run `rchef check",
        ),
        (&[("kitchen.docker.yml", "")], "KITCHEN_YAML=kitchen.docker.yml"),
        (
            &[("kitchen.yml", "suites: []\n"), ("cookbooks/a/kitchen.yml", "")],
            "kitchen.yml has no suites; there is a kitchen.yml in cookbooks/a",
        ),
        (
            &[("kitchen.yml", "suites: [{name: s}]\n"), ("kitchen.cloud.yml", "")],
            "kitchen.yml has no platforms; KITCHEN_YAML=kitchen.cloud.yml or KITCHEN_LOCAL_YAML=kitchen.cloud.yml",
        ),
        (&[("kitchen.yml", "suites: [{name: s}]\n")], "--platform NAME compiles"),
    ] {
        let folder = folder(files);
        let (out, error) = check(folder.path(), &["--kitchen"], &[]);
        assert!(error.contains(says), "{says}\n{out}{error}");
    }
}

/// The place of what is wrong with a run list is the list's, in the suite.
#[test]
fn places_of_run_lists() {
    let twice = "platforms:\n  - name: debian-12\nsuites:\n  - name: a\n    run_list:\n      - recipe[own::gone]\n  - name: b\n    run_list:\n      # own::gone\n      - recipe[own::lost]\n  - name: c\n    run_list: ['recipe[own::lost]']\n";
    let list = "run_list 'none::default'\n";
    for (kitchen, files, places) in [
        (twice, &[][..], &[("kitchen.yml", 6), ("kitchen.yml", 10)][..]),
        (
            "platforms:\n  - name: debian-12\nsuites:\n  - name: a\n",
            &[("Policyfile.rb", list)],
            &[("Policyfile.rb", 1)],
        ),
    ] {
        let mut all = vec![("kitchen.yml", kitchen)];
        all.extend(files);
        let folder = folder(&all);
        let found = json(folder.path(), &[], &[]);
        let findings = found["findings"].as_array().unwrap().iter();
        let mut told: Vec<_> =
            findings.map(|one| (one["path"].as_str().unwrap(), one["line"].as_u64().unwrap())).collect();
        told.sort_unstable();
        assert_eq!(told, places, "{found:#}");
    }
}

/// Cookbooks that a Policyfile or Berksfile takes from a directory come before those in the usual places, and a cookbook's own root before copies.
#[test]
fn cookbooks_of_tests() {
    let text = "platforms:\n  - name: debian-12\nsuites:\n  - name: s\n    run_list: ['recipe[test]']\n";
    let test = ("test/cookbooks/test/metadata.rb", "name 'test'\n");
    let fixture = ("test/fixtures/cookbooks/test/metadata.rb", "name 'test'\n");
    let recipe = ("test/fixtures/cookbooks/test/recipes/default.rb", "raise 'x is 1'\n");
    let by_path = "cookbook 'own', path: '.'\ncookbook 'test', path: './test/fixtures/cookbooks/test'\n";
    for file in ["Policyfile.rb", "Berksfile"] {
        let folder = folder(&[("kitchen.yml", text), test, fixture, recipe, (file, by_path)]);
        assert_eq!(units(&json(folder.path(), &[], &[])), ["suite s on debian-12: 1"]);
    }
    let own = folder(&[
        ("kitchen.yml", one_suite("    attributes: {x: 1}\n").as_str()),
        ("metadata.rb", "name 'own'\ndepends 'dep'\n"),
    ]);
    let given = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("own/metadata.rb", "name 'own'\n"),
        ("own/recipes/default.rb", "raise 'x is a copy'\n"),
        ("dep/metadata.rb", "name 'dep'\n"),
        ("dep/libraries/dep.rb", "raise 'x is dep' if ENV['PATH'].nil?\n"),
    ] {
        let path = given.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    for given in [given.path().to_str().unwrap().to_string(), format!("{}/", given.path().display())] {
        for args in [vec!["--cookbook-path".to_string(), given.clone()], vec![format!("--cookbook-path={given}")]] {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            assert_eq!(units(&json(own.path(), &args, &[])), ["suite s on debian-12: 1"]);
        }
    }
    // a failure there is told with the copy's path
    std::fs::write(given.path().join("dep/libraries/dep.rb"), "raise 'x is dep'\n").unwrap();
    let given = given.path().to_str().unwrap();
    let found = json(own.path(), &["--cookbook-path", given], &[]);
    assert_eq!(found["findings"][0]["path"], format!("{given}/dep/libraries/dep.rb"), "{found:#}");
}

/// Branches of metadata that declare one dependency differently.
#[test]
fn conditional_dependencies() {
    let metadata = "name 'own'\nif ENV['NO_SUCH']\n  depends 'dep', '< 6.0'\nelse\n  depends 'dep'\nend\n";
    let folder = folder(&[("metadata.rb", metadata), ("kitchen.yml", one_suite("").as_str())]);
    let found = json(folder.path(), &[], &[]);
    assert_eq!(found["findings"][0]["line"], 5, "{found:#}");
}
