// What a person's script does with GitHub's own client: tests/fakes/test_octokit.py tells where.
import { Octokit } from "octokit";

const octokit = new Octokit({
  auth: process.env.TOKEN,
  baseUrl: process.env.API_URL,
  retry: { enabled: false },
  throttle: { enabled: false },
});
const where = { owner: "acme", repo: "acme" };

const pulls = await octokit.paginate(octokit.rest.pulls.list, { ...where, per_page: 100 });
const [pull] = pulls.filter((one) => one.number === 1);
await octokit.rest.issues.addLabels({ ...where, issue_number: 1, labels: ["blue", "red"] });
await octokit.rest.issues.removeLabel({ ...where, issue_number: 1, name: "red" });
await octokit.rest.issues.createComment({ ...where, issue_number: 1, body: "Hello" });
await octokit.rest.repos.createCommitStatus({
  ...where,
  sha: pull.head.sha,
  state: "pending",
  context: "merge-queue",
});
const { enablePullRequestAutoMerge: enabled } = await octokit.graphql(
  `mutation ($id: ID!) {
    enablePullRequestAutoMerge(input: { pullRequestId: $id, mergeMethod: SQUASH }) {
      pullRequest { autoMergeRequest { mergeMethod } }
    }
  }`,
  { id: pull.node_id },
);
const checks = await octokit.rest.repos.getCombinedStatusForRef({ ...where, ref: pull.head.sha });
const second = pulls.filter((one) => one.number === 2)[0];
let refusal;
try {
  await octokit.rest.pulls.merge({ ...where, pull_number: 2, sha: pull.head.sha });
} catch (error) {
  refusal = { status: error.status, message: error.response.data.message };
}
const merged = await octokit.rest.pulls.merge({
  ...where,
  pull_number: 2,
  merge_method: "squash",
  sha: second.head.sha,
});
console.log(
  JSON.stringify({
    numbers: pulls.map((one) => one.number),
    method: enabled.pullRequest.autoMergeRequest.mergeMethod,
    state: checks.data.state,
    refusal,
    merged: merged.data.merged,
  }),
);
