import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// Only Node's own modules here: this also runs before anything is installed.

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Identifies the sources of a build. Written last, so that an interrupted build does not count. */
const STAMP = '.built-from'

/** Files that affect every build. */
const makers = ['package-lock.json', 'tools/build.mjs', 'tools/lib']

/**
 * The builds, with the files and folders they are made from. An `onDemand` build is only made by name, and is
 * not part of the product.
 * @type {readonly { name: 'server' | 'console' | 'preview', outDir: string, sources: readonly string[],
 * onDemand?: true }[]}
 */
export const builds = [
  {
    name: 'server',
    outDir: path.join(root, 'packages/server/dist'),
    sources: [...makers, 'packages/api', 'packages/control-plane', 'packages/server'],
  },
  {
    name: 'console',
    outDir: path.join(root, 'packages/console/dist'),
    sources: [...makers, 'packages/api', 'packages/console', 'docs'],
  },
  {
    name: 'preview',
    outDir: path.join(root, 'packages/preview/dist'),
    sources: [
      ...makers,
      'packages/api',
      'packages/control-plane',
      'packages/preview',
      'packages/console',
      'docs',
    ],
    onDemand: true,
  },
]

/** The sources of the preview's initial contents. */
export const previewDataSources = [
  'package-lock.json',
  'packages/api',
  'packages/control-plane',
  'packages/preview',
]

/** These never affect a build; the build itself writes the route tree. */
const ignored = /^(node_modules|dist|\.cache|testing|.*\.test\.tsx?|vitest\.config\.ts|routeTree\.gen\.ts)$/

/**
 * The builds whose sources have changed.
 * @param {readonly string[]} names By default the product's.
 */
export function staleBuilds(names = builds.filter(({ onDemand }) => !onDemand).map(({ name }) => name)) {
  return builds.filter(
    (build) => names.includes(build.name) && hasSources(build) && readStamp(build) !== hashOf(build.sources),
  )
}

/** @param {(typeof builds)[number]} build */
export function hasSources({ name }) {
  return name !== 'console' || fs.existsSync(path.join(root, 'packages/console/vite.config.ts'))
}

/**
 * Records the sources of a build.
 * @param {(typeof builds)[number]} build
 * @param {string} hash The hash of the sources before the build, which may take a while.
 */
export function writeStamp({ outDir }, hash) {
  fs.writeFileSync(path.join(outDir, STAMP), hash)
}

/** @param {(typeof builds)[number]} build */
function readStamp({ outDir }) {
  const stamp = path.join(outDir, STAMP)
  return fs.existsSync(stamp) ? fs.readFileSync(stamp, 'utf8') : undefined
}

/**
 * By contents rather than times: a checkout changes the times of unchanged files.
 * @param {readonly string[]} sources
 */
export function hashOf(sources) {
  const hash = createHash('sha256')
  for (const source of sources) addTo(hash, source)
  return hash.digest('hex')
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} source
 */
function addTo(hash, source) {
  const absolute = path.join(root, source)
  if (!fs.statSync(absolute).isDirectory()) {
    hash.update(`${source}\0`).update(fs.readFileSync(absolute)).update('\0')
    return
  }
  for (const name of fs.readdirSync(absolute).sort()) {
    if (!ignored.test(name)) addTo(hash, `${source}/${name}`)
  }
}
