ruby_block 'declares' do
  block { Chef.run_context.resource_collection.insert(Chef::Resource::File.new('@ROOT@/t/new', Chef.run_context)) }
end
file '@ROOT@/t/later'
