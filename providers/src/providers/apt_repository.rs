//! `apt_repository`: a file under /etc/apt/sources.list.d and the repository's signing keys, as child resources.

use super::support::*;
use rchef_change::{Assertion, ChangeError, Command};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_recipe::resource::instance;
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct AptRepository;

/// The directory of apt's source lists.
const LISTS: &str = "/etc/apt/sources.list.d";
/// The directory of keyrings that each belong to one repository.
const KEYRINGS: &str = "/etc/apt/keyrings";
/// The key server with the keys of Launchpad's archives.
const LAUNCHPAD_KEYS: &str = "keyserver.ubuntu.com";
/// Lists the keys that apt trusts for all repositories.
const TRUSTED_KEYS: [&str; 5] = ["apt-key", "adv", "--list-public-keys", "--with-fingerprint", "--with-colons"];
const INVALID: &str = "Chef::Exceptions::ValidationFailed";

/// A signing key.
struct Key {
    /// A key ID, a URL or the name of a file.
    text: String,
    /// Whether the cookbook has a file of this name.
    is_file: bool,
}

impl Key {
    /// Whether the key is fetched from a key server.
    fn is_identifier(&self) -> bool {
        let digits = self.text.strip_prefix("0x").unwrap_or(&self.text);
        !self.is_file && [8, 16, 40].contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    }
}

/// What an `apt_repository` resource asks for.
pub(crate) struct Desired {
    /// True for `:add`, false for `:remove`.
    add: bool,
    /// The node is of the Debian family; elsewhere nothing is done.
    is_debian: bool,
    /// The resource's name; old versions of Chef named the file after it.
    name: String,
    /// The base name of the file.
    repo_name: String,
    /// The repository's URL; for a personal package archive (PPA), Launchpad's URL. Empty if none is given.
    uri: String,
    /// Fingerprint of a PPA's key.
    archive_key: Option<String>,
    /// None if the property is nil.
    keys: Option<Vec<Key>>,
    keyserver: String,
    key_proxy: Option<String>,
    /// The value of the entry's `signed-by` option; None if apt's own keyring holds the keys.
    signed_by: Option<String>,
    distribution: Option<String>,
    components: String,
    arch: Option<String>,
    trusted: bool,
    deb_src: bool,
    options: Vec<String>,
    cache_rebuild: bool,
    sensitive: bool,
    /// The cookbook with the key files.
    cookbook: String,
    /// The directory of fetched keys.
    cache: String,
}

impl Desired {
    fn list(&self) -> String {
        format!("{LISTS}/{}.list", self.repo_name)
    }
    fn keyring(&self) -> String {
        format!("{KEYRINGS}/{}.gpg", self.repo_name)
    }
    /// The IDs of the keys to fetch, each with its key server.
    fn identifiers(&self) -> impl Iterator<Item = (&str, &str)> {
        let own = self.keys.iter().flatten().filter(|key| key.is_identifier());
        let own = own.map(|key| (key.text.as_str(), self.keyserver.as_str()));
        own.chain(self.archive_key.iter().map(|key| (key.as_str(), LAUNCHPAD_KEYS)))
    }
    /// The lines of the source list.
    fn entry(&self) -> String {
        let mut options: Vec<String> = self.arch.iter().map(|arch| format!("arch={arch}")).collect();
        if self.trusted {
            options.push("trusted=yes".into());
        }
        options.extend(self.signed_by.iter().map(|signed_by| format!("signed-by={signed_by}")));
        options.extend(self.options.iter().cloned());
        let options = if options.is_empty() { None } else { Some(format!("[{}]", options.join(" "))) };
        let words = [options.as_deref(), Some(&self.uri), self.distribution.as_deref(), Some(&self.components)];
        let words = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let sources = if self.deb_src { format!("deb-src  {words}\n") } else { String::new() };
        format!("deb      {words}\n{sources}")
    }
}

/// The URL, normalized by Addressable.
fn normal(vm: &mut Vm, uri: &str) -> Res<String> {
    rchef_ruby::embed::load::require(vm, "addressable/uri")?;
    let Some(class) = vm.class_named("Addressable::URI") else { return Ok(uri.to_string()) };
    let parsed = vm.call_name(&Value::Class(class), "parse", &[Value::str(uri)])?;
    let normal = vm.call_name(&parsed, "normalize", &[])?;
    vm.to_s_text(&normal)
}

