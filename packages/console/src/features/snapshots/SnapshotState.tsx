import { sentenceCase } from '#/ui/format.ts'
import { type StateFamily, StatePlate } from '#/ui/StatePlate.tsx'
import type { Snapshot } from './queries.ts'

const families: Record<Snapshot['state'], StateFamily> = {
  creating: 'busy',
  ready: 'ok',
  destroyed: 'gone',
  faulted: 'fail',
}

export const SnapshotState = ({ state }: Pick<Snapshot, 'state'>) => (
  <StatePlate family={families[state]}>{sentenceCase(state)}</StatePlate>
)
