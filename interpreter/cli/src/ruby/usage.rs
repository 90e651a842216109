//! What `-h` and `--help` print.

/// A row a line: the option, what it does; only `--help` shows the rows whose option starts with `--`.
const ROWS: &[(&str, &str)] = &[
    ("-0[OCTAL]", "lines end with this byte (-00: paragraphs, -0777: never)"),
    ("-a", "with -n or -p: $F is the line, split"),
    ("-c", "only check the syntax"),
    ("-C DIR", "change to a directory first"),
    ("-d, --debug", "set $DEBUG"),
    ("-e CODE", "a line of the program; may be repeated"),
    ("-E EX[:IN]", "default external and internal encodings"),
    ("-F PATTERN", "what split splits at: $;"),
    ("-i[SUFFIX]", "edit the files in place; SUFFIX is for backups"),
    ("-I DIR", "a directory for $LOAD_PATH; may be repeated"),
    ("-l", "with -n or -p: take line ends off; print adds them"),
    ("-n", "read lines in a loop around the program"),
    ("-p", "like -n, and print each line"),
    ("-r FEATURE", "require it before the program"),
    ("-s", "arguments such as -name=value set global variables"),
    ("-S", "look for the program in RUBYPATH and PATH"),
    ("-v", "show the version; verbose"),
    ("-w", "verbose: all warnings"),
    ("-W[LEVEL]", "0: no warnings, 2: all; -W:[no-]CATEGORY"),
    ("-x[DIR]", "the program starts at its line #!ruby"),
    ("--backtrace-limit=N", "show at most so many lines of a backtrace"),
    ("--copyright", "show whose Ruby is implemented"),
    ("--disable=FEATURE", "gems, error_highlight, did_you_mean, rubyopt, ..."),
    ("--enable=FEATURE", "frozen-string-literal, ..."),
    ("--gem-path=DIR", "a directory of installed gems; may be repeated"),
    ("--version", "show the version"),
];

/// The text, with all options or those of one letter.
pub(super) fn text(program: &str, all: bool) -> String {
    let mut out = format!("Usage: {program} [options] [--] [programfile] [arguments]\n");
    for (option, meaning) in ROWS.iter().filter(|(option, _)| all || !option.starts_with("--")) {
        out.push_str(&format!("  {option:<20} {meaning}\n"));
    }
    out
}
