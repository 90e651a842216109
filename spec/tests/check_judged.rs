//! What `rchef check` makes of failures: what is the code's own, what depends on an answer, what is missing. From end to end.
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

/// Level, rule, place and message of each finding but those that only list questions.
fn told(found: &Value) -> Vec<String> {
    let list = found["findings"].as_array().unwrap().iter().filter(|one| one["rule"] != "compile/assumed");
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_string();
    list.map(|one| {
        let assumed = one["assumed"][0].as_str().map(|assumed| format!(" <{assumed}>")).unwrap_or_default();
        let place = format!("{}:{}", text(one, "path"), one["line"]);
        format!("{} {} {place} {}{assumed}", text(one, "level"), text(one, "rule"), text(one, "message"))
    })
    .collect()
}

/// What a recipe of a cookbook `a` is told: files of the cookbook beside it, its code, the beginning of the findings.
fn judged(files: &[(&str, &str)], code: &str, findings: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    for (path, text) in files {
        write(folder.path(), path, text);
    }
    write(folder.path(), "cookbooks/a/recipes/default.rb", code);
    let found = json(folder.path(), &["-o", "a", "--platform", "debian-12", "--no-static", "--limit-steps", "3000000"]);
    let told = told(&found);
    assert_eq!(told.len(), findings.len(), "{code}\n{told:#?}");
    for (told, wanted) in told.iter().zip(findings) {
        assert!(told.starts_with(wanted), "{code}\n{told}\n{wanted}");
    }
}

#[test]
fn messages_are_told_and_not_read() {
    let place = "cookbooks/a/recipes/default.rb:1";
    for (code, rule, message) in [
        (
            "raise 'upstream says: quota (--limit-time) reached'",
            "refuses",
            "the cookbook ends the run: upstream says: quota (--limit-time) reached",
        ),
        ("raise ArgumentError, 'my RunListItem is odd'", "refuses", "the cookbook ends the run: my RunListItem is odd"),
        ("raise TypeError, 'nil is not my type'", "refuses", "the cookbook ends the run: nil is not my type"),
        (
            "raise LoadError, 'cannot load such file -- it'",
            "unresolved-require",
            "LoadError: cannot load such file -- it",
        ),
        (
            "raise NoMethodError, \"undefined method `x' for nil:NilClass\"",
            "refuses",
            "the cookbook ends the run: undefined method",
        ),
        (
            "raise 'Cannot find a resource for x on y version z'",
            "refuses",
            "the cookbook ends the run: Cannot find a resource for x on y version z",
        ),
        (
            "node['a']['b']['c']",
            "attribute-missing",
            "node['a'] is not set (NoMethodError: undefined method `[]' for nil:NilClass)",
        ),
        ("loop {}", "limit-passed", "NoMemoryError: the limit of 3000000 steps is used up (--limit-steps)"),
        (
            "no_such_thing 'x'",
            "compile-failed",
            "NoMethodError: undefined method `no_such_thing' for cookbook: a, recipe: default :Chef::Recipe",
        ),
    ] {
        judged(&[], code, &[&format!("error compile/{rule} {place} {message}")]);
    }
}

