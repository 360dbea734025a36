"""The web server: processes, routes and limits."""
