/** The real program with a minimal control plane, for tests of the process. */
import { NewerDatabase } from '@gantry/control-plane/db/migrate'
import { main } from '../cli/main.ts'
import { fakeControlPlane } from './fake-control-plane.ts'

await main(
  {
    version: '1.2.3',
    createControlPlane: ({ log }) => {
      const fake = fakeControlPlane()
      const seeded = process.env['FAKE_SEEDED'] === 'yes'
      const failing = process.env['FAKE_REJECTION'] === 'yes'
      return {
        ...fake,
        migrate: async () => {
          if (process.env['FAKE_NEWER'] === 'yes') throw new NewerDatabase('A newer version wrote it.')
        },
        seed: async (kind, password) => {
          log.info({ kind, password }, 'seeding')
          return !seeded
        },
        start: () => {
          if (failing) setTimeout(() => void Promise.reject(new Error('forgotten')), 20)
        },
      }
    },
    operationOf: () => undefined,
    consoleDir: process.env['FAKE_CONSOLE'] ?? '/nowhere',
    files: [],
  },
  process.argv.slice(2),
  process.env,
)
