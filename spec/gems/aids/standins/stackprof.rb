# A profiler that does not profile.
module StackProf
  def self.run(*, **) = yield
  def self.start(*, **) = nil
  def self.stop(*) = nil
  def self.results(*) = nil
end
