import { memoryBackupStores } from '../blocks/backup-store.ts'
import { DownloadFailed } from '../blocks/downloads.ts'
import { memoryBlocks } from '../blocks/memory.ts'
import { type Environment, noSeal } from '../environment.ts'
import { defaultSettings, type Settings } from '../settings.ts'
import { jsonCertificates } from './certificates.ts'

/**
 * Tests send requests as fast as they can; tests of the limits use their own settings. Tests of metrics take
 * their samples themselves.
 */
const patientSettings: Settings = {
  ...defaultSettings,
  limits: { ...defaultSettings.limits, requests_per_second: 1_000_000, request_burst: 1_000_000 },
  metrics: { ...defaultSettings.metrics, sampling: false },
}

/** For tests of what is gone with its deletion. */
export const withoutBin: Settings = { ...patientSettings, recycle_bin: { hours: 0 } }

/** The control plane's dependencies, except its database. */
export const testEnvironment = (): Omit<Environment, 'dialect' | 'fleet'> => ({
  blocks: memoryBlocks(),
  imageConverter: undefined,
  passwords: {
    hash: async (text) => `plain:${text}`,
    verify: async (hash, text) => hash === `plain:${text}`,
  },
  seal: noSeal,
  settings: patientSettings,
  certificates: jsonCertificates,
  dnsZone: 'test',
  saml: undefined,
  webauthn: undefined,
  downloads: {
    open: async () => {
      throw new DownloadFailed('The server has no such file (status 404).', 'Check the address.', 'lasting')
    },
  },
  webhooks: undefined,
  backupStores: memoryBackupStores(),
  diagnosis: undefined,
  samples: undefined,
  log: { info: () => {}, warn: () => {}, error: () => {} },
  clock: () => new Date(),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  secure: false,
  origins: [],
})
