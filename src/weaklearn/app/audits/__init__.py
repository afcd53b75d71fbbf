"""Checks of labels: an audit as a job, and the page on which its rows are reviewed.

The job (`check`) is `weaklearn.complexity.audit` on a table of `weaklearn.app.tables`. What each fitted learner says is
a file of the job, so that a check that was stopped with its server resumes with the learner it was fitting. Its result
holds the standalone report, all rows ranked, and what the page needs: the listed rows as plain data, and the fitted
auditor, which takes in each answer at once. Reviews are lines of a file beside the result (`Reviews`): nothing is ever
overwritten there, and a line is on disk before the browser hears of it.
"""
