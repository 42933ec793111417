// What actions/download-artifact does with the inputs that the queue gives it, by GitHub's own client.
import {resolve} from 'node:path'
import {DefaultArtifactClient} from '@actions/artifact'
import * as core from '@actions/core'

async function main() {
  const client = new DefaultArtifactClient()
  const pattern = core.getInput('pattern', {required: true})
  const matches = new RegExp(`^${pattern.split('*').map(part => part.replace(/\W/g, '\\$&')).join('.*')}$`)
  const {artifacts} = await client.listArtifacts({latest: true})
  for (const artifact of artifacts.filter(({name}) => matches.test(name)))
    await client.downloadArtifact(artifact.id, {path: resolve(core.getInput('path'), artifact.name)})
}

main().catch(error => core.setFailed(error.message))
