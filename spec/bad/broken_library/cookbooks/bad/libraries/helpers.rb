module Helpers
  PORTS = { http: 80 }.fetch(:https)
end
