// What actions/github-script does with a script that uses nothing but `core`.
import * as core from '@actions/core'

const AsyncFunction = (async () => {}).constructor
async function main() {
  await new AsyncFunction('core', core.getInput('script', {required: true}))(core)
}

main().catch(error => core.setFailed(error.message))
