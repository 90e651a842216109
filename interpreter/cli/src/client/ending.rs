//! How a failed run ends: its messages and the exit status.
//!
//! A failure that has a block in the formatter's output (of a resource's action, a file, a cookbook, a role) is described there. The log's FATAL
//! line names it, and standard error adds only what neither shows: the place of a failure without a block, and a hint.

use super::log::timestamp;
use super::save::PRIVATE;
use crate::diagnostic::{self, Part};
use crate::formatter::error;
use rchef_host::compose;
use rchef_recipe::chef_class::log_line;
use rchef_recipe::events::Sink;
use rchef_recipe::secrets;
use rchef_ruby::{ClassId, Error, Symbol, Value, Vm};

/// Longest message that the FATAL line shows whole, in characters.
const LONGEST: usize = 6_000;
/// Characters of the start, and of the end, that it shows of a longer one.
const SHOWN: usize = 2_000;

/// Exit statuses that Ruby code may end with; all others become 1 (Chef's exit codes, RFC 62).
const STATUSES: [i64; 9] = [0, 1, 2, 3, 35, 37, 41, 43, 213];

/// Where a failure is shown.
#[derive(Default)]
struct Account {
    /// A formatter that writes error blocks is active.
    formatter: bool,
    /// The log goes to standard output, so FATAL is visible there.
    log: bool,
    /// A formatter has described a failure that was not ignored.
    told: bool,
}

/// Event sink that notes which failures the formatters have described.
struct Witness;

impl Sink for Witness {
    fn run_list_expand_failed(&self, vm: &mut Vm, _: &str, _: &Value) {
        told(vm);
    }
    fn cookbook_resolution_failed(&self, vm: &mut Vm, _: &[String], _: &Value) {
        told(vm);
    }
    fn file_load_failed(&self, vm: &mut Vm, _: Option<&str>, _: &Value) {
        told(vm);
    }
    fn resource_failed(&self, vm: &mut Vm, resource: &Value, _: Symbol, _: &Value) {
        if !vm.call_name(resource, "ignore_failure", &[]).is_ok_and(|value| value.truthy()) {
            told(vm);
        }
    }
}

fn told(vm: &mut Vm) {
    vm.extension::<Account>().told = true;
}

/// Notes whether a formatter writes error blocks and whether the log goes to standard output.
pub fn listen(vm: &mut Vm, formatter: bool, log: bool) {
    *vm.extension::<Account>() = Account { formatter, log, told: false };
    rchef_recipe::events::sinks(vm).push(std::rc::Rc::new(Witness));
}

/// Reports a run that could not start; gives the exit status.
pub fn refused(vm: &mut Vm, error: Error) -> u8 {
    let exception = vm.error_value(error);
    let (class, text) = (vm.class_name_of(&exception), error::message(vm, &exception));
    if !vm.is_a(&exception, ClassId::SYSTEM_EXIT) {
        log_line(vm, "fatal", format!("{class}: {text}"));
    }
    status(vm, &exception)
}

/// Reports the failure of a run and writes its stacktrace file into the cache; gives the exit status.
pub fn report(vm: &mut Vm, cache: &str, exception: &Value) -> u8 {
    let (class, text) = (vm.class_name_of(exception), error::message(vm, exception));
    let lines = error::backtrace(vm, exception);
    let path = format!("{cache}/chef-stacktrace.out");
    let dump = format!("Generated at {}\n{class}: {text}\n{}\n", timestamp(vm), lines.join("\n"));
    let dump = secrets::shown(vm, &dump);
    let host = vm.host.clone();
    let written = compose::create_dir_all(&*host, cache.as_bytes(), 0o755)
        .and_then(|_| compose::atomic_write(&*host, path.as_bytes(), dump.as_bytes(), PRIVATE));
    if written.is_ok() {
        log_line(vm, "fatal", format!("Stacktrace dumped to {path}"));
    }
    if !vm.is_a(exception, ClassId::SYSTEM_EXIT) {
        log_line(vm, "fatal", format!("{class}: {}", cut(&text, written.is_ok().then_some(&path))));
        let account = &*vm.extension::<Account>();
        let part = match (account.formatter && account.told, account.log) {
            // the block of a syntax error has only its message
            (true, _) if class == "SyntaxError" => Part::PlaceAndHint,
            (true, _) => Part::Hint,
            (false, true) => Part::PlaceAndHint,
            (false, false) => Part::All,
        };
        let shown = diagnostic::part(vm, exception, part);
        crate::formatter::flush(vm);
        diagnostic::complain(&shown);
    }
    status(vm, exception)
}

/// Leaves out the middle of a long message and names the file that has all of it.
fn cut(text: &str, file: Option<&String>) -> String {
    let length = text.chars().count();
    if length <= LONGEST {
        return text.to_string();
    }
    let head: String = text.chars().take(SHOWN).collect();
    let tail: String = text.chars().skip(length - SHOWN).collect();
    let place = file.map(|path| format!("; all of it is in {path}")).unwrap_or_default();
    format!("{head}\n... [{} characters left out{place}]\n{tail}", length - 2 * SHOWN)
}

/// The exit status of a failed run.
pub fn status(vm: &mut Vm, exception: &Value) -> u8 {
    if vm.is_a(exception, ClassId::SYSTEM_EXIT) {
        let status = vm.call_name(exception, "status", &[]).and_then(|status| vm.to_int(&status)).unwrap_or(1);
        if let Some(known) = STATUSES.iter().find(|known| **known == status) {
            return u8::try_from(*known).unwrap_or(1);
        }
        let text = format!(
            "the run attempted to exit with a non-standard exit code of {status}. Codes that Chef does not define become 1 (GENERIC_FAILURE)."
        );
        log_line(vm, "warn", text);
        return 1;
    }
    let mut statuses = vec![of_class(&vm.class_name_of(exception))];
    // a reboot's status takes precedence over failures wrapped with it
    if vm.respond_to(exception, Symbol::intern_static("wrapped_errors"), false).unwrap_or(false)
        && let Ok(wrapped) = vm.call_name(exception, "wrapped_errors", &[])
    {
        for error in vm.to_array(&wrapped).unwrap_or_default() {
            statuses.push(of_class(&vm.class_name_of(&error)));
        }
    }
    statuses.into_iter().find(|status| *status != 1).unwrap_or(1)
}

fn of_class(class: &str) -> u8 {
    match class.strip_prefix("Chef::Exceptions::").unwrap_or(class) {
        "SigInt" => 2,
        "SigTerm" => 3,
        "Reboot" => 35,
        "RebootPending" => 37,
        "RebootFailed" => 41,
        "ConfigurationError" | "ChefConfig::ConfigurationError" => crate::input::config::FAILURE,
        "ClientUpgraded" => 213,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, SHOWN, cut};

    #[test]
    fn long_messages_lose_their_middle() {
        let text = format!("a{}z", "x".repeat(LONGEST));
        let shown = cut(&text, Some(&"/c/out".to_string()));
        assert!(shown.starts_with("ax") && shown.ends_with("xz"), "{shown}");
        assert!(shown.contains("[2002 characters left out; all of it is in /c/out]"), "{shown}");
        assert!(shown.chars().count() < 2 * SHOWN + 100);
        assert_eq!(cut("short", None), "short");
    }
}
