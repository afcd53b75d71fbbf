import sys
from pathlib import Path

# Checks that tests of several rooms share are plain modules beside this file.
sys.path.insert(0, str(Path(__file__).parent))
