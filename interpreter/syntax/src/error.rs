//! Syntax errors and warnings in MRI 3.1's form.

use crate::tree::SourceFile;
use ruby_prism as prism;

/// Source that Ruby 3.1 does not accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The file.
    pub path: String,
    /// The line.
    pub line: u32,
    /// As `SyntaxError#message` gives it: `path:line: what`, the source line, and a line with a caret.
    pub message: String,
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SyntaxError {}

impl SyntaxError {
    /// Without a source line.
    pub(crate) fn plain(path: &str, line: u32, what: &str) -> SyntaxError {
        SyntaxError { path: path.to_string(), line, message: format!("{path}:{line}: {what}") }
    }

    /// At a byte offset.
    pub(crate) fn at(file: &SourceFile, offset: u32, what: &str) -> SyntaxError {
        let (line, column) = file.position(offset);
        let mut error = SyntaxError::plain(&file.path, line, what);
        if let Some(text) = file.line(line) {
            let column = (column as usize).min(text.len());
            // MRI keeps tabs, so that the caret stands below its column.
            let indent: String = text[..column].iter().map(|&byte| if byte == b'\t' { '\t' } else { ' ' }).collect();
            error.message.push_str(&format!("\n{}\n{indent}^", String::from_utf8_lossy(text)));
        }
        error
    }
}

/// The error that MRI would report first, if there is one.
pub(crate) fn first_error(file: &SourceFile, result: &prism::ParseResult<'_>) -> Option<SyntaxError> {
    let diagnostic = result.errors().next()?;
    let what = String::from_utf8_lossy(diagnostic.message()).into_owned();
    Some(SyntaxError::at(file, diagnostic.location().start(), &what))
}

/// What MRI prints without `-w`.
pub(crate) fn warnings(file: &SourceFile, result: &prism::ParseResult<'_>) -> Vec<(u32, String)> {
    result
        .warnings()
        .map(|warning| {
            (file.position(warning.location().start()).0, String::from_utf8_lossy(warning.message()).into_owned())
        })
        .collect()
}
