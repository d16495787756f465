import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { operationId, ops } from '@gantry/api/registry'
import { createControlPlane } from '@gantry/control-plane/app'
import { Router } from '@gantry/control-plane/pipeline/router'
import manifest from '../package.json' with { type: 'json' }
import { main } from './cli/main.ts'

const router = new Router(ops)

function operationOf(method: string, pathname: string): string | undefined {
  try {
    return operationId(router.match(method, pathname).name)
  } catch {
    return undefined
  }
}

// The same path in the sources, the built server and the installed one, which share a layout.
const consoleDir = fileURLToPath(new URL('../../console/dist', import.meta.url))
const beside = [
  'pglite-worker.js',
  'pglite-init.js',
  'block-digest-worker.js',
  'saml-worker.js',
  'empty-database.json',
  'empty-database/PG_VERSION',
]

/** Runs a command that needs the server's code. */
export const runServerProgram = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> =>
  main(
    {
      version: manifest.version,
      createControlPlane,
      operationOf,
      consoleDir,
      files: [
        path.join(consoleDir, 'index.html'),
        ...beside.map((name) => fileURLToPath(new URL(name, import.meta.url))),
      ],
    },
    args,
    env,
  )
