use super::{Grade, HIDDEN, Named, Secrets, grade, is_name, named};

fn knowing(text: &str) -> Secrets {
    let mut secrets = Secrets::default();
    secrets.add(text, Named::Secret);
    secrets
}

#[test]
fn keys_say_what_they_hold() {
    for key in [
        "password",
        "db_passwd",
        "ROOT_PASSWORD",
        "api-key",
        "aws_secret_access_key",
        "auth token",
        "key",
        "tls.private",
    ] {
        assert_eq!(named(key), Named::Secret, "{key}");
    }
    for key in ["user", "db_user", "hostname", "port", "service-name"] {
        assert_eq!(named(key), Named::Identity, "{key}");
    }
    for key in ["note", "value", "public_key", "keyboard"] {
        assert_eq!(named(key), Named::Other, "{key}");
    }
}

#[test]
fn common_words_are_looked_for_as_whole_values_only() {
    assert_eq!(grade("canlowercase", Named::Other), Some(Grade::Whole));
    assert_eq!(grade("canlowercase", Named::Secret), Some(Grade::Everywhere));
    assert_eq!(grade("Q9z", Named::Other), Some(Grade::Whole));
    assert_eq!(grade("AppUser-01", Named::Identity), Some(Grade::Whole));
    assert_eq!(grade("correct-horse-battery", Named::Other), Some(Grade::Everywhere));
    assert_eq!(grade("7391842", Named::Other), Some(Grade::Everywhere));
    assert_eq!(grade("postgres", Named::Secret), Some(Grade::Value));
    assert_eq!(grade("4711", Named::Secret), Some(Grade::Whole));
    for word in ["root", "True", "ab", "localhost", "8080"] {
        assert_eq!(grade(word, Named::Other), None, "{word}");
    }
}

#[test]
fn whole_values() {
    let mut secrets = Secrets::default();
    secrets.add("deploy", Named::Other);
    assert!(secrets.tells("deploy") && secrets.tells("deploy\n") && !secrets.tells("deploy-app"));
    assert_eq!(secrets.without("service[deploy]"), "service[deploy]");
}

#[test]
fn a_password_that_is_a_word() {
    let secrets = knowing("postgres");
    assert!(secrets.tells("psql -ppostgres"));
    assert_eq!(secrets.without("user[postgres]"), "user[postgres]");
    let mut secrets = Secrets::default();
    secrets.add_document("SHOULD go on its own line\n");
    assert!(secrets.tells("a line should go on its own line"));
    assert_eq!(secrets.without("line[should go on its own line]"), "line[should go on its own line]");
}

#[test]
fn parts_of_texts() {
    let secrets = knowing("hunter22");
    assert_eq!(secrets.without("mysql -phunter22 x"), format!("mysql -p{HIDDEN} x"));
    assert_eq!(secrets.without("HUNTER22, Hunter22"), format!("{HIDDEN}, {HIDDEN}"));
    assert_eq!(secrets.without("hunter and 22"), "hunter and 22");
    let number = knowing("7391842");
    assert!(number.tells("pin=7391842") && !number.tells("173918425"));
    assert!(number.tells("pin=0007391842") && !number.tells("10007391842"));
}

