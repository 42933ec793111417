"""What a plan and its verdicts are trusted for, and what happens to each change (seed 1, Applying).

Apply holds every right to write, and runs nobody's code. It reads two things that a job running the
changes' code could have written, the plan and the verdicts, and takes from them hashes to compare
and words to show:

- `origin`: which validation runs are followed at all (MQ3027);
- `trust`: what the plan and each verdict are vouched for; a disagreement waits or stops (MQ3028);
- `stacks`: whether a change is stacked on what the plan says, by ancestry that apply reads itself;
- `ready`: which change may be taken now, and what each of the others waits for;
- `stack_run`: which changes stacked on each other may merge in one call;
- `failing`: what passed its gate and fails to land again and again;
- `current`: the change as the provider has it this moment;
- `moved`: what moved while it was validated beside apply;
- `owed`: whether a merge of the base holds what the base's own regeneration makes;
- `checks`: what the base's other required checks mean for it;
- `preflights`: whose pre-flights are run again, where the provider has checks;
- `generated`: whose regenerated files a candidate may hold, and whether validation's are taken;
- `predicted`: what the tree that the base will carry means for it;
- `handover`: whether its head is merged as it is, or through an update commit;
- `replay`: whether a rebase's commits, one by one, leave what was gated;
- `landed`: whether an earlier run, or the provider, has merged it already;
- `marks`: which mark each change shows;
- `pausing`: what a pause of the queue means for what would merge or waits;
- `suspecting`: whom the next run goes on with, to find out who broke a batch;
- `present`: the queue as it is now, for whoever asks where a change stands;
- `remembering`: what of all this the next run, and whoever looks, is to know;
- `again`: whether another run is to be started, since nothing that merged starts it;
- `tried`: which try runs are shown, of which nothing else ever comes.

Each returns one of the two ends in `outcomes`, or lets the change go on.

`applier` is the step: it reads, asks these, and carries out what they return; `run` is what it is
given and what it comes to. Its parts: `_ports` are what it is handed, `_following` follows one plan
to its end, `_partitions` walks the lines of the plan, `_landings` takes one change to the base and
`_runs` a batch or a stack together, `_asking` reads the change as it is now and `_reviewers` its
required reviews, `_rerunning` runs pre-flights again, `_proving` proves what a review is owed,
`_rebuilding` builds its candidate again, `_building` predicts the base and hands the change over,
`_failing` counts landings that failed, `_watching` looks for what moved, `_telling` carries out how
it ends, `_announcing` tells the others where they stand, `_remembering` writes the memory, and
`_tries` shows what try runs came to.

Say that 483 is stacked on 482 and both are validated. 482's candidate is built from its head onto
the base commit, is the commit that was gated, and merges; 483's is built onto that rebuild, is the
commit that was gated, and merges next.
"""