#[test]
fn what_a_failure_depends_on() {
    const HELPER: &str = "module H\n  def self.systemd?\n    File.directory?('/run/systemd/system')\n  end\n  def self.release\n    @release ||= `release`.strip\n  end\nend\n";
    let recipe = "cookbooks/a/recipes/default.rb";
    let library = ("cookbooks/a/libraries/h.rb", HELPER);
    let attributes = ("cookbooks/a/attributes/default.rb", "default['s']['sd'] = H.systemd?\n");
    let systemd = "<the file /run/systemd/system is not there>";
    let assumption =
        |line: usize, rest: &str| format!("assumption compile/depends-on-assumption {recipe}:{line} {rest}");
    // the same question asked twice, and asked where an attribute is set
    for code in [
        "unless H.systemd?\n  raise 'only on systemd'\nend\n",
        "unless node['s']['sd']\n  raise 'only on systemd'\nend\n",
    ] {
        judged(&[library, attributes], code, &[&assumption(2, &format!("RuntimeError: only on systemd {systemd}"))]);
    }
    // the nearest question, not the latest; one that is kept
    judged(
        &[library],
        "release = H.release\nFile.exist?('/etc/motd')\nlog release.match(/(\\d)/)[1]\n",
        &[&assumption(
            3,
            "NoMethodError: undefined method `[]' for nil:NilClass <the command `release` prints nothing and succeeds>",
        )],
    );
    judged(
        &[library],
        "log H.release\nH.systemd?\nraise 'odd' if H.release.empty?\n",
        &[&assumption(3, "RuntimeError: odd <the command `release` prints nothing and succeeds>")],
    );
    // names in interpolations, which no comment begins with
    let rpm = "<the command `rpm -q foo` prints nothing and succeeds>";
    let upcase = "NoMethodError: undefined method `upcase' for nil:NilClass";
    for (code, rest) in [
        ("out = shell_out('rpm -q foo').stdout[/x/]\nlog \"version #{out.upcase}\"\n", format!("{upcase} {rpm}")),
        (
            "out = shell_out('rpm -q foo').stdout[/x/]\nraise \"no #{out} here\" unless out\n",
            format!("RuntimeError: no  here {rpm}"),
        ),
        (
            "items = search(:node, 'role:x')\nlog \"first #{items.first['name']}\"\n",
            "NoMethodError: undefined method `[]' for nil:NilClass <the search node role:x finds nothing>".to_string(),
        ),
    ] {
        judged(&[], code, &[&assumption(2, &rest)]);
    }
    // mistakes below questions that have nothing to do with them
    for (code, line, rest) in [
        (
            "log 'x' if File.exist?('/etc/foo')\nq = nil\nlog 'a'\nlog q.upcase\n",
            4,
            "compile-failed {} NoMethodError: undefined method `upcase' for nil:NilClass",
        ),
        (
            "out = `id`\nlog out\nInteger('abc')\n",
            3,
            "compile-failed {} ArgumentError: invalid value for Integer(): \"abc\"",
        ),
        ("`id`\n[1].fetch(7)\n", 2, "compile-failed {} IndexError: index 7 outside of array bounds: -1...1"),
    ] {
        judged(&[library], code, &[&format!("error compile/{}", rest.replace("{}", &format!("{recipe}:{line}")))]);
    }
    // the absent fact, whatever was asked before
    judged(
        &[],
        "File.exist?('/vendor')\nlog node['ec2']['region']\n",
        &[
            "assumption compile/fact-absent cookbooks/a/recipes/default.rb:2 NoMethodError: undefined method `[]' for nil:NilClass <the fact node['ec2'] is absent in the node's facts>",
        ],
    );
    // what a simulated machine does not do
    judged(
        &[],
        "Process.fork { }\n",
        &[&assumption(
            1,
            "NotImplementedError: fork() function is unimplemented on this machine <a run does what a simulated machine does not: fork>",
        )],
    );
}

#[test]
fn gems_that_runs_install() {
    let recipe = "cookbooks/a/recipes/default.rb";
    for (files, code, line) in [
        (
            vec![("cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\ngem 'aws-sdk-s3'\n")],
            "require 'aws-sdk-s3'\n",
            1,
        ),
        (
            vec![],
            "gem = Chef::Resource::ChefGem.new('aws-sdk-s3', run_context)\ngem.run_action(:install)\nrequire 'aws-sdk-s3'\n",
            3,
        ),
        (vec![], "chef_gem('aws-sdk-s3') { compile_time true }\nrequire 'aws-sdk-s3'\n", 2),
    ] {
        judged(
            &files,
            code,
            &[&format!(
                "assumption compile/depends-on-assumption {recipe}:{line} LoadError: cannot load such file -- aws-sdk-s3 <the gem aws-sdk-s3 is not here"
            )],
        );
    }
}

#[test]
fn guards_and_lazy_values_that_raise() {
    let recipe = "cookbooks/a/recipes/default.rb";
    judged(
        &[],
        "log('a') { only_if { node['a']['b'] } }\nexecute 'b' do\n  command lazy { node['z']['y'] }\nend\nlog('c') { not_if { nil.upcase }; action :nothing }\n",
        &[
            &format!("warning compile/guard-fails {recipe}:1 a guard of log[a]: node['a'] is not set"),
            &format!("warning compile/guard-fails {recipe}:3 a lazy value of execute[b]: node['z'] is not set"),
        ],
    );
    judged(
        &[],
        "systemd_unit 'a.service' do\n  content lazy { node['z']['y'] }\n  action :create\nend\n",
        &[&format!(
            "warning compile/guard-fails {recipe}:2 a lazy value of systemd_unit[a.service]: node['z'] is not set"
        )],
    );
    // an action of this name is not a guard
    judged(
        &[("cookbooks/a/resources/thing.rb", "provides :thing\naction(:guard) { raise 'no' }\n")],
        "thing 'x' do\n  action :guard\nend\n",
        &["error compile/refuses cookbooks/a/resources/thing.rb:2 the cookbook ends the run: no"],
    );
}

