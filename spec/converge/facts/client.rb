ohai.disabled_plugins = [:Base]
ohai.optional_plugins = %w{Opt}
ohai.plugin_path << "#{Dir.pwd}/more"
ohai.plugin[:nginx][:answer] = 42
