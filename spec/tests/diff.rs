//! `rchef diff`, from end to end.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)] // a test drives the machine itself

use rchef_spec::binary::binary;
use rchef_spec::git::commit_all;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn rchef() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| binary().unwrap())
}

fn run(folder: &Path, program: &Path, args: &[&str]) -> (i32, String, String) {
    let output = Command::new(program).args(args).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A repository whose recipe writes a template with an attribute.
fn repository(folder: &Path, port: &str, more: &str) {
    write(folder, "cookbooks/web/metadata.rb", "name 'web'\nversion '1.0.0'\n");
    write(folder, "cookbooks/web/attributes/default.rb", &format!("default['web']['port'] = {port}\n"));
    write(
        folder,
        "cookbooks/web/recipes/default.rb",
        &format!(
            "template '/etc/web.conf' do\n  source 'web.erb'\n  variables(port: node['web']['port'])\n  notifies :restart, 'service[web]'\nend\nservice 'web'\n{more}file '/secret' do\n  content \"key #{{node['web']['port']}}\"\n  sensitive true\nend\n"
        ),
    );
    write(folder, "cookbooks/web/templates/web.erb", "a\nlisten <%= @port %>\n");
}

#[test]
fn directories() {
    let folder = tempfile::tempdir().unwrap();
    repository(&folder.path().join("a"), "80", "");
    repository(&folder.path().join("b"), "81", "package 'curl'\n");
    let compare = |args: &[&str]| {
        let mut all = vec!["diff", "-o", "web", "--platform", "debian-12"];
        all.extend(args);
        run(folder.path(), rchef(), &all)
    };
    let (status, out, error) = compare(&["a", "b", "--detailed-exitcode"]);
    assert_eq!(status, 2, "{error}");
    for part in [
        "~ template[/etc/web.conf]  web/recipes/default.rb:1\n    variables.port: 80 → 81\n        because of node['web']['port'], set by web/attributes/default.rb:1 (default)\n",
        "    -listen 80\n    +listen 81\n",
        "+ package[curl]  web/recipes/default.rb:7\n",
        "resources: 1 added, 0 removed, 2 changed, 0 moved, 1 the same; attributes: 1 differ\n",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert!(!out.contains("key 8"), "a sensitive content is shown: {out}");
    let (status, out, _) = compare(&["a", "a", "--detailed-exitcode"]);
    assert_eq!(
        (status, out.contains("resources: 0 added, 0 removed, 0 changed, 0 moved, 3 the same")),
        (0, true),
        "{out}"
    );
    assert_eq!(compare(&["a", "b"]).0, 0);
    let (status, _, error) = compare(&["a", "nowhere"]);
    assert_eq!((status, error.contains("neither a directory, nor a dump, nor a revision")), (1, true), "{error}");
    let ignored = [
        "--ignore",
        "package[curl]",
        "--ignore",
        "template[*]#variables",
        "--ignore",
        "*#content",
        "--ignore",
        "node['web']",
    ];
    let mut args = vec!["a", "b", "--detailed-exitcode"];
    args.extend(ignored);
    assert_eq!(compare(&args).0, 0, "{}", compare(&args).1);
    let (_, out, _) = compare(&["a", "b", "--format", "json"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["schema"], "rchef-diff/1");
    assert_eq!(found["resources"][0]["properties"][0]["because"][0], "node['web']['port']");
    assert!(compare(&["a", "b", "--format", "markdown"]).1.contains("| added | `package[curl]` |"));
}

#[test]
fn dumps_and_order() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path(), "80", "log 'a'\nlog 'b'\nlog 'c'\n");
    let compile = ["compile", "-o", "web", "--platform", "debian-12", "--dump=json", "--dump-file", "before.json"];
    assert_eq!(run(folder.path(), rchef(), &compile).0, 0);
    repository(folder.path(), "80", "log 'c'\nlog 'a'\nlog 'b'\n");
    let args = ["diff", "before.json", "-o", "web", "--platform", "debian-12", "--detailed-exitcode"];
    let (status, out, error) = run(folder.path(), rchef(), &args);
    assert_eq!(status, 2, "{error}");
    assert!(out.contains("> log[c]  web/recipes/default.rb:9 → web/recipes/default.rb:7\n"), "{out}");
    assert!(out.contains("0 changed, 1 moved, 5 the same"), "{out}");
    write(folder.path(), "other.json", "{}");
    assert!(run(folder.path(), rchef(), &["diff", "other.json"]).2.contains("it is not a dump"));
}

/// What the handler writes: no ids of providers, no resources of actions, another word for notifications.
#[test]
fn a_dump_of_chef_client() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path(), "80", "");
    let dump = r#"{"schema": "chef-dump/1", "status": "complete",
        "attributes": {"merged": {"tags": [], "web": {"port": 80}}},
        "resources": [
            {"id": "r0001", "key": "template[/etc/web.conf]", "type": "template", "class": "template", "name": "/etc/web.conf", "action": ["create"], "cookbook": "web", "recipe": "default",
             "properties": {"source": "web.erb", "variables": {"port": 80}}, "source": "web/recipes/default.rb:1"},
            {"id": "r0002", "key": "service[web]", "type": "service", "class": "service", "name": "web", "action": ["nothing"], "cookbook": "web", "recipe": "default", "properties": {"pattern": "x"}},
            {"id": "r0003", "key": "file[/secret]", "type": "file", "class": "file", "name": "/secret", "action": ["create"], "cookbook": "web", "recipe": "default",
             "properties": {"content": {"$sensitive": true}}, "common": {"sensitive": true}}],
        "notifications": [{"from": "template[/etc/web.conf]", "from_id": "r0001", "to": "service[web]", "action": "restart", "timing": "delayed", "declared_as": "notifies"}]}"#;
    write(folder.path(), "chef.json", dump);
    let (status, out, error) =
        run(folder.path(), rchef(), &["diff", "chef.json", "-o", "web", "--platform", "debian-12"]);
    assert_eq!(status, 0, "{error}");
    assert!(out.contains("~ service[web]  web/recipes/default.rb:6\n    pattern: \"x\" → (not set)\n\n"), "{out}");
    assert!(out.contains("1 changed, 0 moved, 2 the same; attributes: 0 differ"), "{out}");
}

