# The gem chef-utils may be loaded before what the program brings of Chef itself: the modules of both include each other.
module ChefUtils
  module DSL
    module OS; def linux?(_ = nil) = true; end
  end
  include DSL::OS
end
require "chef/version"
p Chef::VERSION.class, ChefUtils.ancestors.size
