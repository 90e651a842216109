//! What somebody who tries `rchef check` on a repository is told: true errors only, at the right place, with what to do. From end to end.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)] // a test drives the machine itself

use rchef_spec::binary::binary;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The status, what is printed, and the complaints.
fn check(folder: &Path, args: &[&str]) -> (i32, String, String) {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let rchef = BUILT.get_or_init(|| binary().unwrap());
    let output = Command::new(rchef).arg("check").args(args).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let mut all = args.to_vec();
    all.extend(["--format", "json"]);
    let (_, out, error) = check(folder, &all);
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}\n{error}"))
}

/// Level, rule and place of each finding but those that only list questions, the beginning of its message, and what to do.
fn told(found: &Value) -> Vec<String> {
    let list = found["findings"].as_array().unwrap().iter().filter(|one| one["rule"] != "compile/assumed");
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_string();
    list.map(|one| {
        let place = format!("{}:{}", text(one, "path"), one["line"]);
        format!(
            "{} {} {place} {} -> {}",
            text(one, "level"),
            text(one, "rule"),
            text(one, "message"),
            text(one, "todo")
        )
    })
    .collect()
}

/// A cookbook's metadata.
const A: (&str, &str) = ("cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
const RECIPE: &str = "cookbooks/a/recipes/default.rb";

/// Compares what recipe `a` is told: words that each finding has.
fn compare(files: &[(&str, &str)], args: &[&str], findings: &[&[&str]]) -> Value {
    let folder = folder(files);
    let found = json(folder.path(), &[&["-o", "a", "--no-static"], args].concat());
    let told = told(&found);
    assert_eq!(told.len(), findings.len(), "{files:?}\n{told:#?}");
    for (told, words) in told.iter().zip(findings) {
        for word in *words {
            assert!(told.contains(word), "{files:?}\n{told}\n{word}");
        }
        assert!(!told.contains(&*folder.path().to_string_lossy()), "{told}");
    }
    found
}

#[test]
fn resources_of_the_nodes_own_system_are_not_of_another_one() {
    let windows = ["--platform", "windows-2019"];
    for code in ["registry_key 'HKLM\\\\x'", "windows_env 'X'", "env 'X'", "powershell_script 'x'"] {
        let files = [A, (RECIPE, code)];
        let found =
            compare(&files, &windows, &[&["error compile/no-provider", "rchef converges Linux only: keep Chef"]]);
        assert_eq!(found["units"][0]["verdict"], "cannot converge: 1 resource type", "{code}");
        assert!(found["not_checked"][0].as_str().unwrap().contains("rchef converges Linux"), "{found}");
    }
    for code in ["registry_key 'HKLM\\\\x'", "env 'X'"] {
        let files = [A, (RECIPE, code)];
        compare(&files, &["--platform", "debian-12"], &[&["warning compile/other-system", "it is for Windows"]]);
    }
    // Chef 18 still has the name
    let folder = folder(&[A, (RECIPE, "env 'X' do\n  value 'y'\nend\n")]);
    assert_eq!(told(&json(folder.path(), &[])), [""; 0]);
}

#[test]
fn templates_of_ruby_files_are_no_ruby() {
    let erb = "x = <%= @x %>\n<% if @y -%>\nend <%\n";
    let files = [A, ("cookbooks/a/templates/default/x.rb", erb), (RECIPE, "def x(\n")];
    let folder = folder(&files);
    let told = told(&json(folder.path(), &[]));
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].starts_with("error ruby/syntax-error cookbooks/a/recipes/default.rb:"), "{told:#?}");
}

