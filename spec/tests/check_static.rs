//! `rchef check [PATH...]`: the static rules over a repository, from end to end.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // a test drives the machine itself

use rchef_spec::binary::binary;
use rchef_spec::git::{commit_all, git};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn rchef() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| binary().unwrap())
}

/// Runs `rchef check` in a folder: exit status, output, complaints.
fn check(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = Command::new(rchef()).arg("check").args(args).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("cookbooks/a/metadata.rb", "name 'a'\nversion '1.0.0'\n");
    write(
        "cookbooks/a/recipes/default.rb",
        "node.set['x'] = 1\nnode.set['y'] = 2 # rubocop:disable Chef/Deprecations/NodeSet\nfile '/x' do\n  mode 0644\nend\n",
    );
    write("cookbooks/a/recipes/broken.rb", "if true\n");
    write("cookbooks/a/files/default/x.rb", "node.set['x'] = 1\n");
    write("cookbooks/a/README.md", "node.set\n");
    folder
}

#[test]
fn text_and_exit_status() {
    let folder = repository();
    let (status, out, _) = check(folder.path(), &[]);
    assert_eq!(status, 1);
    assert!(out.contains("cookbooks/a/recipes/broken.rb:"), "{out}");
    assert!(out.contains("error ruby/syntax-error: "), "{out}");
    let place = "cookbooks/a/recipes/default.rb:1:6: warning chef/deprecations/node-set: `node.set` is used\n  1 | node.set['x'] = 1\n    |      ^^^\n";
    assert!(out.contains(place), "{out}");
    assert!(!out.contains("file-mode"), "style is told on request only: {out}");
    assert!(out.contains("1 suppressed by comments"), "{out}");
    assert_eq!(check(folder.path(), &["cookbooks/a/metadata.rb"]).0, 0);
    assert_eq!(check(folder.path(), &["--fail-on", "error", "cookbooks/a/recipes/default.rb"]).0, 0);
    assert_eq!(check(folder.path(), &["--select", "Nonsense"]).0, 2);
    assert_eq!(check(folder.path(), &["nowhere"]).0, 3);
}

#[test]
fn configuration_and_baseline() {
    let folder = repository();
    let recipe = "cookbooks/a/recipes/default.rb";
    std::fs::write(folder.path().join(".rubocop.yml"), "Chef/Deprecations/NodeSet:\n  Exclude: ['**/default.rb']\n")
        .unwrap();
    assert_eq!(check(folder.path(), &[recipe]).0, 0);
    assert_eq!(check(folder.path(), &["--no-config", recipe]).0, 1);
    assert_eq!(check(folder.path(), &["--no-config", "--write-baseline", "known.json", recipe]).0, 0);
    // The code moves down: it is still known. A second one is not.
    let code = std::fs::read_to_string(folder.path().join(recipe)).unwrap();
    std::fs::write(folder.path().join(recipe), format!("log 'a'\n{code}")).unwrap();
    assert_eq!(check(folder.path(), &["--no-config", "--baseline", "known.json", recipe]).0, 0);
    std::fs::write(folder.path().join(recipe), format!("node.set['x'] = 1\n{code}")).unwrap();
    let (status, out, _) = check(folder.path(), &["--no-config", "--baseline", "known.json", recipe]);
    assert_eq!(status, 1);
    assert!(out.contains("1 warning,") && out.contains("1 in the baseline"), "{out}");
}

#[test]
fn corrections() {
    let folder = repository();
    let recipe = folder.path().join("cookbooks/a/recipes/default.rb");
    let before = std::fs::read_to_string(&recipe).unwrap();
    let (_, out, _) = check(folder.path(), &["--diff", "--level", "info"]);
    assert!(out.contains("-node.set['x'] = 1\n+node.normal['x'] = 1\n") && out.contains("+  mode '644'\n"), "{out}");
    assert_eq!(std::fs::read_to_string(&recipe).unwrap(), before, "--diff changes nothing");
    check(folder.path(), &["--fix", "--select", "Chef/Style"]);
    assert_eq!(std::fs::read_to_string(&recipe).unwrap(), before.replace("0644", "'644'"));
}

