# No storage.
module CloudFiles
  class Connection; end
  class Container; end
end
