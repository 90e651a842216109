# Makes the gems of the Gemfile loadable, if there is a Gemfile: those that are there, in whatever version. The program goes on without the others, as it
# may never need them; `Bundler.setup` insists on all.
require "bundler/shared_helpers"

if Bundler::SharedHelpers.in_bundle?
  require "bundler"

  begin
    missing = Bundler.ui.silence { Bundler.load.setup_what_is_there }
    missing.each { |each| Bundler.ui.debug "Could not find gem '#{Bundler::SharedHelpers.pretty_dependency(each)}' in locally installed gems." }
  rescue Bundler::BundlerError => error
    Bundler.ui.debug error.message
  end
end
