//! `apt_update`: refreshes apt's package lists, with two directories, the hook that writes the time stamp, and `apt-get update`.

use super::support::*;
use rchef_host::{Host, Time, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct AptUpdate;

/// The directory of apt's configuration.
const CONFIGURATION: &str = "/etc/apt/apt.conf.d";
/// The directory of the time stamp.
const STAMPS: &str = "/var/lib/apt/periodic";
/// The hook with which apt touches the time stamp after each successful update.
const HOOK: &str =
    "APT::Update::Post-Invoke-Success {\"touch /var/lib/apt/periodic/update-success-stamp 2>/dev/null || true\";};\n";

/// What an `apt_update` resource asks for.
pub(crate) struct Desired {
    /// Seconds for which the lists count as fresh; None: refresh in any case.
    frequency: Option<i64>,
    /// The node is of the Debian family; elsewhere nothing is done.
    is_debian: bool,
}

/// Whether apt's last successful update is less than this number of seconds ago.
fn is_fresh(host: &dyn Host, seconds: i64) -> bool {
    let stamp = compose::stat_opt(host, format!("{STAMPS}/update-success-stamp").as_bytes());
    let oldest = Time::from_ns(host.wall_ns().saturating_sub(seconds.saturating_mul(1_000_000_000)));
    stamp.ok().flatten().is_some_and(|stat| stat.mtime > oldest)
}

impl Composite for AptUpdate {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["periodic", "update"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let frequency = get(vm, resource, "frequency")?;
        let frequency = if action == "periodic" { Some(vm.to_int(&frequency)?) } else { None };
        Ok(Desired { frequency, is_debian: crate::coerce::node_text(vm, resource, "platform_family")? == "debian" })
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let host = children.host();
        if !desired.is_debian || desired.frequency.is_some_and(|seconds| is_fresh(&*host, seconds)) {
            return Ok(());
        }
        let force = if desired.frequency.is_none() { "force " } else { "" };
        children.converge_by(format!("{force}update new lists of packages"), |children| {
            for path in [STAMPS, CONFIGURATION] {
                children.declare(Child::new("directory", path).flag("recursive", true))?;
            }
            let hook = Child::new("file", format!("{CONFIGURATION}/15update-stamp")).text("content", HOOK);
            children.declare(hook.action("create_if_missing"))?;
            let update = Child::new("execute", "apt-get -q update").texts("command", ["apt-get", "-q", "update"]);
            children.declare(update.flag("default_env", true))?;
            Ok(())
        })
    }
}
