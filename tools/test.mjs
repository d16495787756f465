/**
 * `npm test`: all checks and tests, ending with one line `N passed, N failed`. `npm run gates` does the same
 * with those that take longer than a minute each. Arguments name the parts to run (`npm test -- unit
 * browser`).
 */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findFirefox } from '../e2e/support/firefox.mjs'
import { root, staleBuilds } from './lib/builds.mjs'
import { installIfNeeded } from './lib/install.mjs'
import { checkNodeVersion } from './lib/node-version.mjs'

checkNodeVersion()
installIfNeeded()

/** @param {string} name */
const bin = (name) => path.join(root, 'node_modules/.bin', name)
/**
 * @param {string} name
 * @returns {Command}
 */
const tool = (name) => [process.execPath, path.join(root, 'tools', name)]
const totals = { passed: 0, skipped: 0 }
/**
 * A line for each failure, printed at the end, since the output before it is long.
 * @type {string[]}
 */
const failures = []

/**
 * A program and its arguments.
 * @typedef {readonly [string, ...string[]]} Command
 */

/**
 * Runs a command in the foreground of this terminal.
 * @param {Command} command
 * @param {NodeJS.ProcessEnv} [env]
 */
const run = async (command, env) => (await exitCode(command, env)) === 0

/**
 * @param {Command} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number | null>}
 */
function exitCode([command, ...args], env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', () => resolve(1))
    child.on('close', resolve)
  })
}

/**
 * @param {number} passed
 * @param {readonly string[]} failed A line for each.
 */
function count(passed, failed, skipped = 0) {
  totals.passed += passed
  totals.skipped += skipped
  failures.push(...failed)
}

/**
 * A check that counts as one test.
 * @param {string} title
 * @param {Command} command
 */
async function check(title, command) {
  const good = await run(command)
  console.log(`${good ? 'ok  ' : 'FAIL'} ${title}`)
  count(good ? 1 : 0, good ? [] : [title])
}

/** The parts of `npm test`. */
const parts = {
  async checks() {
    await check('types', tool('types.mjs'))
    await check('lint', [bin('oxlint'), '--type-aware', '--deny-warnings'])
    await check('format', [bin('oxfmt'), '--check'])
    await check('unused code and dependencies (knip)', [bin('knip')])
  },
  unit: () => vitest('unit', []),
  async budgets() {
    await built()
    await check('first loads within their ceilings', tool('budgets.mjs'))
  },
  /** Node 20, which the tests run on, has no updates any more. */
  async 'current-node'() {
    await built()
    const skipped = 3
    const code = await exitCode(tool('current-node.mjs'))
    const good = code === 0 || code === skipped
    count(code === 0 ? 1 : 0, good ? [] : ['the server on the current Node'], code === skipped ? 1 : 0)
  },
  // All browser tests take an hour on a slow machine; these are the stories of each area.
  browser: () => browserTests('browser', {}, ['--grep', '@story']),
}

/**
 * Long tests: each file or folder of gates/ and of e2e/gates/, by its name, and browser tests in other
 * configurations.
 */
const gates = {
  ...gatesIn('gates', gate),
  ...gatesIn('e2e/gates', (name) => browserTests(name, { GANTRY_GATE: name })),
  engines,
  rounds: () => vitest('rounds', filesWithRounds(), { GANTRY_ALL_ROUNDS: 'yes' }),
  recordings: () => browserTests('recordings', { GANTRY_GATE: 'recordings' }),
  'browser-all': () => browserTests('browser-all', {}),
  preview: () => browserTests('preview', { GANTRY_TARGET: 'preview' }),
  'browser-cluster': () => browserTests('browser-cluster', { GANTRY_TARGET: 'cluster' }),
}

/** The main tests in the other two engines, where they are installed. */
async function engines() {
  const files = ['main-job', 'firewall', 'uploads', 'serial', 'metrics', 'keyboard', 'settings', 'sign-in']
  if (findFirefox())
    await browserTests('firefox', { GANTRY_ENGINE: 'firefox' }, [
      ...files.map((name) => `/${name}.e2e.ts`),
      '--grep',
      '@story',
    ])
  else {
    console.log('skipped Firefox: it is not installed; GANTRY_FIREFOX can name one')
    count(0, [], 1)
  }
  await browserTests('webkit', { GANTRY_GATE: 'engines' })
}

/**
 * @param {string} folder
 * @param {(name: string) => Promise<void>} run
 */
function gatesIn(folder, run) {
  const names = fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.gate.ts'))
    .map((file) => file.replace('.gate.ts', '').split(path.sep, 1).join())
  return Object.fromEntries(names.map((name) => [name, () => run(name)]))
}

/** The unit tests that try a sample in `npm test`. */
const filesWithRounds = () =>
  fs
    .readdirSync(path.join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^\w[\w-]*\/src\/.*\.test\.ts$/.test(file))
    .map((file) => `packages/${file}`)
    .filter((file) => fs.readFileSync(path.join(root, file), 'utf8').includes('testing/rounds'))

