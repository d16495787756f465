import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../.cache', import.meta.url))

/**
 * Bundles a source module into a file that `node` runs, for tests that need a process to kill. Rebuilt in
 * every run, inside the package, so that it finds the package's dependencies.
 */
export async function bundled(module: string): Promise<{ file: string; remove: () => Promise<void> }> {
  const { bundleServer } = await import('../../bundle.mjs')
  await fs.mkdir(cache, { recursive: true })
  const outDir = await fs.mkdtemp(path.join(cache, 'bundle-'))
  await bundleServer({ entries: { entry: module }, outDir })
  return {
    file: path.join(outDir, 'entry.js'),
    remove: () => fs.rm(outDir, { recursive: true, force: true }),
  }
}
