module Bundler; module GemHelper; def self.install_tasks(*) = nil; end; end