/// Launchpad's URL of a PPA (`ppa:OWNER/NAME`), and the fingerprint of its key.
fn archive(vm: &mut Vm, ppa: &str) -> Res<(String, String)> {
    let mut parts = ppa.split('/').filter(|part| !part.is_empty());
    let (owner, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or("ppa"));
    let api = format!("https://launchpad.net/api/1.0/~{owner}/+archive/{name}");
    let Some(class) = vm.class_named("Chef::HTTP::Simple") else {
        return Err(vm.not_implemented("Chef::HTTP::Simple"));
    };
    let none = vm.new_hash(Vec::new())?;
    let client = vm.call(&Value::Class(class), rchef_ruby::sym::NEW, &[Value::str(api), none])?;
    let refused = vm.class_named("Net::HTTPClientException");
    let answer = match vm.call_name(&client, "get", &[Value::str("signing_key_fingerprint")]) {
        Ok(answer) => vm.to_s_text(&answer)?,
        Err(error) => {
            let exception = error.exception().cloned();
            let exception = exception.filter(|found| refused.is_some_and(|class| vm.is_a(found, class)));
            let Some(exception) = exception else { return Err(error) };
            let message = vm.call(&exception, rchef_ruby::sym::MESSAGE, &[])?;
            let message = format!("Could not access Launchpad ppa API: {}", vm.to_s_text(&message)?);
            return Err(raised(vm, &ChangeError::raise("RuntimeError", message)));
        }
    };
    Ok((format!("http://ppa.launchpad.net/{owner}/{name}/ubuntu"), answer.replace('"', "")))
}

/// The values of `key`, each with whether the cookbook has a file of this name.
fn keys(vm: &mut Vm, resource: &Value, cookbook: &str) -> Res<Option<Vec<Key>>> {
    if get(vm, resource, "key")?.is_nil() {
        return Ok(None);
    }
    let context = instance::context_of(vm, resource)?;
    let mut keys = Vec::new();
    for text in list(vm, resource, "key")?.into_iter().filter(|key| key != "false") {
        let args = [Value::str(cookbook), Value::str(&text)];
        let is_file = vm.call_name(&context, "has_cookbook_file_in_cookbook?", &args)?.truthy();
        keys.push(Key { text, is_file });
    }
    Ok(Some(keys))
}

/// The output of a query; None if it fails.
fn ask<const N: usize>(host: &dyn Host, words: [&str; N]) -> Looked<Option<String>> {
    let output = Command { until_exit: false, ..Command::system(words) }.query(host)?;
    Ok(output.status.success().then(|| lossy(&output.stdout)))
}

/// Whether apt trusts a key for every repository and it has not expired.
fn is_trusted(host: &dyn Host, key: &str) -> Looked<bool> {
    let known = ask(host, TRUSTED_KEYS)?.unwrap_or_default();
    let fingerprints = known.lines().filter_map(|line| line.strip_prefix("fpr:")?.trim_matches(':').split(':').next());
    Ok(fingerprints.into_iter().any(|fingerprint| fingerprint.ends_with(key)) && !has_expired(host, key)?)
}

/// Whether apt's own keyring lists a key as expired.
fn has_expired(host: &dyn Host, key: &str) -> Looked<bool> {
    let listed = ask(host, ["apt-key", "list"])?.unwrap_or_default();
    let head = format!("/{key}");
    Ok(listed.lines().any(|line| line.starts_with(&head) && line.contains("[expired: ") && line.ends_with(']')))
}

/// Whether a key in a keyring is neither expired nor revoked; None if the keyring does not have it.
fn in_keyring(host: &dyn Host, keyring: &str, key: &str) -> Looked<Option<bool>> {
    let listed = ask(host, ["gpg", "--no-default-keyring", "--keyring", keyring, "--list-public-keys", key])?;
    Ok(listed.map(|listed| !listed.contains("[expired:") && !listed.contains("[revoked:")))
}

