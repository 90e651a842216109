//! `rchef check` with run lists, and `--fix` with the compiles before and after, from end to end.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)] // a test drives the machine itself

use rchef_spec::binary::binary;
use rchef_spec::git::commit_all;
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
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
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
    // by an absolute path, too
    let (_, out, error) =
        check(folder.path(), &["--select", "Rchef/RemovedRuby", "--fix", folder.path().to_str().unwrap()]);
    assert_eq!(read("other"), text, "{out}{error}");
    check(folder.path(), &["--select", "Rchef/RemovedRuby", "--fix", "--no-compile"]);
    assert!(read("other").contains("File.exist?("));
}

#[test]
fn answers_are_drafted_and_used() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\n");
    write(
        folder.path(),
        "cookbooks/a/recipes/default.rb",
        "user = data_bag_item('users', 'alice')\nfound = search(:node, 'role:web')\nraise 'none' if found.empty?\nport = File.read('/etc/port')\nid = Etc.getpwnam('vagrant').uid\nlog \"#{user['uid']} #{found.first['ipaddress']} #{port} #{id} #{node['packages']['curl']['version']}\"\n",
    );
    let on = ["-o", "a", "--platform", "debian-12"];
    check(folder.path(), &[&on[..], &["--write-stubs", "draft.yml"]].concat());
    let draft = std::fs::read_to_string(folder.path().join("draft.yml")).unwrap();
    assert!(draft.contains("data_bags:\n  \"users\":\n") && draft.contains("    \"alice\": {}"), "{draft}");
    write(
        folder.path(),
        "stubs.yml",
        "data_bags: {users: {alice: {uid: 7}}}\nsearches: [{index: node, query: 'role:web', found: [{name: w, ipaddress: 10.0.0.9}]}]\nfiles: {/etc/port: '80'}\nusers: {vagrant: {uid: 900}}\nfacts: {packages: {curl: {version: '8.1'}}}\n",
    );
    let found = json(folder.path(), &[&on[..], &["--stub", "stubs.yml", "--no-static"]].concat());
    assert_eq!(found["units"][0]["verdict"], "runs", "{found:#}");
    let rchef = binary().unwrap();
    let dump = Command::new(rchef)
        .args(["compile", "--dump-only", "resources"])
        .args(on)
        .args(["--stub", "stubs.yml"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let dump = String::from_utf8(dump.stdout).unwrap();
    assert!(dump.contains("7 10.0.0.9 80 900 8.1"), "{dump}");
    let (status, _, complaint) = check(folder.path(), &[&on[..], &["--stub", "nothing.yml"]].concat());
    assert!(status == 2 && complaint.contains("nothing.yml: No such file"), "{status} {complaint}");
}

#[test]
fn many_units_give_what_each_gives_alone() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\n");
    write(folder.path(), "cookbooks/a/libraries/a.rb", "module A\n  def self.of(node) = node['platform']\nend\n");
    write(folder.path(), "cookbooks/a/attributes/default.rb", "default['a']['on'] = node['platform_version']\n");
    let bodies = [
        "log A.of(node)\n",
        "log node['a']['on']\n",
        "raise 'never' if node['platform'] == 'debian'\n",
        "x(\n",
        "node.set['a'] = 1\n",
    ];
    for (at, body) in bodies.iter().enumerate() {
        write(folder.path(), &format!("cookbooks/a/recipes/r{at}.rb"), body);
    }
    let platforms = ["--platform", "debian-12", "--platform", "rocky-9", "--no-static"];
    let all = json(folder.path(), &[&["--all-recipes"][..], &platforms].concat());
    assert_eq!(all["units"].as_array().unwrap().len(), 10);
    for unit in all["units"].as_array().unwrap() {
        let (run_list, platform) = (unit["run_list"].as_str().unwrap(), unit["platform"].as_str().unwrap());
        let alone = json(folder.path(), &["-o", run_list, "--platform", platform, "--no-static"]);
        assert_eq!(alone["units"][0]["verdict"], unit["verdict"], "{run_list} {platform}");
        assert_eq!(alone["units"][0]["resources"], unit["resources"], "{run_list} {platform}");
    }
    let verdicts: Vec<&str> =
        all["units"].as_array().unwrap().iter().map(|unit| unit["verdict"].as_str().unwrap()).collect();
    assert!(
        verdicts.contains(&"refuses") && verdicts.contains(&"fails") && verdicts.contains(&"runs, 1 deprecation"),
        "{verdicts:?}"
    );
}

