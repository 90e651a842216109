//! `powershell_script` fetches a file.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    alias: "Chef/Modernize/PowershellDownloadFile",
    summary: "`powershell_script` fetches a file",
    why: "`remote_file` fetches it only when it has changed, and checks it.",
    level: Level::Info,
    replaced_by: "remote_file",
    exclude: NO_RESOURCES,
    on: &[On::Block(&["powershell_script", "pwsh_script"])],
    check,
    bad: r"powershell_script 'a' do
  code 'Invoke-WebRequest https://example.com/a -OutFile C:\a'
end
",
    good: r"remote_file 'C:\a' do
  source 'https://example.com/a'
end
",
    ..Rule::BASE
};

fn check<'t>(cx: &mut Cx<'t>, n: N<'t>) {
    for property in properties(n, &["powershell_script", "pwsh_script"], &["code"]) {
        let code = quoted_value(property).unwrap_or_default().to_ascii_lowercase();
        let spaced = |at: usize, word: &str| code[at + word.len()..].starts_with(char::is_whitespace);
        let whole = |at: usize| !code[..at].ends_with(|before: char| before.is_ascii_alphanumeric() || before == '_');
        let word = |word: &str| code.match_indices(word).any(|(at, _)| whole(at) && spaced(at, word));
        let invokes = code.match_indices("invoke-webrequest").any(|(at, word)| spaced(at, word));
        if invokes
            || ["start-bitstransfer", "wget", "curl"].into_iter().any(word)
            || code.contains("system.net.webclient")
        {
            cx.report(n.span());
        }
    }
}