/// Whether apt already trusts every key of a file.
fn has_no_new_keys(host: &dyn Host, file: &str) -> Looked<bool> {
    let public = |text: Option<String>| -> Vec<String> {
        let text = text.unwrap_or_default();
        let lines = text.lines().filter(|line| line.starts_with("pub:"));
        lines.map(|line| line.splitn(7, ':').take(6).collect::<Vec<_>>().join(":")).collect()
    };
    let known = public(ask(host, TRUSTED_KEYS)?);
    Ok(public(ask(host, ["gpg", "--with-fingerprint", "--with-colons", file])?).iter().all(|key| known.contains(key)))
}

/// Adds the notification that rebuilds apt's caches after a change.
fn rebuilding(child: Child) -> Child {
    child.notifies("run", "execute[apt-cache gencaches]", "immediately")
}

/// The URL of a key server with its scheme and port.
fn server(name: &str) -> String {
    if name.starts_with("hkp://") { name.to_string() } else { format!("hkp://{name}:80") }
}

/// Fetches a key from a server into the repository's keyring or apt's own.
fn fetch_key(desired: &Desired, children: &mut Children<'_>, key: &str, keyserver: &str) -> Res<()> {
    let host = children.host();
    let (upper, keyring, server) = (key.to_uppercase(), desired.keyring(), server(keyserver));
    let proxy =
        desired.key_proxy.as_ref().map_or(String::new(), |proxy| format!(" --keyserver-options http-proxy={proxy}"));
    let own = desired.signed_by.is_some();
    let line = if own {
        format!("gpg --no-default-keyring --keyring {keyring}{proxy} --keyserver {server} --recv {key}")
    } else {
        format!("apt-key adv --no-tty --recv{proxy} --keyserver {server} {key}")
    };
    let is_there = move |host: &dyn Host| match own {
        true => in_keyring(host, &keyring, &upper).map(|found| found == Some(true)),
        false => is_trusted(host, &upper),
    };
    let install = Child::new("execute", format!("install-key {key}")).text("command", line).flag("default_env", true);
    children.declare(rebuilding(install.flag("sensitive", desired.sensitive).not_if(is_there)))?;
    let upper = key.to_uppercase();
    // a key that was not fetched (in a why-run) counts as valid
    let fetched = children.has_run();
    let is_valid = match own {
        true => in_keyring(&*host, &desired.keyring(), &upper).map(|found| found.unwrap_or(!fetched)),
        false => has_expired(&*host, &upper).map(|expired| !expired),
    };
    if is_valid.map_err(|error| children.raised(&error))? {
        return Ok(());
    }
    let text = format!("The key {key} is invalid and cannot be used to verify an apt repository.");
    Err(children.raised(&ChangeError::raise("RuntimeError", text)))
}

