/**
 * Builds the server and the console into their `dist`; with names, only those (`preview` is only built by
 * name).
 */
import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { chunkCircles } from './lib/chunk-circles.mjs'
import { measureFirstLoads } from './lib/budget.mjs'
import { builds, hashOf, hasSources, root, writeStamp } from './lib/builds.mjs'
import { precompress } from './lib/precompress.mjs'
import { bundleServer } from '../packages/server/bundle.mjs'

/** @type {Record<(typeof builds)[number]['name'], (outDir: string) => Promise<void>>} */
const builders = {
  async server(outDir) {
    const prepare = 'prepare-database'
    const entries = { gantry: 'src/gantry.ts', [prepare]: `src/database/pglite/${prepare}.ts` }
    await bundleServer({ entries, outDir })
    // Lets a first start copy an empty database instead of creating one, which takes seconds and 0.8 GB.
    const dataDir = path.join(outDir, 'unfinished')
    await fs.mkdir(dataDir)
    await promisify(execFile)(process.execPath, [path.join(outDir, `${prepare}.js`), dataDir])
    await fs.rename(path.join(dataDir, 'database'), path.join(outDir, 'empty-database'))
    await writeFolders(path.join(outDir, 'empty-database'))
    await makeReadable(path.join(outDir, 'empty-database'))
    for (const used of [dataDir, path.join(outDir, `${prepare}.js`), path.join(outDir, `${prepare}.js.map`)])
      await fs.rm(used, { recursive: true })
  },
  async console(outDir) {
    // A separate process, because plugins of the console use the working directory.
    const vite = path.join(
      path.dirname(createRequire(import.meta.url).resolve('vite/package.json')),
      'bin/vite.js',
    )
    const cwd = path.join(root, 'packages/console')
    await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd })
    const circles = chunkCircles(
      JSON.parse(await fs.readFile(path.join(outDir, '.vite/manifest.json'), 'utf8')),
    )
    if (circles.length > 0)
      throw new Error(
        `Chunks import each other; move what they share by a comment @chunk:\n${circles.join('\n')}`,
      )
    const firstLoads = measureFirstLoads(outDir, cwd)
    for (const problem of firstLoads.problems) process.stderr.write(`Too heavy a first load: ${problem}\n`)
    await promisify(execFile)(process.execPath, [path.join(root, 'tools/lib/page-reads.mjs'), outDir])
    // Only the build reads it.
    await fs.rm(path.join(outDir, '.vite'), { recursive: true })
    await precompress(outDir)
    // Used only by `npm run budgets`.
    await fs.writeFile(path.join(outDir, '.first-loads.json'), JSON.stringify(firstLoads))
  },
  async preview() {
    // A separate process, like the console.
    await promisify(execFile)(process.execPath, [path.join(root, 'tools/lib/build-preview.mjs')])
  },
}

/**
 * PostgreSQL keeps its files to its user, but anyone may run this program, as with an installed package.
 * @param {string} database
 */
async function makeReadable(database) {
  await fs.chmod(database, 0o755)
  for (const entry of await fs.readdir(database, { recursive: true, withFileTypes: true }))
    await fs.chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}

/**
 * A database needs its empty folders too, and npm packages cannot contain any.
 * @param {string} database
 */
async function writeFolders(database) {
  const entries = await fs.readdir(database, { recursive: true, withFileTypes: true })
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) =>
      path.relative(database, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
    )
  await fs.writeFile(`${database}.json`, JSON.stringify(folders.sort()))
}

const named = process.argv.slice(2)
const names = named.length > 0 ? named : builds.filter(({ onDemand }) => !onDemand).map(({ name }) => name)
for (const build of builds) {
  if (!names.includes(build.name) || !hasSources(build)) continue
  const started = performance.now()
  const hash = hashOf(build.sources)
  try {
    await builders[build.name](build.outDir)
  } catch (error) {
    const { stderr, stdout, message } = /** @type {{ stderr?: string, stdout?: string, message: string }} */ (
      error
    )
    process.stderr.write(`${stdout ?? ''}${stderr ?? message}\nThe ${build.name} could not be built.\n`)
    process.exit(1)
  }
  writeStamp(build, hash)
  process.stderr.write(`Built the ${build.name} in ${((performance.now() - started) / 1000).toFixed(1)} s.\n`)
}
