// @chunk instance-snapshot-rows: of lists and pages of instance snapshots, which few open.
import { StateWithReason } from '#/kit/list/StateWithReason.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import type { InstanceSnapshot } from './queries.ts'

const families: Record<InstanceSnapshot['state'], StateFamily> = {
  creating: 'busy',
  ready: 'ok',
  faulted: 'fail',
}

export function InstanceSnapshotState({ state, failure }: Pick<InstanceSnapshot, 'state' | 'failure'>) {
  const plate = <StatePlate family={families[state]}>{sentenceCase(state)}</StatePlate>
  return failure ? <StateWithReason failure={failure}>{plate}</StateWithReason> : plate
}
