file '@ROOT@/t/both' do
  only_if { true }
  not_if { true }
end
file '@ROOT@/t/first' do
  only_if { false }
  not_if { raise 'not asked' }
end
