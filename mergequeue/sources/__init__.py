"""Where validate leaves its verdicts and apply reads them: a directory, or a validation run.

    plan.json                    the plan, written before the first verdict
    <change>/verdict.json        one directory a decided change, which appears by rename
    <change>/candidate.bundle    what its regeneration committed, where it did
    suspects@<change>.json       whom the job of that change suspects of a red batch, said last
    .done                        the run has finished

`names` tells the two kinds of source apart. `directory` fills and reads a directory; `opening`
opens what is in it, and `suspects` reads whom jobs suspect. `following` fills one with what a run
has uploaded so far, which `archives` takes apart. `uploading` keeps each verdict as an artifact of
the run, and `newest` says which of a run's plans a job validates.

Seed 1, Verdicts and Commands; facts V13-V15, 2.7 and 3.17. Whoever wrote any of it ran the changes'
code: apply follows no link in it, opens nothing but regular files, and reads none past its limit.
"""
