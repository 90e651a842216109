require "simplecov"
module SimpleCov::Formatter; class Codecov; end; end
