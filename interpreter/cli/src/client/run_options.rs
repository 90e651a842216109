//! Options of the converge itself, apart from those that choose its input.

use clap::Args;

/// How the converge is carried out.
#[derive(Args, Debug, Clone, Default)]
pub struct RunOptions {
    /// Converge up to the first resource that cannot run here, instead of listing all of them before the first change
    #[arg(long = "no-preflight")]
    pub no_preflight: bool,
    /// File of the lock that keeps two runs apart
    #[arg(long = "lockfile", value_name = "FILE")]
    pub lockfile: Option<String>,
    /// Seconds to wait for another run to end; 0: do not wait. Without it, for ever
    #[arg(long = "run-lock-timeout", value_name = "SECONDS")]
    pub run_lock_timeout: Option<f64>,
    /// Send the notifications that the last run had recorded when it ended before it could send them
    #[arg(long = "resume-notifications")]
    pub resume_notifications: bool,
    /// Make only what a plan of `rchef plan --out FILE` says; refused where the machine or the cookbooks now give another plan
    #[arg(long = "plan", value_name = "FILE", conflicts_with_all = ["step", "only", "resume"])]
    pub plan: Option<String>,
    /// Ask before each change
    #[arg(long = "step")]
    pub step: bool,
    /// Run only this resource of the recipes, and what it notifies, e.g. `template[/etc/motd]`
    #[arg(long = "only", value_name = "RESOURCE", conflicts_with = "resume")]
    pub only: Vec<String>,
    /// Go on from the resource at which the last run failed, and send the notifications that it owes
    #[arg(long = "resume")]
    pub resume: bool,
    /// Write a report of the run to a file, as JSON with every change
    #[arg(long = "report", value_name = "FILE")]
    pub report: Option<String>,
}
