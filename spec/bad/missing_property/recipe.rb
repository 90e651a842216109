cron_d 'nightly' do
  minute '5'
end
