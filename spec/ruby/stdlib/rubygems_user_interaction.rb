# What RubyGems says to its user, and its interface for tests.
require "rubygems/mock_gem_ui"
ui = Gem::MockGemUi.new("yes\n2\n")
include Gem::UserInteraction
use_ui(ui) { say "hello"; alert "a"; alert_warning "w"; alert_error "e"; p ask("q?"), choose_from_list("which", %w(a b)) }
p ui.output, ui.error, ui.input, ui.terminated?, Gem::MockGemUi.superclass
begin; use_ui(ui) { ask("more") }; rescue => e; p e.class, e.message; end
begin; ui.terminate_interaction(3); rescue => e; p e.class, e.exit_code; end
p Gem::DefaultUserInteraction.ui.class, ui.terminated?
