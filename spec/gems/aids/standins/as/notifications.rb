# The notifications of Active Support under the name of the gem that has only these.
require "active_support"
require "active_support/notifications"
module AS
  Notifications = ActiveSupport::Notifications
end
