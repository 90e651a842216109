provides :outer
property :val, String, default: "dflt"
property :num, Integer
property :secret, String, sensitive: true
load_current_value do |nr|
  if ::File.exist?("@ROOT@/t/#{nr.name}.val")
    val ::File.read("@ROOT@/t/#{nr.name}.val")
  else
    current_value_does_not_exist!
  end
end
action :create do
  converge_if_changed do
    file "@ROOT@/t/#{new_resource.name}.val" do
      content new_resource.val
    end
  end
  inner "in-#{new_resource.name}" 
end
