import type { OpRef } from '@gantry/api/client/client'
import { useQuery } from '@tanstack/react-query'
import type { Send } from '#/data/client.ts'
import type { RecordedStep } from '#/data/recording/recorded.ts'
import type { allQuery, ItemOf } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import type { LinkTarget } from '#/kit/links/link-target.ts'

export interface SiloLink {
  siloId: string
  isDefault: boolean
}

type PoolsOfSilo = 'siloIpPoolList' | 'siloSubnetPoolList'

/** The links of a pool to silos, of either kind of pool. */
export interface PoolLinks {
  /** Its name. */
  pool: string
  noun: 'IP pool' | 'subnet pool'
  /** What users of a linked silo get from it. */
  given: 'addresses' | 'subnets'
  /** The page of a silo that its name leads to. */
  tab: (silo: string) => LinkTarget
  all: ReturnType<typeof allQuery<'ipPoolLinkList' | 'subnetPoolSiloList'>>
  poolsOf: (silo: string) => ReturnType<typeof allQuery<PoolsOfSilo>>
  /** Whether a pool of the silo is the default that this one would replace. */
  isReplaced: (other: ItemOf<PoolsOfSilo>) => boolean
  link: OpRef<'ipPoolSiloLink' | 'subnetPoolSiloLink'>
  update: OpRef<'ipPoolSiloUpdate' | 'subnetPoolSiloUpdate'>
  unlink: OpRef<'ipPoolSiloUnlink' | 'subnetPoolSiloUnlink'>
}

const linking = (pool: string, silo: string, isDefault = false) => ({
  path: { pool },
  body: { silo, isDefault },
})
const setting = (pool: string, silo: string, isDefault: boolean) => ({
  path: { pool, silo },
  body: { isDefault },
})

/** The requests that link, change and unlink. */
export function useLinkOps({ pool, ...ops }: PoolLinks) {
  const link = useOp(ops.link)
  const update = useOp(ops.update)
  const unlink = useOp(ops.unlink)
  return {
    link: (silo: string, isDefault: boolean, send?: Send) => link.run(linking(pool, silo, isDefault), send),
    setDefault: (silo: string, isDefault: boolean, send?: Send) =>
      update.run(setting(pool, silo, isDefault), send),
    unlink: (silo: string, send?: Send) => unlink.run({ path: { pool, silo } }, send),
  }
}

/** What linking sends: the default is set by a request of its own, which may replace another one. */
export const codeOfLink = (
  { pool, link, update }: PoolLinks,
  silo: string,
  isDefault: boolean,
): RecordedStep[] => [
  { op: link, input: linking(pool, silo) },
  ...(isDefault ? [{ op: update, input: setting(pool, silo, true) }] : []),
]

/** The name of the pool that this one would replace as the silo's default. */
export function useReplaced({ poolsOf, isReplaced }: PoolLinks, silo: string, isAsked: boolean) {
  const { data } = useQuery({ ...poolsOf(silo), enabled: isAsked })
  return isAsked ? data?.find(isReplaced)?.name : undefined
}