#[test]
fn a_missing_cookbook_silences_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/b/metadata.rb", "name 'b'\nversion '1.0.0'\n");
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\ndepends 'gone'\n");
    write(
        folder.path(),
        "cookbooks/a/recipes/default.rb",
        "include_recipe 'gone::x'\npackage 'x' do\n  action :instal\nend\ntemplate '/etc/x' do\n  source 'no.erb'\nend\npacakge 'y' do\n  action :install\nend\n",
    );
    let found = json(folder.path(), &["-o", "a", "--platform", "debian-12"]);
    let told = told(&found);
    for wanted in [
        "error compile/missing-cookbook cookbooks/a/metadata.rb:3 no directory of the cookbook path has the cookbook gone",
        "error rchef/unknown-action cookbooks/a/recipes/default.rb:3 ",
        "error rchef/unknown-resource cookbooks/a/recipes/default.rb:8 there is no resource pacakge; did you mean package?",
    ] {
        assert!(told.iter().any(|one| one.starts_with(wanted)), "{wanted}\n{told:#?}");
    }
    write(
        folder.path(),
        "cookbooks/a/recipes/default.rb",
        "include_recipe 'gone::x'\ntemplate '/etc/x' do\n  source 'no.erb'\nend\ngone_site 'a'\n",
    );
    let found = json(folder.path(), &["-o", "a", "--platform", "debian-12", "--no-static"]);
    assert_eq!(found["units"][0]["resources"], 1, "{found:#}");
    assert_eq!(found["findings"].as_array().unwrap().len(), 2, "{found:#}");
    assert!(found["findings"][0]["cascades"][0].as_str().unwrap().contains("gone_site"), "{found:#}");
    // so is what fails of it in an action
    write(folder.path(), "cookbooks/a/resources/b.rb", "action :run do\n  gone_line 'x'\nend\n");
    write(folder.path(), "cookbooks/a/recipes/default.rb", "a_b 'x'\n");
    let found = json(folder.path(), &["-o", "a", "--platform", "debian-12", "--no-static"]);
    assert_eq!(found["findings"].as_array().unwrap().len(), 1, "{found:#}");
    let cascade = &found["findings"][0]["cascades"][0];
    assert_eq!(cascade, "NoMethodError: undefined method `gone_line' (a/resources/b.rb:2)", "{found:#}");
    let (_, out, _) = check(folder.path(), &[]);
    assert!(out.contains("cookbooks/a/metadata.rb:3:1: warning rchef/missing-depends"), "{out}");
}

#[test]
fn missing_cookbooks_are_told_by_name() {
    // the message about the other one has the word
    let metadata = "cookbooks/a/metadata.rb";
    judged(
        &[(metadata, "name 'a'\nversion '1.0.0'\ndepends 'gone'\n")],
        "include_recipe 'directory::x'\n",
        &[
            "error compile/missing-cookbook cookbooks/a/metadata.rb:3 no directory of the cookbook path has the cookbook gone",
            "error compile/missing-cookbook cookbooks/a/recipes/default.rb:1 Chef::Exceptions::CookbookNotFound: Cookbook directory not found",
        ],
    );
    // its line is that of `depends`
    judged(
        &[(metadata, "name 'a'\ndescription 'uses \"gone\"'\ndepends 'gone'\n")],
        "log 'a'\n",
        &["error compile/missing-cookbook cookbooks/a/metadata.rb:3 "],
    );
}

/// Rule, place and message of all findings.
fn of_documents(folder: &Path, args: &[&str]) -> Vec<String> {
    let found = json(folder, args);
    told(&found).iter().map(|line| line.split_once(' ').unwrap().1.to_string()).collect()
}

fn chef_repo() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    write(folder.path(), "cookbooks/a/recipes/default.rb", "log 'a'\n");
    folder
}

