# a stand-in
module Minitest; module Display; def self.method_missing(*) = nil; end; end
