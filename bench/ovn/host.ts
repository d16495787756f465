import { setTimeout as sleep } from 'node:timers/promises'
import type { VpcNetwork } from '../../packages/control-plane/src/fleet/networks.ts'
import { Daemons } from './daemons.ts'
import { northboundOf } from './northbound.ts'
import { namedTables, operationsOf } from './operations.ts'
import { type Atom, map, Ovsdb } from './ovsdb.ts'

const patienceMs = 30_000

/** A host whose VPCs are OVN's. */
export class OvnHost {
  private constructor(
    readonly daemons: Daemons,
    private readonly northbound: Ovsdb,
  ) {}

  static async start(namespace: string): Promise<OvnHost> {
    const daemons = await Daemons.start(namespace)
    return new OvnHost(
      daemons,
      await Ovsdb.open(daemons.socket('nb').slice('unix:'.length), 'OVN_Northbound'),
    )
  }

  /** Makes a tap a port of a switch, or of the outside. */
  plug(tap: string, port?: string): void {
    const bound = port ? ['--', 'set', 'interface', tap, `external-ids:iface-id=${port}`] : []
    this.daemons.vsctl('add-port', port ? 'br-int' : 'br-outside', tap, ...bound)
  }
  unplug(tap: string): void {
    this.daemons.vsctl('del-port', tap)
  }

  /** Returns once OVN says that the network is in force. */
  async apply(network: VpcNetwork): Promise<number> {
    const known = await this.#known(network.id)
    await this.northbound.transact(operationsOf(network, northboundOf(network), known))
    // In a transaction of its own, because rows that refer to old sets go at the end of the first.
    await this.northbound.transact([
      {
        op: 'delete',
        table: 'Address_Set',
        where: [
          ['external_ids', 'includes', map({ vpc: network.id })],
          ['external_ids', 'excludes', map({ generation: String(network.generation) })],
        ],
      },
    ])
    await this.settled()
    return network.generation
  }

  /** Until the host has what the database says. */
  async settled(): Promise<void> {
    const table = 'NB_Global'
    await this.northbound.transact([{ op: 'mutate', table, mutations: [['nb_cfg', '+=', 1]] }])
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(5)) {
      const columns = ['nb_cfg', 'hv_cfg']
      const [[row] = []] = await this.northbound.transact([{ op: 'select', table, columns }])
      if (row && Number(row['hv_cfg']) >= Number(row['nb_cfg'])) return
    }
    throw new Error('OVN did not bring it into force')
  }

  async stop(): Promise<void> {
    this.northbound.close()
    await this.daemons.stop()
  }

  /** The rows of a VPC, by table and name. */
  async #known(vpcId: string): Promise<Map<string, Atom>> {
    const rows = await this.northbound.transact(
      namedTables.map((table) => ({
        op: 'select',
        table,
        where: [['external_ids', 'includes', map({ vpc: vpcId })]],
        columns: ['_uuid', 'name'],
      })),
    )
    return new Map(
      namedTables.flatMap((table, n) =>
        (rows[n] ?? []).map((row) => [`${table} ${String(row['name'])}`, row['_uuid'] as Atom]),
      ),
    )
  }
}
