# Units, timers and mounts: what needs a booted machine.

systemd_unit 'spec-daemon.service' do
  content(
    Unit: { Description: 'A daemon of the test' },
    Service: { ExecStart: '/bin/sleep infinity' },
    Install: { WantedBy: 'multi-user.target' }
  )
  action %i(create enable start)
end
systemd_unit 'spec-job.service' do
  content <<~UNIT
    [Unit]
    Description=A job of the test

    [Service]
    Type=oneshot
    ExecStart=/bin/true
  UNIT
  action :create
end
systemd_unit 'spec-job.timer' do
  content <<~UNIT
    [Timer]
    OnCalendar=daily

    [Install]
    WantedBy=timers.target
  UNIT
  action %i(create enable start)
end
service 'cron' do
  action %i(enable start)
end
service 'spec-daemon' do
  action :nothing
end
file '/srv/app/conf/daemon' do
  content "restart\n"
  notifies :restart, 'service[spec-daemon]'
end

directory '/mnt/scratch'
mount '/mnt/scratch' do
  device 'scratch'
  fstype 'tmpfs'
  options 'size=8m,mode=0755'
  action %i(mount enable)
end

timezone 'Europe/Berlin'
