require "mocha/minitest"
