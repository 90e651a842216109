chef_server_url 'https://chef.example.org/organizations/x'
