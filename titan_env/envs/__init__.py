"""The faces: PettingZoo AEC, Gymnasium single and vector, Stable-Baselines3, RLlib, and what they share."""