#[test]
fn consequences_of_an_action_that_failed() {
    let site = "property :directory, String\naction :create do\n  version = shell_out!('wp --version').stdout[/(\\d+)/, 1].to_str\n  node.default['wp']['sites'][new_resource.name] = { 'directory' => new_resource.directory, 'version' => version }\nend\n";
    let plugin = |line: &str| format!("property :site, String\naction :create do\n  {line}\nend\n");
    let recipe = "a_site 'x' do\n  directory '/srv/x'\nend\na_plugin 'y' do\n  site 'x'\nend\n";
    for (line, verdict, findings) in [
        ("log node['wp']['sites'][new_resource.site]['directory']", "depends on 1 assumption", 1),
        ("log ::File.join(node['wp']['sites'][new_resource.site], 'x')", "depends on 1 assumption", 1),
        // what the first action would not have set
        ("log node['wp']['other'][new_resource.site]['directory']", "fails", 2),
    ] {
        let plugin = plugin(line);
        let folder = folder(&[
            A,
            ("cookbooks/a/attributes/default.rb", "default['wp']['sites'] = {}\ndefault['wp']['other'] = {}\n"),
            ("cookbooks/a/resources/site.rb", site),
            ("cookbooks/a/resources/plugin.rb", &plugin),
            (RECIPE, recipe),
        ]);
        let found = json(folder.path(), &["-o", "a", "--no-static", "--platform", "debian-12"]);
        assert_eq!((told(&found).len(), &found["units"][0]["verdict"]), (findings, &verdict.into()), "{found:#}");
    }
}

#[test]
fn consequences_of_a_gem_that_is_not_here() {
    let install = "action :install do\n  chef_gem 'ruby-dbus'\n  require 'dbus'\nend\n";
    let zone = |constant: &str| format!("action :update do\n  {constant}.new\nend\n");
    for (constant, verdict, findings) in [("DBus", "depends on 1 assumption", 1), ("Other", "fails", 2)] {
        let zone = zone(constant);
        let folder = folder(&[
            A,
            ("cookbooks/a/resources/wall.rb", install),
            ("cookbooks/a/resources/zone.rb", &zone),
            (RECIPE, "a_wall 'x'\na_zone 'y'\n"),
        ]);
        let found = json(folder.path(), &["-o", "a", "--no-static", "--platform", "debian-12"]);
        assert_eq!((told(&found).len(), &found["units"][0]["verdict"]), (findings, &verdict.into()), "{found:#}");
    }
}

#[test]
fn metadata_that_does_not_do() {
    let platform = ["--platform", "debian-12"];
    let nameless = ("cookbooks/a/metadata.rb", "version '1.0.0'\n");
    compare(
        &[nameless, (RECIPE, "")],
        &platform,
        &[&["cookbooks/a/metadata.rb:1", "add the line: name 'a' to cookbooks/a/metadata.rb (`rchef check --fix`"]],
    );
    compare(
        &[A, (RECIPE, ""), ("cookbooks/b/metadata.rb", "version '1.0.0'\nname 'a'\n")],
        &platform,
        &[&["cookbooks/b/metadata.rb:2", "cookbooks/a and cookbooks/b both have it"]],
    );
    let depends = ("cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\ndepends 'b', '~> 2.0'\n");
    compare(
        &[depends, (RECIPE, ""), ("cookbooks/b/metadata.rb", "name 'b'\nversion '1.0.0'\n")],
        &platform,
        &[&["error compile/unsatisfied-version cookbooks/a/metadata.rb:3 Could not satisfy"]],
    );
}

#[test]
fn failures_hang_under_the_cookbook_that_is_missing() {
    let metadata = "name 'a'\nversion '1.0.0'\ndepends 'apt'\ndepends 'yum-epel'\ndepends 'openldap'\n";
    for (code, cookbook) in [("yum_epel 'x'", "yum-epel"), ("log node['openldap']['x']['y']", "openldap")] {
        let folder = folder(&[("cookbooks/a/metadata.rb", metadata), (RECIPE, code)]);
        let found = json(folder.path(), &["-o", "a", "--no-static", "--platform", "debian-12"]);
        let list = found["findings"].as_array().unwrap();
        let with: Vec<&str> =
            list.iter().filter(|one| one["cascades"].is_array()).filter_map(|one| one["message"].as_str()).collect();
        assert_eq!((list.len(), with.len()), (3, 1), "{code}\n{found:#}");
        assert!(with[0].contains(&format!("has the cookbook {cookbook} ")), "{code}\n{with:?}");
    }
}

#[test]
fn a_target_that_is_not_there_is_told_once() {
    let resource = "action :create do\n  file '/x' do\n    notifies :run, 'execute[gone]', :immediately\n  end\nend\n";
    compare(
        &[A, ("cookbooks/a/resources/thing.rb", resource), (RECIPE, "a_thing 'x'\n")],
        &["--platform", "debian-12"],
        &[&["error compile/notification-unresolved cookbooks/a/resources/thing.rb:3", "execute[gone]"]],
    );
}