#[test]
fn forms() {
    let folder = repository();
    let json = |form: &str| -> Value { serde_json::from_str(&check(folder.path(), &["--format", form]).1).unwrap() };
    let findings = json("json");
    let found = findings["findings"].as_array().unwrap();
    let one = found.iter().find(|found| found["rule"] == "chef/deprecations/node-set").unwrap();
    assert_eq!(one["aliases"][0], "Chef/Deprecations/NodeSet");
    assert_eq!((one["line"].as_u64(), one["column"].as_u64()), (Some(1), Some(6)));
    assert_eq!(one["fix"], "safe");
    assert_eq!(json("sarif")["runs"][0]["results"].as_array().unwrap().len(), found.len());
    assert_eq!(json("gitlab").as_array().unwrap().len(), found.len());
    assert_eq!(check(folder.path(), &["--format", "github"]).1.lines().count(), found.len());
    assert_eq!(check(folder.path(), &["--format", "junit"]).1.matches("<testcase ").count(), found.len());
    assert!(check(folder.path(), &["--format", "markdown"]).1.starts_with("| where |"));
    let rules = check(folder.path(), &["--list-rules"]).1;
    assert!(rules.lines().count() >= 263, "{}", rules.lines().count());
    assert!(check(folder.path(), &["--explain", "NodeSet"]).1.contains("node.normal"));
}

