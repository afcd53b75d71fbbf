"""Comparisons of classifiers: `weaklearn.cloning.compare` as a job, and its page.

Every finished fit is a file of the job (`weaklearn.app.jobs._remembering`), so that a comparison that was stopped with
its server resumes where it was. The result holds the standalone report, what the page shows as plain data, and the
recommended classifier, fitted on all rows and saved by `weaklearn.persistence` with its card and a script that loads
it.
"""
