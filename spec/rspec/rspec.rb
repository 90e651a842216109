# A small RSpec: example groups, expectations and doubles as far as unit specs of Ruby code use them.
# `RSpec.run(files)` loads and runs; it answers an RSpec::Report.
require "rspec/core"
require "rspec/matchers"
require "rspec/mocks"
