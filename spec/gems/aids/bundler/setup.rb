# Load paths come from the runner.
require "bundler"
