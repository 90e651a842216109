//! Queries over documents; what they find was recorded from chef-zero in `data/search.json`.

#![allow(clippy::unwrap_used)] // a failure is the test's

use rchef_model::Value as Json;
use rchef_model::search::{Corpus, Document, Query};

#[test]
fn queries() {
    let vectors: Json = serde_json::from_str(include_str!("data/search.json")).unwrap();
    let documents: Vec<(&String, Document)> =
        vectors["docs"].as_object().unwrap().iter().map(|(id, doc)| (id, Document::new(doc, id))).collect();
    let mut corpus = Corpus::default();
    vectors["docs"].as_object().unwrap().iter().for_each(|(id, doc)| corpus.push(id, doc));
    for case in vectors["queries"].as_array().unwrap() {
        let text = case["q"].as_str().unwrap();
        match Query::parse(text) {
            Ok(query) => {
                let hits: Vec<Json> = documents
                    .iter()
                    .filter(|(_, document)| query.matches(document))
                    .map(|(id, _)| Json::from(id.as_str()))
                    .collect();
                assert_eq!(Json::Array(hits), case["hits"], "{text}");
                let hits: Vec<Json> =
                    query.matching(&corpus).into_iter().map(|at| Json::from(corpus.ids()[at].as_str())).collect();
                assert_eq!(Json::Array(hits), case["hits"], "{text} by fields");
            }
            Err(error) => {
                assert_eq!(Json::String(format!("ChefZero::Solr::ParseError: {error}")), case["error"], "{text}")
            }
        }
    }
}
