Ohai.plugin(:Site) do
  provides 'site'
  collect_data(:default) { site Mash.new(name: "x", kernel: kernel['name']) }
  depends 'kernel'
end
