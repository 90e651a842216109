# Keeps what the environment was before Bundler changed it, in variables of their own.
module Bundler
  class EnvironmentPreserver
    INTENTIONALLY_NIL = "BUNDLER_ENVIRONMENT_PRESERVER_INTENTIONALLY_NIL".freeze
    BUNDLER_KEYS = %w[BUNDLE_BIN_PATH BUNDLE_GEMFILE BUNDLER_VERSION GEM_HOME GEM_PATH MANPATH PATH RB_USER_INSTALL RUBYLIB RUBYOPT].freeze
    BUNDLER_PREFIX = "BUNDLER_ORIG_".freeze

    def self.from_env = new(ENV.to_hash, BUNDLER_KEYS)
    def self.env_to_hash(env) = env.to_hash

    def initialize(env, keys)
      @original, @keys = env, keys
    end

    def replace_with_backup = ENV.replace(backup)

    # With the values of now beside them, where none were kept before; an empty one is not kept.
    def backup
      kept = @keys.reject { |key| @original[key] == "" }.to_h { |key| [BUNDLER_PREFIX + key, @original[key] || INTENTIONALLY_NIL] }
      kept.merge(@original).then { |merged| @original.merge(merged) }
    end

    def restore
      @keys.each_with_object(@original.dup) do |key, env|
        kept = env[BUNDLER_PREFIX + key]
        next if kept.nil? || kept.empty?
        env.delete(BUNDLER_PREFIX + key)
        kept == INTENTIONALLY_NIL ? env.delete(key) : env[key] = kept
      end
    end
  end
end
