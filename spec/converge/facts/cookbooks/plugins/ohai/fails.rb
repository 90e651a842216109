Ohai.plugin(:Fails) do
  provides 'fails'
  collect_data(:default) { fails Mash.new; raise 'no' }
end
