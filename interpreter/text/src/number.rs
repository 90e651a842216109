//! Numbers from text and back.
