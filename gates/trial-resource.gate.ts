import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/*
 * A resource of a project costs the edits that CONTRIBUTING.md counts: the files of a resource "note" are added to a
 * copy of the sources, with those edits and no others, and the copy passes the checks that a newcomer runs.
 */

const root = path.resolve(import.meta.dirname, '..')
const files = path.join(import.meta.dirname, 'trial-resource')

/** The edits of files that exist: what is added, and before which lines. */
const edits = [
  {
    file: 'packages/control-plane/src/db/tables/people.ts',
    before: [/^interface ProjectTable\b/m, /^ {2}project: ProjectTable$/m],
    added: [
      'interface NoteTable extends Named {\n  project_id: string\n  text: string\n}\n',
      '  note: NoteTable\n',
    ],
  },
  {
    file: 'packages/control-plane/src/lookup/kinds.ts',
    before: [/^ {2}vpc_subnet: \{$/m],
    added: [
      "  note: {\n    ...inProject('note', 'note', 'note', 'note as an ID,', 'note should either be an ID'),\n" +
        "    limit: 1000,\n    blocks: 'a note',\n  },\n",
    ],
  },
  {
    file: 'packages/console/src/shell/navigation.ts',
    before: [/^ {2}\{ label: 'Snapshots'/m],
    added: [
      "  { label: 'Notes', link: { to: '/projects/$project/notes', params }, icon: Ticket, isExtension: true },\n",
    ],
  },
] as const

const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'gantry-trial-resource-'))
afterAll(() => fs.rmSync(copy, { recursive: true, force: true }))

const filesOf = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && fs.existsSync(path.join(root, file)))

/** As from a terminal: what a test runner sets would choose other builds of libraries. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== 'NODE_ENV' && !name.startsWith('VITEST')),
)

/** Runs a program of the copy; returns what it printed if it fails. */
function problemsOf(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: copy,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  return status === 0 ? '' : `${stdout}\n${stderr}`
}

beforeAll(() => {
  for (const file of tracked) {
    fs.mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    fs.copyFileSync(path.join(root, file), path.join(copy, file))
  }
  linkPackages()
  for (const file of filesOf(files)) {
    const target = path.join(copy, file.replace(/\.txt$/, ''))
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.copyFileSync(path.join(files, file), target)
  }
  for (const { file, before, added } of edits) {
    const at = path.join(copy, file)
    let text = fs.readFileSync(at, 'utf8')
    for (const [index, pattern] of before.entries()) {
      if (!pattern.test(text)) throw new Error(`${file} has no line like ${pattern}.`)
      text = text.replace(pattern, (line) => `${added[index]}${line}`)
    }
    fs.writeFileSync(at, text)
  }
  const problems = problemsOf('tools/generate.mjs')
  if (problems !== '') throw new Error(problems)
})

/** Installed packages, where our own are those of the copy; also those that one workspace alone has. */
function linkPackages(): void {
  const installed = path.join(root, 'node_modules')
  fs.mkdirSync(path.join(copy, 'node_modules'))
  // Not the cache, which knows this tree's files.
  for (const name of fs.readdirSync(installed).filter((one) => one !== '.cache')) {
    if (name === '@gantry')
      fs.cpSync(path.join(installed, name), path.join(copy, 'node_modules', name), {
        recursive: true,
        verbatimSymlinks: true,
      })
    else fs.symlinkSync(path.join(installed, name), path.join(copy, 'node_modules', name))
  }
  for (const file of tracked.filter((one) => one.endsWith('/package.json'))) {
    const own = path.join(path.dirname(file), 'node_modules')
    if (fs.existsSync(path.join(root, own))) fs.symlinkSync(path.join(root, own), path.join(copy, own))
  }
}

test('a resource of a project changes three files that exist, besides generated ones', () => {
  const changed = tracked.filter(
    (file) => !fs.readFileSync(path.join(root, file)).equals(fs.readFileSync(path.join(copy, file))),
  )
  const isGenerated = (file: string) =>
    /\.gen\.ts$|\/openapi[\w.-]*\.json$|client\/operations\/|docs\/settings\.md$/.test(file)
  expect(changed.filter((file) => !isGenerated(file)).sort()).toEqual(edits.map(({ file }) => file).sort())
})

test('its types are right', () => {
  expect(problemsOf('tools/types.mjs')).toBe('')
})

test('no page is over its ceiling', () => {
  expect(problemsOf('tools/budgets.mjs')).toBe('')
})

test('its cases are complete, and nothing is revealed to strangers', () => {
  const suites = ['requests', 'unknown-names', 'unknown-references', 'read-cost', 'authz/matrix']
  const paths = suites.map((suite) => `packages/control-plane/src/${suite}.test.ts`)
  const only = ['-t', '[nN]ote|covered|every operation']
  expect(problemsOf('node_modules/vitest/vitest.mjs', 'run', ...paths, ...only)).toBe('')
})

test('its limit is documented, and its operations are on screen', () => {
  const paths = ['packages/server/src/cli/settings-file.test.ts', 'tools/lib']
  expect(problemsOf('node_modules/vitest/vitest.mjs', 'run', ...paths)).toBe('')
})
