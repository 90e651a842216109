ruby_block 'ends' do
  block { exit 99 }
end