#[test]
fn both_tiers_tell_one_finding() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nchef_version '>= 14'\n");
    write(folder.path(), "cookbooks/a/recipes/default.rb", "node.set['a'] = 1\n");
    write(folder.path(), "cookbooks/a/recipes/other.rb", "node.set['a'] = 1\n");
    write(folder.path(), "cookbooks/b/metadata.rb", "name 'b'\nchef_version '>= 14'\n");
    write(folder.path(), "cookbooks/b/recipes/default.rb", "node.set['a'] = 1\n");
    let found = json(folder.path(), &["-o", "a", "--platform", "debian-12"]);
    let set: Vec<(&str, &str)> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["rule"] == "chef/deprecations/node-set" || one["rule"] == "compile/deprecated")
        .map(|one| (one["path"].as_str().unwrap(), one["reached"].as_str().unwrap_or("?")))
        .collect();
    assert_eq!(
        set,
        [("cookbooks/a/recipes/default.rb", "confirmed"), ("cookbooks/a/recipes/other.rb", "no")],
        "{found:#}"
    );
    assert!(found["coverage"].as_str().unwrap().starts_with("checked 1 of 2 cookbooks, 1 of 3 recipes"), "{found:#}");
}

#[test]
fn a_warning_does_not_hide_the_error_on_its_line() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nchef_version '>= 14'\n");
    write(folder.path(), "cookbooks/a/recipes/default.rb", "node.set['a'] = Nowhere.value\n");
    let found = json(folder.path(), &["-o", "a", "--platform", "debian-12"]);
    let told: Vec<&str> =
        found["findings"].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap()).collect();
    assert!(told.contains(&"compile/compile-failed"), "{found:#}");
    assert!(told.contains(&"chef/deprecations/node-set"), "{found:#}");
}

#[test]
fn suites_of_a_policyfile_that_is_code() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "metadata.rb", "name 'a'\n");
    write(folder.path(), "recipes/one.rb", "log 'one'\n");
    write(
        folder.path(),
        "Policyfile.rb",
        "name 'a'\nrun_list 'a::none'\ncookbook 'a', path: '.'\ndefault['x']['y'] = 1\nDir.children('./recipes').grep(/rb/).each { |file| named_run_list File.basename(file, '.rb').to_sym, \"a::#{File.basename(file, '.rb')}\" }\n",
    );
    write(
        folder.path(),
        "kitchen.yml",
        "platforms:\n  - name: rockylinux-9\n  - name: fedora-latest\nsuites:\n  - name: s\n    provisioner: {named_run_list: one}\n    excludes: [rockylinux-9]\n",
    );
    let found = json(folder.path(), &["--kitchen", "--no-static"]);
    assert_eq!(found["units"].as_array().unwrap().len(), 1, "{found:#}");
    assert_eq!(found["units"][0]["run_list"], "a::one");
    assert_eq!(
        (&found["units"][0]["verdict"], &found["units"][0]["platform"]),
        (&Value::from("runs"), &Value::from("fedora-41"))
    );
}

#[test]
fn removed_methods_and_undeclared_cookbooks_are_told_once() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\nchef_version '>= 14'\n");
    write(folder.path(), "cookbooks/a/recipes/default.rb", "File.exists?('/x')\ninclude_recipe 'b'\n");
    write(folder.path(), "cookbooks/b/metadata.rb", "name 'b'\nchef_version '>= 14'\n");
    write(folder.path(), "cookbooks/b/recipes/default.rb", "log 'b'\n");
    let found = json(folder.path(), &["-o", "a", "--platform", "debian-12"]);
    let told: Vec<(u64, &str, &str)> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["path"] == "cookbooks/a/recipes/default.rb")
        .map(|one| {
            (one["line"].as_u64().unwrap(), one["rule"].as_str().unwrap(), one["reached"].as_str().unwrap_or("?"))
        })
        .collect();
    assert_eq!(
        told,
        [(1, "rchef/removed-ruby", "confirmed"), (2, "rchef/undeclared-depends", "confirmed")],
        "{found:#}"
    );
}

