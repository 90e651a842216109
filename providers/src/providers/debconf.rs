//! The debconf answers of a package's `response_file`, loaded before the package is installed or reconfigured.

use super::packages::{self, Item, Wish};
use super::support::*;
use rchef_change::package::{Manager, PackageVerb};
use rchef_change::{Change, ChangeError, PackageChange, PackageItem};
use rchef_host::{Host, compose};
use rchef_recipe::resource::instance;
use rchef_recipe::run::converge_mut;
use rchef_ruby::{Res, Value, Vm, sym};
use std::cmp::Ordering;

/// Compares two versions.
type CompareOn<'a> = &'a dyn Fn(&dyn Host, &str, &str) -> Looked<Ordering>;

/// The packages that answers are loaded for, each with its version: those to be installed now, or those to be reconfigured.
pub(crate) fn due<'a>(
    host: &dyn Host,
    wish: &Wish,
    items: &'a [Item],
    compare: CompareOn<'_>,
) -> Looked<Vec<(&'a Item, String)>> {
    let versions: Vec<Option<String>> = match wish.verb {
        PackageVerb::Install => packages::targets(wish, items, &|left, right| compare(host, left, right))?.0,
        PackageVerb::Reconfigure => items.iter().map(|item| item.current.clone()).collect(),
        _ => Vec::new(),
    };
    Ok(items.iter().zip(versions).filter_map(|(item, version)| Some((item, version?))).collect())
}

/// Writes the file of answers for the packages that are about to be installed or reconfigured; None if there is none or it is unchanged.
pub(crate) fn seed_for(
    vm: &mut Vm,
    resource: &Value,
    wish: &Wish,
    items: &[Item],
    compare: CompareOn<'_>,
) -> Res<Option<String>> {
    let host = vm.host.clone();
    let due = due(&*host, wish, items, compare).map_err(|error| raised(vm, &error))?;
    if due.is_empty() {
        return Ok(None);
    }
    let names = joined(wish, due.iter().map(|(item, _)| item.name.as_str()));
    let versions = joined(wish, due.iter().map(|(_, version)| version.as_str()));
    seed(vm, resource, &format!("{names}-{versions}"))
}

/// Writes the answers to the file cache with a `template` or `cookbook_file` from the resource's cookbook that is run directly; gives its path if
/// that changed the file. `stem` is the file's base name.
fn seed(vm: &mut Vm, resource: &Value, stem: &str) -> Res<Option<String>> {
    let Some(source) = text_opt(vm, resource, "response_file")? else { return Ok(None) };
    let context = instance::context_of(vm, resource)?;
    let cookbook = get(vm, resource, "cookbook_name")?;
    let args = [cookbook.clone(), Value::str(&source)];
    let is_template = vm.call_name(&context, "has_template_in_cookbook?", &args)?.truthy();
    if !is_template && !vm.call_name(&context, "has_cookbook_file_in_cookbook?", &args)?.truthy() {
        let text = format!("No template or cookbook file found for response file {source}");
        return Err(raised(vm, &ChangeError::raise("Chef::Exceptions::FileNotFound", text)));
    }
    let cache = crate::coerce::config(vm, "file_cache_path")?;
    let directory = format!("{}/preseed/{}", vm.to_s_text(&cache)?, vm.to_s_text(&cookbook)?);
    if converge_mut(vm).mode.applies() {
        on(vm, |host| compose::create_dir_all(host, directory.as_bytes(), 0o755))?;
    }
    let path = format!("{directory}/{}.seed", stem.replace('/', "_"));
    let class = if is_template { "Chef::Resource::Template" } else { "Chef::Resource::CookbookFile" };
    let Some(class) = vm.class_named(class) else { return Err(vm.not_implemented(class)) };
    let file = vm.call(&Value::Class(class), sym::NEW, &[Value::str(&path), context])?;
    vm.call_name(&file, "cookbook_name=", &[cookbook])?;
    vm.call_name(&file, "source", &[Value::str(&source)])?;
    vm.call_name(&file, "backup", &[Value::False])?;
    let sensitive = get(vm, resource, "sensitive")?;
    vm.call_name(&file, "sensitive", &[sensitive])?;
    if is_template {
        let variables = get(vm, resource, "response_file_variables")?;
        vm.call_name(&file, "variables", &[variables])?;
    }
    vm.call_name(&file, "run_action", &[Value::sym("create")])?;
    Ok(vm.call_name(&file, "updated_by_last_action?", &[])?.truthy().then_some(path))
}

/// Packages as in messages and file names: a single one by its name, several as Ruby inspects an Array.
fn joined<'a>(wish: &Wish, texts: impl Iterator<Item = &'a str>) -> String {
    let texts: Vec<&str> = texts.collect();
    match texts[..] {
        [text] if !wish.shown.starts_with('[') => text.to_string(),
        _ => format!("{texts:?}"),
    }
}

/// Loads the answers of packages into debconf and, for `:reconfig`, reconfigures them.
pub(crate) fn change(wish: &Wish, due: &[(&Item, String)], seed: &str) -> Change {
    let configures = wish.verb == PackageVerb::Reconfigure;
    let noninteractive = |words: Vec<String>| wish.command(words).with_env("DEBIAN_FRONTEND", "noninteractive");
    let mut commands = vec![noninteractive(vec!["debconf-set-selections".into(), seed.into()])];
    let names = due.iter().map(|(item, _)| item.name.clone());
    if configures {
        commands.push(noninteractive(std::iter::once("dpkg-reconfigure".to_string()).chain(names).collect()));
    }
    let item = |(item, _): &(&Item, String)| PackageItem {
        name: item.name.clone(),
        real: item.real.clone(),
        from: item.current.clone(),
        to: item.current.clone(),
    };
    Change::Packages(PackageChange {
        verb: if configures { PackageVerb::Reconfigure } else { PackageVerb::Preseed },
        items: due.iter().map(item).collect(),
        shown: joined(wish, due.iter().map(|(item, _)| item.name.as_str())),
        version: None,
        may_downgrade: wish.may_downgrade,
        manager: Manager::Dpkg,
        commands,
    })
}
