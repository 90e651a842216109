module CodeClimate; module TestReporter; def self.start = nil; end; end
