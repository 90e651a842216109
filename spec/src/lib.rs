//! Cookbooks, golden dumps, transcripts, Ruby cases and end-to-end tests of the built binary.
