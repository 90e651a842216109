# Which platforms of gems go with which machines.
module Bundler
  module GemHelpers
    GENERICS = %w[java mswin32 mswin64 universal-mingw32 x64-mingw32 x86_64-mingw32 mingw32].to_h do |name|
      [Gem::Platform.new(name), Gem::Platform.new({ "x86_64-mingw32" => "x64-mingw32", "mingw32" => "x86-mingw32" }.fetch(name, name))]
    end.to_a.freeze

    module_function

    # The family that a platform is of: `ruby` for all that run MRI on Unix.
    def generic(platform)
      return platform if platform == Gem::Platform::RUBY
      _, family = GENERICS.find { |known, _| known.os == platform.os && [nil, platform.cpu].include?(known.cpu) }
      family || Gem::Platform::RUBY
    end
    def generic_local_platform = generic(local_platform)
    def local_platform = Bundler.local_platform

    # How far a gem's platform is from the machine's: the less, the better.
    def platform_specificity_match(gem_platform, machine)
      gem_platform = Gem::Platform.new(gem_platform)
      return -1 if gem_platform == machine
      return 1_000_000 if [gem_platform, machine].include?(Gem::Platform::RUBY)
      cpu = gem_platform.cpu == machine.cpu ? 0 : [nil, "universal"].include?(gem_platform.cpu) ? 1 : 2
      version = gem_platform.version == machine.version ? 0 : gem_platform.version.nil? ? 1 : 2
      (gem_platform.os == machine.os ? 0 : 1) + 10 * cpu + 100 * version
    end

    def select_best_platform_match(specs, platform)
      fitting = specs.select { |spec| MatchPlatform.platforms_match?(spec.platform, platform) }
      exact = fitting.select { |spec| spec.platform == platform }
      return exact if exact.any?
      best = fitting.map { |spec| platform_specificity_match(spec.platform, platform) }.min
      fitting.select { |spec| platform_specificity_match(spec.platform, platform) == best }
    end
  end

  # Of what has a platform.
  module MatchPlatform
    include GemHelpers

    def match_platform(other) = MatchPlatform.platforms_match?(platform, other)

    def self.platforms_match?(gem_platform, machine)
      return true if [nil, Gem::Platform::RUBY, machine].include?(gem_platform)
      gem_platform = Gem::Platform.new(gem_platform)
      [GemHelpers.generic(gem_platform), gem_platform].any? { |each| each === machine }
    end
  end
end