#[test]
fn helpers_of_a_cookbook_that_is_no_dependency() {
    let helper = "module Core\n  def root?\n    true\n  end\nend\nChef::Recipe.include(Core)\n";
    let core =
        [("cookbooks/core/metadata.rb", "name 'core'\nversion '1.0.0'\n"), ("cookbooks/core/libraries/x.rb", helper)];
    let platform = ["--platform", "debian-12"];
    for path in [RECIPE, "cookbooks/a/attributes/default.rb"] {
        let files = [A, (RECIPE, ""), core[0], core[1], (path, "default = root?\n")];
        let todo = "the cookbook core defines root? in cookbooks/core/libraries/x.rb: add depends 'core'";
        compare(&files, &platform, &[&[todo]]);
    }
    let attributes = "cookbooks/a/attributes/default.rb";
    for (code, todo) in [
        ("x = gone?\n", "no method has this name here"),
        ("x = platform\n", "write node['platform']"),
        ("default.timezone = 'x'\n", "write ['timezone'] = value in place of .timezone="),
    ] {
        compare(&[A, (RECIPE, ""), (attributes, code)], &platform, &[&[todo]]);
    }
}

#[test]
fn policies_without_a_lock() {
    let policy = "name 'base'\nrun_list 'a'\ncookbook 'a', path: 'cookbooks/a'\n";
    let folder = folder(&[A, (RECIPE, ""), ("policyfiles/base.rb", policy)]);
    for (args, words) in [
        (["--policy", "base"], "make the lock from the Policyfile with `rchef policy install FILE`"),
        (["--policyfile", "policyfiles/base.rb"], "`rchef policy install policyfiles/base.rb` makes the lock"),
    ] {
        let (_, out, error) = check(folder.path(), &[&args[..], &["--platform", "debian-12"]].concat());
        assert!(out.contains(words), "{out}\n{error}");
    }
    let lock = r#"{"name": "base", "run_list": ["recipe[b::default]"], "cookbook_locks": {"b": {"version": "1.0.0", "identifier": "x", "dotted_decimal_identifier": "1.0.0"}}, "default_attributes": {}, "override_attributes": {}}"#;
    std::fs::write(folder.path().join("policyfiles/base.lock.json"), lock).unwrap();
    let (_, out, error) = check(folder.path(), &["--policy", "base", "--platform", "debian-12"]);
    assert!(out.contains("`chef install` fetches what the lock names"), "{out}\n{error}");
}

