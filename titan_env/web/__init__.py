"""The page in the browser: play, watch, open records, edit positions. Needs the extra ``web``."""
