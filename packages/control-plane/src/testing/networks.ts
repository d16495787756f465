import type { Networks, RefusedAddress, VpcNetwork } from '../fleet/networks.ts'

/** Networks in memory that record their calls, for tests of the callers. */
export class FakeNetworks implements Networks {
  readonly vpcs = new Map<string, VpcNetwork>()
  readonly applied: VpcNetwork[] = []
  readonly removed: string[] = []
  readonly hasExternalAddresses: boolean
  readonly refusals = new Map<string, RefusedAddress[]>()
  /** Runs at the beginning of each application, which fails if it throws. */
  before: (network: VpcNetwork) => Promise<void> | void = () => {}

  constructor({ hasExternalAddresses = true } = {}) {
    this.hasExternalAddresses = hasExternalAddresses
  }

  apply = async (network: VpcNetwork): Promise<number> => {
    await this.before(network)
    const { generation = 0 } = this.vpcs.get(network.id) ?? {}
    if (network.generation < generation) return generation
    this.applied.push(network)
    this.vpcs.set(network.id, network)
    return network.generation
  }

  remove = async (vpcIds: readonly string[]): Promise<void> => {
    this.removed.push(...vpcIds)
    for (const id of vpcIds) this.vpcs.delete(id)
  }

  inForce = async (): Promise<Map<string, number>> =>
    new Map([...this.vpcs].map(([id, { generation }]) => [id, generation]))

  refused = (): ReadonlyMap<string, readonly RefusedAddress[]> => this.refusals
}
