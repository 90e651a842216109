# Assertions that fail fast.
module FailFast
  module Assertions
    def assert(*values) = values.each { |value| value or raise ArgumentError } && values.last
    def deny(*values) = values.each { |value| raise ArgumentError if value }
    def assert_keys(hash, *keys) = hash
    def assert_respond_to(object, *messages) = object
    def assert_one_of(value, *all) = value
    def assert_exists(value) = value
    def assert_only_keys(hash, *keys) = hash
  end
end
