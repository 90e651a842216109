# Pages of errors that nobody sees.
class BetterErrors
  class Middleware
    def initialize(app, *) = (@app = app)
    def call(environment) = @app.call(environment)
    def self.allow_ip!(*) = nil
  end
  class << self
    attr_accessor :application_root
  end
end
