//! Chef's resources: property tables, documentation, providers, and facts.
