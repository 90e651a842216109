# Commands whose working directory or user is not there end with status 1, as Chef's child process does.
execute('no cwd of only_if') { command 'true'; only_if 'true', cwd: '/nonexistent' }
execute('no cwd of not_if') { command 'true'; not_if 'true', cwd: '/nonexistent' }
execute('no user of not_if') { command 'true'; not_if 'true', user: 'nobody-here' }
execute('no group of only_if') { command 'true'; only_if 'true', group: 'nobody-here' }
execute('no user') { command 'true'; user 'nobody-here'; ignore_failure true }
execute('no group') { command 'true'; group 'nobody-here'; ignore_failure true }
execute('no cwd') { command 'true'; cwd '/nonexistent'; ignore_failure true }
bash('no cwd of script') { code 'true'; cwd '/nonexistent'; ignore_failure true }
execute('no program') { command ['/nonexistent', 'x']; ignore_failure true }
execute('no program of only_if') { command 'true'; only_if '/nonexistent'; ignore_failure true }
bash('no program of not_if') { code 'true'; not_if '/nonexistent'; ignore_failure true }
file('/nonexistent/x') { only_if '/nonexistent'; ignore_failure true }
