"""Records of games as files: written, verified, and shown as a film."""
