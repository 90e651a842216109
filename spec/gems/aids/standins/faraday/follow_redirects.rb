# Redirections of answers are not followed here.
require "faraday"
module Faraday
  module FollowRedirects
    class Middleware < Faraday::Middleware; end
    Faraday::Response.register_middleware(follow_redirects: Middleware)
  end
end
