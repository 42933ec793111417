"""git: objects, ancestry, fetches, checkouts, pushes; the only package that starts it.

Everything happens in a workshop: a private bare repository of the queue's own that borrows the
objects of the checkout a person stands in and is gone afterwards. What the queue fetches and writes
lands there, so no reference, configuration, index or file of the checkout is ever changed, and
no attribute, configuration, hook, graft, replacement or work tree of it is ever asked.

    environment     what a git process is given, built from nothing (pure)
    process         starting git
    discovery       looking at the checkout once: what is refused, where its objects lie
    remote          its configuration read: the address, transports, trust (pure)
    lending         a provider's own credential, in place of what that says (pure)
    workshop        opening the private repository
    homes           its folder, and those that killed runs left behind
    store           that repository, as the other modules use it
    objects, trees, history, fetch      what the ports are made of
    reads, builds, pushes, checkouts    the ports
    parts           which of a commit's files a box holds
    spares          the next box's files, written before they are wanted
    backstage       the thread that does so, and removes closed boxes
    removal         removing a folder whatever a hook made of it
    watches         what a hook left in a box, taken without git there; leavings looks at it
    bundles         candidates as bundles, each held to its bundle_form first (pure)

and, for merging by the two rules (DESIGN, Merging):

    merges          the port: whole batches, by paths or by renames
    paths_rule      the paths rule: three trees, folder by folder, in memory
    criss_cross     the same where two histories have several merge bases
    base_shape      how those bases hang together
    commit_graph    the merge bases of many pairs, in one walk
    content_merges  the contents that both sides changed, merged by git in one go
    merge_process   asking git to merge, and what it answers
    contents        two versions of a file compared, and the diff driver that its tree names
    conflict_stages what its records say of the paths in the way (pure)
    merge_objects   the objects that merging reads and makes
    new_objects     those that are not written yet
    tree_entries, tree_paths            trees as git stores them, and by path (pure)
    tree_bytes      folders that are nearly alike, compared and made as bytes (pure)
    packs           packs written in this process (pure)

Whatever is handed out may be used by several threads at once: reading and writing objects happens
in this process under the interpreter's lock, git processes share nothing but the object store,
and fetches wait for each other.
"""
