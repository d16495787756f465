import type { SampleEngine } from '../../environment.ts'
import { databaseStore } from './database-store.ts'
import { engineStore } from './engine-store.ts'
import type { SampleStore } from './sample-store.ts'

/** An existing engine, if this installation has one, else the database. */
export const storeOf = ({ samples }: { samples: SampleEngine | undefined }): SampleStore =>
  samples ? engineStore(samples) : databaseStore
