module CodeClimate; module TestReporter; def self.start = nil; def self.configure = nil; end; end