/// What the handler wrote under Chef 18's own library for the same cookbook.
#[test]
fn a_recorded_dump_of_chef_client() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("chef/dump");
    let args = ["diff", "chef-client.json", "-o", "web", "--platform", "debian-12", "--detailed-exitcode"];
    let (status, out, error) = run(&folder, rchef(), &args);
    assert_eq!(status, 0, "{out}{error}");
    assert!(out.contains("0 moved, 13 the same"), "{out}");
}

/// Whether a dump has what actions declare, and contents or their digests, is no difference.
#[test]
fn dumps_of_other_forms() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    repository(root, "80", "web_site 'a'\ncookbook_file '/etc/v'\nfile '/etc/w' do\n  content 'w'\nend\n");
    write(root, "cookbooks/web/resources/site.rb", "provides :web_site\naction :create do\n  log 'inner'\nend\n");
    write(root, "cookbooks/web/files/v", "v\n");
    let node = ["-o", "web", "--platform", "debian-12"];
    for (form, changed) in [(&[][..], 0), (&["--render"], 1), (&["--expand"], 0), (&["--expand", "--render=text"], 1)] {
        write(root, "cookbooks/web/files/v", "v\n");
        let dump = [&["compile", "--dump=json", "--dump-file", "own.json"], &node[..], form].concat();
        assert_eq!(run(root, rchef(), &dump).0, 0, "{form:?}");
        let args = [&["diff", "own.json", "--detailed-exitcode"], &node[..]].concat();
        let (status, out, error) = run(root, rchef(), &args);
        assert_eq!(status, 0, "{form:?} {out} {error}");
        write(root, "cookbooks/web/files/v", "other\n");
        let (_, out, _) = run(root, rchef(), &args);
        assert!(out.contains(&format!(" {changed} changed")), "{form:?} {out}");
    }
}

#[test]
fn nothing_to_compare() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path(), "80", "");
    let (status, out, error) = run(folder.path(), rchef(), &["diff", ".", "--platform", "debian-12"]);
    assert_eq!((status, out.as_str()), (1, ""), "{error}");
    assert!(error.contains("its run list is empty") && error.contains("-o"), "{error}");
}

