//! Queries over documents; what they find was recorded from chef-zero in `data/search.json`.

#![allow(clippy::unwrap_used)] // a failure is the test's

use rchef_model::Value as Json;
use rchef_model::search::{Corpus, Documents, Query};

#[test]
fn queries() {
    let vectors: Json = serde_json::from_str(include_str!("data/search.json")).unwrap();
    // in parts, as they are read on several processors
    let part = |(id, document): (&String, &Json)| {
        let mut part = Documents::default();
        part.push(id, document);
        part
    };
    let corpus = Corpus::new(vectors["docs"].as_object().unwrap().iter().map(part).collect());
    for case in vectors["queries"].as_array().unwrap() {
        let text = case["q"].as_str().unwrap();
        match Query::parse(text) {
            Ok(query) => {
                let hits: Vec<Json> =
                    query.matching(&corpus).into_iter().map(|at| Json::from(corpus.ids()[at].as_str())).collect();
                assert_eq!(Json::Array(hits), case["hits"], "{text}");
            }
            Err(error) => {
                assert_eq!(Json::String(format!("ChefZero::Solr::ParseError: {error}")), case["error"], "{text}")
            }
        }
    }
}
