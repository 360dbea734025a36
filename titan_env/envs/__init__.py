"""The environment APIs: PettingZoo AEC, Gymnasium single and vector, Stable-Baselines3, RLlib, OpenSpiel, JAX, text."""
