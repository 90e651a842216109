//! `sudo`: a file under /etc/sudoers.d.

use super::embedded;
use super::support::*;
use rchef_change::{Assertion, ChangeError};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Sudo;

/// What a `sudo` resource asks for.
pub(crate) struct Desired {
    action: &'static str,
    name: String,
    prefix: String,
    visudo: String,
    /// A template of the cookbook and its variables, in place of the content.
    template: Option<(String, Value)>,
    content: String,
    is_docker: bool,
    /// An error in the combination of properties.
    fault: Option<&'static str>,
}

/// The lines for the users and groups.
fn content(vm: &mut Vm, resource: &Value, who: &str) -> Res<String> {
    let mut text = "# This file is managed by Chef Infra Client. Changes will be overwritten.\n\n".to_string();
    let aliases = get(vm, resource, "command_aliases")?;
    for alias in vm.to_array(&aliases)? {
        let name = vm.call(&alias, rchef_ruby::sym::AREF, &[Value::sym("name")])?;
        let commands = vm.call(&alias, rchef_ruby::sym::AREF, &[Value::sym("command_list")])?;
        let mut words = Vec::new();
        for command in vm.to_array(&commands)? {
            words.push(vm.to_s_text(&command)?);
        }
        let name = vm.to_s_text(&name)?.to_uppercase();
        text.push_str(&format!("Cmnd_Alias {name} = {}\n", words.join(", ")));
    }
    for (property, operator) in [("env_keep_add", "+="), ("env_keep_subtract", "-=")] {
        for name in list(vm, resource, property)? {
            text.push_str(&format!("Defaults    env_keep {operator} \"{name}\"\n"));
        }
    }
    let mut tags = String::new();
    for (property, tag) in [("noexec", "NOEXEC:"), ("nopasswd", "NOPASSWD:"), ("setenv", "SETENV:")] {
        if flag(vm, resource, property)? {
            tags.push_str(tag);
        }
    }
    let (host, runas) = (super::support::text(vm, resource, "host")?, super::support::text(vm, resource, "runas")?);
    for command in list(vm, resource, "commands")? {
        // as in Chef: a blank line for each command if there is neither user nor group
        let line = if who.is_empty() { String::new() } else { format!("{who} {host}=({runas}) {tags}{command}") };
        text.push_str(&(line + "\n"));
    }
    let defaults = list(vm, resource, "defaults")?;
    if !defaults.is_empty() {
        text.push_str(&format!("Defaults:{who} {}\n", defaults.join(",")));
    }
    Ok(text)
}

impl Desired {
    fn path(&self) -> String {
        format!("{}/sudoers.d/{}", self.prefix, self.name)
    }

    /// The command that checks the file together with the rest of sudo's configuration.
    fn check(&self, host: &dyn Host) -> String {
        let (prefix, visudo) = (&self.prefix, &self.visudo);
        if compose::exists(host, self.path().as_bytes()) {
            format!("cat {prefix}/sudoers | {visudo} -cf - && {visudo} -cf %{{path}}")
        } else {
            format!("cat {prefix}/sudoers %{{path}} | {visudo} -cf -")
        }
    }

    fn create(&self, children: &mut Children<'_>) -> Res<()> {
        let host = children.host();
        if self.is_docker {
            let package = Child::new("package", "sudo");
            children.declare(package.not_if(|host| Ok(which(host, "sudo").is_some())))?;
        }
        children.declare(Child::new("directory", format!("{}/sudoers.d/", self.prefix)))?;
        let main = compose::read_file(&*host, format!("{}/sudoers", self.prefix).as_bytes()).unwrap_or_default();
        if !lossy(&main).contains("includedir") {
            let (name, prefix) = (&self.name, &self.prefix);
            children.log(
                "warn",
                format!(
                    "{name} will be rendered, but will not take effect because the {prefix}/sudoers config lacks the includedir directive that loads configs from {prefix}/sudoers.d/!"
                ),
            );
        }
        let mut file = Child::new("template", self.path()).text("mode", "0440");
        file = match &self.template {
            Some((source, variables)) => {
                let file = file.text("source", source);
                if variables.is_nil() { file } else { file.set("variables", variables.clone()) }
            }
            None => {
                let variables = children.vm().new_hash(vec![(Value::sym("content"), Value::str(&self.content))])?;
                file.text("source", embedded::CONTENT).flag("local", true).set("variables", variables)
            }
        };
        if compose::exists(&*host, self.visudo.as_bytes()) {
            file = file.text("verify", self.check(&*host));
        } else {
            children.log(
                "warn",
                format!(
                    "The visudo binary cannot be found at '{}'. Skipping sudoer file validation. If visudo is on this system you can specify the path using the 'visudo_binary' property.",
                    self.visudo
                ),
            );
        }
        children.declare(file.action("create")).map(drop)
    }
}

impl Composite for Sudo {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["create", "install", "remove", "delete"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let creates = matches!(action, "create" | "install");
        let mut who = list(vm, resource, "groups")?;
        who.extend(list(vm, resource, "users")?);
        let template = match text_opt(vm, resource, "template")? {
            Some(source) => Some((source, get(vm, resource, "variables")?)),
            None => None,
        };
        let keeps =
            !list(vm, resource, "env_keep_add")?.is_empty() || !list(vm, resource, "env_keep_subtract")?.is_empty();
        let fault = match (who.is_empty(), template.is_some()) {
            _ if !creates => None,
            (true, false) if !keeps => {
                Some("You must specify users, groups, env_keep_add, env_keep_subtract, or template properties!")
            }
            (false, true) => Some(
                "You cannot specify users or groups properties and also specify a template. To use your own template pass in all template variables using the variables property.",
            ),
            _ => None,
        };
        Ok(Desired {
            action,
            name: text(vm, resource, "filename")?,
            prefix: text(vm, resource, "config_prefix")?,
            visudo: text(vm, resource, "visudo_binary")?,
            content: if creates && template.is_none() { content(vm, resource, &who.join(","))? } else { String::new() },
            template,
            is_docker: is_docker(vm, resource)?,
            fault,
        })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        // these names become part of the command that checks the file
        let names = [("sudoers file", &desired.name), ("directory", &desired.prefix), ("program", &desired.visudo)];
        let unfit = names.into_iter().find_map(|(what, name)| unfit_word("ArgumentError", what, name));
        Ok(unfit.into_iter().collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        for (old, new) in [("install", "create"), ("remove", "delete")] {
            if desired.action == old {
                let text = format!(
                    "The sudo :{old} action has been renamed :{new}. Please update your cookbook code for the new action"
                );
                children.log("warn", text);
            }
        }
        if let Some(text) = desired.fault {
            return Err(children.raised(&ChangeError::raise("RuntimeError", text)));
        }
        if matches!(desired.action, "create" | "install") {
            return desired.create(children);
        }
        children.declare(Child::new("file", desired.path()).action("delete")).map(drop)
    }
}
