import { updateKinds } from '@gantry/api/system/update.rules'
import { sql } from 'kysely'
import { fleetId } from '../../authz/actor.ts'
import type { Row } from '../../db/tables.ts'
import type { TaskSource, Told } from '../tasks/source.ts'
import { type Component, componentsOf, stateOf } from './components.ts'
import { currentTarget } from './target-row.ts'

/** The update of the system to the release that it is to run. One to an earlier release was replaced by it. */
export const updateTasks: TaskSource = {
  kind: 'target-release',
  open: sql`SELECT ${fleetId}::uuid AS id WHERE EXISTS (SELECT FROM target_release)`,
  read: async (cx, begun) => {
    if (begun.length === 0) return new Map()
    const target = await currentTarget(cx.db)
    const current = begun.find(({ after }) => after?.generation === target?.generation)
    if (!target || !current) return new Map()
    return new Map([[current.id, toldOf(await componentsOf(cx.db), target)]])
  },
}

function toldOf(components: readonly Component[], target: Row<'target_release'>): Told {
  const states = components.map((each) => stateOf(each, target.system_version))
  const count = (...wanted: string[]) => states.filter((state) => wanted.includes(state)).length
  const [done, failed, total] = [count('current'), count('failed'), states.length]
  const isDone = done === total
  const at = components.findIndex(
    (_, index) => !['current', 'pending', 'failed'].includes(states[index] ?? ''),
  )
  const now = components[at]
  const failedOne = components[states.indexOf('failed')]
  return {
    verb: 'update',
    object: { kind: 'system', id: null, name: `to ${target.system_version}` },
    state: isDone ? 'finished' : failed > 0 ? 'needs_attention' : 'running',
    time_ended: isDone ? lastChange(components, target) : null,
    progress: { unit: 'objects', done, running: total - done - failed - count('pending'), failed, total },
    step: now ? { number: done + 1, of: total, label: labelOf(now) } : null,
    failure: failedOne
      ? {
          code: 'update_failed',
          message: `${labelOf(failedOne)} could not be updated: ${failedOne.row?.reason ?? 'unknown'}`,
          next_step: 'Find the cause, then retry the update on the page System Update.',
          details: null,
          time: (failedOne.row?.time_changed ?? target.time_requested).toISOString(),
        }
      : null,
    actions: [],
  }
}

const labelOf = ({ kind, serial }: Component): string =>
  `${updateKinds[kind].label}${serial === null ? '' : ` of ${serial}`}`

const lastChange = (components: readonly Component[], { time_requested }: Row<'target_release'>): Date =>
  new Date(
    Math.max(time_requested.getTime(), ...components.map(({ row }) => row?.time_changed.getTime() ?? 0)),
  )
