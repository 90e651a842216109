# No environment is read from a file.
module Envyable
  def self.load(*) = nil
end
