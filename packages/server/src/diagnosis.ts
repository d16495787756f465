import os from 'node:os'
import type { Diagnosis } from '@gantry/control-plane/environment'
import type { Settings } from '@gantry/control-plane/settings'
import { reserveOf } from './space/reserve.ts'
import { volumeOf } from './space/free-space.ts'

interface Sources {
  dataDir: string
  version: string
  settings: Settings
  logged: () => readonly string[]
}

/** Facts about this process and its host for support; no names, addresses or environment variables. */
export const diagnosisOf = ({ dataDir, version, settings, logged }: Sources): Diagnosis => ({
  versions: {
    gantry: version,
    node: process.versions.node,
    system: `${os.type()} ${os.release()} ${os.arch()}`,
  },
  async checks() {
    const { free, total } = await volumeOf(dataDir)
    return {
      up_seconds: Math.round(process.uptime()),
      processors: os.availableParallelism(),
      load: os.loadavg(),
      memory: { total: os.totalmem(), free: os.freemem(), process: process.memoryUsage() },
      volume: { total, free, reserve: reserveOf(settings.storage.reserve_bytes, total) },
    }
  },
  logged,
})
