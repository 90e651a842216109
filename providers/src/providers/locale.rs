//! `locale`: the system's locale in /etc/locale.conf.

use super::support::*;
use rchef_change::command::duration;
use rchef_change::{Assertion, Command};
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

pub(crate) struct Locale;

const FILE: &str = "/etc/locale.conf";
/// Timeout in seconds for generating locales.
const TIMEOUT: f64 = 1800.0;

/// What a `locale` resource asks for.
pub(crate) struct Desired {
    settings: Settings,
    family: String,
}

/// The wanted locales.
struct Settings {
    lang: Option<String>,
    /// Other locale variables (`LC_*`).
    variables: Vec<(String, String)>,
}

impl Settings {
    fn read(vm: &mut Vm, resource: &Value) -> Res<Settings> {
        let mut variables = Vec::new();
        for (name, value) in pairs(vm, resource, "lc_env")? {
            variables.push((vm.to_s_text(&name)?, vm.to_s_text(&value)?));
        }
        Ok(Settings { lang: text_opt(vm, resource, "lang")?, variables })
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.lang.iter().chain(self.variables.iter().map(|(_, value)| value))
    }

    fn content(&self) -> String {
        let mut lines: Vec<String> = self.variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
        lines.extend(self.lang.iter().map(|lang| format!("LANG={lang}")));
        lines.sort();
        lines.join("\n") + "\n"
    }

    /// The locales that are not among those that `locale -a` lists.
    fn missing(&self, known: &str) -> Vec<String> {
        let mut missing: Vec<String> = Vec::new();
        for name in self.names() {
            if !known.lines().any(|line| line == name) && !missing.contains(name) {
                missing.push(name.clone());
            }
        }
        missing
    }
}

/// The methods of the provider.
pub(crate) static METHODS: &[MethodDef] =
    &[def("unavailable_locales", unavailable_locales, 0), def("new_content", new_content, 0)];

fn unavailable_locales(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let known = shell_out(vm, this, "shell_out!", &["locale -a"])?;
    Ok(crate::coerce::strings(Settings::read(vm, &resource)?.missing(&known)))
}

fn new_content(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    Ok(Value::str(Settings::read(vm, &resource)?.content()))
}

/// The variables in /etc/locale.conf.
fn stored(host: &dyn Host) -> Vec<(String, String)> {
    let text = lossy(&compose::read_file(host, FILE.as_bytes()).unwrap_or_default());
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

impl Composite for Locale {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["update"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        let family = crate::coerce::node_text(vm, resource, "platform_family")?;
        Ok(Desired { settings: Settings::read(vm, resource)?, family })
    }

    fn requirements(desired: &Desired, host: &dyn Host) -> Looked<Vec<Assertion>> {
        let class = "Chef::Exceptions::ProviderNotFound";
        if desired.family != "debian" {
            let text = format!("The locale resource is not supported on platform family: {}", desired.family);
            return Ok(vec![Assertion::new(class, text)]);
        }
        if let Some(failed) = desired.settings.names().find_map(|name| unfit("ArgumentError", "locale", name)) {
            return Ok(vec![failed]);
        }
        let missing = which(host, "locale-gen").is_none();
        Ok(missing
            .then(|| Assertion::new(class, "The locale resource requires the locale-gen tool"))
            .into_iter()
            .collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let Desired { settings, .. } = desired;
        let host = children.host();
        let stored = stored(&*host);
        let lang = stored.iter().find(|(name, _)| name == "LANG").map(|(_, value)| Value::str(value));
        let mut current = vec![("lang", lang.unwrap_or_default())];
        if !settings.variables.is_empty() {
            // in the resource's order, in which both Hashes are shown
            let known =
                settings.variables.iter().filter_map(|(name, _)| stored.iter().find(|(known, _)| known == name));
            let pairs = known.map(|(name, value)| (Value::str(name), Value::str(value))).collect();
            current.push(("lc_env", children.vm().new_hash(pairs)?));
        }
        let Some(task) = children.differences("locale", Some(current), &[])? else { return Ok(()) };
        children.converge(task, |children| {
            let missing = match children.replaced("unavailable_locales", &[])? {
                Some(names) => texts(children.vm(), &names)?,
                None => {
                    let known = children.look(|host| Command::system(["locale", "-a"]).run(host))?;
                    settings.missing(&lossy(&known.stdout))
                }
            };
            if !missing.is_empty() {
                let words = ["locale-gen".to_string()].into_iter().chain(missing);
                let command = Command { timeout: Some(duration(TIMEOUT)), ..Command::system(words) };
                children.look(|host| command.run(host))?;
            }
            let content = children.replaced_text("new_content", &[])?.unwrap_or_else(|| settings.content());
            let file = Child::new("file", "Updating system locale").text("path", FILE);
            children.declare(file.text("content", content)).map(drop)
        })
    }
}
