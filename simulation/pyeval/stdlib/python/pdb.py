def set_trace():
    pass
