"""Statistics of games and agents: balance, calibration, lengths, luck, seats and speed."""
