import signal
import sys
from pathlib import Path

# Checks that tests of several rooms share are plain modules beside this file.
sys.path.insert(0, str(Path(__file__).parent))

# A shell that starts the tests in the background lets them ignore Ctrl-C. Commands that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
