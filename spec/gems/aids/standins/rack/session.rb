# Rack 2 has sessions itself.
require "rack/session/cookie"
