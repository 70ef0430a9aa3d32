"""The analyses as `import rocconf` offers them: on labels and scores, data frames, or our records.

    sweep(y, scores), sweep(frame, label=..., score=...), sweep(counts)

Each reads its cases (`cases`), and passes counts and options on to the analysis in `compute` of the same name.
"""
