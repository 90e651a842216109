//! Expressions of test(1): POSIX, Utilities, test.

use crate::files::{Access, Files};

/// Whether an expression about files is true; None if it is invalid or not supported.
pub fn test_expression(files: &(impl Files + ?Sized), words: &[&str]) -> Option<bool> {
    for (joint, is_and) in [("-o", false), ("-a", true)] {
        if let Some(at) = words.iter().position(|word| *word == joint).filter(|at| *at > 1) {
            let (left, right) = (test_expression(files, &words[..at])?, test_expression(files, &words[at + 1..])?);
            return Some(if is_and { left && right } else { left || right });
        }
    }
    let stat = |path: &str| files.stat(path.as_bytes()).ok();
    Some(match words {
        [] => false,
        ["!", rest @ ..] => !test_expression(files, rest)?,
        [text] => !text.is_empty(),
        ["-e", path] => stat(path).is_some(),
        ["-f", path] => stat(path).is_some_and(|stat| stat.is_file()),
        ["-d", path] => stat(path).is_some_and(|stat| stat.is_dir()),
        ["-s", path] => stat(path).is_some_and(|stat| stat.size > 0),
        ["-L" | "-h", path] => files.lstat(path.as_bytes()).is_ok_and(|stat| stat.is_symlink()),
        ["-x", path] => files.access(path.as_bytes(), Access::EXECUTE, true).is_ok(),
        ["-r", path] => files.access(path.as_bytes(), Access::READ, true).is_ok(),
        ["-w", path] => files.access(path.as_bytes(), Access::WRITE, true).is_ok(),
        ["-n", text] => !text.is_empty(),
        ["-z", text] => text.is_empty(),
        [left, "=", right] => left == right,
        [left, "!=", right] => left != right,
        [left, operator @ ("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge"), right] => {
            let (left, right) = (left.parse::<i64>().ok()?, right.parse::<i64>().ok()?);
            match *operator {
                "-eq" => left == right,
                "-ne" => left != right,
                "-lt" => left < right,
                "-le" => left <= right,
                "-gt" => left > right,
                _ => left >= right,
            }
        }
        _ => return None,
    })
}
