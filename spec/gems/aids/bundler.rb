# What suites ask of Bundler before their first example; the runner has set the load path.
module Bundler
  def self.setup(*) = nil
  def self.require(*) = nil
  def self.with_unbundled_env = yield
  def self.with_clean_env = yield
  class GemHelper
    def self.install_tasks(*) = nil
  end
end
