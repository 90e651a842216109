# A matcher for requests that FakeWeb has seen.
require "fakeweb"
RSpec::Matchers.define(:have_requested) { |_method, _url| match { |_| !FakeWeb.last_request.nil? } }
