//! Levels of the log, and what is only logged where its level is shown.

use rchef_ruby::Vm;

/// Levels of the log, least first.
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
    /// By its name.
    pub fn named(name: &str) -> Option<Level> {
        const ALL: [Level; 6] = [Level::Trace, Level::Debug, Level::Info, Level::Warn, Level::Error, Level::Fatal];
        ALL.into_iter().find(|level| level.as_str() == name)
    }
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Trace => "trace",
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
            Level::Fatal => "fatal",
        }
    }
}

/// The least level that the run shows.
#[derive(Default)]
struct Shown(Level);

/// Sets the least level that is shown.
pub fn show_from(vm: &mut Vm, level: Level) {
    vm.extension::<Shown>().0 = level;
}
/// Whether a level is shown: what is logged in detail is not even put into words where it is not.
pub fn wants(vm: &mut Vm, level: Level) -> bool {
    level >= vm.extension::<Shown>().0
}
/// Logs a detail of the run, which nothing but the log keeps.
pub fn detail(vm: &mut Vm, level: Level, text: String) {
    if wants(vm, level) {
        crate::events::emit(vm, |sink, vm| sink.logged(vm, level.as_str(), &text));
    }
}
