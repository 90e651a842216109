# A stand-in for the gem: examples and groups that are left out.
module Bacon
  class Context
    def xit(*) = nil
    def xdescribe(*) = nil
    def before_all = yield
    def after_all = yield
  end
end
