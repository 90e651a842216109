//! `--recipe-url`: an archive of cookbooks, unpacked into the chef-repo before the run.

use crate::input::config::{self, Refusal, absolute};
use crate::input::{self, Request};
use rchef_host::{CommandSpec, Flow, compose};
use rchef_ruby::{Value, Vm};

/// Fetches the archive and unpacks it into the chef-repo, which is created if necessary.
pub fn unpack(vm: &mut Vm, request: &Request<'_>, url: &str) -> Result<(), Refusal> {
    let host = vm.host.clone();
    let wrong = |text: String| (1, format!("--recipe-url {url}: {text}"));
    if url.starts_with("s3://") {
        return Err(wrong("rchef fetches http and https addresses and files, not S3 buckets".into()));
    }
    let repository = input::chef_repo(vm, &*host, request, &mut Vec::new());
    let bytes =
        input::read(vm, &*host, &input::located(request.cwd, url)).map_err(|why| wrong(why.trim_end().into()))?;
    let made = compose::create_dir_all(&*host, repository.as_bytes(), 0o755);
    made.map_err(|error| wrong(format!("{repository}: {}", error.message())))?;
    let archive = absolute(&repository, "recipes.tgz");
    let written = compose::write_file(&*host, archive.as_bytes(), &bytes, 0o644);
    written.map_err(|error| wrong(format!("{archive}: {}", error.message())))?;
    let spec = CommandSpec::argv(["tar", "-xzf", &archive, "-C", &repository, "--no-same-owner"]);
    let done = host.run(&spec, &mut |_| Flow::Continue);
    let done = done.map_err(|error| wrong(format!("tar cannot be run: {}", error.message())))?;
    if !done.status.success() {
        return Err(wrong(format!("tar cannot unpack it: {}", String::from_utf8_lossy(&done.stderr).trim_end())));
    }
    config::set(vm, "chef_repo_path", Value::str(&repository));
    config::own_file(vm, &*host, &repository)
}
