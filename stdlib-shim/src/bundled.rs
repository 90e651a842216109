//! Reimplemented gems: those in Chef's own installation and small ones that cookbooks use; and advice about other gems.

/// Feature and source of gems that come with Chef.
pub(crate) static BUNDLED: &[(&str, &str)] = &[
    ("erubis", include_str!("bundled/erubis.rb")),
    ("mixlib/cli", include_str!("bundled/mixlib_cli.rb")),
    ("mixlib/log", include_str!("bundled/mixlib_log.rb")),
    ("mixlib/config", include_str!("bundled/mixlib_config.rb")),
    ("mixlib/versioning", include_str!("bundled/mixlib_versioning.rb")),
    ("iniparse", include_str!("bundled/iniparse.rb")),
    ("tomlrb", include_str!("bundled/tomlrb.rb")),
    ("addressable", "require 'addressable/uri'\nrequire 'addressable/template'"),
    ("addressable/uri", include_str!("bundled/addressable.rb")),
    ("addressable/template", include_str!("bundled/addressable_template.rb")),
    ("hashie", include_str!("bundled/hashie.rb")),
    ("hashie/mash", "require 'hashie'"),
    ("plist", include_str!("bundled/plist.rb")),
    ("rest-client", include_str!("bundled/rest_client.rb")),
    ("rest_client", "require 'rest-client'"),
    ("restclient", "require 'rest-client'"),
];

/// Feature and source of small gems that Chef lacks and cookbooks install.
pub(crate) static EXTRA: &[(&str, &str)] = &[
    ("deepsort", include_str!("bundled/deepsort.rb")),
    ("deep_merge", include_str!("bundled/deep_merge.rb")),
    ("deep_merge/core", "require 'deep_merge'"),
    ("inifile", include_str!("bundled/inifile.rb")),
    ("toml", include_str!("bundled/toml.rb")),
    ("toml-rb", include_str!("bundled/toml_rb.rb")),
];

/// Features and sources of an extra gem.
pub(crate) fn extra_of(gem: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    EXTRA.iter().copied().filter(move |(feature, _)| feature.split('/').next() == Some(gem))
}

/// Gems with compiled code (the first part of their features), and what to use instead.
static COMPILED: &[(&str, &str)] = &[
    ("augeas", "edit the file with a template or the `line` cookbook's resources"),
    ("bcrypt", "let the service hash the password, or give the hash as an attribute"),
    ("mysql", "run the `mysql` command with shell_out"),
    ("mysql2", "run the `mysql` command with shell_out"),
    ("nokogiri", "use `rexml/document`"),
    ("pg", "run `psql` with shell_out"),
    ("shadow", "read the file, or run `getent shadow` with shell_out"),
    ("sqlite3", "run the `sqlite3` command with shell_out"),
    ("win32", "this cookbook code is for Windows: guard it by platform"),
    ("win32ole", "this cookbook code is for Windows: guard it by platform"),
    ("zookeeper", "run the service's own command with shell_out"),
];

/// Advice about a feature that cannot be loaded, if its gem is known.
///
/// ```
/// assert!(rchef_stdlib::load_hint("nokogiri/xml").is_some_and(|hint| hint.contains("rexml")));
/// ```
pub fn load_hint(feature: &str) -> Option<String> {
    let gem = feature.split('/').next().unwrap_or(feature);
    if let Some((gem, advice)) = COMPILED.iter().find(|(name, _)| *name == gem) {
        return Some(format!("the gem {gem} has compiled code, which cannot be loaded here: {advice}"));
    }
    if EXTRA.iter().any(|(name, _)| *name == feature) {
        return Some(format!(
            "`rchef client` has this gem when the cookbook's metadata declares it (gem '{gem}'); elsewhere give its folder with --gem-path"
        ));
    }
    if gem == "mixlib" && feature.starts_with("mixlib/install") {
        return Some("mixlib-install downloads Chef's own installers, which a machine without Chef has no use for: install rchef's binary instead".into());
    }
    None
}
