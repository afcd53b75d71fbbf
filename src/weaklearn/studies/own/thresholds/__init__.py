"""Our study of threshold samplers: curves and dose scenarios, what laboratories use today, and how often each is right.

`curve_cases` holds the curves and targets, `baseline_trials` the other methods, `threshold_trials` and `dose_trials`
what a trial does, `thresholds` the tables. Settings of our samplers were chosen on other curves and scenarios, those of
``benchmarks/threshold_tuning.py``; docs/thresholds.md names the exceptions.
"""
