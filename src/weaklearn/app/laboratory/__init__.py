"""Reproductions in the browser: what `weaklearn reproduce` does, one study at a time, as jobs over one store.

The store lies beside the jobs (``reproduction/store.sqlite``). Finished trials stay in it whatever happens to a job: a
study that was stopped, cancelled or killed resumes. The page says of each study what `reproduce --status` says, and how
many published cells the last finished run confirmed.
"""
