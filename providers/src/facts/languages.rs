//! Ohai's Languages: the Ruby that cookbooks run on, and the machine's Perl.

use super::source::{Choice, Facts, has_program, put, read, tuple};
use rchef_host::Host;
use serde_json::{Value as Json, json};

/// `languages.ruby`: rchef's engine, as Chef's Ohai tells of the Ruby that Chef runs on. There is no program of it, so `ruby_bin` and `bin_dir` are absent;
/// `gems_dir` is rchef's own gem home.
pub(super) fn ruby(host: &dyn Host, facts: &mut Facts) {
    let machine = std::env::consts::ARCH;
    let ruby = json!({
        "platform": format!("{machine}-linux"), "version": rchef_ruby::embed::globals::ruby_version(),
        "target": format!("{machine}-pc-linux-gnu"), "target_cpu": machine, "target_vendor": "pc", "target_os": "linux",
        "host": format!("{machine}-pc-linux-gnu"), "host_cpu": machine, "host_os": "linux-gnu", "host_vendor": "pc",
        "gems_dir": rchef_stdlib::gem_home(host),
    });
    add(facts, "ruby", ruby);
}

/// `languages.perl`: version and architecture, which `perl -V` takes from Config.pm.
pub(super) fn perl(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    if !has_program(host, "perl") {
        return;
    }
    let of_debian = tuple(host).map(|tuple| format!("/usr/lib/{tuple}/perl-base/Config.pm"));
    let others = ["/usr/lib64/perl5/Config.pm", "/usr/lib/perl5/Config.pm"].map(String::from);
    let Some(text) = of_debian.into_iter().chain(others).find_map(|path| read(host, &path)) else { return };
    let setting = |name: &str| {
        let value = text.lines().find_map(|line| line.trim().strip_prefix(name)?.trim_start().strip_prefix("=>"))?;
        Some(value.trim().trim_matches([',', '\'']).to_string())
    };
    let mut perl = Facts::new();
    put(&mut perl, "version", setting("version"));
    put(&mut perl, "archname", setting("archname"));
    if !perl.is_empty() {
        add(facts, "perl", Json::Object(perl));
    }
}

fn add(facts: &mut Facts, language: &str, told: Json) {
    let mut all = match facts.remove("languages") {
        Some(Json::Object(all)) => all,
        _ => Facts::new(),
    };
    all.insert(language.into(), told);
    facts.insert("languages".into(), Json::Object(all));
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;
    use super::*;

    #[test]
    fn perl_is_told_by_its_configuration() {
        let config = "package Config;\nour %Config :unique = (\n    archlibexp => '/usr/lib/x86_64-linux-gnu/perl/5.36',\n    \
                      archname => 'x86_64-linux-gnu-thread-multi',\n    version => '5.36.0',\n);\n";
        let host = machine(&[("/usr/bin/perl", ""), ("/usr/lib/x86_64-linux-gnu/perl-base/Config.pm", config)], "web1");
        let mut facts = Facts::new();
        perl(&host, &Choice::default(), &mut facts);
        assert_eq!(facts.get("languages"), None, "a file that nobody may run is no program");
        rchef_host::Files::chmod(&host, b"/usr/bin/perl", 0o755).unwrap();
        perl(&host, &Choice::default(), &mut facts);
        ruby(&host, &mut facts);
        assert_eq!(
            facts["languages"]["perl"],
            json!({ "version": "5.36.0", "archname": "x86_64-linux-gnu-thread-multi" })
        );
        assert_eq!(facts["languages"]["ruby"]["gems_dir"], "/var/lib/rchef/gems");
    }
}
