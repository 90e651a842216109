# What unit specs use of Chef's helper for integration specs: a module to include.
require "spec_helper"

module IntegrationSupport
end