#[test]
fn run_lists_of_roles() {
    for (file, text, findings) in [
        ("r.rb", "name 'r'\nrun_list 'recipe[a]' # was 'recipe[old]'\n", vec![]),
        ("r.rb", "name 'r'\ndescription \"replaces 'recipe[legacy]'\"\n", vec![]),
        ("r.rb", "=begin\nrun_list 'recipe[x]'\n=end\nname 'r'\n", vec![]),
        (
            "r.rb",
            "name 'r'\nrun_list %w(recipe[a] recipe[nowhere])\nenv_run_lists 'p' => ['role[no]'], '_default' => []\n",
            vec![
                "compile/missing-cookbook roles/r.rb:2 there is no cookbook nowhere in the repository",
                "compile/missing-role roles/r.rb:3 there is no role no in roles",
            ],
        ),
        (
            "r.json",
            "{\"name\": \"r\", \"description\": \"recipe[no]\", \"run_list\": [\n\"recipe[a]\",\n\"recipe[a::no]\"]}\n",
            vec!["compile/missing-recipe roles/r.json:3 the cookbook a has no recipe no"],
        ),
    ] {
        let folder = chef_repo();
        write(folder.path(), &format!("roles/{file}"), text);
        assert_eq!(of_documents(folder.path(), &[]), findings, "{text}");
    }
}

#[test]
fn documents_are_files_of_the_check() {
    let folder = chef_repo();
    let root = folder.path();
    write(root, "roles/b.rb", "name 'b'\nrun_list 'role[no]', 'role[c]'\n");
    write(root, "roles/old/c.json", "{\"name\": \"c\", \"run_list\": [\"recipe[gone]\"]}\n");
    let no = "compile/missing-role roles/b.rb:2 there is no role no in roles";
    let gone = "compile/missing-cookbook roles/old/c.json:1 there is no cookbook gone in the repository";
    for (settings, args, findings) in [
        ("", vec![], vec![no, gone]),
        ("", vec!["roles"], vec![no, gone]),
        ("", vec!["roles/b.rb"], vec![no]),
        ("", vec!["roles/old"], vec![gone]),
        ("", vec!["roles/old/c.json", "cookbooks"], vec![gone]),
        ("exclude = ['roles/old/**/*']\n", vec![], vec![no]),
        ("exclude = ['roles/old/**/*']\n", vec!["--no-config"], vec![no, gone]),
        ("ignore = ['compile/missing-role']\n", vec![], vec![gone]),
        ("[per-path-ignores]\n'roles/old/*' = ['compile']\n", vec![], vec![no]),
        ("[per-path-ignores]\n'roles/old/*' = ['compile']\n", vec!["--no-config"], vec![no, gone]),
    ] {
        write(root, "rchef.toml", settings);
        assert_eq!(of_documents(root, &args), findings, "{settings} {args:?}");
    }
    write(root, "rchef.toml", "ignore = ['compile']\n");
    let (status, out, _) = check(root, &[]);
    assert_eq!((status, out.as_str()), (0, "4 files checked: 0 errors, 0 warnings\n"), "settings are no comments");
    write(root, "rchef.toml", "");
    write(root, "roles/b.rb", "name 'b'\nrun_list 'role[no]' # rchef:ignore[compile/missing-role]\n");
    let (_, out, _) = check(root, &["roles/b.rb"]);
    assert!(out.contains("1 suppressed by comments"), "{out}");
}

#[test]
fn documents_and_compiles_tell_a_name_once() {
    let folder = chef_repo();
    write(
        folder.path(),
        "roles/b.rb",
        "name 'b'\nrun_list 'recipe[gone]', 'recipe[gone2]', 'role[no1]', 'role[no2]'\n",
    );
    write(folder.path(), "roles/c.rb", "name 'c'\nrun_list 'recipe[gone]', 'recipe[gone2]'\n");
    let found = json(folder.path(), &["--all-roles", "--platform", "debian-12"]);
    let all: Vec<(&str, &str, Vec<&str>)> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let units = one["where"].as_array().unwrap().iter().map(|unit| unit.as_str().unwrap()).collect();
            (one["path"].as_str().unwrap(), one["message"].as_str().unwrap(), units)
        })
        .collect();
    let cookbook = |name: &str| format!("there is no cookbook {name} in the repository");
    for (path, name, unit) in
        [("roles/c.rb", "gone", "role c on debian-12"), ("roles/c.rb", "gone2", "role c on debian-12")]
    {
        assert!(all.contains(&(path, cookbook(name).as_str(), vec![unit])), "{name} {all:#?}");
    }
    for name in ["no1", "no2"] {
        let message = format!("there is no role {name} in roles");
        assert!(all.contains(&("roles/b.rb", message.as_str(), vec!["role b on debian-12"])), "{name} {all:#?}");
    }
    assert_eq!(all.len(), 6, "{all:#?}");
}