#[test]
fn a_link_out_of_the_repository_is_told() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(elsewhere.path(), "metadata.rb", "name 'a'\n");
    write(elsewhere.path(), "recipes/default.rb", "log 'a'\n");
    std::fs::create_dir_all(folder.path().join("cookbooks")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("cookbooks/a")).unwrap();
    let found = json(folder.path(), &["-o", "a", "--platform", "debian-12"]);
    assert_eq!(rules(&found)[0].0, "compile/missing-cookbook", "{found:#}");
    let message = found["findings"][0]["message"].as_str().unwrap();
    assert!(message.contains("cookbooks/a is a link that leads out of the chef-repo"), "{message}");
    assert!(message.contains("`--allow-path`"), "{message}");
    let there = elsewhere.path().to_str().unwrap();
    let found = json(folder.path(), &["-o", "a", "--platform", "debian-12", "--allow-path", there]);
    assert_eq!(found["units"][0]["verdict"], "runs", "{found:#}");
    // another cookbook's link has nothing to do with it; the cookbook path's has
    for (link, told) in [("cookbooks/z", false), ("cookbooks", true)] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("roles")).unwrap();
        if link != "cookbooks" {
            std::fs::create_dir_all(folder.path().join("cookbooks")).unwrap();
        }
        std::os::unix::fs::symlink(elsewhere.path(), folder.path().join(link)).unwrap();
        let found = json(folder.path(), &["-o", "a", "--platform", "debian-12"]);
        let message = found["findings"][0]["message"].as_str().unwrap();
        assert_eq!(message.contains("is a link that leads out"), told, "{link}: {message}");
    }
}

#[test]
fn what_a_helper_asks_for_its_caller_is_an_assumption() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\n");
    let helper = "module Groups\n  def group_of(name)\n    shell_out('vgs').stdout.lines.find { |line| line.strip == name }\n  end\nend\n";
    write(folder.path(), "cookbooks/a/libraries/groups.rb", helper);
    let action = "unified_mode true\naction :create do\n  raise 'there is no group' unless group_of('vg')\nend\naction_class { include Groups }\n";
    write(folder.path(), "cookbooks/a/resources/volume.rb", action);
    write(folder.path(), "cookbooks/a/recipes/default.rb", "a_volume 'x'\n");
    let found = json(folder.path(), &["-o", "a", "--platform", "debian-12"]);
    assert_eq!(found["units"][0]["verdict"], "depends on 1 assumption", "{found:#}");
    assert_eq!(found["findings"][0]["assumed"][0], "the command `vgs` prints nothing and succeeds");
}

#[test]
fn nodes_that_look_for_nodes_find_what_a_single_compile_finds() {
    find_what_a_single_compile_finds("File.write(path, text)");
    find_what_a_single_compile_finds("File.write('/tmp/n9', text); File.rename('/tmp/n9', path)");
}

