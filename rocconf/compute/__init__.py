"""Every formula of rocconf: from numbers to frozen results, without a file, a print or a clock.

`stats` knows arrays and numbers, `roc` the curve of one model, and each analysis is a module or package with the
name of its command. Import a function from the module that defines it; users import from `rocconf`.
"""
