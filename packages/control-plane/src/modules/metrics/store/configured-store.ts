import type { SampleEngine } from '@gantry/control-plane/environment'
import { databaseStore } from './database/database-store.ts'
import { engineStore } from './engine-store.ts'
import type { SampleStore } from './sample-store.ts'

/** The configured time-series engine, or else the database. */
export const configuredStore = ({ samples }: { samples: SampleEngine | undefined }): SampleStore =>
  samples ? engineStore(samples) : databaseStore
