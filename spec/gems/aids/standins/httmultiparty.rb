# HTTParty with files in forms; the examples send none.
require "httparty"
module HTTMultiParty
  def self.included(base)
    base.include(HTTParty)
  end
end
