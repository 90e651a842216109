node['web']['sites'].each do |name, site|
  web_site name do
    root web_root
    port site['port']
    aliases site['aliases'] if site['aliases']
    notifies :create, "file[#{web_root}/reloaded]", :delayed
  end
end
