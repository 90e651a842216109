//! `rchef check` with run lists, and `--fix` with the compiles before and after, from end to end.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)] // a test drives the machine itself

use rchef_spec::binary::binary;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn check(folder: &Path, args: &[&str]) -> (i32, String, String) {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let rchef = BUILT.get_or_init(|| binary().unwrap());
    let output = Command::new(rchef).arg("check").args(args).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let mut all = args.to_vec();
    all.extend(["--format", "json"]);
    let (_, out, error) = check(folder, &all);
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}\n{error}"))
}

/// Rules of the findings with the places that they concern.
fn rules(found: &Value) -> Vec<(String, usize)> {
    let list = found["findings"].as_array().unwrap().iter();
    list.map(|one| (one["rule"].as_str().unwrap().to_string(), one["where"].as_array().unwrap().len())).collect()
}

#[test]
fn an_unanswered_command_is_an_assumption_with_its_cascades() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\n");
    write(
        folder.path(),
        "cookbooks/a/resources/conf.rb",
        "unified_mode true\naction :create do\n  version = shell_out!('named -v').stdout.match(/BIND (\\d+)/)[1]\n  file \"/etc/#{version}\"\nend\n",
    );
    write(
        folder.path(),
        "cookbooks/a/resources/zone.rb",
        "unified_mode true\naction :create do\n  with_run_context(:root) { find_resource!(:file, '/etc/9') }\nend\n",
    );
    write(folder.path(), "cookbooks/a/recipes/default.rb", "a_conf 'x'\na_zone 'y'\n");
    let args = ["-o", "a", "--platform", "debian-12", "--platform", "rocky-9"];
    let found = json(folder.path(), &args);
    assert_eq!(found["units"][0]["verdict"], "depends on 1 assumption", "{found:#}");
    assert_eq!(rules(&found)[0], ("compile/depends-on-assumption".to_string(), 2), "{found:#}");
    assert_eq!(found["findings"][0]["cascades"][0], "a_zone[y]");
    assert_eq!(found["findings"][0]["path"], "cookbooks/a/resources/conf.rb");
    let (status, out, _) = check(folder.path(), &args);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("assumed: the command `named -v` prints nothing and succeeds"), "{out}");
    let stubs = folder.path().join("stubs.yml");
    check(folder.path(), &["-o", "a", "--platform", "debian-12", "--write-stubs", "stubs.yml"]);
    let text = std::fs::read_to_string(&stubs).unwrap();
    std::fs::write(&stubs, text.replace("output: ''", "output: 'BIND 9.18'")).unwrap();
    let found = json(folder.path(), &["-o", "a", "--platform", "debian-12", "--stub", "stubs.yml"]);
    assert!(!found.to_string().contains("depends-on-assumption"), "{found:#}");
}

#[test]
fn a_cookbook_in_its_own_folder() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "metadata.rb", "name 'web'\n");
    write(folder.path(), "recipes/default.rb", "file '/x' do\n  content node['web']['port'].to_s\nend\n");
    write(folder.path(), "recipes/old.rb", "raise 'only for Windows' unless platform?('windows')\n");
    write(folder.path(), "test/cookbooks/test/metadata.rb", "name 'test'\ndepends 'web'\n");
    write(folder.path(), "test/cookbooks/test/recipes/default.rb", "include_recipe 'web'\n");
    write(
        folder.path(),
        "kitchen.yml",
        "platforms:\n  - name: debian-12\n  - name: plan9-4\nsuites:\n  - name: default\n    run_list: ['recipe[test::default]']\n    attributes: {web: {port: 80}}\n",
    );
    let found = json(folder.path(), &["--kitchen"]);
    assert_eq!(found["units"][0]["name"], "suite default on debian-12", "{found:#}");
    assert_eq!(found["units"][0]["verdict"], "runs", "{found:#}");
    assert!(found["not_checked"][0].as_str().unwrap().contains("plan9-4"));
    let found = json(folder.path(), &["--all-recipes", "--platform", "debian-*"]);
    let refuses = found["findings"].as_array().unwrap().iter().find(|one| one["rule"] == "compile/refuses").unwrap();
    assert_eq!((&refuses["path"], &refuses["line"]), (&"recipes/old.rb".into(), &1.into()));
    let missing = found["findings"].as_array().unwrap().iter().find(|one| one["rule"] == "compile/attribute-missing");
    assert!(missing.is_some(), "{found:#}");
}

#[test]
fn nodes_with_their_facts() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\n");
    write(
        folder.path(),
        "cookbooks/a/recipes/default.rb",
        "file \"/#{node['platform']}\" do\n  mode node['a']['mode']\nend\n",
    );
    write(
        folder.path(),
        "nodes/one.json",
        r#"{"name": "one", "run_list": ["recipe[a]"], "normal": {"a": {"mode": "0600"}}, "automatic": {"platform": "debian", "platform_version": "12", "platform_family": "debian", "os": "linux"}}"#,
    );
    write(folder.path(), "nodes/two.json", r#"{"name": "two", "run_list": []}"#);
    let found = json(folder.path(), &["--nodes", "nodes"]);
    assert_eq!(
        (&found["units"][0]["name"], &found["units"][0]["verdict"]),
        (&"one".into(), &"runs".into()),
        "{found:#}"
    );
    assert!(found["not_checked"][0].as_str().unwrap().contains("its run list is empty"));
}

#[test]
fn corrections_that_change_resources_are_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["same", "other"] {
        write(folder.path(), &format!("cookbooks/{name}/metadata.rb"), &format!("name '{name}'\nversion '1.0.0'\n"));
    }
    write(folder.path(), "cookbooks/same/recipes/default.rb", "log 'a' unless File.exists?('/nowhere')\n");
    // What the recipe declares depends on how it is written.
    let text = "log File.exists?('/nowhere') ? 'yes' : 'no'\nlog IO.read(__FILE__).length.to_s\n";
    write(folder.path(), "cookbooks/other/recipes/default.rb", text);
    let (_, out, error) = check(folder.path(), &["--select", "Rchef/RemovedRuby", "--fix"]);
    let read = |name: &str| {
        std::fs::read_to_string(folder.path().join(format!("cookbooks/{name}/recipes/default.rb"))).unwrap()
    };
    assert!(read("same").contains("File.exist?("), "{out}{error}");
    assert_eq!(read("other"), text, "{out}{error}");
    assert!(out.contains("the corrections of cookbooks/other are taken back"), "{out}");
    assert!(out.contains("1 recipes compile to the same resources before and after"), "{out}");
    check(folder.path(), &["--select", "Rchef/RemovedRuby", "--fix", "--no-compile"]);
    assert!(read("other").contains("File.exist?("));
}
