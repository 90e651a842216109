//! `String#unicode_normalize`.
use unicode_normalization::UnicodeNormalization;

#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum Form {
    #[default]
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
}

impl Form {
    /// The form with this name. None is ArgumentError `Invalid normalization form NAME.`.
    pub fn find(name: &str) -> Option<Form> {
        Some(match name {
            "nfc" => Form::Nfc,
            "nfd" => Form::Nfd,
            "nfkc" => Form::Nfkc,
            "nfkd" => Form::Nfkd,
            _ => return None,
        })
    }
}

pub fn normalize(text: &str, form: Form) -> String {
    if text.is_ascii() {
        return text.to_string();
    }
    match form {
        Form::Nfc => text.nfc().collect(),
        Form::Nfd => text.nfd().collect(),
        Form::Nfkc => text.nfkc().collect(),
        Form::Nfkd => text.nfkd().collect(),
    }
}