/// What a recipe makes of the place of its own files is the same on both sides.
#[test]
fn folders_of_sides() {
    let folder = tempfile::tempdir().unwrap();
    for side in ["old", "new/"] {
        let side = side.trim_end_matches('/');
        write(folder.path(), &format!("{side}/metadata.rb"), "name 'web'\nversion '1.0.0'\n");
        write(
            folder.path(),
            &format!("{side}/recipes/default.rb"),
            "file '/t' do\n  content __FILE__\nend\nlog Chef::Config[:cookbook_path].inspect\n",
        );
    }
    let node = ["-o", "web", "--platform", "debian-12", "--detailed-exitcode"];
    let (status, out, error) = run(folder.path(), rchef(), &[&["diff", "old", "new/"], &node[..]].concat());
    assert_eq!(status, 0, "{out}{error}");
}

#[test]
fn revisions_leave_the_work_tree_alone() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path(), "80", "");
    commit_all(folder.path()).unwrap();
    repository(folder.path(), "81", "");
    let before = run(folder.path(), Path::new("git"), &["status", "--short"]).1;
    let (status, out, error) = run(folder.path(), rchef(), &["diff", "HEAD", "-o", "web", "--platform", "debian-12"]);
    assert_eq!(status, 0, "{error}");
    assert!(out.contains("node['web']['port']: 80 → 81"), "{out}");
    assert_eq!(run(folder.path(), Path::new("git"), &["status", "--short"]).1, before);
}

#[test]
fn nodes_with_equal_differences_are_told_together() {
    let folder = tempfile::tempdir().unwrap();
    for side in ["old", "new"] {
        let more = if side == "new" { "package 'curl' if node['platform'] == 'debian'\n" } else { "" };
        write(folder.path(), &format!("{side}/cookbooks/a/metadata.rb"), "name 'a'\n");
        write(folder.path(), &format!("{side}/cookbooks/a/recipes/default.rb"), &format!("log 'x'\n{more}"));
    }
    for (name, platform) in [("n1", "debian"), ("n2", "debian"), ("n3", "rocky")] {
        let node = format!(
            "{{\"name\":\"{name}\",\"run_list\":[\"recipe[a]\"],\"automatic\":{{\"platform\":\"{platform}\",\"platform_version\":\"9\",\"hostname\":\"{name}\"}}}}"
        );
        write(folder.path(), &format!("nodes/{name}.json"), &node);
    }
    let (status, out, error) =
        run(folder.path(), rchef(), &["diff", "old", "new", "--nodes", "nodes", "--detailed-exitcode"]);
    assert_eq!(status, 2, "{error}");
    assert!(out.starts_with("2 nodes: +1 package\n  n1, n2\n  + package[curl]"), "{out}");
    assert!(out.contains("1 node: the same\n  n3\n"), "{out}");
}

#[test]
fn lines_around_a_change_do_not_keep_nodes_apart() {
    let folder = tempfile::tempdir().unwrap();
    for (side, port, action, guard) in [("old", 80, "restart", "Linux"), ("new", 81, "reload", "AIX")] {
        write(folder.path(), &format!("{side}/cookbooks/a/metadata.rb"), "name 'a'\n");
        let text = format!(
            "template '/etc/a' do\n  notifies :{action}, 'service[a]'\nend\nservice 'a' do\n  only_if {{ 'x' == '{guard}' }}\nend\n"
        );
        write(folder.path(), &format!("{side}/cookbooks/a/recipes/default.rb"), &text);
        let erb = format!("host <%= node['hostname'] %>\nport {port}\n");
        write(folder.path(), &format!("{side}/cookbooks/a/templates/a.erb"), &erb);
    }
    for name in ["n1", "n2"] {
        let node = format!(
            "{{\"name\":\"{name}\",\"run_list\":[\"recipe[a]\"],\"automatic\":{{\"platform\":\"debian\",\"platform_version\":\"12\",\"hostname\":\"{name}\"}}}}"
        );
        write(folder.path(), &format!("nodes/{name}.json"), &node);
    }
    let (status, out, error) = run(folder.path(), rchef(), &["diff", "old", "new", "--nodes", "nodes"]);
    assert_eq!(status, 0, "{error}");
    assert!(out.starts_with("2 nodes: ~1 service, ~1 template, service[a] reloads\n  n1, n2\n"), "{out}");
    // blocks of guards are compared as they are written
    assert!(out.contains("only_if { 'x' == 'AIX' }"), "{out}");
}

