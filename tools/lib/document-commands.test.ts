import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error -- the tools are plain modules
import { root } from './builds.mjs'

const base: string = root
const at = (...parts: string[]): string => path.join(base, ...parts)
const textOf = (file: string): string => readFileSync(at(file), 'utf8')

const documents = readdirSync(base, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.md') && !/(^|\/)(node_modules|dist|test-results)\//.test(file),
)

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
/** Names of the files and folders that hold some with this end. */
const namesIn = (folder: string, end: string): string[] =>
  readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => file.replace(end, '').split(path.sep)[0] ?? '')
/** Gates and parts of `npm test` by functions of their own, as in `tools/test.mjs`. */
const functions = [...textOf('tools/test.mjs').matchAll(/^ {2}(?:async )?'?([\w-]+)'?(?:\(|:|,$)/gm)].map(
  ([, name = '']) => name,
)
const named: Record<string, Set<string>> = {
  bench: new Set(namesIn('bench', '.bench.ts')),
  gates: new Set([...namesIn('gates', '.gate.ts'), ...namesIn('e2e/gates', '.gate.ts'), ...functions]),
  test: new Set(functions),
}
const commands = new Set(
  [...textOf('packages/server/src/cli/commands/registry.ts').matchAll(/^import \{ (\w+) \}/gm)].map(
    ([, name = '']) => name,
  ),
)

/** Commands in a document that do not exist. */
function unknownIn(text: string): string[] {
  const npm = [...text.matchAll(/\bnpm\s+(run\s+)?(?!run\b)([\w:-]+)(?:\s+--\s+([a-z][\w-]*))?/g)].filter(
    ([, run, script = '']) => run || script in scripts,
  )
  const wrong = npm.filter(
    ([, , script = '', name]) => !(script in scripts) || (name && named[script] && !named[script].has(name)),
  )
  const programs = [...text.matchAll(/(?:`|^|npx |as-gantry )gantry ([a-z-]+)/gm)].filter(
    ([, command = '']) => !commands.has(command),
  )
  return [...wrong, ...programs].map(([command]) => command)
}

test('every command that a document prints exists', () => {
  expect(commands).toContain('doctor')
  expect(named['gates']).toContain('browser-all')
  expect(documents.flatMap((file) => unknownIn(textOf(file)).map((one) => `${file}: ${one}`))).toEqual([])
})

test.each(['npm run missing', 'npm run gates -- missing', 'npm test -- missing', '`gantry missing`'])(
  '%s is found',
  (text) => expect(unknownIn(text)).toHaveLength(1),
)

/** As the sites that show these documents make them from headings. */
const anchorsOf = (file: string): Set<string> =>
  new Set(
    [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  )

test('every link between documents leads somewhere', () => {
  // The package's own README links to its copies of the documents.
  const files = documents.filter((file) => file !== 'packages/server/README.md')
  const broken = files.flatMap((file) =>
    [...textOf(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(
      ([, target = '', anchor]) => {
        const to = target ? at(path.dirname(file), target) : at(file)
        const isThere = existsSync(to) && (!anchor || anchorsOf(to).has(anchor))
        return isThere ? [] : [`${file}: ${target}${anchor ? `#${anchor}` : ''}`]
      },
    ),
  )
  expect(broken).toEqual([])
})
