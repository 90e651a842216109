//! Gems of the public corpus that Chef lacks, unmodified, through every way to a gem. `GEM_CHECKOUTS` names a folder with a working tree of each (NAME,
//! and a `NAME-VERSION.gem` that `gem build` made of it, if there is one); `COOKBOOK_CHECKOUTS` one with working trees of cookbooks (OWNER+NAME), whose
//! recipes fail without these gems. The code of the checkouts is run: without network and as an unprivileged user is the caller's to see to.

use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Gems, what is done with them, and what that prints.
const GEMS: &[(&[&str], &str, &str)] = &[
    (
        &["rainbow"],
        "require 'rainbow'; Rainbow.enabled = true; p Rainbow('x').red.bright",
        "\"\\e[31m\\e[1mx\\e[0m\"\n",
    ),
    (
        &["deepsort"],
        "require 'deepsort'; p({ b: [3, 1], a: { d: 1, c: 2 } }.deep_sort)",
        "{:a=>{:c=>2, :d=>1}, :b=>[1, 3]}\n",
    ),
    (
        &["hcl-checker"],
        "require 'hcl/checker'; p HCL::Checker.parse('a \"b\" { c = [1, 2] }')",
        "{\"a\"=>{\"b\"=>{\"c\"=>[1, 2]}}}\n",
    ),
    (
        &["docker-api", "excon", "multi_json"],
        "require 'docker'; p Docker.url, Excon::Connection",
        "\"unix:///var/run/docker.sock\"\nExcon::Connection\n",
    ),
];

/// Recipes that Chef cannot compile without these gems, and where their cookbooks are.
const RECIPES: &[(&str, &[&str], &[(&str, &str)])] = &[
    (
        "isc_kea_test::default",
        &["deepsort", "inifile", "toml-rb", "citrus"],
        &[
            ("chef_auto_accumulator", "sous-chefs+chef_auto_accumulator"),
            ("isc_kea", "sous-chefs+isc_kea"),
            ("isc_kea_test", "sous-chefs+isc_kea/test/cookbooks/isc_kea_test"),
            ("yum-epel", "sous-chefs+yum-epel"),
        ],
    ),
    (
        "redis::disable",
        &["rainbow"],
        &[
            ("redis", "gitlabhq+omnibus-gitlab/files/gitlab-cookbooks/redis"),
            ("package", "gitlabhq+omnibus-gitlab/files/gitlab-cookbooks/package"),
            ("runit", "gitlabhq+omnibus-gitlab/files/gitlab-cookbooks/runit"),
        ],
    ),
    (
        "test::server_hcl",
        &["hcl-checker"],
        &[
            ("ark", "sous-chefs+ark"),
            ("hashicorp-vault", "sous-chefs+hashicorp-vault"),
            ("seven_zip", "sous-chefs+seven_zip"),
            ("test", "sous-chefs+hashicorp-vault/test/cookbooks/test"),
        ],
    ),
];

pub fn trials(binary: &Path, checkouts: &Path, cookbooks: Option<&Path>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (gems, code, printed) in GEMS {
        for way in ["GEM_PATH", "vendor", "option", "archive"] {
            let (binary, checkouts) = (binary.to_path_buf(), checkouts.to_path_buf());
            trials.push(Trial::test(format!("{} by {way}", gems[0]), move || {
                let scratch = tempfile::tempdir()?;
                let mut command = Command::new(&binary);
                command.current_dir(&scratch).env("HOME", scratch.path()).env_remove("GEM_PATH");
                command.env("GEM_HOME", scratch.path().join("home"));
                lay_out(&checkouts, gems, way, scratch.path())?;
                command.arg("ruby");
                match way {
                    "GEM_PATH" => command.env("GEM_PATH", scratch.path().join("gems")),
                    "option" => command.arg("--gem-path").arg(scratch.path().join("gems")),
                    _ => &mut command,
                };
                let output = command.args(["-e", code]).output()?;
                let text = String::from_utf8_lossy(&output.stdout);
                if text == *printed {
                    Ok(())
                } else {
                    Err(format!("{text}{}", String::from_utf8_lossy(&output.stderr)).into())
                }
            }));
        }
    }
    let Some(cookbooks) = cookbooks else { return trials };
    for (recipe, gems, places) in RECIPES {
        let (binary, checkouts, cookbooks) = (binary.to_path_buf(), checkouts.to_path_buf(), cookbooks.to_path_buf());
        trials.push(Trial::test(format!("recipe {recipe}"), move || {
            let scratch = tempfile::tempdir()?;
            std::fs::create_dir(scratch.path().join("cookbooks"))?;
            for (name, place) in *places {
                std::os::unix::fs::symlink(cookbooks.join(place), scratch.path().join("cookbooks").join(name))?;
            }
            let compile = |with: bool| -> Result<(bool, String), Failed> {
                let mut command = Command::new(&binary);
                command.args([
                    "compile",
                    "-o",
                    &format!("recipe[{recipe}]"),
                    "--platform",
                    "ubuntu-22.04",
                    "--dump=json",
                ]);
                command
                    .current_dir(&scratch)
                    .env("HOME", scratch.path())
                    .env("GEM_HOME", scratch.path().join("home"))
                    .env_remove("GEM_PATH");
                if with {
                    command.arg("--gem-path").arg(scratch.path().join("gems"));
                }
                let output = command.output()?;
                Ok((output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
            };
            let (passed, text) = compile(false)?;
            if passed || !text.contains("LoadError") {
                return Err(format!("without the gem: {text}").into());
            }
            lay_out(&checkouts, gems, "option", scratch.path())?;
            let (passed, text) = compile(true)?;
            if passed { Ok(()) } else { Err(text.into()) }
        }));
    }
    trials
}

/// Puts the gems where the way leads: working trees into `gems` or `vendor/gems`, archives into `vendor/gems`.
fn lay_out(checkouts: &Path, gems: &[&str], way: &str, scratch: &Path) -> Result<(), Failed> {
    let folder = scratch.join(if matches!(way, "vendor" | "archive") { "vendor/gems" } else { "gems" });
    std::fs::create_dir_all(&folder)?;
    for gem in gems {
        if way == "archive" {
            let built = built(checkouts, gem)?;
            std::fs::copy(&built, folder.join(built.file_name().unwrap_or_default()))?;
        } else {
            std::os::unix::fs::symlink(checkouts.join(gem), folder.join(gem))?;
        }
    }
    Ok(())
}

fn built(checkouts: &Path, gem: &str) -> Result<PathBuf, Failed> {
    let prefix = format!("{gem}-");
    let fits = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.strip_prefix(&prefix)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) && rest.ends_with(".gem"))
    };
    let found = std::fs::read_dir(checkouts)?.flatten().map(|entry| entry.path()).find(fits);
    found.ok_or_else(|| format!("{}: no {gem}-VERSION.gem: `gem build` makes it", checkouts.display()).into())
}
