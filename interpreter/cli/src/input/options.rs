//! The options that define the node of a run; all commands share them.

use clap::{Args, ValueEnum};

/// Order in which files of several cookbooks load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LoadOrder {
    /// Resources of all cookbooks, then providers of all.
    Seed,
    /// Providers and resources cookbook by cookbook, as Chef 19 does.
    Chef19,
}

/// Which node, which policy, which cookbooks.
#[derive(Args, Debug, Clone, Default)]
pub struct NodeOptions {
    /// Configuration file (`client.rb`)
    #[arg(short = 'c', long, value_name = "FILE", help_heading = "Node")]
    pub config: Option<String>,
    /// A setting, over the configuration file's; the value is YAML
    #[arg(long = "config-option", value_name = "KEY=VALUE", help_heading = "Node")]
    pub settings: Vec<String>,
    /// Read no configuration file
    #[arg(long = "disable-config", conflicts_with = "config", help_heading = "Node")]
    pub no_config: bool,
    /// JSON attributes; `run_list`, `policy_name` and `policy_group` in them say what runs
    #[arg(short = 'j', long = "json-attributes", value_name = "FILE", help_heading = "Node")]
    pub json: Option<String>,
    /// Environment
    #[arg(short = 'E', long, help_heading = "Node")]
    pub environment: Option<String>,
    /// Node name (default: the configuration's, else the facts' fqdn, machinename or hostname)
    #[arg(short = 'N', long = "node-name", value_name = "NAME", help_heading = "Node")]
    pub node_name: Option<String>,
    /// Directories that hold cookbooks (default: the configuration's, else `cookbooks` of the chef-repo)
    #[arg(long = "cookbook-path", value_name = "DIR", help_heading = "Node")]
    pub cookbook_path: Vec<String>,
    /// Folders with gems of pure Ruby, or `.gem` archives (also: `vendor/gems`, and GEM_PATH unless the node is simulated)
    #[arg(long = "gem-path", value_name = "PATH", help_heading = "Node")]
    pub gem_path: Vec<String>,
    /// Let recipes use every cookbook of the path, not only those that the run list reaches
    #[arg(long, help_heading = "Node")]
    pub flat: bool,
    /// Order in which files of several cookbooks load
    #[arg(long = "load-order", value_name = "ORDER", value_enum, help_heading = "Node")]
    pub load_order: Option<LoadOrder>,
    /// Policies whose locks say what runs, in order; each by itself, with what the one before left in the node's normal attributes
    #[arg(
        long = "policy-name",
        visible_alias = "policy",
        id = "policy_names",
        value_name = "NAME",
        value_delimiter = ',',
        help_heading = "Policy"
    )]
    pub policies: Vec<String>,
    /// A policy by its lock (`….lock.json`), wherever it is
    #[arg(long = "policyfile", value_name = "LOCK", conflicts_with = "policy_names", help_heading = "Policy")]
    pub policy_file: Option<String>,
    /// Group of the policies (default: the configuration's, else `local`)
    #[arg(long = "policy-group", value_name = "NAME", help_heading = "Policy")]
    pub policy_group: Option<String>,
    /// A named run list of the policy
    #[arg(short = 'n', long = "named-run-list", value_name = "NAME", help_heading = "Policy")]
    pub named_run_list: Option<String>,
}

/// What runs.
#[derive(Args, Debug, Clone, Default)]
pub struct RunListOptions {
    /// Run list of this run only, e.g. `recipe[web],recipe[web::tls]`; an empty one runs nothing
    #[arg(short = 'o', long = "override-runlist", value_name = "RUNLIST")]
    pub overriding: Option<String>,
    /// Run list in place of the node's own
    #[arg(short = 'r', long = "runlist", value_name = "RUNLIST")]
    pub run_list: Option<String>,
}
