include_attribute 'web::default'

default['web']['tls']['protocols'] = %w(TLSv1.2 TLSv1.3)
default['web']['tls']['port'] = 8443 if node['web']['tls']['enabled']
