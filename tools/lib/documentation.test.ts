import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { diskCreate } from '../../packages/api/src/client/operations.gen.ts'
import { terraformOf } from '../../packages/console/src/kit/code/terraform.ts'
import { rank } from '../../packages/console/src/features/docs/rank.ts'
import { refusalPages } from '../../packages/console/src/kit/feedback/refusal-pages.ts'
import { parseDrawing } from '../../packages/console/build/documentation/drawing.ts'
import { docsFolder, readDocumentation } from '../../packages/console/build/documentation/documents.ts'
import { parseMarkdown, textOf } from '../../packages/console/build/documentation/markdown.ts'
import { root } from './builds.mjs'
import { pagesOf } from './first-loads.mjs'

/** Reading fails where a link, an anchor, a file or a drawing is missing. */
const documentation = readDocumentation(docsFolder)

test('every operation of the API is on the page of an area', () => {
  const others = documentation.pages.find(({ slug }) => slug === 'api-other')
  // Name their tag or their family in packages/console/build/documentation/api-areas.ts.
  expect((others?.headings ?? []).filter(({ level }) => level === 3).map(({ id }) => id)).toEqual([])
})

test('an operation says what of a token it needs, and what else the contract refuses it for', () => {
  const page = documentation.pages.find(({ slug }) => slug === 'api-storage')
  const at = (id: string): string => {
    const nodes = page?.nodes ?? []
    const start = nodes.findIndex(
      (node) => Array.isArray(node) && (node[1] as { id?: string } | null)?.id === id,
    )
    return nodes
      .slice(start, start + 3)
      .map(textOf)
      .join(' ')
  }
  expect(at('disk_delete')).toMatch(/A token needs.*delete.*412.*four eyes for deletions/)
  expect(at('disk_create')).toMatch(/A token needs.*change.*400.*tags that the silo demands/)
  expect(at('disk_list')).toMatch(/A token needs.*read/)
  expect(at('disk_list')).not.toContain('refused with')
})

test('a parameter says what it was called, or since when it exists', () => {
  const pages = documentation.pages.flatMap(({ nodes }) => nodes.map(textOf)).join(' ')
  expect(pages).toMatch(/switch_slot.*Before version 2026030601\.0\.0: switch_location\./)
  expect(pages).toContain('Since version 2026012300.0.0.')
})

/** Addresses of pages of the console, from their files. */
const consolePages = new Set(pagesOf(path.join(root, 'packages/console')).map(({ url }) => url))

test('every link to a page of the console leads there', () => {
  const dead = documentation.consoleLinks.filter(({ href }) => !consolePages.has(href))
  expect(dead).toEqual([])
})

const places = new Set(
  documentation.pages.flatMap(({ slug, headings }) => [slug, ...headings.map(({ id }) => `${slug}#${id}`)]),
)
/** The sources of the console, without tests. */
const sources = readdirSync(path.join(root, 'packages/console/src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(root, 'packages/console/src', file), 'utf8') }))

test('every link from the console and from a refusal to a page leads there', () => {
  const links = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/<DocsPopover[^>]*? page="([^"]+)"|["'`]\/docs\/([^"'`$]+)["'`]/g)].map(
      ([, popover, link]) => ({ from: file, to: popover ?? link ?? '' }),
    ),
  )
  const ofRefusals = refusalPages.map(({ topic, page }) => ({ from: topic, to: page }))
  expect(links.length).toBeGreaterThan(30)
  expect([...links, ...ofRefusals].filter(({ to }) => !places.has(to))).toEqual([])
})

/** Every word of every page but those of the API, for a search without regard to case. */
const words = documentation.entries
  .filter(({ slug }) => !slug.startsWith('api-'))
  .map(({ heading, text }) => `${heading} ${text}`)
  .join(' ')
  .toLowerCase()

/** Labels of the navigation, of tabs and of breadcrumbs, and titles of lists. */
const labels = new Set(
  sources.flatMap(({ file, text }) => {
    const ofNavigation = file.endsWith('navigation.ts') ? text.matchAll(/label: '([^']+)'/g) : []
    const ofCrumbs = text.matchAll(/crumb: \{ label: '([^']+)'/g)
    const ofTitles = text.matchAll(/<(?:ResourceList|ListPage|ResourceTab)\b[^>]*? title="([^"]+)"/g)
    return [...ofNavigation, ...ofCrumbs, ...ofTitles].map(([, label = '']) => label)
  }),
)

test('every word of the navigation and every title of a list is on a page', () => {
  expect(labels.size).toBeGreaterThan(40)
  expect([...labels].filter((label) => !words.includes(label.toLowerCase()))).toEqual([])
})

test('the page about Terraform has the resources that the console writes, and an example of one', () => {
  const page = readFileSync(path.join(docsFolder, 'how-to/terraform.md'), 'utf8')
  const source = readFileSync(path.join(root, 'packages/console/src/kit/code/terraform.ts'), 'utf8')
  const written = new Set(source.match(/(?<=')oxide_\w+(?=')/g))
  expect(written.size).toBeGreaterThan(10)
  expect([...written].filter((type) => !page.includes(`\`${type}\``))).toEqual([])
  const [, example] = /^```terraform\n([^`]*)\n```$/m.exec(page) ?? []
  const body = {
    name: 'data',
    description: '',
    size: 10 * 1024 ** 3,
    diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } },
  }
  expect(terraformOf({ op: diskCreate, input: { query: { project: 'atlas' }, body } })).toBe(example)
})

test('what is searched stays small enough to load at the first letter', () => {
  expect(JSON.stringify(documentation.entries).length).toBeLessThan(600_000)
})

const around = {
  linkOf: (target: string) => target,
  drawingOf: () => ['drawing', { caption: '' }] as const,
}

test.each([
  ['# Title\n\n<b>bold</b>', 'html'],
  ['# Title\n\n## One\n\n## One', 'Two headings'],
  ['No title', 'no title'],
])('%j is refused', (text, problem) => expect(() => parseMarkdown(text, around)).toThrow(problem))

test.each([
  ['<svg viewBox="0 0 1 1"><script>x</script></svg>', 'no <script>'],
  ['<svg viewBox="0 0 1 1" onload="x"></svg>', 'no attribute onload'],
  ['<svg viewBox="0 0 1 1"><rect class="red" /></svg>', 'no class red'],
  ['<svg viewBox="0 0 1 1"><g></svg>', 'not complete'],
])('the drawing %s is refused', (svg, problem) => expect(() => parseDrawing(svg)).toThrow(problem))

test.each([
  ['why can it not reach', 'unreachable-instance'],
  ['how do I upload an image', 'bring-an-image'],
  ['What is an external subnet?', 'networking'],
  ['how can I go back to a snapshot', 'snapshots'],
])('the search answers %j by the page %s', (question, page) => {
  const prose = documentation.entries.filter(({ slug }) => !slug.startsWith('api-'))
  expect(rank(question, prose, 3).map(({ entry }) => entry.slug)).toContain(page)
})
