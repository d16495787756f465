import { type ComponentState, updateKinds } from '@gantry/api/system/update.rules'
import type { StateFamily } from '#/ui/data/StatePlate.tsx'
import type { UpdateComponent } from './queries.ts'

export const stateWords: Record<ComponentState, { family: StateFamily; text: string }> = {
  current: { family: 'ok', text: 'Current' },
  pending: { family: 'idle', text: 'Pending' },
  draining: { family: 'busy', text: 'Draining' },
  updating: { family: 'busy', text: 'Updating' },
  failed: { family: 'fail', text: 'Failed' },
}

/** The most important state of a piece of hardware comes first. */
const weight: readonly ComponentState[] = ['failed', 'updating', 'draining', 'pending', 'current']

/** The components of a sled, a switch or the rack itself. */
export interface Hardware {
  id: string
  of: 'sled' | 'switch' | 'rack'
  name: string
  hardwareId: string | null
  cubby: number | null
  state: ComponentState
  /** The distinct versions. */
  versions: string[]
  done: number
  total: number
  /** The first unfinished component, and why it waits or failed. */
  detail: string
}

export function hardwareOf(components: readonly UpdateComponent[]): Hardware[] {
  const groups = new Map<string, UpdateComponent[]>()
  for (const component of components) {
    const key = component.hardwareId ?? 'rack'
    groups.set(key, [...(groups.get(key) ?? []), component])
  }
  return [...groups].flatMap(([id, own]) => {
    const [first] = own
    if (!first) return []
    const state = weight.find((each) => own.some((component) => component.state === each)) ?? 'current'
    const active = own.find((component) => component.state === state)
    const what = active && state !== 'current' && state !== 'pending' ? updateKinds[active.kind].label : ''
    return {
      id,
      of: updateKinds[first.kind].of,
      name: first.serial ?? 'Control plane',
      hardwareId: first.hardwareId,
      cubby: first.cubby,
      state,
      versions: [...new Set(own.map(({ version }) => version))],
      done: own.filter((component) => component.state === 'current').length,
      total: own.length,
      detail: [what, active?.reason ?? ''].filter(Boolean).join(': '),
    }
  })
}
