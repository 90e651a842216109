//! The `rchef` program: its allocator, and the commands of `rchef-cli`. It is a package of its own so that the commands can be built small and what is
//! optimized as a whole fast.

/// Counts, so that the limit on memory can be kept.
#[global_allocator]
static ALLOCATOR: rchef_ruby::embed::memory::Counting = rchef_ruby::embed::memory::Counting;

fn main() -> std::process::ExitCode {
    rchef_cli::main()
}