/// `writes`: how a node comes to be saved while others are compiled.
fn find_what_a_single_compile_finds(writes: &str) {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cookbooks/a/metadata.rb", "name 'a'\n");
    let recipe = format!(
        "path = File.expand_path('../../../nodes/n9.json', __dir__)\ntext = '{{\"name\":\"n9\",\"automatic\":{{\"roles\":[\"web\"],\"net\":{{\"ip\":\"10.9\"}}}}}}'\nweb = search(:node, 'role:web AND net_ip:10*').map(&:name)\nif node['writes']\n{writes}\nend\nlater = search(:node, 'role:web').map(&:name)\nraise \"#{{node.name}} finds #{{web}} #{{later}} #{{search(:node, 'NOT role:web').size}}\"\n"
    );
    write(folder.path(), "cookbooks/a/recipes/default.rb", &recipe);
    for at in 1..=6 {
        let roles = if at % 2 == 0 { "[\"web\"]" } else { "[]" };
        let text = format!(
            "{{\"name\":\"n{at}\",\"normal\":{{\"writes\":{}}},\"automatic\":{{\"platform\":\"debian\",\"platform_version\":\"12\",\"roles\":{roles},\"net\":{{\"ip\":\"10.{at}\"}}}},\"run_list\":[\"recipe[a]\"]}}",
            at == 5
        );
        write(folder.path(), &format!("nodes/n{at}.json"), &text);
    }
    let all = json(folder.path(), &["--nodes", "nodes"]);
    let mut told: Vec<String> = all["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["message"].as_str().map(str::to_string))
        .collect();
    told.retain(|message| message.contains(" finds "));
    told.sort();
    assert_eq!(told.len(), 6, "{all:#}");
    let of =
        |at: usize, later: &str| format!("the cookbook ends the run: n{at} finds [\"n2\", \"n4\", \"n6\"] {later} 3");
    for at in [1, 2, 3, 4, 6] {
        assert!(told.contains(&of(at, "[\"n2\", \"n4\", \"n6\"]")), "{told:#?}");
    }
    assert!(told.iter().any(|message| message.contains("n5 finds") && message.contains("\"n9\"")), "{told:#?}");
}

#[test]
fn units_that_a_change_concerns_from_wherever_it_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["cookbooks/a", "cookbooks/b", "cb/c", "shared/d"] {
        let own = name.rsplit('/').next().unwrap();
        write(folder.path(), &format!("{name}/metadata.rb"), &format!("name '{own}'\n"));
        write(folder.path(), &format!("{name}/attributes/default.rb"), "default['x'] = 1\n");
        write(folder.path(), &format!("{name}/recipes/default.rb"), "log 'x'\n");
    }
    write(folder.path(), "cookbooks/b/recipes/default.rb", "log data_bag_item('keys', 'one')['k']\n");
    write(folder.path(), "roles/web.rb", "name 'web'\nrun_list 'recipe[a]'\n");
    write(folder.path(), "environments/prod.rb", "name 'prod'\n");
    write(folder.path(), "data_bags/keys/one.json", "{\"id\": \"one\", \"k\": \"v\"}");
    write(folder.path(), "data_bags/keys/two.json", "{\"id\": \"two\", \"k\": \"v\"}");
    write(folder.path(), "README.md", "text\n");
    std::os::unix::fs::symlink("../shared/d", folder.path().join("cookbooks/d")).unwrap();
    commit_all(folder.path()).unwrap();
    let count = |from: &str, args: &[&str]| -> usize {
        let args = [args, &["--platform", "debian-12", "--changed-since", "HEAD", "--no-static"]].concat();
        json(&folder.path().join(from), &args)["units"].as_array().unwrap().len()
    };
    for (file, text, from, args, units) in [
        ("README.md", "more\n", "", &["-o", "a", "-o", "b"][..], 0),
        ("cookbooks/a/recipes/default.rb", "log 'y'\n", "", &["-o", "a", "-o", "b"], 1),
        ("cookbooks/a/recipes/default.rb", "log 'z'\n", "cookbooks", &["-o", "a"], 1),
        ("cookbooks/a/attributes/default.rb", "default['x'] = 2\n", "cookbooks/a/recipes", &["-o", "a"], 1),
        ("cookbooks/a/recipes/default.rb", "log 'a'\n", "cookbooks/b", &["--cookbook-path", "..", "-o", "b"], 0),
        ("cb/c/recipes/default.rb", "log 'y'\n", "", &["--cookbook-path", "cb", "-o", "c"], 1),
        ("cb/c/recipes/default.rb", "log 'z'\n", "", &["-o", "a"], 0),
        ("shared/d/recipes/default.rb", "log 'y'\n", "", &["-o", "d", "-o", "a", "--allow-path", "."], 1),
        ("roles/web.rb", "name 'web'\nrun_list 'recipe[b]'\n", "", &["-o", "role[web]", "-o", "a"], 1),
        ("environments/prod.rb", "name 'prod'\ndefault_attributes 'a' => 1\n", "", &["-o", "a", "-E", "prod"], 1),
        ("environments/prod.rb", "name 'prod'\n# none\n", "", &["-o", "a"], 0),
        ("data_bags/keys/one.json", "{\"id\": \"one\", \"k\": 1}", "", &["-o", "a", "-o", "b"], 1),
        ("data_bags/keys/two.json", "{\"id\": \"two\", \"k\": 1}", "", &["-o", "a", "-o", "b"], 0),
    ] {
        let before = std::fs::read_to_string(folder.path().join(file)).unwrap();
        write(folder.path(), file, text);
        assert_eq!(count(from, args), units, "{file} from {from:?} {args:?}");
        write(folder.path(), file, &before);
    }
    // a link that leads elsewhere
    std::fs::remove_file(folder.path().join("cookbooks/d")).unwrap();
    std::os::unix::fs::symlink("../cb/c", folder.path().join("cookbooks/d")).unwrap();
    assert_eq!(count("", &["-o", "d", "-o", "a", "--allow-path", "."]), 1);
}

