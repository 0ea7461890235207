annotations = division = print_function = unicode_literals = absolute_import = True
