# `Bundler::MatchPlatform` is with the other questions about platforms.
require "bundler/gem_helpers"
