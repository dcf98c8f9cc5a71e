"""Expectations kept up: drafts for what nobody foresaw, marks on what did not come true, edits that keep comments."""
