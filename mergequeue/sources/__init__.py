"""Where validate leaves its verdicts and apply reads them: in this version, a directory.

    plan.json               the plan, written before the first verdict
    <change>/verdict.json   one directory a decided change, which appears by rename
    .done                   the run has finished

Seed 1, Verdicts; facts V13-V15 and 3.17. Whoever wrote the directory ran the changes' code, so
apply follows no link in it, opens nothing but regular files, and reads none past a document's
limit.
"""