#[test]
fn links() {
    let folder = repository();
    let recipes = folder.path().join("cookbooks/a/recipes");
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.rb"), "secret('x'\n").unwrap();
    std::os::unix::fs::symlink("default.rb", recipes.join("inside.rb")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret.rb"), recipes.join("outside.rb")).unwrap();
    let (_, out, _) = check(folder.path(), &[]);
    assert!(out.contains("recipes/inside.rb:1:6"), "{out}");
    assert!(!out.contains("secret"), "{out}");
}

#[test]
fn changed_since_takes_paths_in_any_form() {
    let folder = repository();
    commit_all(folder.path()).unwrap();
    std::fs::write(folder.path().join("cookbooks/a/recipes/default.rb"), "node.set['x'] = 2\n").unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(folder.path(), &link).unwrap();
    let name = folder.path().file_name().unwrap().to_str().unwrap().to_string();
    for path in [
        ".".to_string(),
        "cookbooks".into(),
        "./cookbooks/".into(),
        "cookbooks//a".into(),
        "cookbooks/a/../a".into(),
        "cookbooks/a/recipes/../recipes/default.rb".into(),
        format!("../{name}/cookbooks"),
        folder.path().join("cookbooks").to_str().unwrap().into(),
        link.join("cookbooks").to_str().unwrap().into(),
        link.join("cookbooks/a/recipes/default.rb").to_str().unwrap().into(),
    ] {
        let (status, out, error) = check(folder.path(), &["--changed-since", "HEAD", &path]);
        assert_eq!(status, 1, "{path}: {out}{error}");
        assert!(out.contains("1 file checked"), "{path}: {out}{error}");
    }
    let (status, _, error) = check(folder.path(), &["--changed-since", "cookbooks"]);
    assert_eq!(status, 2, "a folder is no revision: {error}");
}

#[test]
fn output_files_have_the_form_of_their_names() {
    let folder = repository();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let outputs = ["sarif:report", "plain.json", "junit.xml", "table.md", "short.txt", "gitlab:quality.json"];
    let mut args = vec!["cookbooks"];
    args.extend(outputs.iter().flat_map(|output| ["--output", output]));
    let (status, out, complaints) = check(folder.path(), &args);
    assert_eq!((status, complaints.as_str()), (1, ""));
    assert_eq!(out, check(folder.path(), &["cookbooks"]).1, "standard output stays as it is");
    for (form, name) in [
        ("sarif", "report"),
        ("json", "plain.json"),
        ("junit", "junit.xml"),
        ("markdown", "table.md"),
        ("text", "short.txt"),
        ("gitlab", "quality.json"),
    ] {
        assert_eq!(read(name), check(folder.path(), &["cookbooks", "--format", form]).1, "{form}");
    }
    assert_eq!(check(folder.path(), &["cookbooks", "--output", "nowhere/x.json"]).0, 3);
    assert_eq!(check(folder.path(), &["cookbooks/a/metadata.rb", "--output", "none.json"]).0, 0);
    let none: Value = serde_json::from_str(&read("none.json")).unwrap();
    assert_eq!(none["findings"].as_array().unwrap().len(), 0);
}

#[test]
fn only_what_changed_since_a_revision() {
    let folder = repository();
    let recipes = folder.path().join("cookbooks/a/recipes");
    std::fs::write(recipes.join("gone.rb"), "node.set['x'] = 1\n").unwrap();
    std::fs::write(recipes.join("-n.rb"), "log 'a'\n").unwrap();
    commit_all(folder.path()).unwrap();
    git(folder.path(), &["tag", "first"]).unwrap();
    let told = |folder: &Path, args: &[&str]| -> Vec<String> {
        let (_, out, _) = check(folder, &[args, &["--format", "json"]].concat());
        let found: Value = serde_json::from_str(&out).unwrap();
        let mut paths: Vec<String> =
            found["findings"].as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap().to_string()).collect();
        paths.dedup();
        paths
    };
    assert_eq!(told(folder.path(), &["--changed-since", "HEAD"]), Vec::<String>::new());
    assert_eq!(check(folder.path(), &["--changed-since", "HEAD"]).0, 0);
    // committed, changed, new and deleted files
    std::fs::write(recipes.join("-n.rb"), "node.set['n'] = 1\n").unwrap();
    git(folder.path(), &["commit", "-q", "-a", "-m", "second"]).unwrap();
    std::fs::write(recipes.join("new ä.rb"), "node.set['new'] = 1\n").unwrap();
    std::fs::remove_file(recipes.join("gone.rb")).unwrap();
    assert_eq!(told(folder.path(), &["--changed-since", "HEAD"]), ["cookbooks/a/recipes/new ä.rb"]);
    let both = ["cookbooks/a/recipes/-n.rb", "cookbooks/a/recipes/new ä.rb"];
    assert_eq!(told(folder.path(), &["--changed-since", "first"]), both);
    assert_eq!(told(folder.path(), &["--changed-since", "first", "cookbooks/a/recipes"]), both);
    assert_eq!(told(&folder.path().join("cookbooks/a"), &["--changed-since", "first"]).len(), 2);
    std::fs::create_dir_all(folder.path().join("roles")).unwrap();
    std::fs::write(folder.path().join("roles/c.json"), "{\n").unwrap();
    assert_eq!(told(folder.path(), &["--changed-since", "HEAD", "roles"]), ["roles/c.json"]);
    let (status, _, complaints) = check(folder.path(), &["--changed-since", "nosuch"]);
    assert_eq!(status, 2);
    assert!(complaints.contains("nosuch"), "{complaints}");
    let outside = repository();
    assert_eq!(check(outside.path(), &["--changed-since", "HEAD"]).0, 2, "no repository of git");
}

/// Reads what a program prints until a text has occurred so many times, for half a minute at most.
fn until(said: &std::sync::mpsc::Receiver<String>, text: &str, times: usize) -> String {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let mut all = String::new();
    while all.matches(text).count() < times {
        let left = end.saturating_duration_since(std::time::Instant::now());
        match said.recv_timeout(left) {
            Ok(line) => all.push_str(&line),
            Err(_) => return format!("{all}\n(no more after half a minute)"),
        }
    }
    all
}

#[test]
fn watching_checks_again_when_a_file_changes() {
    use std::io::{BufRead, BufReader};
    let folder = repository();
    let recipe = folder.path().join("cookbooks/a/recipes/default.rb");
    let args = ["check", "--watch", "--format", "json", "--output", "seen.json"];
    let child =
        Command::new(rchef()).args(args).current_dir(folder.path()).stdout(std::process::Stdio::piped()).spawn();
    let mut child = Ended(child.unwrap());
    let (sender, said) = std::sync::mpsc::channel();
    let output = child.0.stdout.take().unwrap();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(format!("{line}\n")).is_err() {
                return;
            }
        }
    });
    let first = until(&said, "\"schema\"", 1) + &until(&said, "\n}\n", 1);
    assert!(first.contains("chef/deprecations/node-set"), "{first}");
    // its own report is no change, though it is below the paths
    assert!(said.recv_timeout(std::time::Duration::from_millis(2500)).is_err(), "it checks again without a change");
    std::fs::write(&recipe, "log 'nothing wrong here any more'\n").unwrap();
    let second = until(&said, "\n}\n", 1);
    assert!(!second.contains("chef/deprecations/node-set"), "{second}");
    std::fs::write(recipe.with_file_name("more.rb"), "node.set['y'] = 1\n").unwrap();
    let third = until(&said, "\n}\n", 1);
    assert!(third.contains("cookbooks/a/recipes/more.rb"), "{third}");
}

/// A process that ends with the test, also where that fails.
struct Ended(std::process::Child);
impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
