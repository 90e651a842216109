cookbook_file '@ROOT@/out/cf' do
  source 'nofile.txt'
end
