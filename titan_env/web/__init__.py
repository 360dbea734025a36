"""The page in the browser: play, watch, open records, edit positions. Needs the extra ``web``."""

from titan_env.extras import needs

needs("web", "starlette", "uvicorn", "httptools", "markdown_it", "segno")
