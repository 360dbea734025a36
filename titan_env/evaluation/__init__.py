"""Matches, duplicate play, ratings, puzzles, calibration, statistics and speed: how agents and games are measured."""

import sys

from titan_env.extras import stop_in_one_line, told_in_one_line

if sys.argv[:1] == ["-m"]:  # Python is looking for the script that it is to run
    told_in_one_line("evaluation")
    stop_in_one_line()
