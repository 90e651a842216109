execute "@ROOT@/t/tt" do
  retries "abc"
end
