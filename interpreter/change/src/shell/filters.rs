//! `awk` and `sed` programs that only print.

/// Whether the arguments are an awk program that neither writes files, runs commands nor loops, and no files to read.
pub(super) fn awk(words: &[&str]) -> bool {
    const ACTS: &[&str] =
        &["system", "getline", ">", "|", "@", "while", "for", "do", "func", "close", "fflush", "ARG", "SYMTAB"];
    let rest = match words {
        ["-F", _, rest @ ..] => rest,
        [separator, rest @ ..] if separator.starts_with("-F") && separator.len() > 2 => rest,
        rest => rest,
    };
    matches!(rest, [program] if !program.starts_with('-') && !ACTS.iter().any(|word| program.contains(word)))
}

/// Whether the arguments are a single sed command that substitutes, prints, deletes or quits, without files to read or write.
pub(super) fn sed(words: &[&str]) -> bool {
    let options = words.len().saturating_sub(1);
    let known = ["-n", "-e", "-E", "-r", "-ne", "-nE", "-nr", "-En", "-rn"];
    let Some(program) = words.last().filter(|program| !program.starts_with('-') && !program.contains('\n')) else {
        return false;
    };
    if !words[..options].iter().all(|word| known.contains(word)) {
        return false;
    }
    let mut letters = program.chars();
    if letters.next() == Some('s') {
        return letters.next().filter(char::is_ascii_punctuation).filter(|mark| *mark != '\\').is_some_and(|mark| {
            let parts: Vec<&str> = letters.as_str().split(mark).collect();
            let escapes = parts.iter().any(|part| part.ends_with('\\'));
            !escapes && matches!(parts[..], [_, _, flags] if flags.chars().all(|flag| "gpiI0123456789".contains(flag)))
        });
    }
    program.strip_suffix(['p', 'd', 'q']).is_some_and(|address| {
        let pattern = address.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        let is_pattern = pattern.is_some_and(|pattern| !pattern.contains(['/', '\\']));
        address == "$" || address.bytes().all(|byte| byte.is_ascii_digit()) || is_pattern
    })
}
