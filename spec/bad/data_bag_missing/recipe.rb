users = data_bag_item('users', 'alice')
