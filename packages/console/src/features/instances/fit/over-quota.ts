import { formatBytes, formatMemory, formatNumber } from '#/ui/format.ts'

export interface Amounts {
  cpus: number
  /** Bytes. */
  memory: number
  storage: number
}

export interface Over {
  kind: keyof Amounts
  /** By how much: `4 vCPU`, `16 GiB of memory`. */
  by: string
}

/** The resources that exceed the quota. */
export function overQuota(used: Amounts, added: Amounts, of: Amounts): Over[] {
  const words = {
    cpus: (over: number) => `${formatNumber(over)} vCPU`,
    memory: (over: number) => `${formatMemory(over)} of memory`,
    storage: (over: number) => `${formatBytes(over)} of storage`,
  }
  return (['cpus', 'memory', 'storage'] as const).flatMap((kind) => {
    const over = used[kind] + added[kind] - of[kind]
    return added[kind] > 0 && over > 0 ? [{ kind, by: words[kind](over) }] : []
  })
}
