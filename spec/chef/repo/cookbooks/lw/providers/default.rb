def whyrun_supported?; false; end
action :go do
  file "@ROOT@/t/lw" do content "x" end
end
