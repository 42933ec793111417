"""Verdicts: which changes are green, and whose fault it is where one is not (seed 1, Hooks; seed 2,
halving).

    the plan's partitions -> line -> schedule -> blame -> making -> one verdict a change

- `schedule` is one state machine with two numbers, `depth` batches in flight of at most `batch`
  changes each; `window` holds its state, `forming` fills the next batch, `halving` finds who broke
  one, `blame` says whose fault a red is.
- `flown` says which pre-flights of a partition run next, before their changes join a batch.
- `units` says what a gate is given; `only` what one job of many validates; `bases` which commits
  are gated as they stand; `making` writes it down. `retries` makes one run of a gate's tries, and
  `records` keeps every run for the verdicts.
- `line` and `actions` are the values that these speak in; `run` is what a validation comes to.
- `validator` is the step: it builds in order, runs gates beside each other, and carries out what
  the schedule of each partition says. Partitions share nothing but the slots that gates run in. Its
  parts: `_sections` fetches and divides the plan, `_materials` builds candidates and asks for
  units, `_slots` runs the gates, `_preflights` what changes pass alone, and `_clerk` writes each
  verdict and tells of it.

A partition `481 482 483 484`, batches of four, where 482 breaks the build:

    gate 481..484 on the base        red     four suspects, nobody is blamed yet
    gate 481 482                     red     two suspects
    gate 481                         green   481 is validated; 482 is left, and on 481 it is the
                                             very commit that was red: it is not gated again
    gate 481 as it stands            green   with 482's units, unless those were 481's too: the red
                                             is 482's own, KICK_RED
    gate 483 484 on 481              green   both are validated, on what they will merge onto
"""
