import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { classOf, pagesOf, sharedLimits } from './first-loads.mjs'

/**
 * Measures what is fetched before each page can be shown: the main script, its application and the code of
 * the page's routes with their imports, gzipped as for a browser. Parts that load after the first page
 * (src/ui/lazy-part.tsx) do not count.
 * @param {string} outDir The built console.
 * @param {string} sources The console's sources.
 * @returns {{ table: string, problems: string[], tree: number }} A page of Markdown, a sentence for each exceeded
 * budget, and the bytes of the route tree.
 */
export function measureFirstLoads(outDir, sources) {
  /** @type {Manifest} */
  const manifest = JSON.parse(fs.readFileSync(path.join(outDir, '.vite/manifest.json'), 'utf8'))
  /** @type {Record<string, string[]>} */
  const files = JSON.parse(fs.readFileSync(path.join(outDir, '.vite/chunk-files.json'), 'utf8'))
  const weigh = weighing(outDir)
  const tree = gzipSync(fs.readFileSync(path.join(outDir, '.vite/route-tree.js')), { level: 9 }).length
  const styles = unique(Object.values(manifest).flatMap(({ file, css = [] }) => [...css, file])).filter(
    isStyle,
  )
  const fonts = unique(Object.values(manifest).map(({ file }) => file)).filter((file) =>
    file.endsWith('.woff2'),
  )

  const rows = pagesOf(sources).map(({ url, modules }) => {
    const { name, limit } = classOf(url)
    const early = ['before-paint.js', ...(name === 'sign-in' ? [] : ['locale-data.js'])]
    const scripts = [...unique(modules.flatMap((module) => files[module] ?? [])), ...early]
    return {
      url,
      name,
      limit,
      bytes: sum(scripts.map(weigh)) - (name === 'sign-in' ? 0 : tree),
      files: scripts.length + styles.length + fonts.length,
    }
  })
  const shared = [
    { url: 'route tree', name: 'every page', limit: sharedLimits.tree, bytes: tree, files: 0 },
    {
      url: 'style sheets',
      name: 'every page',
      limit: sharedLimits.css,
      bytes: sum(styles.map(weigh)),
      files: styles.length,
    },
    // Fonts are already compressed.
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
  return { table: pageOf(rows, shared), problems, tree }
}

/** @typedef {Record<string, { file: string, css?: string[] }>} Manifest */
/** @typedef {{ url: string, name: string, limit: number, bytes: number, files: number }} Row */

/**
 * @param {readonly Row[]} rows
 * @param {readonly Row[]} shared
 */
const pageOf = (rows, shared) => `# First loads

What a browser fetches before each page of the console can be shown, gzipped, in kB (1000 bytes). \`npm test\` fails where
a page is over its ceiling. The files of a page are its scripts, its style sheet and its fonts. The route tree, to which
each page of the console adds a line or two for all others, is counted apart.

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
