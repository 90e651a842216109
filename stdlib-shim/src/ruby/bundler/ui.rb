# What is said to the user.
module Bundler
  module UI
    autoload :Shell, "bundler/ui/shell"
    autoload :Silent, "bundler/ui/silent"
  end
end
