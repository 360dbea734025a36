"""Views of games in progress as the page shows them: position, history, previews and help."""
