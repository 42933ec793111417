"""Turned-away changes kept moving: the base brought in where both sides only added (seed 2).

Most conflicts that the queue turns a change away for are two changes that each add lines at one
place of a file. Their author would merge the base in, keep both, push and queue again; so does the
keeper, and it takes no judgement. It says so on the change before it queues it.

- `decisions` says what becomes of each turned-away change: brought up to date, left to its author,
  who is told once at a head, or left alone;
- `keeper` is the step; `stepwise` pushes, says so and queues, in this order, for a provider where
  these are three writes.

It keeps no state. A merge that was pushed and not queued, since a run was killed between the two,
is known again by making it again: on the head that was turned away, with the parent that it names.

Example: 7 and 8 each add an entry to `CHANGELOG.md`, which the base does not let settle. 7 lands, 8
is turned away at 4b1c. The keeper merges the base into 8, as 9f2e, with both entries; says so on 8;
and queues it at 9f2e, where it is gated as any other.
"""
