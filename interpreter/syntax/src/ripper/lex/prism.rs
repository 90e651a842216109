//! The tokens of prism's lexer. It has a hook for them that is not part of its Rust interface; the `unsafe` of the crate is in this module.

use super::{ARGUMENT, Token};
use ruby_prism_sys as sys;
use std::ffi::{CStr, c_char, c_int, c_void};

/// prism's `pm_token_t` (`ast.h` of prism 2.1).
#[repr(C)]
struct PrismToken {
    kind: c_int,
    start: *const u8,
    end: *const u8,
}

type Callback = unsafe extern "C" fn(*mut sys::pm_parser_t, *mut PrismToken, *mut c_void);

// SAFETY: these are the declarations of prism 2.1 in `parser.h` and `ast.h`; Cargo.toml holds the crate at that version.
unsafe extern "C" {
    fn pm_parser_lex_callback_set(parser: *mut sys::pm_parser_t, callback: Callback, data: *mut c_void);
    fn pm_parser_lex_state(parser: *const sys::pm_parser_t) -> c_int;
    fn pm_token_type(kind: c_int) -> *const c_char;
}

/// What the callback collects.
struct Collected {
    source: *const u8,
    tokens: Vec<Token>,
}

unsafe extern "C" fn collect(parser: *mut sys::pm_parser_t, token: *mut PrismToken, data: *mut c_void) {
    // SAFETY: prism calls this while it parses, with the parser, its current token and the `Collected` that [`lexed`] registered; nothing else uses them
    // then. Token's pointers lie in the source.
    let (token, collected, state, name) = unsafe {
        let name = CStr::from_ptr(pm_token_type((*token).kind));
        (&*token, &mut *data.cast::<Collected>(), pm_parser_lex_state(parser), name)
    };
    let start = (token.start as usize).saturating_sub(collected.source as usize);
    let end = (token.end as usize).saturating_sub(collected.source as usize);
    let Some(kind) = kind_of(name.to_bytes()).filter(|_| start < end) else { return };
    match collected.tokens.last_mut() {
        // prism has a token for each line of a here-document whose indentation is removed
        Some(last) if [last.kind, kind] == ["on_tstring_content"; 2] && last.end == start => last.end = end,
        _ => {
            let state = u32::try_from(state).unwrap_or_default();
            collected.tokens.push(Token { start, end, kind, state, ends_statement: false });
        }
    }
}

/// The tokens in the order in which prism finds them; none if there is no memory for a stack to parse on.
pub(super) fn tokens(source: &[u8]) -> Vec<Token> {
    crate::stack::on_large_stack(|_| lexed(source)).unwrap_or_default()
}

fn lexed(source: &[u8]) -> Vec<Token> {
    let mut collected = Collected { source: source.as_ptr(), tokens: Vec::new() };
    let version = b"3.3.0";
    // SAFETY: each pointer is what prism returned just before and is freed once, after its last use; the source and `collected` outlive the parser.
    unsafe {
        let options = sys::pm_options_new();
        sys::pm_options_version_set(options, version.as_ptr().cast(), version.len());
        sys::pm_options_partial_script_set(options, true);
        let arena = sys::pm_arena_new();
        let parser = sys::pm_parser_new(arena, source.as_ptr(), source.len(), options);
        pm_parser_lex_callback_set(parser, collect, (&raw mut collected).cast());
        sys::pm_parse(parser);
        sys::pm_parser_free(parser);
        sys::pm_arena_free(arena);
        sys::pm_options_free(options);
    }
    collected.tokens
}

/// Ripper's name of prism's kind of token; None for the end of the source.
fn kind_of(name: &[u8]) -> Option<&'static str> {
    Some(match name {
        b"EOF" | b"MISSING" | b"NOT_PROVIDED" => return None,
        b"BRACE_LEFT" | b"BRACE_LEFT_ARGUMENT" | b"BRACE_LEFT_HASH" => "on_lbrace",
        b"BRACE_RIGHT" => "on_rbrace",
        b"BRACKET_LEFT" | b"BRACKET_LEFT_ARRAY" => "on_lbracket",
        b"BRACKET_RIGHT" => "on_rbracket",
        b"PARENTHESIS_LEFT" | b"PARENTHESIS_LEFT_GROUPING" => "on_lparen",
        b"PARENTHESIS_LEFT_PARENTHESES" => ARGUMENT,
        b"PARENTHESIS_RIGHT" => "on_rparen",
        b"BACKTICK" | b"PERCENT_LOWER_X" | b"XSTRING_BEGIN" => "on_backtick",
        b"BACK_REFERENCE" | b"NUMBERED_REFERENCE" => "on_backref",
        b"CHARACTER_LITERAL" => "on_CHAR",
        b"CLASS_VARIABLE" => "on_cvar",
        b"COMMA" => "on_comma",
        b"COMMENT" => "on_comment",
        b"CONSTANT" => "on_const",
        b"DOT" => "on_period",
        b"EMBDOC_BEGIN" => "on_embdoc_beg",
        b"EMBDOC_END" => "on_embdoc_end",
        b"EMBDOC_LINE" => "on_embdoc",
        b"EMBEXPR_BEGIN" => "on_embexpr_beg",
        b"EMBEXPR_END" => "on_embexpr_end",
        b"EMBVAR" => "on_embvar",
        b"FLOAT" => "on_float",
        b"FLOAT_RATIONAL" | b"INTEGER_RATIONAL" => "on_rational",
        b"FLOAT_IMAGINARY" | b"FLOAT_RATIONAL_IMAGINARY" | b"INTEGER_IMAGINARY" | b"INTEGER_RATIONAL_IMAGINARY" => {
            "on_imaginary"
        }
        b"GLOBAL_VARIABLE" => "on_gvar",
        b"HEREDOC_START" => "on_heredoc_beg",
        b"HEREDOC_END" => "on_heredoc_end",
        b"IDENTIFIER" | b"METHOD_NAME" => "on_ident",
        b"IGNORED_NEWLINE" => "on_ignored_nl",
        b"INSTANCE_VARIABLE" => "on_ivar",
        b"INTEGER" => "on_int",
        b"LABEL" => "on_label",
        b"LABEL_END" => "on_label_end",
        b"LAMBDA_BEGIN" => "on_tlambeg",
        b"MINUS_GREATER" => "on_tlambda",
        b"NEWLINE" | b"NEWLINE_TERMINATOR" => "on_nl",
        b"PERCENT_LOWER_I" => "on_qsymbols_beg",
        b"PERCENT_LOWER_W" => "on_qwords_beg",
        b"PERCENT_UPPER_I" => "on_symbols_beg",
        b"PERCENT_UPPER_W" => "on_words_beg",
        b"REGEXP_BEGIN" => "on_regexp_beg",
        b"REGEXP_END" => "on_regexp_end",
        b"SEMICOLON" => "on_semicolon",
        b"STRING_BEGIN" => "on_tstring_beg",
        b"STRING_CONTENT" => "on_tstring_content",
        b"STRING_END" => "on_tstring_end",
        b"SYMBOL_BEGIN" => "on_symbeg",
        b"WORDS_SEP" | b"WORDS_SEP_IMPLICIT" => "on_words_sep",
        b"__END__" => "on___end__",
        name if name.starts_with(b"KEYWORD_") => "on_kw",
        _ => "on_op",
    })
}
