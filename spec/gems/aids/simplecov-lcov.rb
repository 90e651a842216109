require "simplecov"
