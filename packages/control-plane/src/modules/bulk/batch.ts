import type { InstanceAction } from '@gantry/api/compute/instance-action'
import type { IpStackCreate } from '@gantry/api/network/network-interface'
import type { InstanceBatchCreate, InstanceBatchNames } from '@gantry/api/compute/instance-batch'
import {
  batchLimits,
  hostnamePatternProblem,
  namesOf,
  numberIn,
  numberPlace,
  patternProblem,
  unsharedProblem,
} from '@gantry/api/compute/instance-batch.rules'
import { newestVersion } from '@gantry/api/versions/newest.rules'
import { sql } from 'kysely'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict, invalid } from '@gantry/control-plane/context/refusal'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { actionView, begin } from './service.ts'

/** Stores what is to be created; a job creates each instance as the single call would, with the caller's roles of then. */
export async function createBatch(
  cx: Cx,
  at: Selectors,
  { first, count, ...creation }: InstanceBatchCreate,
): Promise<InstanceAction> {
  const { row: project } = await need(cx, 'project', at, 'create_child')
  const { name_pattern, hostname_pattern, instance } = creation
  refuseNumbers(first, count)
  const last = first + count - 1
  const problem =
    patternProblem(name_pattern, last) ??
    (typeof hostname_pattern === 'string' ? hostnamePatternProblem(hostname_pattern, last) : undefined)
  if (problem !== undefined) throw invalid(problem, `Write for example "web-${numberPlace}".`)
  const shared = unsharedProblem({
    disks: [...instance.disks, ...(instance.boot_disk ? [instance.boot_disk] : [])],
    external: instance.external_ips,
    hasOwnAddress:
      instance.network_interfaces?.type === 'create' &&
      instance.network_interfaces.params.some(({ ip_config }) => isChosen(ip_config)),
  })
  if (shared !== undefined) throw invalid(shared, 'Remove it, or create the instances one by one.')
  const names = namesOf(name_pattern, first, count)
  const { row, items } = await begin(cx, {
    kind: 'instance',
    action: 'create',
    is_for_good: false,
    silo_id: project.silo_id,
    project_id: project.id,
    creation: { ...creation, version: newestVersion },
    created_tags: cx.request.created_tags,
    targets: async (db) => {
      const { open } = await db
        .selectFrom('instance_action')
        .select((eb) => eb.fn.countAll<string>().as('open'))
        .where('silo_user_id', '=', cx.user().user_id)
        .where('action', '=', 'create')
        .where('time_completed', 'is', null)
        .executeTakeFirstOrThrow()
      // This one is among them.
      if (Number(open) > batchLimits.open)
        throw conflict(
          `${batchLimits.open} of your requests for several instances are not finished`,
          'Wait until one is, or cancel it.',
        )
      return names.map((name) => ({ instance_id: null, name, state: 'pending', error: null }))
    },
  })
  return actionView(row, items)
}

const isChosen = (config: IpStackCreate | undefined): boolean =>
  config !== undefined &&
  (config.type === 'dual_stack' ? [config.value.v4, config.value.v6] : [config.value]).some(
    ({ ip }) => ip.type === 'explicit',
  )

function refuseNumbers(first: number, count: number): void {
  if (first + count - 1 > batchLimits.lastNumber)
    throw invalid(`the last number is greater than ${batchLimits.lastNumber}`, 'Begin with a smaller number.')
}

/** Which names are taken, and where numbers that continue would begin. */
export async function checkNames(
  cx: Cx,
  at: Selectors,
  { name_pattern, first, count }: { name_pattern: string; first: number; count: number },
): Promise<InstanceBatchNames> {
  const { row: project } = await need(cx, 'project', at, 'list_children')
  refuseNumbers(first, count)
  const problem = patternProblem(name_pattern, first + count - 1)
  if (problem !== undefined) throw invalid(problem, `Write for example "web-${numberPlace}".`)
  const [before = '', after = ''] = name_pattern.split(numberPlace)
  // Names have no character that a pattern of LIKE reads otherwise.
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM instance WHERE project_id = ${project.id} AND time_deleted IS NULL
      AND name LIKE ${`${before}%${after}`}`.execute(cx.db)
  const numbers = rows.flatMap(({ name }) => numberIn(name_pattern, name) ?? [])
  const existing = new Set(rows.map(({ name }) => name))
  return {
    taken: namesOf(name_pattern, first, count).filter((name) => existing.has(name)),
    next: numbers.length > 0 ? numbers.reduce((most, each) => Math.max(most, each)) + 1 : null,
  }
}
