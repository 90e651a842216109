# a stand-in without facts
module FacterDB
  def self.get_facts(*) = []
  def self.database = "[]"
end
