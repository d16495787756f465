import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const kB = 1000
const limits = { js: 120 * kB, css: 15 * kB, fonts: 75 * kB }

/** Pages that people begin with, each with the layouts around it: the files of its routes, by the ends of their names. */
const pages = {
  '/projects': ['_silo/_projects/route.tsx', '_silo/_projects/projects.index.tsx'],
  '/projects/{project}/instances': [
    '$project/route.tsx',
    '$project/instances/route.tsx',
    '$project/instances/index.tsx',
  ],
}

/**
 * Measures what is fetched before the first pages can be shown: the entry and the code of their routes with all that
 * these import, gzipped as for a browser. What waits for the first page to be there (src/ui/late.ts) does not count.
 * @param {string} outDir
 * @returns {{ table: string, problems: string[] }}
 */
export function measureFirstLoads(outDir) {
  /** @type {Manifest} */
  const manifest = JSON.parse(fs.readFileSync(path.join(outDir, '.vite/manifest.json'), 'utf8'))
  /** @param {string} file */
  const weigh = (file) => gzipSync(fs.readFileSync(path.join(outDir, file)), { level: 9 }).length
  const styles = Object.values(manifest).flatMap(({ file, css = [] }) => [...css, file].filter(isStyle))
  const fonts = fs.readdirSync(path.join(outDir, 'assets')).filter((file) => file.endsWith('.woff2'))

  const rows = [
    ...Object.entries(pages).map(([page, routes]) => {
      const files = [...scriptsOf(manifest, routes), 'before-paint.js']
      return { what: `JavaScript of ${page}`, files, bytes: sum(files.map(weigh)), limit: limits.js }
    }),
    {
      what: 'Style sheets',
      files: [...new Set(styles)],
      bytes: sum([...new Set(styles)].map(weigh)),
      limit: limits.css,
    },
    {
      what: 'Fonts',
      files: fonts,
      // They are compressed by themselves.
      bytes: sum(fonts.map((file) => fs.statSync(path.join(outDir, 'assets', file)).size)),
      limit: limits.fonts,
    },
  ]
  const table = rows.map(({ what, files, bytes, limit }) => {
    const names = files.map((file) => path.basename(file).replace(/-[\w-]{8}\./, '.')).join(', ')
    return `  ${what.padEnd(44)}${inKB(bytes).padStart(9)} of ${inKB(limit)}  ${names}`
  })
  const problems = rows
    .filter(({ bytes, limit }) => bytes > limit)
    .map(
      ({ what, bytes, limit }) => `${what}: ${inKB(bytes)} gzipped, and ${inKB(limit)} at most are allowed.`,
    )
  return { table: table.join('\n'), problems }
}

/** @typedef {Record<string, { file: string, css?: string[], imports?: string[], isEntry?: boolean }>} Manifest */

/**
 * @param {Manifest} manifest
 * @param {readonly string[]} routes
 */
function scriptsOf(manifest, routes) {
  const isOfRoute = (/** @type {string} */ key) => routes.some((route) => key.split('?')[0]?.endsWith(route))
  /** @type {Set<string>} */
  const seen = new Set()
  const add = (/** @type {string} */ key) => {
    if (seen.has(key)) return
    seen.add(key)
    for (const imported of manifest[key]?.imports ?? []) add(imported)
  }
  for (const [key, { isEntry }] of Object.entries(manifest)) if (isEntry || isOfRoute(key)) add(key)
  return [...seen].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js'))
}

const isStyle = (/** @type {string} */ file) => file.endsWith('.css')
const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, each) => all + each, 0)
const inKB = (/** @type {number} */ bytes) => `${(bytes / kB).toFixed(1)} kB`
