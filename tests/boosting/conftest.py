import sys
from pathlib import Path

# The list of boosters is a module beside the tests.
sys.path.insert(0, str(Path(__file__).parent))
