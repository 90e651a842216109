bag = Chef::DataBag.new
bag.name('made')
bag.save
item = Chef::DataBagItem.from_hash('id' => 'first', 'by' => 'a recipe')
item.data_bag('made')
item.save
node.normal['kept'] = true
node.save
log "#{data_bag('made')} #{data_bag_item('made', 'first')['by']} #{Chef::Node.load(node.name).normal['kept']}"
begin
  data_bag_item('made', 'second')
rescue Net::HTTPClientException => e
  log "#{e.response.code} #{e.message}"
end
