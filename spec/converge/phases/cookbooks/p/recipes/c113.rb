Chef.deprecated(:internal_api, 'the old way')
log 'between'
Chef.deprecated(:internal_api, 'the old way')
