//! The registry keys of Windows' UAC are set.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/WindowsRegistryUAC",
    summary: "The registry keys of Windows' UAC are set",
    why: "`windows_uac` names the settings.",
    level: Level::Info,
    since: "15.0",
    replaced_by: "windows_uac",
    exclude: NO_RESOURCES,
    on: &[On::Block(&["registry_key"])],
    check,
    bad: r"registry_key 'HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Policies\System' do
  values [{ name: 'EnableLUA', type: :dword, data: 0 }]
end
",
    good: r"windows_uac 'a' do
  enable_uac false
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    let settings = [
        "EnableLUA",
        "ValidateAdminCodeSignatures",
        "PromptOnSecureDesktop",
        "ConsentPromptBehaviorAdmin",
        "ConsentPromptBehaviorUser",
        "EnableInstallerDetection",
    ];
    let uac = |text: &str| {
        let text = text.to_ascii_lowercase();
        let below = r"\software\microsoft\windows\currentversion\policies\system";
        text.contains(&format!("hklm{below}")) || text.contains(&format!("hkey_local_machine{below}"))
    };
    let keys = properties(n, &["registry_key"], &["key"]);
    let key = n.arg(0).is_some_and(|name| uac(name.src())) || keys.into_iter().filter_map(quoted_value).any(uac);
    if !key {
        return;
    }
    for values in properties(n, &["registry_key"], &["values"]) {
        let Some(list) = values.arg(0).filter(|list| list.is(Kind::Array)) else { return };
        for (key, value) in list.kids().flat_map(|hash| hash.pairs().collect::<Vec<_>>()) {
            if key.is_sym("name") && !value.as_str().is_some_and(|name| settings.contains(&name)) {
                return;
            }
        }
    }
    cx.report(n.span());
}
