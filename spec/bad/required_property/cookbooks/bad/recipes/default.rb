bad_site 'example'