#[test]
fn documents() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    write(folder.path(), "cookbooks/a/recipes/default.rb", "log 'a'\n");
    write(folder.path(), "roles/web.json", "{\"name\": \"web\",\n");
    write(
        folder.path(),
        "roles/base.rb",
        "name 'base'\nrun_list 'recipe[a]', 'recipe[a::no]',\n  'recipe[gone]', 'role[norole]', 'role[web]'\n",
    );
    write(folder.path(), "environments/prod.json", "{\"name\": \"prod\"}\n");
    write(folder.path(), "data_bags/b/bad.json", "{\"id\" \"bad\"}\n");
    let (status, out, _) = check(folder.path(), &[]);
    assert_eq!(status, 1, "{out}");
    for wanted in [
        "roles/web.json:2:1: error json/syntax-error: the file is not JSON: EOF while parsing",
        "roles/base.rb:2:24: error compile/missing-recipe: the cookbook a has no recipe no",
        "roles/base.rb:3:4: error compile/missing-cookbook: there is no cookbook gone in the repository",
        "roles/base.rb:3:20: error compile/missing-role: there is no role norole in roles",
        "data_bags/b/bad.json:1:7: error json/syntax-error: the file is not JSON: expected `:`",
    ] {
        assert!(out.contains(wanted), "{wanted}\n{out}");
    }
    assert_eq!(out.matches(": error ").count(), 5, "{out}");
    // what a compile finds of it, too, is told once
    write(folder.path(), "roles/web.json", "{\"name\": \"web\"}\n");
    let found = json(folder.path(), &["-o", "role[base]", "--platform", "debian-12"]);
    let roles = found["findings"].as_array().unwrap().iter().filter(|one| one["rule"] == "compile/missing-role");
    let roles: Vec<&Value> = roles.collect();
    assert_eq!(roles.len(), 1, "{found:#}");
    assert_eq!((&roles[0]["line"], roles[0]["where"].as_array().unwrap().len()), (&3.into(), 1), "{found:#}");
}

#[test]
fn resources_that_are_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    write(folder.path(), "cookbooks/fb-x/metadata.rb", "name 'fb-x'\nversion '1.0.0'\n");
    write(folder.path(), "cookbooks/fb-x/resources/site.rb", "action(:run) {}\n");
    for (code, message, todo) in [
        (
            "fb_x_site 'a'\n",
            "NoMethodError: undefined method `fb_x_site'",
            "the cookbook fb-x has the resource fb_x_site: add depends 'fb-x'",
        ),
        ("deploy 'x'\n", "Chef 14 removed the resource deploy (NoMethodError", "use git and the steps"),
    ] {
        write(folder.path(), "cookbooks/a/recipes/default.rb", code);
        let found = json(folder.path(), &["-o", "a", "--platform", "debian-12", "--no-static"]);
        let one = &found["findings"][0];
        let text = |key: &str| one[key].as_str().unwrap_or_default().to_string();
        assert!(text("message").starts_with(message) && text("todo").starts_with(todo), "{found:#}");
    }
}

#[test]
fn answers_are_drafted_for_what_is_asked_first() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    write(
        folder.path(),
        "cookbooks/a/recipes/default.rb",
        "log 'a'\nsearch(:accounts, '*:*') { |one| log one['id'] }\n",
    );
    let args = ["-o", "a", "--platform", "debian-12", "--no-static"];
    let found = json(folder.path(), &args);
    assert!(told(&found)[0].ends_with("<there is no data bag accounts>"), "{found:#}");
    check(folder.path(), &[&args[..], &["--write-stubs", "stubs.yml"]].concat());
    let text = std::fs::read_to_string(folder.path().join("stubs.yml")).unwrap();
    assert!(text.contains("data_bags:\n  \"accounts\":\n    # a/recipes/default.rb:2\n"), "{text}");
    let found = json(folder.path(), &[&args[..], &["--stub", "stubs.yml"]].concat());
    assert_eq!(found["units"][0]["verdict"], "runs", "{found:#}");
}

