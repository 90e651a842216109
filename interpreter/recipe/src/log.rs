//! Log levels, and messages that are only built if their level is shown.

use rchef_ruby::Vm;

/// Log levels in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Level {
    Trace,
    Debug,
    Info,
    #[default]
    Warn,
    Error,
    Fatal,
}

impl Level {
    /// The names of the levels, in ascending order.
    pub const NAMES: [&str; 6] = ["trace", "debug", "info", "warn", "error", "fatal"];
    const ALL: [Level; 6] = [Level::Trace, Level::Debug, Level::Info, Level::Warn, Level::Error, Level::Fatal];

    pub fn named(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.as_str() == name)
    }
    /// By the name that an option or a setting gives.
    ///
    /// # Errors
    /// There is no such level.
    pub fn of_option(name: &str) -> Result<Level, String> {
        Level::named(name).ok_or_else(|| {
            let names = Level::NAMES.join(", ");
            format!("the log level {name:?} does not exist: it is one of auto, {names} (log_level in client.rb)")
        })
    }
    pub fn as_str(self) -> &'static str {
        Level::NAMES[self as usize]
    }
}

/// The lowest level that the run shows.
#[derive(Default)]
struct Shown(Level);

pub fn show_from(vm: &mut Vm, level: Level) {
    vm.extension::<Shown>().0 = level;
}
/// Whether messages of a level are shown, so that others need not be built.
pub fn wants(vm: &mut Vm, level: Level) -> bool {
    level >= vm.extension::<Shown>().0
}
/// Logs a detail, which is kept nowhere but in the log.
pub fn detail(vm: &mut Vm, level: Level, text: String) {
    if wants(vm, level) {
        crate::events::emit(vm, |sink, vm| sink.logged(vm, level.as_str(), &text));
    }
}
