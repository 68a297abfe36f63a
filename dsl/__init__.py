"""The rules language: from the text of a ruleset to its checked form.

Reading order, which is also the order of imports:

1. `source` and `diagnostics`: places in files, and findings that point at them (`codes` and the
   `codes_*` tables name every kind of finding, `suggest` guesses what was meant, `render` prints).
2. `tree`: the positioned tree of a rules file.
3. `textfile`, `scalars`, `syntax_help`, `reader`: from untrusted bytes to the tree.
4. `paths`, `tables`, `compose`: the other files a ruleset names, and overlays merged into one tree.
5. `shape` and `schema`: which keys may stand where, and what is said when they do not
   (`language`: whether this program knows them at all).
"""
