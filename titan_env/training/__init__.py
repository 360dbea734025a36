"""Scripts that train agents; each begins with the command that runs it."""

import sys

from titan_env.extras import stop_in_one_line, told_in_one_line

if sys.argv[:1] == ["-m"]:  # Python is looking for the script that it is to run
    told_in_one_line("training")
    stop_in_one_line()
