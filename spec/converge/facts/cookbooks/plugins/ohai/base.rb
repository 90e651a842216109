Ohai.plugin(:Base) do
  provides 'base'
  collect_data { base Mash.new(x: 1); set_attribute(:kernel, :extra, 'k') }
end
