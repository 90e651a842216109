# The version of Bundler that Ruby 3.1's RubyGems comes with.
module Bundler
  VERSION = "2.3.15".freeze

  def self.bundler_major_version = VERSION.to_i
end