#[test]
fn roots_of_single_cookbooks() {
    let folder = tempfile::tempdir().unwrap();
    let side = |place: &str, port: &str| {
        write(folder.path(), &format!("{place}metadata.rb"), "name 'web'\nversion '1.0.0'\n");
        write(folder.path(), &format!("{place}attributes/default.rb"), &format!("default['port'] = {port}\n"));
        write(folder.path(), &format!("{place}recipes/default.rb"), "package \"web-#{node['port']}\"\n");
        write(folder.path(), &format!("{place}test/cookbooks/test/metadata.rb"), "name 'test'\ndepends 'web'\n");
        write(folder.path(), &format!("{place}test/cookbooks/test/recipes/default.rb"), "include_recipe 'web'\n");
    };
    side("old/", "80");
    side("new/", "81");
    let node = ["-o", "test", "--platform", "debian-12"];
    let (status, out, error) = run(folder.path(), rchef(), &[&["diff", "old", "new"], &node[..]].concat());
    assert_eq!(status, 0, "{error}");
    assert!(out.contains("package[web-81]") && out.contains("node['port']: 80 → 81"), "{out}");
    side("", "80");
    commit_all(folder.path()).unwrap();
    side("", "82");
    let (status, out, error) = run(folder.path(), rchef(), &[&["diff", "HEAD"], &node[..]].concat());
    assert_eq!(status, 0, "{error}");
    assert!(out.contains("node['port']: 80 → 82"), "{out}");
}

/// A file of answers is the caller's, wherever the sides are.
#[test]
fn answers_for_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let code = "package shell_out('which').stdout\n";
    repository(&folder.path().join("a"), "80", code);
    repository(&folder.path().join("b"), "80", code);
    write(folder.path(), "stubs.yml", "commands:\n  - match: '^which'\n    output: 'curl'\n    status: 0\n");
    for answers in [&["--stub", "stubs.yml"][..], &["--stub=stubs.yml"]] {
        let args = [&["diff", "a", "b", "-o", "web", "--platform", "debian-12", "--detailed-exitcode", "--"], answers];
        let (status, out, error) = run(folder.path(), rchef(), &args.concat());
        assert_eq!(status, 0, "{out}{error}");
    }
}

/// A pattern of platforms compares on each of them, and tells equal differences once.
#[test]
fn platforms_by_pattern() {
    let folder = tempfile::tempdir().unwrap();
    repository(&folder.path().join("a"), "80", "");
    repository(&folder.path().join("b"), "80", "package 'curl' if platform?('debian')\nlog __FILE__\n");
    repository(&folder.path().join("a"), "80", "log __FILE__\n");
    let compare = |args: &[&str]| {
        let mut all = vec!["diff", "a", "b", "--detailed-exitcode"];
        all.extend(args);
        run(folder.path(), rchef(), &all)
    };
    let both = ["-o", "web", "--platform", "debian-1[12]", "--platform", "rocky-9"];
    let (status, out, error) = compare(&both);
    assert_eq!(status, 2, "{error}");
    assert!(out.starts_with("2 platforms: +1 package\n  debian-11, debian-12\n  + package[curl]"), "{out}");
    assert!(out.contains("1 platform: the same\n  rocky-9\n"), "{out}");
    let (_, out, _) = compare(&[&both[..], &["--format", "json"]].concat());
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["groups"][0]["platforms"][1], "debian-12", "{out}");
    assert_eq!(compare(&["-o", "web", "--platform", "rocky-9"]).0, 0);
    let (status, _, error) = compare(&["-o", "web", "--platform", "nosuch-*"]);
    assert!(status == 1 && error.contains("no simulated platform nosuch-*"), "{status} {error}");
    assert!(compare(&["--platform", "debian-*"]).2.contains("name one with -o"));
    // a node that cannot be read is no clean result
    write(folder.path(), "nodes/bad.json", "{");
    let (status, out, _) = compare(&["--nodes", "nodes"]);
    assert!(status == 1 && out.contains("not compared: nodes/bad.json"), "{status} {out}");
}
