import type { ProbeCreate, ProbeInfo, ProbeStatus } from '@gantry/api/network/probe'
import { automaticStack } from '@gantry/api/network/ip-stack.rules'
import type { ProbeState } from '@gantry/api/network/probe.rules'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { lackRefusal } from '../../fleet/capabilities.ts'
import { type Change, change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { addressOf, allow, type Found, need, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { invalid, refuseIf } from '../../context/refusal.ts'
import { allocateForProbe, removeExternalIp } from '../network/addresses/external-ips.ts'
import { insertInterface, lockSubnet, removeInterface } from '../network/records/interfaces.ts'
import { liveRows } from '../../change/children.ts'
import { probeInfos } from './views.ts'

type Probe = Row<'probe'>

export async function listProbes(cx: Cx, query: ListQuery) {
  const { items, next_page } = await pageOfProbes(cx, query)
  return { items: await probeInfos(cx.db, items), next_page }
}

/** The same with facts from the fleet and the rack. */
export async function listStatuses(cx: Cx, query: ListQuery) {
  const { items, next_page } = await pageOfProbes(cx, query)
  return { items: await statusesOf(cx, items), next_page }
}

const pageOfProbes = (cx: Cx, query: ListQuery) =>
  listPage(
    cx,
    'probe',
    query,
    async (at) => {
      const project = await need(cx, 'project', at, 'list_children')
      allow(cx, project, 'list_children', { as: 'probe' })
      return { where: { project_id: project.row.id } }
    },
    (row) => row,
  )

async function statusesOf(cx: Cx, rows: readonly Probe[]): Promise<ProbeStatus[]> {
  const infos = new Map((await probeInfos(cx.db, rows)).map((info) => [info.id, info]))
  const states =
    (await cx.services.fleet.probes?.states(rows.map(({ id }) => id))) ?? new Map<string, ProbeState>()
  const serials = await serialsOf(cx.db, rows)
  return rows.flatMap((row): ProbeStatus[] => {
    const info = infos.get(row.id)
    if (!info) return []
    return [
      {
        ...info,
        description: row.description,
        sled_serial: serials.get(row.sled_id) ?? '',
        // A probe unknown to the fleet is unreachable too.
        state: states.get(row.id) ?? 'unreachable',
        time_created: row.time_created.toISOString(),
      },
    ]
  })
}

async function serialsOf(db: Reader, rows: readonly Probe[]): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map()
  const sleds = await db
    .selectFrom('sled')
    .select(['id', 'serial'])
    .where(
      'id',
      'in',
      rows.map(({ sled_id }) => sled_id),
    )
    .execute()
  return new Map(sleds.map(({ id, serial }) => [id, serial]))
}

/** Needs more than a list of the same (control plane reference, A 15). */
export async function viewProbe(cx: Cx, at: Selectors): Promise<ProbeInfo> {
  const found = await needProbe(cx, at, 'read')
  allow(cx, found, 'create_child', { as: 'projectNetwork' })
  const [info] = await probeInfos(cx.db, [found.row])
  if (!info) throw addressOf('probe', at.probe ?? '')
  return info
}

/** The project is named also with an id, and the probe must be in it. */
async function needProbe(cx: Cx, at: Selectors, action: 'read' | 'modify'): Promise<Found<'probe'>> {
  const { row: project } = await need(cx, 'project', at, 'read')
  const found = await need(cx, 'probe', at, action)
  if (found.row.project_id !== project.id) throw addressOf('probe', at.probe ?? '')
  return found
}

/** The sled is locked against removal, and VPC, subnet and pool so that addresses are assigned one at a time. */
export async function createProbe(cx: Cx, at: Selectors, body: ProbeCreate): Promise<Probe> {
  const found = await need(cx, 'project', at, 'create_child')
  allow(cx, found, 'create_child', { as: 'probe' })
  const { probes } = cx.services.fleet
  if (!probes) throw lackRefusal('probes')
  const { row: project, scope } = found
  const { row: sled } = await need(cx, 'sled', { sled_id: body.sled }, 'read')
  const { name, description } = body
  return change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    await tx.hold('sled', sled.id)
    refuseIf(await sledProblem(tx, sled.id))
    const subnet = await lockSubnet(tx, project, { vpc_name: 'default', subnet_name: 'default' })
    const probe = await tx.insert('probe', { name, description, project_id: project.id, sled_id: sled.id })
    const nic = await insertInterface(
      tx,
      { instance_id: null, probe_id: probe.id },
      { subnet, slot: 0, is_primary: true },
      { name, description: `network interface of the probe ${name}`, ip_config: automaticStack('v4') },
    )
    const external = await allocateForProbe(tx, project.silo_id, probe.id, body.pool_selector)
    const addresses = { ip: nic.ip ?? '', external_ip: external.ip }
    await probes.start(tx, { id: probe.id, sled_id: sled.id, ...addresses })
    return probe
  })
}

async function sledProblem(tx: Change, id: string) {
  const sled = await tx.read.selectFrom('sled').select('policy').where('id', '=', id).executeTakeFirst()
  return sled?.policy === 'in_service'
    ? undefined
    : invalid('a probe can run only on a sled in service', 'Choose a sled whose policy is in service.')
}

export async function deleteProbe(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await needProbe(cx, at, 'modify')
  await change(cx, scope, async (tx) => {
    const probe = await tx.lock('probe', row)
    for (const nic of await liveRows(tx, 'network_interface', 'probe_id', probe.id))
      await removeInterface(tx, nic)
    for (const address of await liveRows(tx, 'external_ip', 'probe_id', probe.id))
      await removeExternalIp(tx, address)
    await tx.remove('probe', probe)
    await cx.services.fleet.probes?.stop(tx, probe.id)
  })
}