#[test]
fn findings_lie_in_the_cookbook_path_that_was_given() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "cb/c/metadata.rb", "name 'c'\n");
    write(folder.path(), "cb/c/recipes/default.rb", "log 'x'\nnosuch 'y'\n");
    for from in ["", "cb"] {
        let path = if from.is_empty() { "cb" } else { "." };
        let found = json(&folder.path().join(from), &["--cookbook-path", path, "-o", "c", "--platform", "debian-12"]);
        let place = format!("{}c/recipes/default.rb", if from.is_empty() { "cb/" } else { "" });
        assert_eq!(found["findings"][0]["path"], place.as_str(), "{found:#}");
    }
}

/// A comment, and the settings file, switch off what compiles find as they do it with static rules.
#[test]
fn suppressed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    let recipe = "raise 'never'\n";
    let args = ["-o", "a", "--platform", "debian-12"];
    let told = |root: &Path| json(root, &args)["findings"].to_string();
    write(root, "cookbooks/a/recipes/default.rb", recipe);
    assert!(told(root).contains("compile/refuses"));
    for comment in ["compile/refuses", "compile", "chef/deprecations/node-set, compile/refuses"] {
        let text = format!("# rchef:ignore[{comment}] on purpose\n{recipe}");
        write(root, "cookbooks/a/recipes/default.rb", &text);
        assert!(!told(root).contains("compile/refuses"), "{comment}");
    }
    let (status, out, _) = check(root, &[&args[..], &["--fail-on", "error"]].concat());
    assert!(status == 0 && out.contains("1 finding suppressed"), "{out}");
    write(root, "cookbooks/a/recipes/default.rb", &format!("# rchef:ignore[compile/no-provider]\n{recipe}"));
    assert!(told(root).contains("compile/refuses"));
    assert!(!check(root, &[]).1.contains("there is no rule"));
    for (settings, hidden) in [
        ("ignore = ['compile/refuses']", true),
        ("[per-path-ignores]\n'cookbooks/a/**/*' = ['compile']", true),
        ("[per-path-ignores]\n'cookbooks/b/**/*' = ['compile']", false),
    ] {
        write(root, "rchef.toml", settings);
        assert_eq!(!told(root).contains("compile/refuses"), hidden, "{settings}");
    }
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "stubs.yml", "commands: []\n");
    let place = outside.path().display();
    std::os::unix::fs::symlink(outside.path().join("stubs.yml"), root.join("link.yml")).unwrap();
    for setting in [
        format!("stubs = ['{place}/stubs.yml']"),
        format!("baseline = '../../../..{place}/stubs.yml'"),
        "stubs = ['link.yml']".into(),
    ] {
        write(root, "rchef.toml", &setting);
        assert!(check(root, &args).2.contains("is outside of the repository"), "{setting}");
    }
    write(root, "rchef.toml", "ignore = ['compile/nothing']");
    assert!(check(root, &args).2.contains("there is no rule compile/nothing"));
    assert!(check(root, &["--list-rules"]).1.contains("compile/refuses: "));
}

