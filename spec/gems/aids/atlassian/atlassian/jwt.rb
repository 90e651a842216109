# a stand-in
module Atlassian; module Jwt; end; end
