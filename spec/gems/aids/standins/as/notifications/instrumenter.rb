require "active_support/notifications/instrumenter"
