import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from './builds.mjs'

/** The parts of an installation, in the same layout as below `packages/`, which the server relies on. */
const contents = ['server/dist', 'server/systemd', 'console/dist']
/** Notes that builds leave for each other. */
const notes = new Set(['.built-from', '.first-loads.json'])
/** The licence, and what operators read. */
const documents = ['LICENSE', 'docs/grafana/gantry.json', 'docs/access-tokens.md', 'docs/history.md']
/** It stands at the top of the package, and links as from there. */
const readme = 'packages/server/README.md'

/**
 * The documents with everything that they link to.
 * @param {readonly string[]} files Relative to the root.
 */
async function withLinked(files) {
  const found = new Set([...files, ...(await linksOf(readme, '.'))])
  for (const file of found)
    if (file.endsWith('.md'))
      for (const link of await linksOf(file, path.posix.dirname(file))) found.add(link)
  return [...found].filter((file) => path.posix.extname(file) !== '' || file === 'LICENSE')
}

/** Other pages of the console and other sites are no files. */
const linksOf = async (/** @type {string} */ file, /** @type {string} */ from) =>
  [...(await fs.readFile(path.join(root, file), 'utf8')).matchAll(/\]\((?!https?:|[#/])([^)#]+)/g)].map(
    ([, link = '']) => path.posix.join(from, link),
  )

/**
 * Packs the built server and console into `gantry-<version>.tgz`, which npm can install alone.
 * @param {string} outDir
 * @returns {Promise<string>} The file.
 */
export async function packGantry(outDir) {
  const staging = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-package-'))
  try {
    for (const folder of contents) {
      await fs.cp(path.join(root, 'packages', folder), path.join(staging, folder), {
        recursive: true,
        // Source maps would be half of it, and build notes refer to missing sources.
        filter: (file) => !file.endsWith('.js.map') && !notes.has(path.basename(file)),
      })
    }
    for (const document of await withLinked(documents)) {
      await fs.cp(path.join(root, document), path.join(staging, document))
    }
    await fs.cp(path.join(root, readme), path.join(staging, 'README.md'))
    await fs.writeFile(path.join(staging, 'package.json'), JSON.stringify(await manifest(), null, 2))
    await fs.mkdir(outDir, { recursive: true })
    const { stdout } = await promisify(execFile)(
      'npm',
      ['pack', '--json', '--loglevel=error', '--pack-destination', path.resolve(outDir)],
      { cwd: staging, maxBuffer: 64 * 1024 * 1024 },
    )
    return path.join(path.resolve(outDir), fileNameOf(JSON.parse(stdout)))
  } finally {
    await fs.rm(staging, { recursive: true, force: true })
  }
}

/** Some versions of npm print a list of packages, others an object by name. */
const fileNameOf = (/** @type {Record<string, { filename: string }>} */ packed) =>
  Object.values(packed)[0]?.filename ?? ''

async function manifest() {
  const [workspace, server, ...rest] = await Promise.all(
    [
      'package.json',
      ...['server', 'control-plane', 'api'].map((name) => `packages/${name}/package.json`),
    ].map(async (file) => JSON.parse(await fs.readFile(path.join(root, file), 'utf8'))),
  )
  return {
    name: 'gantry',
    version: server.version,
    description: 'A web console for a private cloud, and the control plane behind it',
    license: workspace.license,
    type: 'module',
    bin: { gantry: server.bin.gantry.replace('dist', 'server/dist') },
    engines: workspace.engines,
    dependencies: runtimeDependencies([server, ...rest]),
  }
}

/**
 * The bundle's external dependencies, in the versions that were tested.
 * @param {{ name: string, dependencies?: Record<string, string> }[]} packages
 */
function runtimeDependencies(packages) {
  const all = packages.flatMap(({ dependencies = {} }) => Object.entries(dependencies))
  const foreign = all.filter(([name]) => !name.startsWith('@gantry/')).sort(([a], [b]) => (a < b ? -1 : 1))
  const loose = foreign.find(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))
  if (loose) throw new Error(`The version of ${loose[0]} is not exact: ${loose[1]}.`)
  return Object.fromEntries(foreign)
}
