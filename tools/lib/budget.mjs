import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { classOf, pagesOf, sharedLimits } from './first-loads.mjs'

/**
 * Measures what is fetched before each page can be shown: the main script, its application and the code of the page's
 * routes with all that these import, gzipped as for a browser. What waits for the first page to be there
 * (src/ui/late.ts) does not count.
 * @param {string} outDir The console as built.
 * @param {string} sources Of the console.
 * @returns {{ table: string, problems: string[] }} A page of Markdown, and a sentence for each thing over its budget.
 */
export function measureFirstLoads(outDir, sources) {
  /** @type {Manifest} */
  const manifest = JSON.parse(fs.readFileSync(path.join(outDir, '.vite/manifest.json'), 'utf8'))
  const weigh = weighing(outDir)
  const styles = unique(Object.values(manifest).flatMap(({ file, css = [] }) => [...css, file])).filter(
    isStyle,
  )
  const fonts = unique(Object.values(manifest).map(({ file }) => file)).filter((file) =>
    file.endsWith('.woff2'),
  )

  const rows = pagesOf(sources).map(({ url, modules }) => {
    const { name, limit } = classOf(url)
    const scripts = [...closureOf(manifest, modules), 'before-paint.js']
    return {
      url,
      name,
      limit,
      bytes: sum(scripts.map(weigh)),
      files: scripts.length + styles.length + fonts.length,
    }
  })
  const shared = [
    {
      url: 'style sheets',
      name: 'every page',
      limit: sharedLimits.css,
      bytes: sum(styles.map(weigh)),
      files: styles.length,
    },
    // They are compressed by themselves.
    {
      url: 'fonts',
      name: 'every page',
      limit: sharedLimits.fonts,
      bytes: sum(fonts.map((file) => sizeOf(outDir, file))),
      files: fonts.length,
    },
  ]
  const problems = [...rows, ...shared]
    .filter(({ bytes, limit }) => bytes > limit)
    .map(({ url, bytes, limit }) => `${url}: ${inKB(bytes)} kB, and ${inKB(limit)} kB at most are allowed.`)
  return { table: pageOf(rows, shared), problems }
}

/** Compressors differ a little from machine to machine. */
const noiseKB = 0.3

/**
 * Where the table that is committed does not say what the build gives.
 * @param {string} committed
 * @param {string} measured
 */
export function differences(committed, measured) {
  const before = linesOf(committed)
  const now = linesOf(measured)
  return unique([...before.keys(), ...now.keys()]).flatMap((page) => {
    const was = before.get(page)
    const is = now.get(page)
    if (!was || !is) return [`${page}: ${is ? 'not' : 'no longer to be'} in docs/first-loads.md.`]
    const isSame = was.rest === is.rest && Math.abs(was.kB - is.kB) <= noiseKB
    return isSame
      ? []
      : [`${page}: ${was.kB} kB, ${was.rest} in docs/first-loads.md, and now ${is.kB} kB, ${is.rest}.`]
  })
}

/**
 * What each line of a table says: how heavy, and of which kind, at most how heavy and in how many files.
 * @param {string} table
 */
function linesOf(table) {
  const lines = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  return new Map(
    lines
      .filter((cells) => Number(cells[3]) > 0)
      .map(([, page = '', kind, weight, limit, files]) => [
        page,
        { kB: Number(weight), rest: `${kind} of at most ${limit} kB in ${files} files` },
      ]),
  )
}

/** @typedef {Record<string, { file: string, name?: string, css?: string[], imports?: string[] }>} Manifest */
/** @typedef {{ url: string, name: string, limit: number, bytes: number, files: number }} Row */

/**
 * The scripts of these modules of the console and of all that they import.
 * @param {Manifest} manifest
 * @param {readonly string[]} modules
 */
function closureOf(manifest, modules) {
  /** @type {Set<string>} */
  const seen = new Set(Object.keys(manifest).filter((key) => modules.includes(sourceOf(key, manifest[key]))))
  // A set goes on with what is added to it meanwhile.
  for (const key of seen) for (const imported of manifest[key]?.imports ?? []) seen.add(imported)
  return unique([...seen].map((key) => manifest[key]?.file ?? '')).filter((file) => file.endsWith('.js'))
}

/**
 * A file that was put together from many modules is called after the application that it is of (first-load-groups.ts).
 * @param {string} key
 * @param {{ name?: string } | undefined} entry
 */
const sourceOf = (key, entry) => (key.startsWith('_') ? `src/${entry?.name}.tsx` : (key.split('?')[0] ?? key))

/**
 * @param {readonly Row[]} rows
 * @param {readonly Row[]} shared
 */
const pageOf = (rows, shared) => `# First loads

What a browser fetches before each page of the console can be shown, gzipped, in kB (1000 bytes). Written by
\`npm run budgets -- --write\`; \`npm test\` fails where a page is over its budget, or where this is not what the build gives.
The files of a page are its scripts, its style sheet and its fonts.

| Page | Kind | JavaScript | at most | Files |
|---|---|---:|---:|---:|
${rows.map(lineOf).join('\n')}

| Besides | | kB | at most | Files |
|---|---|---:|---:|---:|
${shared.map(lineOf).join('\n')}
`

/** @param {Row} row */
const lineOf = ({ url, name, bytes, limit, files }) =>
  `| ${url} | ${name} | ${inKB(bytes)} | ${inKB(limit, 0)} | ${files} |`

/** @param {string} outDir */
function weighing(outDir) {
  /** @type {Map<string, number>} */
  const known = new Map()
  return (/** @type {string} */ file) => {
    const bytes = known.get(file) ?? gzipSync(fs.readFileSync(path.join(outDir, file)), { level: 9 }).length
    known.set(file, bytes)
    return bytes
  }
}

const sizeOf = (/** @type {string} */ outDir, /** @type {string} */ file) =>
  fs.statSync(path.join(outDir, file)).size
const isStyle = (/** @type {string} */ file) => file.endsWith('.css')
const unique = (/** @type {string[]} */ values) => [...new Set(values)]
const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, each) => all + each, 0)
const inKB = (/** @type {number} */ bytes, digits = 1) => (bytes / 1000).toFixed(digits)
