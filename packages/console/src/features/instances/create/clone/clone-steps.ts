// @chunk clone-steps: of the code of a clone, which few ask for.
import * as op from '@gantry/api/client/operations.gen'
import type { Tag } from '@gantry/api/tags/tag.rules'
import type { RecordedStep } from '#/data/recording/recorded.ts'
import { placeholderId } from '#/kit/forms/form-props.ts'
import { batchBody } from '../batch-body.ts'
import { type BodyContext, instanceBody } from '../body.ts'
import { copiedDisks, countOf, type InstanceValues } from '../values.ts'
import { snapshotBody } from './snapshot-body.ts'

/** The requests that clone an instance: its disks become snapshots first, which go afterwards. */
export function cloneSteps(
  project: string,
  values: InstanceValues,
  tags: readonly Tag[],
  context: Omit<BodyContext, 'snapshotOf'>,
): RecordedStep[] {
  const query = { project }
  const copies = copiedDisks(values).map((disk, at) => ({ disk, id: placeholderId(at + 1) }))
  const all = { ...context, snapshotOf: new Map(copies.map(({ disk, id }) => [disk.id, id])) }
  return [
    ...copies.map(({ disk, id }) => {
      const body = snapshotBody(disk, values)
      return { op: op.snapshotCreate, input: { query, body }, answered: { id, name: body.name } }
    }),
    countOf(values) > 1
      ? { op: op.instanceBatchCreate, input: { query, body: batchBody(values, all) }, tags }
      : { op: op.instanceCreate, input: { query, body: instanceBody(values, all) }, tags },
    ...copies.map(({ id }) => ({ op: op.snapshotDelete, input: { path: { snapshot: id } } })),
  ]
}