/// Options of one tier, given to the other, are told with what they go with.
#[test]
fn options_of_the_other_tier() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "cookbooks/a/metadata.rb", "name 'a'\n");
    for (args, says) in [
        (&["--platform", "debian-12"][..], "--platform goes with what is to be compiled: -o RUNLIST"),
        (&["--no-static"], "--no-static goes with"),
        (&["-j", "x.json"], "-j goes with"),
        (&["--all-recipes", "--select=Chef/Style"], "--select is of the static rules"),
        (&["--policyfile", "none.lock.json"], "none.lock.json"),
    ] {
        let (status, out, error) = check(root, args);
        assert!(status != 0 && (error.contains(says) || out.contains(says)), "{args:?} {status} {out} {error}");
    }
    let help = check(root, &["--help"]).1;
    for entry in ["-o RUNLIST", "--all-recipes", "--all-roles", "--kitchen", "--nodes", "--policy NAME", "--policyfile"]
    {
        assert!(help.contains(entry), "{entry}");
    }
}

/// What kitchen.yml says of platforms, of the provisioner and of folders, and its local file.
#[test]
fn kitchen() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "cookbooks/a/metadata.rb", "name 'a'\n");
    let recipe = "log \"#{node['a']['one']} #{node['a']['two']} #{data_bag_item('bag', 'item')['x']}\"\n";
    write(root, "cookbooks/a/recipes/default.rb", recipe);
    write(root, "cookbooks/a/recipes/base.rb", "file '/base'\n");
    write(root, "test/bags/bag/item.json", r#"{"id": "item", "x": "here"}"#);
    write(root, "test/integration/second/data_bags/bag/item.json", r#"{"id": "item", "x": "second"}"#);
    write(root, "test/roles/web.json", r#"{"name": "web", "run_list": ["recipe[a]"]}"#);
    write(
        root,
        "kitchen.yml",
        "provisioner:
  name: chef_infra
  roles_path: test/roles
  attributes: {a: {one: 0, two: 2}}
platforms:
  - name: debian-12
    run_list: ['recipe[a::base]']
    attributes: {a: {one: 1}}
suites:
  - name: first
    run_list: ['role[web]']
    includes: <%= platforms %>
    data_bags_path: test/bags
  - name: second
    run_list: ['recipe[a]']
  - name: out
    run_list: ['recipe[a::base]']
    data_bags_path: /etc
",
    );
    let units = |found: &Value| -> Vec<(String, String, u64)> {
        let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_string();
        let units = found["units"].as_array().unwrap().iter();
        units.map(|one| (text(one, "name"), text(one, "verdict"), one["resources"].as_u64().unwrap())).collect()
    };
    let found = json(root, &["--kitchen", "--no-static"]);
    let runs = |name: &str, count: u64| (format!("suite {name} on debian-12"), "runs".to_string(), count);
    // the platform's run list comes first
    assert_eq!(units(&found), [runs("first", 2), runs("second", 2), runs("out", 1)], "{found:#}");
    assert_eq!(found["units"][0]["run_list"], "recipe[a::base],role[web]");
    assert!(found["not_checked"][0].as_str().unwrap().contains("<%= platforms %>, which counts as empty"), "{found:#}");
    assert!(found["not_checked"][1].as_str().unwrap().contains("data_bags_path /etc of the suite out"), "{found:#}");
    write(root, "kitchen.local.yml", "suites:\n  - name: own\n    run_list: ['recipe[a::base]']\n");
    assert_eq!(units(&json(root, &["--kitchen", "--no-static"])), [runs("own", 1)]);
}

/// Failures that have no backtrace, and those before the cookbooks are known, are told at their files.
#[test]
fn paths() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (path, text) in [
        ("cookbooks/x/metadata.rb", "name 'x'\n"),
        ("cookbooks/x/recipes/open.rb", "a = 1\nb = (\n"),
        ("cookbooks/x/recipes/told.rb", "log 'a' do\n  notifies :run, 'execute[no]'\nend\n"),
        ("cookbooks/y/metadata.rb", "version '1.0.0'\n"),
        ("cookbooks/z/metadata.rb", "name 'z'\n\ndepends 'gone'\n"),
        ("cookbooks/z/recipes/default.rb", ""),
        ("roles/bad.json", "{\"name\": \"bad\",\n"),
        ("roles/lost.json", "{\"name\": \"lost\", \"run_list\": [\"recipe[x::lost]\"]}"),
        ("roles/none.json", "{\"name\": \"none\", \"run_list\": [\"role[nowhere]\"]}"),
    ] {
        write(root, path, text);
    }
    for (run_list, path, line) in [
        ("x::open", "cookbooks/x/recipes/open.rb", 2),
        ("x::told", "cookbooks/x/recipes/told.rb", 1),
        ("y", "cookbooks/y/metadata.rb", 1),
        ("z", "cookbooks/z/metadata.rb", 3),
        ("role[bad]", "roles/bad.json", 2),
        ("role[lost]", "roles/lost.json", 1),
        ("role[none]", "roles/none.json", 1),
    ] {
        let found = json(root, &["-o", run_list, "--platform", "debian-12", "--no-static"]);
        let first = &found["findings"][0];
        assert_eq!((first["path"].as_str(), first["line"].as_u64()), (Some(path), Some(line)), "{run_list} {found:#}");
    }
}

/// What makes the exit status 1 is the same with and without run lists, and in every form.
#[test]
fn exit_status() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    let compile = ["-o", "a", "--platform", "debian-12"];
    let warning = "node.set['a'] = 1\n";
    for (code, settings, more, wanted) in [
        ("log 'a'\n", "", &[][..], 0),
        (warning, "", &[], 1),
        (warning, "", &["--fail-on", "error"], 0),
        (warning, "fail-on = 'error'", &[], 0),
        (warning, "fail-on = 'error'", &["--fail-on", "warning"], 1),
        ("raise 'no'\nnosuch 'x' do\n  a 1\nend\n", "", &["--fail-on", "error"], 1),
    ] {
        write(root, "cookbooks/a/recipes/default.rb", code);
        write(root, "rchef.toml", settings);
        for entry in [&[][..], &compile[..]] {
            for form in ["text", "json", "sarif", "github", "gitlab", "junit", "markdown"] {
                let args = [entry, more, &["--format", form]].concat();
                assert_eq!(check(root, &args).0, wanted, "{code} {settings} {args:?}");
            }
        }
    }
    // an assumption counts on request
    write(root, "rchef.toml", "");
    write(root, "cookbooks/a/recipes/default.rb", "log shell_out('x').stdout\n");
    assert_eq!(check(root, &compile).0, 0);
    assert_eq!(check(root, &[&compile[..], &["--fail-on", "assumption"]].concat()).0, 1);
    // nodes that cannot be read are no clean result
    write(root, "nodes/bad.json", "{");
    write(root, "nodes/folder.json/x", "");
    let facts = "\"automatic\": {\"platform\": \"debian\", \"platform_version\": \"12\"}";
    write(root, "nodes/n.json", &format!("{{\"name\": \"n\", \"run_list\": [\"recipe[a]\"], {facts}}}"));
    let (status, out, _) = check(root, &["--nodes", "nodes"]);
    assert_eq!(status, 3, "{out}");
    assert!(out.contains("n: runs") && out.contains("not checked: nodes/bad.json: it is not JSON"), "{out}");
    assert!(out.contains("not checked: nodes/folder.json: "), "{out}");
}

