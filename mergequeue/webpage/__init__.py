"""The queue's page: one file of HTML that needs nothing else and reaches for nothing.

`rendering` fills the templates in `templates/` with what `report.web_view` says is shown. Style and
script stand in the page itself and are named there by their hashes, so that a browser runs nothing
else, whatever an author calls a change.
"""
