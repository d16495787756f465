import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './builds.mjs'
import { writeRouteTree } from './route-tree.mjs'

test('the route tree is that of the routes (else: npm run generate)', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'gantry-routes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'routeTree.gen.ts')
  await writeRouteTree(file)
  const bare = (text: string) => text.replaceAll(/from '[./]+.*\/routes\//g, "from './routes/")
  const kept = readFileSync(path.join(root, 'packages/console/src/routeTree.gen.ts'), 'utf8')
  expect(bare(readFileSync(file, 'utf8'))).toBe(bare(kept))
})
