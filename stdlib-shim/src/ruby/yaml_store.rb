require "yaml"
require "pstore"

# A PStore whose file is YAML.
class YAML::Store < PStore
  def initialize(file, thread_safe = false, options = {})
    thread_safe, options = false, thread_safe if thread_safe.is_a?(Hash)
    @options = options
    super(file, thread_safe)
  end

  private

  def dump(table) = YAML.dump(table, **@options)
  # An empty document is an empty store.
  def load(content) = YAML.unsafe_load(content) || {}
end
