module Bundler; class GemHelper; def self.install_tasks(*) = nil; end; end
