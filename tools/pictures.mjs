/**
 * `npm run pictures` rewrites the reference pictures in e2e/pictures/ of screens that have changed; `npm run
 * gates -- pictures` only compares. With `--conditions` it leaves them unchanged, and writes every screen
 * zoomed to 200 %, with reduced motion and in forced colours to pictures/, for inspection.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { root, staleBuilds } from './lib/builds.mjs'

const { values } = parseArgs({ options: { conditions: { type: 'boolean', default: false } } })

/**
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} [env]
 */
function run([command = '', ...args], env = {}) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (status !== 0) process.exit(1)
}

const stale = staleBuilds().map(({ name }) => name)
if (stale.length > 0) run([process.execPath, path.join(root, 'tools/build.mjs'), ...stale])
const browserTests = [
  path.join(root, 'node_modules/.bin/playwright'),
  'test',
  '-c',
  'e2e/playwright.config.ts',
]
if (values.conditions)
  run(browserTests, { GANTRY_GATE: 'conditions', GANTRY_PICTURES: path.join(root, 'pictures') })
else run([...browserTests, '--update-snapshots=changed'], { GANTRY_GATE: 'pictures' })
