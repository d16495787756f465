import { sentenceCase } from '#/ui/data/format.ts'
import { Tag } from '#/ui/data/Tag.tsx'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { StateWithReason } from '#/kit/list/StateWithReason.tsx'
import type { Disk } from './queries.ts'

type State = Disk['state']['state']

const families: Record<State, StateFamily> = {
  attached: 'ok',
  attaching: 'busy',
  creating: 'busy',
  detaching: 'busy',
  finalizing: 'busy',
  importing_from_url: 'busy',
  importing_from_bulk_writes: 'busy',
  maintenance: 'care',
  detached: 'idle',
  import_ready: 'idle',
  destroyed: 'gone',
  faulted: 'fail',
}

function DiskPlate({ state }: { state: State }) {
  return <StatePlate family={families[state]}>{sentenceCase(state)}</StatePlate>
}

/** The state, with the cause of a failure where the server gives one. */
export function DiskState({ disk: { state, failure, readOnly, diskType } }: { disk: Disk }) {
  const plate = <DiskPlate state={state.state} />
  // A disk is as it was before where its instance could not get or release it.
  const shown = failure ? <StateWithReason failure={failure}>{plate}</StateWithReason> : plate
  const kind = readOnly ? 'Read-only' : diskType === 'local' && 'Local'
  if (!kind) return shown
  return (
    <span className="inline-flex items-center gap-2">
      {shown}
      <Tag>{kind}</Tag>
    </span>
  )
}

/** Transitional states, which need a short poll interval. */
const transitional: ReadonlySet<State> = new Set([
  'attaching',
  'creating',
  'detaching',
  'finalizing',
  'maintenance',
])
export const isTransitional = ({ state }: Disk): boolean => transitional.has(state.state)
