# What cron runs.

cron 'nightly' do
  minute '5'
  hour '3'
  command '/bin/true nightly'
  user 'anna'
end
cron_d 'weekly' do
  weekday '1'
  minute '0'
  hour '4'
  command '/bin/true weekly'
  mailto 'root'
end
cron_access 'anna'