/** @param {string} name */
async function gate(name) {
  await built()
  await vitest(name, ['--config', 'gates/vitest.config.ts', `gates/${name}.gate.ts`, `gates/${name}/`])
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
async function vitest(name, args, env) {
  const report = path.join(scratch, `${name}.json`)
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const good = await run([bin('vitest'), 'run', ...args, ...reporters], env)
  countUnit(name, report, good)
}

/**
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} args
 */
async function browserTests(name, env, args = []) {
  await built(['server', 'console', 'preview'])
  const report = path.join(scratch, `${name}.json`)
  const config = path.join(root, 'e2e/playwright.config.ts')
  const output = path.join(root, 'test-results', name)
  const good = await run(
    [bin('playwright'), 'test', '-c', config, '--output', output, '--reporter=list,json', ...args],
    {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      ...env,
    },
  )
  countBrowser(name, report, good)
}

/** Tests of built files must use builds of the current sources. */
async function built(names = ['server', 'console']) {
  const stale = staleBuilds(names).map(({ name }) => name)
  if (stale.length > 0 && !(await run([...tool('build.mjs'), ...stale]))) throw new Error('The build failed.')
}

/**
 * A file in the report of vitest.
 * @typedef {{
 *   name: string,
 *   status: string,
 *   message: string,
 *   assertionResults: { status: string, fullName: string, failureMessages: string[] }[],
 * }} TestFile
 */
/**
 * A suite in the report of Playwright.
 * @typedef {{
 *   file: string,
 *   title: string,
 *   ok: boolean,
 *   tests: { status: string, annotations: { type: string, description?: string }[] }[],
 * }} Spec
 * @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite
 */

/**
 * @param {string} name
 * @param {string} report
 * @param {boolean} good
 */
function countUnit(name, report, good) {
  /** @type {{ numPassedTests?: number, numPendingTests?: number, testResults?: TestFile[] }} */
  const { numPassedTests = 0, numPendingTests = 0, testResults = [] } = read(report)
  count(numPassedTests, atLeastOne(name, testResults.flatMap(failedIn), good), numPendingTests)
}

/**
 * A run may fail without a failed test, for example by an error outside all of them.
 * @param {string} name
 * @param {readonly string[]} failed
 * @param {boolean} good
 */
const atLeastOne = (name, failed, good) =>
  good || failed.length > 0 ? failed : [`${name}: the run failed, but none of its tests`]

/**
 * Failed tests of a file, or the file itself if it did not load, each with the first line of its error.
 * @param {TestFile} file
 */
function failedIn({ name, status, message, assertionResults }) {
  const file = path.relative(root, name)
  const tests = assertionResults.filter((test) => test.status === 'failed')
  if (status === 'failed' && tests.length === 0) return [`${file}: ${firstLine(message)}`]
  return tests.map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
}

const firstLine = (text = '') => text.split('\n', 1)[0]

/**
 * @param {string} name
 * @param {string} report
 * @param {boolean} good
 */
function countBrowser(name, report, good) {
  /** @type {{ stats?: { expected?: number, flaky?: number, skipped?: number }, suites?: Suite[] }} */
  const { stats = {}, suites = [] } = read(report)
  const { expected = 0, flaky = 0, skipped = 0 } = stats
  for (const [title, reason] of suites.flatMap(skippedIn)) console.log(`skipped "${title}": ${reason}`)
  const failed = suites.flatMap(specsIn).filter(({ ok }) => !ok)
  const lines = failed.map(({ file, title }) => `${file}: ${title}`)
  count(expected + flaky, atLeastOne(name, lines, good), skipped)
}

/**
 * Skipped browser tests, each with the reason.
 * @param {Suite} suite
 */
const skippedIn = (suite) =>
  specsIn(suite)
    .filter(({ tests }) => tests.every(({ status }) => status === 'skipped'))
    .map(({ title, tests }) => [
      title,
      tests[0]?.annotations.find(({ type }) => type === 'skip')?.description,
    ])

/**
 * @param {Suite} suite
 * @returns {Spec[]}
 */
const specsIn = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsIn)]

/** @param {string} file */
const read = (file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {})

const { positionals: asked, values } = parseArgs({
  options: {
    gates: { type: 'boolean', default: false },
    /** How many run in parallel; several gates mostly wait. */
    lanes: { type: 'string', default: '1' },
  },
  allowPositionals: true,
})
const chosen = values.gates ? gates : parts
const unknown = asked.filter((name) => !(name in chosen))
if (unknown.length > 0) {
  console.error(`no part is called ${unknown.join(', ')}; there are: ${Object.keys(chosen).join(', ')}`)
  process.exit(2)
}
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'gantry-test-'))
const queue = Object.entries(chosen).filter(([name]) => asked.length === 0 || asked.includes(name))

async function lane() {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [name, part] = next
    const started = performance.now()
    try {
      await part()
    } catch (error) {
      console.error(error)
      count(0, [`${name}: ${firstLine(String(error))}`])
    }
    console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  }
}

try {
  // Otherwise each lane would build what it needs.
  if (Number(values.lanes) > 1) await built(['server', 'console', 'preview'])
  await Promise.all(Array.from({ length: Number(values.lanes) }, lane))
} finally {
  fs.rmSync(scratch, { recursive: true, force: true })
}
if (failures.length > 0) console.log(`\nfailed:\n${failures.map((line) => `  ${line}`).join('\n')}`)
const { passed, skipped } = totals
console.log(`\n${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0
