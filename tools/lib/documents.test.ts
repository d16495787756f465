import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { localCommands } from '../../packages/server/src/client/main.ts'
import { commands as operationCommands } from '../../packages/server/src/client/operations.ts'
import { root } from './builds.mjs'

const notOurs = new Set(['node_modules', 'dist', 'test-results'])

/** Files below a folder, without what is installed, built or hidden. */
function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const at = path.posix.join(folder, entry.name)
    if (entry.isFile()) yield at
    else if (entry.isDirectory() && !notOurs.has(entry.name) && !entry.name.startsWith('.'))
      yield* filesIn(at)
  }
}

const files = [...filesIn('')]
const documents = files.filter((file) => file.endsWith('.md'))
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const firsts = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, first = '']) => first)

/** What a rule finds wrong in each document. */
const wrongIn = (rule: (text: string, file: string) => readonly string[]): string[] =>
  documents.flatMap((file) => rule(textOf(file), file).map((problem) => `${file}: ${problem}`))

/** A file of the sources, or a folder within a folder, in backticks; placeholders are in angle brackets. */
const sourcePath = /`((?:[\w.$-]+\/)+(?:[\w.$-]+\.(?:tsx?|mjs|js|css|service))|(?:[\w.$-]+\/){2,})`/g

test('every path of the sources that a document names exists', () => {
  const exists = (at: string): boolean =>
    files.some((file) => (at.endsWith('/') ? `/${file}`.includes(`/${at}`) : `/${file}`.endsWith(`/${at}`)))
  expect(wrongIn((text) => firsts(text, sourcePath).filter((at) => !exists(at)))).toEqual([])
})

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
/** Parts of `npm test` and gates that are functions of `tools/test.mjs`. */
const functions = firsts(textOf('tools/test.mjs'), /^ {2}(?:async )?'?([\w-]+)'?(?:\(|:|,$)/gm)
/** What a script can be given, by its name. */
const parts: Record<string, readonly string[]> = {
  bench: firsts(files.join('\n'), /^bench\/([\w-]+)\.bench\.ts$/gm),
  gates: [...firsts(files.join('\n'), /^(?:e2e\/)?gates\/([\w-]+)[./].*gate\.ts$/gm), ...functions],
  test: functions,
}
/** The first words of commands: those of the server's operator, and those for users of a running server. */
const programs: ReadonlySet<string> = new Set([
  ...firsts(textOf('packages/server/src/cli/commands/registry.ts'), /^import \{ (\w+) \} from '\.\//gm),
  ...Object.keys(localCommands),
  ...operationCommands.map(({ noun }) => noun),
])

/** Commands of a text that do not exist. */
function unknownCommands(text: string): string[] {
  const ofNpm = [...text.matchAll(/\bnpm\s+(run\s+)?(?!run\b)([\w:-]+)(?:\s+--\s+([a-z][\w-]*))?/g)]
    .filter(([, run, script = '']) => run || script in scripts)
    .filter(([, , script = '', part]) => !(script in scripts) || (part && !parts[script]?.includes(part)))
  const ofProgram = [...text.matchAll(/(?:`|^|npx |as-gantry )gantry ([a-z-]+)/gm)].filter(
    ([, command = '']) => !programs.has(command),
  )
  return [...ofNpm, ...ofProgram].map(([command]) => command)
}

test('every command that a document prints exists', () => {
  expect(wrongIn(unknownCommands)).toEqual([])
})

test.each(['npm run missing', 'npm run gates -- missing', 'npm test -- missing', '`gantry missing`'])(
  '%s is found',
  (text) => expect(unknownCommands(text)).toHaveLength(1),
)

/** The anchors that headings get where these documents are shown. */
const anchorsOf = (text: string): string[] =>
  firsts(text, /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

test('every link from a document to another leads there', () => {
  const broken = (text: string, file: string): string[] =>
    // The package has copies of the documents beside its own README. Links to pages of the console begin with a slash,
    // and documentation.test.ts follows them.
    file === 'packages/server/README.md'
      ? []
      : [...text.matchAll(/\]\((?!https?:|\/)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(
          ([link, target = '', anchor]) => {
            const to = target ? path.posix.join(path.posix.dirname(file), target) : file
            const isThere = files.some((each) => each === to || each.startsWith(`${to}/`))
            return isThere && (!anchor || anchorsOf(textOf(to)).includes(anchor)) ? [] : [link]
          },
        )
  expect(wrongIn(broken)).toEqual([])
})