#[test]
fn cookbooks_of_a_policy_around_a_single_cookbook() {
    let metadata = ("metadata.rb", "name 'own'\nversion '1.0.0'\ndepends 'apt'\n");
    let files = [metadata, ("recipes/default.rb", "apt_thing 'x'\n"), ("Policyfile.rb", "name 'own'\n")];
    let platform = ["--all-recipes", "--platform", "debian-12", "--no-static"];
    let own = folder(&files);
    let found = json(own.path(), &platform);
    assert!(found["findings"][0]["todo"].as_str().unwrap().contains("`chef export DIR`"), "{found:#}");
    // as it exports them
    let apt = "vendor/cookbooks/apt-0123456789/metadata.json";
    let apt = (apt, r#"{"name": "apt", "version": "7.0.0"}"#);
    let resource = ("vendor/cookbooks/apt-0123456789/resources/thing.rb", "action(:run) {}\n");
    let again = ("vendor/cookbooks/own-0123456789/metadata.json", r#"{"name": "own", "version": "1.0.0"}"#);
    let own = folder(&[&files[..], &[apt, resource, again]].concat());
    let found = json(own.path(), &platform);
    assert_eq!(found["units"][0]["verdict"], "runs", "{found:#}");
}

#[test]
fn where_cookbooks_are() {
    let other = folder(&[("chef/cookbooks/b/metadata.rb", "name 'b'\n"), ("chef/cookbooks/b/recipes/default.rb", "")]);
    let (status, _, error) = check(other.path(), &["--all-recipes", "--platform", "debian-12"]);
    assert_eq!(status, 2);
    assert!(
        error.contains("cookbooks are in chef/cookbooks: ") && error.contains("--cookbook-path chef/cookbooks"),
        "{error}"
    );
    // a folder that Berkshelf will fill makes no chef-repo of a cookbook
    let own = folder(&[
        ("metadata.rb", "name 'own'\nversion '1.0.0'\n"),
        ("recipes/default.rb", ""),
        ("cookbooks/.gitkeep", ""),
    ]);
    let found = json(own.path(), &["--all-recipes", "--platform", "debian-12", "--no-static"]);
    assert_eq!(found["units"][0]["verdict"], "runs", "{found:#}");
}

#[test]
fn aliases_in_kitchens_file() {
    let kitchen = "platforms:\n  - name: debian-12\nx-lists:\n  default: &list\n    - recipe[own]\nx-suite: &suite\n  attributes: {a: {b: 1}}\nsuites:\n  - name: default\n    <<: *suite\n    run_list: *list\n";
    let folder = folder(&[
        ("metadata.rb", "name 'own'\nversion '1.0.0'\n"),
        ("recipes/default.rb", "raise 'none' unless node['a']['b'] == 1\n"),
        ("kitchen.yml", kitchen),
    ]);
    let found = json(folder.path(), &["--kitchen", "--no-static"]);
    assert_eq!(found["units"][0]["verdict"], "runs", "{found:#}");
}

#[test]
fn the_secret_of_kitchens_data_bags() {
    let kitchen = "provisioner:\n  encrypted_data_bag_secret_key_path: test/secret\nplatforms:\n  - name: debian-12\nsuites:\n  - name: default\n    run_list: ['recipe[own]']\n";
    let code = "secret = Chef::EncryptedDataBagItem.load_secret\nraise \"not #{secret}\" unless secret == 'abc'\n";
    let folder = folder(&[
        ("metadata.rb", "name 'own'\nversion '1.0.0'\n"),
        ("recipes/default.rb", code),
        ("test/secret", "abc\n"),
        ("kitchen.yml", kitchen),
    ]);
    let found = json(folder.path(), &["--kitchen", "--no-static"]);
    assert_eq!(found["units"][0]["verdict"], "runs", "{found:#}");
}

#[test]
fn settings_of_compiles() {
    let stubs = "commands:\n  - match: '^wp'\n    output: 'x'\n    status: 0\n";
    let code = "raise 'none' if shell_out('wp').stdout.empty?\n";
    let folder = folder(&[
        A,
        (RECIPE, code),
        ("stubs.yml", stubs),
        ("rchef.toml", "platforms = ['debian-1[12]']\nstubs = ['stubs.yml']\n"),
    ]);
    let units = |args: &[&str]| -> Vec<String> {
        let found = json(folder.path(), &[&["-o", "a", "--no-static"], args].concat());
        let units = found["units"].as_array().unwrap().iter();
        units.map(|unit| format!("{} {}", unit["name"], unit["verdict"])).collect()
    };
    assert_eq!(units(&[]), [r#""a on debian-11" "runs""#, r#""a on debian-12" "runs""#]);
    assert_eq!(units(&["--platform", "rocky-9"]), [r#""a on rocky-9" "runs""#]);
    for (text, complaint) in [
        (
            "[per-path-ignores]\nbaseline = 'x.json'\n",
            "rchef.toml: per-path-ignores: baseline stands below [per-path-ignores]",
        ),
        ("platforms = ['nosuch']\n", "rchef knows no simulated platform nosuch"),
    ] {
        std::fs::write(folder.path().join("rchef.toml"), text).unwrap();
        let (status, _, error) = check(folder.path(), &["-o", "a"]);
        assert!(status == 2 && error.contains(complaint), "{status} {error}");
    }
    // every line of the draft shows the default
    std::fs::remove_file(folder.path().join("rchef.toml")).unwrap();
    assert_eq!(check(folder.path(), &["--init"]).0, 0);
    let (status, out, error) = check(folder.path(), &["-o", "a", "--platform", "debian-12", "--stub", "stubs.yml"]);
    assert_eq!(status, 0, "{out}{error}");
}