/// Static and compiled findings at one place are one where they are about one name, whichever rules they are of.
#[test]
fn one_problem_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    for (code, rule, says) in [
        ("require 'chef/rest'\n", "chef/deprecations/uses-chef-rest-helpers", "`Chef::REST` is used"),
        ("Chef::REST.new('x')\n", "chef/deprecations/uses-chef-rest-helpers", "`Chef::REST` is used"),
        ("require 'chef/mixin/language'\n", "rchef/removed-api", "Chef 14 removed the file chef/mixin/language: use "),
        ("Chef::Platform.set platform: :x\n", "rchef/removed-api", "Chef 13 removed Chef::Platform.set: use "),
        ("partial_search(:node, 'x')\n", "chef/deprecations/partial-search-helper-usage", "`partial_search` is used"),
        ("package 'x' do\n  action :instal\nend\n", "rchef/unknown-action", ""),
        ("node.set['a'] = 1\n", "chef/deprecations/node-set", "`node.set` is used"),
        ("require_recipe 'a::b'\n", "chef/deprecations/require-recipe", "`require_recipe` is used"),
    ] {
        write(root, "cookbooks/a/recipes/b.rb", "log 'b'\n");
        write(root, "cookbooks/a/recipes/default.rb", code);
        let found = json(root, &["-o", "a", "--platform", "debian-12"]);
        let found = found["findings"].as_array().unwrap();
        let text = |key: &str| found[0][key].as_str().unwrap_or_default();
        assert_eq!((found.len(), text("rule"), text("reached")), (1, rule, "confirmed"), "{code} {found:#?}");
        assert!(text("message").starts_with(says), "{code} {found:#?}");
    }
    // two problems on one line stay two
    write(root, "cookbooks/a/recipes/default.rb", "node.set['a'] = nosuch('x')\n");
    let found = json(root, &["-o", "a", "--platform", "debian-12"]);
    assert_eq!(rules(&found).len(), 2, "{found:#}");
}

