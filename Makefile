# make demo: set up everything, train an agent, race it, save pictures
# make test: set up everything, check and test everything
# make docs: the documentation as a site in docs/_build
# make ladder: play the published ratings anew (a quarter of an hour of one core)
# They need only Python 3.11 (or newer) and git.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
RUN := $(VENV)/bin/python

.PHONY: demo test docs ladder setup rllib clean

demo: setup
	$(RUN) -m training.demo

test: setup
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --config setup.cfg
	$(RUN) -m titan_env games >/dev/null  # compile the rules once, before two processes want them
	$(RUN) -m pytest -n 2 --dist loadfile
	$(MAKE) rllib
	$(VENV)-rllib/bin/python -m pytest tests/rllib

docs: setup
	$(RUN) -m sphinx -W --keep-going -b html docs docs/_build
	@echo "open docs/_build/index.html"

QUICK := random greedy expert ppo@titan_race-v0
PLANNERS := flat:256 mcts:256 flat:64,prior=ppo@titan_race-v0

ladder: setup
	$(RUN) -m training.tournament $(QUICK) $(PLANNERS) -o titans=4 --blocks 64 --at-once 8 --out runs/ladder
	$(RUN) -m training.tournament $(QUICK) -o titans=4 --blocks 1024 --at-once 128 --out runs/ladder
	$(RUN) -m training.arena --update runs/ladder

setup: $(VENV)/ready

$(VENV)/ready: setup.cfg pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "expected Python 3.11 or newer on the PATH, found none; install it"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "expected Python 3.11 or newer, found $$($(PYTHON) --version)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt numpy torch==2.13.0
	$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

# RLlib pins an older Gymnasium: an environment of its own.
rllib: $(VENV)-rllib/ready

$(VENV)-rllib/ready: setup.cfg pyproject.toml constraints-rllib.txt
	$(PYTHON) -m venv $(VENV)-rllib
	$(VENV)-rllib/bin/python -m pip install --quiet --disable-pip-version-check -c constraints-rllib.txt numpy torch==2.13.0
	$(VENV)-rllib/bin/python -m pip install --quiet --disable-pip-version-check -c constraints-rllib.txt -e '.[rllib]'
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-rllib runs docs/_build docs/_made .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
