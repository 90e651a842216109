Ohai.plugin(:Nginx) do
  provides 'nginx', 'nginx/version'
  depends 'kernel', 'base'

  def version_of(text) = text[%r{nginx/([\d.]+)}, 1]

  collect_data(:linux) do
    nginx Mash.new
    file = "#{Dir.pwd}/version"
    nginx[:version] = version_of("nginx version: nginx/#{File.exist?(file) ? IO.read(file) : '1.22.1'}")
    nginx[:machine] = kernel['machine'].class
    nginx[:base] = get_attribute('base', 'x')
    nginx[:hint] = hint?('no_such_cloud')
    nginx[:out] = shell_out('echo hello').stdout.strip
    nginx[:none] = get_attribute(:absent, :deep)
    nginx[:setting] = configuration(:answer)
    nginx[:time] = seconds_to_human(90_061)
  end

  collect_data(:windows) { nginx :no }
end