/// What Chef removed is told with its version and what replaces it, also without the static rules.
#[test]
fn removed_things_are_told_by_compiles() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    for (code, message, todo) in [
        (
            "Chef::ShellOut.new('ls')\n",
            "`Chef::ShellOut` is used, which Chef 13 removed (NameError",
            "use Mixlib::ShellOut",
        ),
        ("require 'chef/knife/ssh'\n", "Chef 17 removed the file chef/knife (LoadError", "use the gem knife"),
        (
            "powershell_script 'x'\n",
            "powershell_script is of another operating system, and Chef refuses",
            "declare it only where",
        ),
        ("habitat_install 'x'\n", "habitat_install cannot be converged", "Chef Habitat is not part of rchef"),
        ("Chef::Application.fatal!('no')\n", "the cookbook ends the run: Chef::Application.fatal!", "run it where"),
    ] {
        write(root, "cookbooks/a/recipes/default.rb", code);
        let found = json(root, &["-o", "a", "--platform", "debian-12", "--no-static"]);
        let text = |key: &str| found["findings"][0][key].as_str().unwrap_or_default().to_string();
        assert!(text("message").starts_with(message) && text("todo").starts_with(todo), "{found:#}");
    }
}

/// Cookbooks are found in the cookbook path that was given, in `site-cookbooks`, and in the repository itself; those of a cookbook's own folder come along.
#[test]
fn cookbooks_in_other_places() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (repository, place, args) in [
        ("plain", "plain/a", &[][..]),
        ("site", "site/site-cookbooks/a", &[]),
        ("given", "given/x/a", &["--cookbook-path", "x"]),
        ("here", "here/a", &["--cookbook-path", "."]),
    ] {
        write(root, &format!("{place}/metadata.rb"), "name 'a'\nversion '1.0.0'\n");
        write(root, &format!("{place}/recipes/default.rb"), "raise 'no'\n");
        let args = [args, &["--all-recipes", "--platform", "debian-12"]].concat();
        let found = json(&root.join(repository), &args);
        assert_eq!(found["units"][0]["name"], "a::default on debian-12", "{found:#}");
        let path = format!("{place}/recipes/default.rb");
        assert_eq!(found["findings"][0]["path"], path.strip_prefix(&format!("{repository}/")).unwrap(), "{found:#}");
    }
    // a cookbook's own folder, with a dependency elsewhere, and as one of the cookbook path
    write(root, "books/web/metadata.rb", "name 'web'\nversion '1.0.0'\ndepends 'lib'\n");
    write(root, "books/web/recipes/default.rb", "include_recipe 'lib'\n");
    write(root, "deps/lib/metadata.rb", "name 'lib'\nversion '1.0.0'\n");
    write(root, "deps/lib/recipes/default.rb", "log 'a'\n");
    let web = root.join("books/web");
    for paths in [&["--cookbook-path", "../../deps"][..], &["--cookbook-path", "..", "--cookbook-path", "../../deps"]] {
        let found = json(&web, &[paths, &["-o", "web", "--platform", "debian-12", "--no-static"]].concat());
        assert_eq!(found["units"][0]["verdict"], "runs", "{found:#}");
    }
}
