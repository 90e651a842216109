# The part of Approvals for RSpec.
require "approvals"
