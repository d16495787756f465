import { useQuery } from '@tanstack/react-query'
import type { Instance } from '../queries.ts'
import { cpuUseEveryMs, cpuUseOf } from './cpu-use.ts'

/** Asks for a page, once a minute: many cells asking would each keep a clock of their own. */
export function CpuUseReader({ project, rows }: { project: string; rows: readonly Instance[] }) {
  useQuery({ ...cpuUseOf(project, rows), refetchInterval: cpuUseEveryMs })
  return null
}
