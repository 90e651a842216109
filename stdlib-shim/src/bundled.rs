//! Reimplemented gems: those in Chef's own installation and small ones that cookbooks use; and advice about other gems.

use rchef_ruby::embed::library::Text;

/// Feature and source of gems that come with Chef.
pub(crate) static BUNDLED: &[(&str, Text)] = &[
    ("erubis", embedded!("bundled/erubis.rb")),
    ("mixlib/cli", embedded!("bundled/mixlib_cli.rb")),
    ("mixlib/log", embedded!("bundled/mixlib_log.rb")),
    ("mixlib/config", embedded!("bundled/mixlib_config.rb")),
    ("mixlib/versioning", embedded!("bundled/mixlib_versioning.rb")),
    ("iniparse", embedded!("bundled/iniparse.rb")),
    ("tomlrb", embedded!("bundled/tomlrb.rb")),
    ("addressable", Text::Plain("require 'addressable/uri'\nrequire 'addressable/template'")),
    ("addressable/uri", embedded!("bundled/addressable.rb")),
    ("addressable/template", embedded!("bundled/addressable_template.rb")),
    ("hashie", embedded!("bundled/hashie.rb")),
    ("hashie/mash", Text::Plain("require 'hashie'")),
    ("plist", embedded!("bundled/plist.rb")),
    ("rest-client", embedded!("bundled/rest_client.rb")),
    ("rest_client", Text::Plain("require 'rest-client'")),
    ("restclient", Text::Plain("require 'rest-client'")),
];

/// Feature and source of small gems that Chef lacks and cookbooks install.
pub(crate) static EXTRA: &[(&str, Text)] = &[
    ("deepsort", embedded!("bundled/deepsort.rb")),
    ("deep_merge", embedded!("bundled/deep_merge.rb")),
    ("deep_merge/core", Text::Plain("require 'deep_merge'")),
    ("inifile", embedded!("bundled/inifile.rb")),
    ("toml", embedded!("bundled/toml.rb")),
    ("toml-rb", embedded!("bundled/toml_rb.rb")),
];

/// Features and sources of an extra gem.
pub(crate) fn extra_of(gem: &str) -> impl Iterator<Item = (&'static str, Text)> {
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