#[test]
fn only_the_correction_that_changes_something_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    write(
        folder.path(),
        "cookbooks/a/recipes/default.rb",
        "log IO.read(\"#{File.dirname(__FILE__)}/roll.rb\").length.to_s\n",
    );
    write(folder.path(), "cookbooks/a/recipes/roll.rb", "log 'a' unless File.exists?('/nowhere')\n");
    write(folder.path(), "cookbooks/a/recipes/other.rb", "log 'a' unless File.exists?('/nowhere')\n");
    write(
        folder.path(),
        "cookbooks/a/recipes/third.rb",
        "case node['platform_family']\nwhen 'debian'\n  log 'x'\nend\nlog 'b' if node.platform?('ubuntu')\n",
    );
    let (_, out, error) = check(folder.path(), &["--select", "Rchef/RemovedRuby", "--fix"]);
    let read =
        |name: &str| std::fs::read_to_string(folder.path().join(format!("cookbooks/a/recipes/{name}.rb"))).unwrap();
    assert!(read("other").contains("File.exist?("), "{out}{error}");
    assert!(read("roll").contains("File.exists?("), "{out}{error}");
    assert!(
        out.contains(
            "the corrections of cookbooks/a are taken back that Rchef/RemovedRuby makes in cookbooks/a/recipes/roll.rb"
        ),
        "{out}"
    );
}

#[test]
fn a_correction_that_is_not_proven_is_never_written() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        write(folder.path(), &format!("cookbooks/{name}/metadata.rb"), &format!("name '{name}'\ndepends 'b'\n"));
    }
    write(folder.path(), "cookbooks/b/metadata.rb", "name 'b'\n");
    // what the recipe of one cookbook declares depends on how the other one is written
    write(
        folder.path(),
        "cookbooks/a/recipes/default.rb",
        "include_recipe 'b'\nlog IO.read(File.expand_path('../../../b/recipes/default.rb', __FILE__)).length.to_s\nlog File.exists?('/x').to_s\n",
    );
    write(folder.path(), "cookbooks/b/recipes/default.rb", "log 'a' unless File.exists?('/nowhere')\n");
    write(folder.path(), "cookbooks/b/recipes/other.rb", "log IO.read(__FILE__).length.to_s\nFile.exists?('/x')\n");
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let files = ["a/recipes/default.rb", "b/recipes/default.rb", "b/recipes/other.rb"];
    let path = |name: &str| folder.path().join("cookbooks").join(name);
    for name in files {
        std::fs::File::options().write(true).open(path(name)).unwrap().set_modified(long_ago).unwrap();
    }
    let (_, out, error) = check(folder.path(), &["--select", "Rchef/RemovedRuby", "--fix"]);
    for name in files {
        assert_eq!(std::fs::metadata(path(name)).unwrap().modified().unwrap(), long_ago, "{name}\n{out}{error}");
    }
    assert!(out.contains("Rchef/RemovedRuby makes in cookbooks/b/recipes/other.rb"), "{out}");
    assert!(out.contains("all rules together makes in cookbooks/b/recipes/default.rb"), "{out}");
}

#[test]
fn files_in_other_encodings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.rb");
    // MRI 3.1: `ruby -c` says the same of each
    for (name, byte, valid) in [
        ("iso-8859-2", "\u{e9}", true),
        ("windows-1250", "\u{e9}", true),
        ("windows-1252", "\u{81}", true),
        ("Windows-31J", "\u{81}@", true),
        ("Windows-31J", "\u{e9}", false),
        ("euc-jp", "\u{e9}", false),
        ("binary", "\u{e9}", true),
        ("iso-8859-1-unix", "\u{e9}", true),
        ("us-ascii", "\u{e9}", false),
        ("latin1", "\u{e9}", false),
        ("utf-16le", "\u{e9}", false),
    ] {
        let mut text = format!("# coding: {name}\nx = '").into_bytes();
        text.extend(byte.chars().map(|letter| u8::try_from(letter).unwrap()));
        text.extend(b"'\n");
        std::fs::write(&path, text).unwrap();
        let (_, out, _) = check(folder.path(), &["a.rb"]);
        assert_eq!(!out.contains("the file is not UTF-8"), valid, "{name} {out}");
    }
}

#[test]
fn files_in_latin_1() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    let path = folder.path().join("cookbooks/a/recipes/default.rb");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, b"# encoding: iso-8859-1\nlog 'caf\xe9'\nlog 'x' if File.exists?('/a')\n").unwrap();
    let (_, out, _) = check(folder.path(), &["--select", "Rchef/RemovedRuby"]);
    assert!(out.contains("default.rb:3:17: ") && !out.contains("syntax-error"), "{out}");
}
