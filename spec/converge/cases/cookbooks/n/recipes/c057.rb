file '@ROOT@/t/new' do
  content 'x'
  mode '0640'
end
file '@ROOT@/t/none/new'
ruby_block('raises') { block { raise 'not run' } }
file '@ROOT@/t/guarded' do
  only_if 'touch @ROOT@/t/marker'
end
execute 'compiled' do
  command 'touch @ROOT@/t/never'
end.run_action(:run)