/// Installs a key from a URL or a cookbook file into the repository's keyring or apt's own. `scratch` is the home directory for `gpg`.
fn install_key(desired: &Desired, children: &mut Children<'_>, key: &Key, scratch: &str) -> Res<()> {
    let host = children.host();
    let keyring = desired.keyring();
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let fetched = format!("{}/{}", desired.cache, key.text.chars().map(safe).collect::<String>());
    let own = desired.signed_by.is_some();
    if own {
        children.declare(Child::new("directory", KEYRINGS).text("mode", "0755"))?;
    }
    let kind = match () {
        () if key.text.starts_with("http") => "remote_file",
        () if key.is_file => "cookbook_file",
        () => {
            let text = format!("Cannot locate key file: {}", key.text);
            return Err(children.raised(&ChangeError::raise("Chef::Exceptions::FileNotFound", text)));
        }
    };
    let target = if own { &fetched } else { &keyring };
    let mut source = Child::new(kind, target).text("source", &key.text).text("mode", "0644");
    if kind == "cookbook_file" {
        source = source.text("cookbook", &desired.cookbook);
    }
    source = source.flag("sensitive", desired.sensitive).text("verify", format!("gpg --homedir {scratch} %{{path}}"));
    let import = format!("import {keyring}");
    if own {
        source = source.notifies("run", &format!("execute[{import}]"), "immediately");
    }
    children.declare(source.action("create"))?;
    if !own {
        let words = ["apt-key", "add", keyring.as_str()];
        let add =
            Child::new("execute", format!("apt-key add {keyring}")).texts("command", words).flag("default_env", true);
        let add = add.flag("sensitive", desired.sensitive).not_if(move |host| has_no_new_keys(host, &keyring));
        return children.declare(rebuilding(add.action("run"))).map(drop);
    }
    // newer versions of apt verify with sqv, which cannot read GnuPG's keybox format
    let version = ask(&*host, ["apt", "-v"]).map_err(|error| children.raised(&error))?.unwrap_or_default();
    let major = version.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty());
    let is_new = major.and_then(|major| major.parse::<u32>().ok()).is_some_and(|major| major > 2);
    let ring = if is_new { format!("gnupg-ring:{keyring}") } else { keyring.clone() };
    let words = ["gpg", "--import", "--batch", "--yes", "--no-default-keyring", "--keyring", ring.as_str(), &fetched];
    let run = Child::new("execute", &*import).texts("command", words).flag("default_env", true);
    children.declare(run.flag("sensitive", desired.sensitive).action("nothing"))?;
    let mut file = Child::new("file", &*keyring).text("mode", "0644");
    if !compose::exists(&*host, keyring.as_bytes()) {
        file = file.notifies("run", &format!("execute[{import}]"), "before");
    }
    children.declare(file).map(drop)
}

fn install_keys(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
    let Some(keys) = &desired.keys else {
        children.log("debug", "No 'key' property specified skipping key import");
        return Ok(());
    };
    let host = children.host();
    for key in keys {
        if key.is_identifier() {
            fetch_key(desired, children, &key.text, &desired.keyserver)?;
            continue;
        }
        let scratch = compose::temp_subdir(&*host, &compose::temp_dir(&*host), b".gpg", b"");
        let scratch = scratch.map_err(|error| children.raised(&error.into()))?;
        let installed = install_key(desired, children, key, &lossy(&scratch));
        let removed = compose::remove_dir_all(&*host, &scratch);
        installed?;
        removed.map_err(|error| children.raised(&error.into()))?;
    }
    Ok(())
}

/// Deletes the file that old versions of Chef named after the resource.
fn clean_up(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
    let path = format!("{LISTS}/{}.list", desired.name);
    if desired.name == desired.repo_name || !compose::exists(&*children.host(), path.as_bytes()) {
        return Ok(());
    }
    children.converge_by(format!("Cleaning up legacy {path} repo file"), |children| {
        children.declare(Child::new("file", &*path).action("delete")).map(drop)
    })
}

/// Declares the child that runs `apt-get update` for a changed source list.
fn declare_update(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
    let update = Child::new("apt_update", &*desired.name).flag("ignore_failure", true);
    children.declare(update.action("nothing")).map(drop)
}

fn refreshing(desired: &Desired, child: Child) -> Child {
    if !desired.cache_rebuild {
        return child;
    }
    child.notifies("update", &format!("apt_update[{}]", desired.name), "immediately")
}

fn remove(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
    clean_up(desired, children)?;
    let list = desired.list();
    if !compose::exists(&*children.host(), list.as_bytes()) {
        children.log("debug", format!("{list} does not exist. Nothing to do"));
        return Ok(());
    }
    children.converge_by(format!("Removing {} repository from {LISTS}/", desired.repo_name), |children| {
        declare_update(desired, children)?;
        for (path, is_list) in [(desired.keyring(), false), (list, true)] {
            let file = Child::new("file", path).flag("sensitive", desired.sensitive).action("delete");
            children.declare(if is_list { refreshing(desired, file) } else { file })?;
        }
        Ok(())
    })
}