#[test]
fn written_forms() {
    let text = "a\"b\\c'd e#{x}&%<ü>1";
    let secrets = knowing(text);
    for form in [
        r##"a\"b\\c'd e\#{x}&%<ü>1"##,
        r##"a\"b\\c'd e#{x}&%<ü>1"##,
        r##"a\\\"b\\\\c'd e#{x}&%<ü>1"##,
        r##"a\"b\\c'd e#{x}&%<\u00fc>1"##,
        r##"a"b\c''d e#{x}&%<ü>1"##,
        r##"a"b\c'\''d e#{x}&%<ü>1"##,
        r##"a\"b\\c\'d\ e\#\{x\}\&\%\<\ü\>1"##,
        "a%22b%5Cc%27d+e%23%7Bx%7D%26%25%3C%C3%BC%3E1",
        "a%22b%5cc%27d%20e%23%7bx%7d%26%25%3c%c3%bc%3e1",
        "a&quot;b\\c&#39;d e#{x}&amp;%&lt;ü&gt;1",
        "a\"b\\c'd e#{x}&%%<ü>1",
        "YSJiXGMnZCBlI3t4fSYlPMO8PjE=",
        "6122625c63276420",
        "1>ü<%&}x{#e d'c\\b\"a",
    ] {
        // only the beginning of the expected hexadecimal form is written above
        let form = if form.starts_with("6122") {
            text.bytes().map(|byte| format!("{byte:02x}")).collect()
        } else {
            form.to_string()
        };
        let shown = secrets.without(&form);
        assert!(shown.contains(HIDDEN) && shown.len() < HIDDEN.len() + 4, "{form}: {shown}");
    }
}

#[test]
fn base64_of_a_text_around_it() {
    use rchef_text::base64::strict_encode;
    let secrets = knowing("Tr0ub4dor&3");
    for before in ["", "u:", "user:", "longer user:"] {
        let encoded = strict_encode(format!("{before}Tr0ub4dor&3 and more").as_bytes());
        let shown = String::from_utf8(encoded).unwrap();
        assert!(secrets.without(&shown).contains(HIDDEN), "{before}: {shown}");
    }
}

#[test]
fn lines_of_a_key() {
    let key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA\nAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----\n";
    let secrets = knowing(key);
    for shown in [
        key.to_string(),
        key.replace('\n', "\\n"),
        key.replace('\n', ""),
        key.lines().map(|line| format!("    {line}\n")).collect(),
        serde_json::Value::from(key).to_string(),
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA".to_string(),
        "AoIBAQC7VJTUt9Us8cKj".to_string(),
        String::from_utf8(rchef_text::base64::encode_lines(key.as_bytes(), 45)).unwrap(),
    ] {
        let hidden = secrets.without(&shown);
        assert!(
            !hidden.contains("AoIBAQC7VJ") && !hidden.contains("MIIEvQIBAD") && hidden.contains(HIDDEN),
            "{shown}: {hidden}"
        );
        assert!(!hidden.contains("SUVvUUlC"), "{hidden}");
    }
    assert_eq!(secrets.without("-----BEGIN PRIVATE KEY-----"), "-----BEGIN PRIVATE KEY-----");
}

#[test]
fn a_few_characters_less() {
    let secrets = knowing("SENS-abcdef-42");
    for shown in ["SENS-abcdef-4", "ENS-abcdef-42", "SENS-abcdef"] {
        assert!(secrets.tells(shown), "{shown}");
    }
    assert!(!secrets.tells("SENS-abc") && !secrets.tells("abcdef"));
}

#[test]
fn a_document_is_known_as_a_whole() {
    let mut secrets = Secrets::default();
    secrets.add_document("[Service]\nRestart=always\nEnvironment=PW=x1y2z3\n");
    assert!(secrets.tells("x [Service]\nRestart=always\nEnvironment=PW=x1y2z3 y"));
    assert!(!secrets.tells("Restart=always"));
}

#[test]
fn many_texts_that_come_one_by_one() {
    let mut secrets = Secrets::default();
    for number in 0..100 {
        secrets.add(&format!("Secret+{number:04}"), Named::Other);
        assert!(secrets.tells(&format!("x Secret+{number:04} y")), "{number}");
    }
    assert_eq!(secrets.without("Secret+0001 Secret+0099"), format!("{HIDDEN} {HIDDEN}"));
}

#[test]
fn names_of_things() {
    for key in ["username", "DB_HOST", "accessKey", "server1.example.com", "web-01", "v2"] {
        assert!(is_name(key), "{key}");
    }
    for key in ["SENSkey-1", "abc123def456", "Zq8!x7"] {
        assert!(!is_name(key), "{key}");
    }
}
