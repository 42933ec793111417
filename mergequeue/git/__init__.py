"""git: objects, ancestry, fetches, checkouts, pushes; the only package that starts it.

Everything happens in a workshop: a private bare repository of the queue's own that borrows the
objects of the checkout a person stands in and is gone afterwards. What the queue fetches and writes
lands there, so no reference, configuration, index or file of the checkout is ever changed, and
no attribute, configuration, hook, graft, replacement or work tree of it is ever asked.

    environment   what a git process is given, built from nothing (pure)
    process       starting git
    workshop      opening and removing the private repository
    remote        the address and transport settings of the remote (pure)
    fetch         bringing commits in
    history       ancestry, in walks
    trees         trees compared in memory
    reads, builds, pushes, checkouts    the ports
"""