/// The first value with characters that would break the line of the source list or the command that fetches a key.
fn unusable(desired: &Desired) -> Option<Assertion> {
    let line = [&desired.uri, &desired.components].into_iter().chain(&desired.options);
    let line = line.chain(&desired.distribution).chain(&desired.arch).chain(&desired.signed_by);
    if let Some(value) = line.into_iter().find(|value| value.contains(|c: char| c.is_control())) {
        let text = format!("{value:?} cannot be part of a repository's entry: it holds a control character");
        return Some(Assertion::new(INVALID, text));
    }
    // Chef passes this command to a shell
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:/@%+=,~[]-".contains(c);
    let servers = desired.identifiers().map(|(_, server)| server.to_string());
    let words: Vec<String> = servers.chain([desired.repo_name.clone()]).chain(desired.key_proxy.clone()).collect();
    let value =
        words.iter().find(|word| !word.chars().all(plain)).filter(|_| desired.identifiers().next().is_some())?;
    let text = format!("{value:?} cannot be part of the command that fetches a key: it is not a plain word");
    Some(Assertion::new(INVALID, text))
}

impl Composite for AptRepository {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["add", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let add = action == "add";
        let is_debian = crate::coerce::node_text(vm, resource, "platform_family")? == "debian";
        let repo_name = text(vm, resource, "repo_name")?;
        let mut desired = Desired {
            add,
            is_debian,
            name: text(vm, resource, "name")?,
            uri: text(vm, resource, "uri")?,
            archive_key: None,
            keys: None,
            keyserver: text(vm, resource, "keyserver")?,
            key_proxy: text_opt(vm, resource, "key_proxy")?,
            signed_by: None,
            distribution: None,
            components: list(vm, resource, "components")?.join(" "),
            arch: text_opt(vm, resource, "arch")?,
            trusted: flag(vm, resource, "trusted")?,
            deb_src: flag(vm, resource, "deb_src")?,
            options: list(vm, resource, "options")?,
            cache_rebuild: flag(vm, resource, "cache_rebuild")?,
            sensitive: flag(vm, resource, "sensitive")?,
            cookbook: String::new(),
            cache: String::new(),
            repo_name,
        };
        if !add || !is_debian {
            return Ok(desired);
        }
        desired.distribution = text_opt(vm, resource, "distribution")?;
        desired.signed_by = match get(vm, resource, "signed_by")? {
            Value::True => Some(desired.keyring()),
            Value::Nil | Value::False => None,
            other => Some(vm.to_s_text(&other)?),
        };
        let cookbook = text(vm, resource, "cookbook_name")?;
        desired.cookbook = text_opt(vm, resource, "cookbook")?.unwrap_or(cookbook);
        desired.keys = keys(vm, resource, &desired.cookbook)?;
        let cache = crate::coerce::config(vm, "file_cache_path")?;
        desired.cache = vm.to_s_text(&cache)?;
        if let Some(ppa) = desired.uri.clone().strip_prefix("ppa:") {
            let (uri, key) = archive(vm, ppa)?;
            (desired.uri, desired.archive_key) = (uri, Some(key));
            if desired.components.is_empty() {
                desired.components = "main".into();
            }
        }
        desired.uri = normal(vm, &desired.uri.clone())?;
        Ok(desired)
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        if !desired.is_debian {
            return Ok(Vec::new());
        }
        let mut failed: Vec<Assertion> = unfit(INVALID, "repository", &desired.repo_name).into_iter().collect();
        if desired.add {
            if desired.uri.is_empty() {
                let text = format!("apt_repository[{}]: the action :add needs the property uri", desired.name);
                failed.push(Assertion::new(INVALID, text));
            }
            failed.extend(unusable(desired));
        }
        Ok(failed)
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        if !desired.is_debian {
            return Ok(());
        }
        if !desired.add {
            return remove(desired, children);
        }
        let caches = Child::new("execute", "apt-cache gencaches").texts("command", ["apt-cache", "gencaches"]);
        children.declare(caches.flag("default_env", true).flag("ignore_failure", true).action("nothing"))?;
        declare_update(desired, children)?;
        install_keys(desired, children)?;
        clean_up(desired, children)?;
        if let Some(key) = &desired.archive_key {
            fetch_key(desired, children, key, LAUNCHPAD_KEYS)?;
        }
        let file = Child::new("file", desired.list()).text("owner", "root").text("group", "root").text("mode", "0644");
        let file = file.text("content", desired.entry()).flag("sensitive", desired.sensitive).action("create");
        children.declare(refreshing(desired, rebuilding(file))).map(drop)
    }
}
