"""Running somebody's command: its words, its environment, its processes, and what its end means.

A hook is a command and its arguments, never a shell line (seed 1, Hooks on each candidate):

- `words` reads `--gate` and `--facts` once, as sh words, and refuses whatever only a shell reads;
- `environment` builds what a hook sees of the outside from nothing;
- `output` makes of what a hook printed lines that can be shown;
- `surroundings` is what all hooks of a run have in common;
- `policy` decides from the base's `[sandbox]` what a hook may reach; `trees` says which folders of
  a machine are its system and its toolchains, and `machine` reads them;
- `confinement` makes a plan of that, down to the numbers of `landlock`, of `capabilities` and of
  the `syscall_filter`; the `warden` is the program that carries it out and becomes the hook;
- `process` starts it in a process group of its own; `leash` stops it, and leaves nothing of it
  behind; `talk` passes its input and its output;
- `attempts` runs one until it is not busy or its time is over, and says what its end means: `gates`
  and `regenerations` are made of that; `retrying` says for which output a red gate is run again;
  `facts_command` asks the base for its facts.

Example: the line `make check 'a b'` is read as `("make", "check", "a b")`, and with the units
`libs/parser` and `apps/web` it runs, and is shown, as `make check 'a b' libs/parser apps/web`.
"""
