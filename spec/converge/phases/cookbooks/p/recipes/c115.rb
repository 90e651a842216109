Chef.event_handler { on(:no_such_event) { } }
