"""``python -m weaklearn``: the command line."""

from weaklearn.cli import main

if __name__ == "__main__":
    main()
