//! What `rchef compile --dump` costs as a whole process: one recipe, 40 cookbooks with 320 resources, 5,000 `file` resources.
//!
//! `cargo bench -p rchef-spec --bench compiles`; `RUNS` (default 20), `RCHEF` (default: the `dist` build, made now) choose. Prints a Markdown table of
//! wall time (best and median) and of the most memory.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::panic)] // drives the machine, prints its table and stops where it cannot

use nix::sys::resource::{UsageWho, getrusage};
use rchef_spec::binary::built;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

fn main() {
    if std::env::args().nth(1).as_deref() == Some(LARGEST) {
        return largest();
    }
    let runs: usize = std::env::var("RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(20);
    let named = std::env::var_os("RCHEF").map(PathBuf::from);
    let rchef = named.unwrap_or_else(|| built("dist").unwrap_or_else(|text| panic!("{text}")));
    let place = tempfile::tempdir().unwrap_or_else(|error| panic!("no scratch directory: {error}"));
    println!("| compile and dump | best | median | memory |\n|--|--|--|--|");
    for (name, last, lay_out) in [
        ("one recipe", "a", one as fn(&Path)),
        ("40 cookbooks, 320 resources", "c39", forty),
        ("5,000 files", "a", files),
    ] {
        let repo = place.path().join(name.replace([' ', ','], "_"));
        lay_out(&repo);
        let list = format!("recipe[{last}]");
        let arguments = ["compile", "-o", &list, "--platform", "ubuntu-22.04", "--dump"];
        let mut times: Vec<f64> =
            (0..runs).map(|_| wall(Command::new(&rchef).args(arguments).current_dir(&repo))).collect();
        times.sort_by(f64::total_cmp);
        let mut measured = Command::new(std::env::current_exe().unwrap_or_default());
        let shown = measured.arg(LARGEST).arg(&rchef).args(arguments).current_dir(&repo).output();
        let kilobytes =
            shown.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string()).unwrap_or_default();
        let (best, median) =
            (times.first().copied().unwrap_or(f64::MAX), times.get(runs / 2).copied().unwrap_or(f64::MAX));
        println!("| {name} | {:.1} ms | {:.1} ms | {kilobytes} KB |", best * 1e3, median * 1e3);
    }
}

/// Seconds that a command takes; it must succeed.
fn wall(command: &mut Command) -> f64 {
    let begun = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.is_ok_and(|status| status.success()), "{command:?} fails");
    begun.elapsed().as_secs_f64()
}

/// As the first argument: run the rest as a command, and print the most memory that it had, in KB.
const LARGEST: &str = "--largest";

fn largest() {
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    let Some((program, rest)) = arguments.split_first() else { return };
    wall(Command::new(program).args(rest));
    println!("{}", getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss()));
}

/// Writes the files of a cookbook.
fn cookbook(repo: &Path, name: &str, files: &[(&str, String)]) {
    let metadata = ("metadata.rb", format!("name '{name}'\nversion '1.0.0'\n"));
    for (path, text) in std::iter::once(&metadata).chain(files) {
        let path = repo.join("cookbooks").join(name).join(path);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
        assert!(made.is_ok(), "{} cannot be written", path.display());
    }
}

fn one(repo: &Path) {
    let recipe = "file '/etc/motd' do\n  content \"hello\\n\"\n  mode '0644'\nend\n";
    cookbook(repo, "a", &[("recipes/default.rb", recipe.into())]);
}

fn files(repo: &Path) {
    let recipe = "5000.times do |i|\n  file \"/tmp/files/f#{i}\" do\n    content \"line #{i}\"\n    mode '0644'\n    owner 'root'\n  end\nend\n";
    cookbook(repo, "a", &[("recipes/default.rb", recipe.into())]);
}

/// Each includes the one before it; each has forty attributes, a library, a custom resource and eight resources.
fn forty(repo: &Path) {
    for number in 0..40 {
        let name = format!("c{number}");
        let (mut recipe, mut attributes) = (String::new(), String::new());
        if number > 0 {
            recipe = format!("include_recipe 'c{}'\n", number - 1);
        }
        for key in 0..40 {
            attributes += &format!("default['{name}']['section{}']['key{key}'] = 'value {key}'\n", key % 5);
        }
        recipe += &RECIPE.replace("NAME", &name);
        let resource = RESOURCE.replace("NAME", &name);
        let library = format!(
            "module {0}\n  def {1}_path(name) = File.join('/etc/{1}', name)\nend\nChef::DSL::Recipe.include {0}\n",
            name.to_uppercase(),
            name
        );
        let depends = if number > 0 { format!("depends 'c{}'\n", number - 1) } else { String::new() };
        cookbook(
            repo,
            &name,
            &[
                ("recipes/default.rb", recipe),
                ("attributes/default.rb", attributes),
                ("resources/site.rb", resource),
                ("libraries/helpers.rb", library),
                ("metadata.rb", format!("name '{name}'\nversion '1.0.0'\n{depends}")),
            ],
        );
    }
}

const RECIPE: &str = r#"package 'pkg-NAME' do
  only_if { node['NAME']['section0'] }
end
directory '/etc/NAME' do
  mode '0755'
end
template NAME_path('main.conf') do
  source 'site.erb'
  variables(port: node['NAME']['section1']['key1'])
  notifies :restart, 'service[svc-NAME]', :delayed
end
NAME_site 'default' do
  root '/srv/NAME'
end
%w(a b).each do |name|
  file "/etc/NAME/#{name}.txt" do
    content lazy { node['NAME']['section0']['key0'] }
  end
end
execute 'reload NAME' do
  command 'true'
  action :nothing
end
service 'svc-NAME' do
  action [:enable, :start]
end
"#;

const RESOURCE: &str = r#"unified_mode true
provides :NAME_site
property :port, Integer, default: 80
property :root, String, required: true
action :create do
  directory new_resource.root
end
"#;
