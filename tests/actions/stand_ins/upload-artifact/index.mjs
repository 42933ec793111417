// What actions/upload-artifact does with the inputs that the queue gives it, by GitHub's own client.
import {stat} from 'node:fs/promises'
import {dirname, resolve} from 'node:path'
import {DefaultArtifactClient} from '@actions/artifact'
import * as core from '@actions/core'
import {create} from '@actions/glob'

async function main() {
  const path = resolve(core.getInput('path', {required: true}))
  const files = await (await create(path, {matchDirectories: false})).glob()
  if (!files.length) throw new Error(`there is no file at ${path}`)
  const root = (await stat(path)).isDirectory() ? path : dirname(path)
  const {id} = await new DefaultArtifactClient().uploadArtifact(core.getInput('name'), files, root, {
    retentionDays: Number(core.getInput('retention-days')) || undefined,
  })
  core.setOutput('artifact-id', id)
}

main().catch(error => core.setFailed(error.message))
