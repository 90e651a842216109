# A server for tests: blocks run at once.
module Spork
  def self.prefork = yield
  def self.each_run = yield
end
