module Web
  # Names and lines of configuration files.
  module Helpers
    def web_root
      node['web']['root']
    end

    def site_path(name)
      ::File.join(web_root, 'sites', "#{name}.conf")
    end

    def directive(key, value)
      value = Array(value).join(' ')
      format('%-14s %s;', key, value)
    end
  end
end
