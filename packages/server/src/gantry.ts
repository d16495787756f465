#!/usr/bin/env -S node --v8-pool-size=1
import { fileURLToPath } from 'node:url'
import { operationId, ops } from '@gantry/api/registry'
import { createControlPlane } from '@gantry/control-plane/app'
import { Router } from '@gantry/control-plane/kernel/router'
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

await main(
  {
    version: manifest.version,
    createControlPlane,
    operationOf,
    // The same from the sources and from the built server, which both lie one folder deep in the package.
    consoleDir: fileURLToPath(new URL('../../console/dist', import.meta.url)),
  },
  process.argv.slice(2),
  process.env,
)
