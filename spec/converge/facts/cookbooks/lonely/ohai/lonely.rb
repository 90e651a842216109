Ohai.plugin(:Lonely) do
  provides 'lonely'
  depends 'nobody/has'
  collect_data { lonely 1 }
end
