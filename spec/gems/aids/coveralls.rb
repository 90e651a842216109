module Coveralls; def self.wear!(*) = nil; module SimpleCov; class Formatter; end; end; end
