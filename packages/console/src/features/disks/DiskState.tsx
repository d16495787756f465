import { sentenceCase } from '../../ui/format.ts'
import { type StateFamily, StatePlate } from '../../ui/StatePlate.tsx'
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

export function DiskPlate({ state }: { state: State }) {
  return <StatePlate family={families[state]}>{words(state)}</StatePlate>
}

const words = (state: State): string =>
  state === 'importing_from_bulk_writes' ? 'Importing bulk writes' : sentenceCase(state)
