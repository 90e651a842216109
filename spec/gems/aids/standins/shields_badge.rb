# A badge that is not drawn.
