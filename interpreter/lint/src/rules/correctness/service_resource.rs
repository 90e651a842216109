//! A command starts, stops or enables a service.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Correctness/ServiceResource",
    summary: "A command starts, stops or enables a service",
    why: "`service` does it the platform's way, and only when it is needed.",
    replaced_by: "service",
    exclude: NO_RESOURCES,
    on: &[On::Call(&["command", "code", "execute"])],
    check,
    bad: r"execute 'service apache2 restart'
",
    good: r"service 'apache2' do
  action :restart
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let Some(command) = n.only_arg().filter(|command| n.recv().is_none() && command.is(Kind::Str)) else { return };
    if manages_service(command.value()) {
        cx.report(if n.name() == "execute" { n.span() } else { command.span() });
    }
}

/// Whether a command is a single call of a service manager.
fn manages_service(command: &str) -> bool {
    let command = command.trim();
    if ["&&", "||", ";", "|", "`", "$("].iter().any(|operator| command.contains(operator)) {
        return false;
    }
    let words: Vec<&str> = command.split_whitespace().collect();
    let Some((first, rest)) = words.split_first() else { return false };
    let action = |at: usize| rest.get(at).is_some_and(|word| is_action(word));
    let mut flags = rest.iter().take_while(|word| word.len() > 2 && word.starts_with("--")).count();
    if ["/etc/init.d/", "/etc/rc.d/", "/usr/local/etc/rc.d/"]
        .iter()
        .any(|folder| first.strip_prefix(folder).is_some_and(|name| !name.is_empty()))
        && action(0)
    {
        return true;
    }
    let with_target = rest.len() >= 2;
    match *first {
        "service" | "/usr/sbin/service" | "/sbin/service" | "invoke-rc.d" if action(1) => return true,
        "systemctl" | "/usr/bin/systemctl" | "/bin/systemctl" if rest.len() >= flags + 2 && action(flags) => {
            return true;
        }
        "initctl" | "svcadm" if with_target && action(0) => return true,
        "start" | "stop" | "restart" if rest.len() == 1 => return true,
        "launchctl" => {
            let known = ["load", "unload", "start", "stop", "enable", "disable", "bootstrap", "bootout"];
            if with_target && known.contains(&rest[0]) {
                return true;
            }
        }
        "chkconfig" => {
            flags = flags.min(rest.len().saturating_sub(2));
            return rest.len() == flags + 2 && matches!(rest[flags + 1], "on" | "off");
        }
        "update-rc.d" => return !rest.is_empty(),
        _ => {}
    }
    let windows = first.to_ascii_lowercase();
    matches!(windows.as_str(), "sc" | "net")
        && with_target
        && ["start", "stop", "config"].contains(&rest[0].to_ascii_lowercase().as_str())
}

fn is_action(word: &str) -> bool {
    let known = [
        "start",
        "stop",
        "restart",
        "reload",
        "force-reload",
        "try-restart",
        "reload-or-restart",
        "enable",
        "disable",
        "mask",
        "unmask",
    ];
    known.contains(&word.to_lowercase().as_str())
}
