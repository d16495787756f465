import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { root } from './builds.mjs'

const run = promisify(execFile)
const api = path.join(root, 'packages/api')
/** Where `npm run types` leaves the declarations. */
const declarations = path.join(root, 'node_modules/.cache/types/packages/api/src')

/**
 * Packs the typed client into `gantry-client-<version>.tgz`, for programs that use the API.
 * @param {string} outDir
 * @returns {Promise<string>} The file.
 */
export async function packClient(outDir) {
  const staging = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-client-'))
  try {
    await bundle(path.join(api, 'src/client/published.ts'), path.join(staging, 'dist'), 'index.js')
    await writeDeclarations(path.join(staging, 'dist'))
    for (const name of ['README.md', 'example.ts'])
      await fs.cp(path.join(api, 'client', name), path.join(staging, name))
    await fs.cp(path.join(root, 'LICENSE'), path.join(staging, 'LICENSE'))
    await fs.writeFile(path.join(staging, 'package.json'), JSON.stringify(await manifest(), null, 2))
    await fs.mkdir(outDir, { recursive: true })
    const { stdout } = await run(
      'npm',
      ['pack', '--json', '--loglevel=error', '--pack-destination', path.resolve(outDir)],
      { cwd: staging, maxBuffer: 64 * 1024 * 1024 },
    )
    const [packed] = Object.values(/** @type {Record<string, { filename: string }>} */ (JSON.parse(stdout)))
    return path.join(path.resolve(outDir), packed?.filename ?? '')
  } finally {
    await fs.rm(staging, { recursive: true, force: true })
  }
}

/**
 * Writes the commands for a running server as one file that Node runs, without the server and without dependencies.
 * @param {string} outDir
 * @returns {Promise<string>} The file.
 */
export async function writeCommandLine(outDir) {
  const { version } = JSON.parse(await fs.readFile(path.join(root, 'packages/server/package.json'), 'utf8'))
  const building = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-cli-'))
  try {
    await bundle(path.join(root, 'packages/server/src/client/standalone.ts'), building, 'gantry.mjs')
    const file = path.join(path.resolve(outDir), `gantry-cli-${version}.mjs`)
    await fs.mkdir(outDir, { recursive: true })
    await fs.copyFile(path.join(building, 'gantry.mjs'), file)
    await fs.chmod(file, 0o755)
    return file
  } finally {
    await fs.rm(building, { recursive: true, force: true })
  }
}

/**
 * Bundles a module and everything that it imports into one file.
 * @param {string} entry
 * @param {string} outDir
 * @param {string} name
 */
async function bundle(entry, outDir, name) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    json: { stringify: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rollupOptions: {
        input: { entry },
        output: { entryFileNames: name, codeSplitting: false },
        // Optional parts of libraries, which work without them.
        external: ['bufferutil', 'utf-8-validate'],
      },
    },
  })
}

/**
 * The declarations of the entry and of everything that they import, in which files are JavaScript.
 * @param {string} outDir
 */
async function writeDeclarations(outDir) {
  await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '--build', api])
  const waiting = ['client/published']
  const known = new Set(waiting)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const text = await fs.readFile(path.join(declarations, `${name}.d.ts`), 'utf8')
    const folder = path.posix.dirname(name)
    const written = text.replaceAll(/(["'])(\.[^"']+)\.ts\1/g, (_, quote, specifier) => {
      const imported = path.posix.join(folder, specifier)
      if (!known.has(imported)) {
        known.add(imported)
        waiting.push(imported)
      }
      return `${quote}${specifier}.js${quote}`
    })
    const file = path.join(outDir, 'types', `${name}.d.ts`)
    await fs.mkdir(path.dirname(file), { recursive: true })
    await fs.writeFile(file, written)
  }
}

async function manifest() {
  const [workspace, { version, license, dependencies }] = await Promise.all(
    ['package.json', 'packages/api/package.json'].map(async (file) =>
      JSON.parse(await fs.readFile(path.join(root, file), 'utf8')),
    ),
  )
  return {
    name: '@gantry/client',
    version,
    description: 'A typed client of the Gantry API',
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './dist/types/client/published.d.ts', default: './dist/index.js' } },
    engines: workspace.engines,
    // Its types are written in terms of the schemas'; the code imports nothing.
    dependencies: { zod: dependencies.zod },
  }
}
